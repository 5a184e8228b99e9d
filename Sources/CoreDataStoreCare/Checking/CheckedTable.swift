import CoreData
import CoreDataModel

/// A root entity's table, with those of its columns that are in the file.
struct CheckedTable {
  let root: EntityMap
  /// The attributes that have a column, each in its declaring entity.
  let values: [CheckedValue]
  /// The keys of other rows.
  let links: [CheckedLink]

  var name: String { root.tableName }
}

/// An attribute's column, in the rows of the entity that declares it and of those below.
struct CheckedValue: Hashable {
  let entity: EntityMap
  let attribute: AttributeSchema
  let column: String
  /// The attribute's name; of an element of a composite attribute with that of its attribute.
  let name: String
  /// Whether it is an element of a composite attribute, which is there or not as a whole.
  let isElement: Bool

  var place: Finding.Place { .property(name, of: entity.name) }
}

/// A column with keys of other rows.
///
/// ```
/// Note.folder   ZNOTE.ZFOLDER   of Note rows, leads to Folder rows
/// Bin.kept      ZNOTE.Z1KEPT    of Note rows, leads to the Bin rows that keep them
/// ```
struct CheckedLink: Hashable {
  /// The entity that declares the relationship, and the relationship.
  let declarer: EntityMap
  let relationship: RelationshipSchema
  /// The entity whose rows have the key.
  let holder: EntityMap
  let column: String
  /// Says of which entity the row is that the key leads to.
  let entityColumn: String?
  let orderColumn: String?
  let destination: EntityMap
  /// The key that leads back, where both ends are to-one.
  let inverse: Inverse?

  struct Inverse: Hashable {
    let name: String
    let column: String
    let entityColumn: String?
    let isOptional: Bool
  }

  var place: Finding.Place { .property(relationship.name, of: declarer.name) }

  /// Whether rows may be without the key.
  var isOptional: Bool { relationship.isToMany || relationship.isOptional }

  /// The ordered relationship whose places the order column has.
  var orderedName: String {
    relationship.isToMany ? relationship.name : relationship.inverseName ?? ""
  }

  var columns: [String] { [column] + [entityColumn, orderColumn].compactMap(\.self) }
}

// MARK: - Reading the model

extension CheckedTable {
  static func all(
    in schema: ModelSchema,
    _ tables: TableMap,
    _ file: FileSchema
  ) -> [CheckedTable] {
    let links = CheckedLink.all(in: schema, tables, file)
    return tables.tables.compactMap { table in
      guard let root = tables[number: table.rootNumber], file.tables[table.name] != nil,
        ["Z_PK", "Z_ENT"].allSatisfy({ file.has($0, in: table.name) })
      else { return nil }
      let values = root.numbers.compactMap { tables[number: $0] }
        .flatMap { CheckedValue.all(of: $0, in: schema, file) }
      return CheckedTable(
        root: root,
        values: values,
        links: links.filter { $0.holder.tableName == table.name }
      )
    }
  }
}

extension CheckedValue {
  static func all(
    of entity: EntityMap,
    in schema: ModelSchema,
    _ file: FileSchema
  ) -> [CheckedValue] {
    (schema.entity(named: entity.name)?.attributes ?? []).flatMap { attribute in
      values(attribute, at: entity[attribute.name], named: attribute.name, in: entity)
    }
    .filter { file.has($0.column, in: entity.tableName) }
  }

  private static func values(
    _ attribute: AttributeSchema,
    at mapping: PropertyMapping?,
    named name: String,
    in entity: EntityMap,
    isElement: Bool = false
  ) -> [CheckedValue] {
    switch mapping {
    case .attribute(let column):
      return [
        CheckedValue(
          entity: entity,
          attribute: attribute,
          column: column,
          name: name,
          isElement: isElement
        )
      ]
    case .composite(let mappings):
      return attribute.elements.flatMap { element in
        values(
          element,
          at: mappings[element.name],
          named: "\(name).\(element.name)",
          in: entity,
          isElement: true
        )
      }
    case .some(.none), .toOne, .toManyInverse, .toManyForeignKey, .join, nil:
      return []
    }
  }
}

extension CheckedLink {
  static func all(
    in schema: ModelSchema,
    _ tables: TableMap,
    _ file: FileSchema
  ) -> [CheckedLink] {
    tables.entities.flatMap { entity in
      (schema.entity(named: entity.name)?.relationships ?? []).compactMap {
        CheckedLink($0, of: entity, in: schema, tables)
      }
    }
    .filter { link in
      file.tables[link.destination.tableName] != nil
        && link.columns.allSatisfy { file.has($0, in: link.holder.tableName) }
        && link.inverse.map { file.has($0.column, in: link.destination.tableName) } ?? true
    }
  }

  private init?(
    _ relationship: RelationshipSchema,
    of entity: EntityMap,
    in schema: ModelSchema,
    _ tables: TableMap
  ) {
    guard let destination = tables[relationship.destinationName] else { return nil }
    declarer = entity
    self.relationship = relationship
    switch entity[relationship.name] {
    case .toOne(let column, let entityColumn, let orderColumn):
      holder = entity
      self.destination = destination
      self.column = column
      self.entityColumn = entityColumn
      self.orderColumn = orderColumn
      inverse = Inverse(of: relationship, in: destination, schema)
    case .toManyForeignKey(let key):
      holder = destination
      self.destination = entity
      column = key.column
      entityColumn = key.entityColumn
      orderColumn = key.orderColumn
      inverse = nil
    case .some(.none), .attribute, .composite, .toManyInverse, .join, nil:
      return nil
    }
  }
}

extension CheckedLink.Inverse {
  fileprivate init?(
    of relationship: RelationshipSchema,
    in destination: EntityMap,
    _ schema: ModelSchema
  ) {
    guard let name = relationship.inverseName,
      case .toOne(let column, let entityColumn, _) = destination[name],
      case .relationship(let inverse) = schema.property(name, of: destination.name)
    else { return nil }
    self.name = name
    self.column = column
    self.entityColumn = entityColumn
    isOptional = inverse.isOptional
  }
}
