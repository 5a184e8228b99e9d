import CoreDataModel
package import CoreDataSQL
import Foundation

/// A query in SQL as one store has it: every name is that of a table or a column.
///
/// ```
/// SELECT \(\Note.title) FROM \(Note.self) WHERE \(\Note.stars) > \(3)
/// SELECT "Note"."ZTITLE" FROM "ZNOTE" "Note" WHERE "Note"."ZSTARS" > ?1
/// ```
package struct NamedQuery {
  package private(set) var fragment = SQLFragment()
  /// The properties by the columns that are named; `nil` if two have the same column.
  package private(set) var properties: [String: String?] = [:]
  /// The names of the columns that an object is made of, if the query asks for them.
  package private(set) var objects: (layout: EntityLayout, columns: [String])?
  /// Whether those columns are what the table has, and not what a subquery has under the same names.
  package private(set) var givesStoredRows = false
  private let schema: StoreSchema
  private let store: StoreNumber

  package init(
    _ query: SQLQuery,
    in schema: StoreSchema,
    of store: StoreNumber
  ) throws(SQLQueryFailure) {
    self.schema = schema
    self.store = store
    for piece in query.pieces { try append(piece) }
    givesStoredRows = try selectsStoredRows(query)
  }

  private mutating func append(_ piece: SQLQuery.Piece) throws(SQLQueryFailure) {
    switch piece {
    case .text(let text):
      fragment += SQLFragment(pieces: [.text(text)])
    case .table(let choice, let alias):
      let layout = try schema.model.layout(of: choice)
      fragment += table(of: layout, as: alias ?? layout.name)
    case .column(let choice, let alias):
      let (layout, name) = try schema.model.property(of: choice)
      let column = try column(name, of: layout)
      properties[column] = properties[column].map { $0 == name ? name : nil } ?? name
      fragment += .column(column, of: alias ?? layout.name)
    case .objects(let choice, let alias):
      appendColumns(of: try schema.model.layout(of: choice), alias)
    case .pairs(let choice, let alias):
      let (layout, name) = try schema.model.property(of: choice)
      fragment += "\(try pairs(name, of: layout)) AS \(name: alias)"
    case .value(let value):
      fragment += .value(try bound(value))
    case .list(let values):
      var list: [SQLFragment] = []
      for value in values { list.append(.value(try bound(value))) }
      fragment += "(\(list.joined(separator: ", ")))"
    }
  }
}

// MARK: - Tables

extension NamedQuery {
  /// The rows of an entity and of its subentities, of a table that may have others.
  private func table(of layout: EntityLayout, as alias: String) -> SQLFragment {
    let entity = schema.queries.map(layout)
    guard let filter = schema.queries.entityFilter(FetchPlan(layout), entity) else {
      return "\(table: entity.tableName, as: alias)"
    }
    return """
      (SELECT * FROM \(table: entity.tableName, as: "t0") WHERE \(filter)) AS \(name: alias)
      """
  }

  private mutating func appendColumns(of layout: EntityLayout, _ alias: String?) {
    let columns = schema.decoder(for: layout).columnNames
    fragment += columns.map { column in
      "\(column: column, of: alias ?? layout.name) AS \(name: column)"
    }.joined(separator: ", ")
    if objects == nil { objects = (layout, columns) }
  }

  private func pairs(_ name: String, of layout: EntityLayout) throws(SQLQueryFailure) -> SQLFragment
  {
    let entity = schema.queries.map(layout)
    switch entity[name] {
    case .toOne(let column, _, _):
      return pairs("Z_PK", column, nil, in: entity.tableName)
    case .toManyInverse(let key), .toManyForeignKey(let key):
      return pairs(key.column, "Z_PK", key.orderColumn, in: key.table)
    case .join(let side) where side.isReflexive:
      return """
        (SELECT \(column: side.ownColumn) AS owner, \(column: side.otherColumn) AS member \
        FROM \(table: side.table) \
        UNION SELECT \(column: side.otherColumn), \(column: side.ownColumn) \
        FROM \(table: side.table))
        """
    case .join(let side):
      return pairs(side.ownColumn, side.otherColumn, side.orderColumn, in: side.table)
    case .attribute, .composite:
      throw SQLQueryFailure(.noRelationship(name, entity: layout.name))
    case .none?:
      throw SQLQueryFailure(.notStored(name, entity: layout.name))
    case nil:
      throw schema.model.unknown(name, of: layout)
    }
  }

  private func pairs(
    _ owner: String,
    _ member: String,
    _ place: String?,
    in table: String
  ) -> SQLFragment {
    let order = place.map { ", \(column: $0) AS place" as SQLFragment } ?? ""
    return """
      (SELECT \(column: owner) AS owner, \(column: member) AS member\(order) FROM \(table: table) \
      WHERE \(column: owner) IS NOT NULL AND \(column: member) IS NOT NULL)
      """
  }
}

// MARK: - Rows

extension NamedQuery {
  /// Whether the query begins with an object's columns and takes them from a table that it names itself, all of
  /// one row.
  private func selectsStoredRows(_ query: SQLQuery) throws(SQLQueryFailure) -> Bool {
    let outline = SQLQueryOutline(query)
    guard !outline.isCompound, case .objects(let choice, let alias)? = outline.selected else {
      return false
    }
    let layout = try schema.model.layout(of: choice)
    let name = (alias ?? layout.name).lowercased()
    for table in outline.tables {
      let other = try schema.model.layout(of: table.choice)
      guard (table.alias ?? other.name).lowercased() == name else { continue }
      return other.rootNumber == layout.rootNumber && !query.names(table: tableName(of: layout))
    }
    return false
  }

  private func tableName(of layout: EntityLayout) -> String {
    schema.queries.map(layout).tableName
  }
}

extension SQLQuery {
  /// Whether the text contains a table's own name, which may be that of a common table expression there.
  fileprivate func names(table: String) -> Bool {
    pieces.contains { piece in
      guard case .text(let text) = piece else { return false }
      return text.uppercased().contains(table.uppercased())
    }
  }
}

// MARK: - Columns

extension NamedQuery {
  private func column(_ name: String, of layout: EntityLayout) throws(SQLQueryFailure) -> String {
    if name == "objectID" { return "Z_PK" }
    var names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let first = names.removeFirst()
    guard var mapping = schema.queries.map(layout)[first] else {
      throw schema.model.unknown(first, of: layout)
    }
    for element in names {
      guard case .composite(let elements) = mapping else {
        throw SQLQueryFailure(
          .beyondRelationship(name, relationship: first, entity: layout.name)
        )
      }
      guard let next = elements[element] else {
        throw SQLQueryFailure(
          .unknownProperty(name, entity: layout.name, known: elements.keys.sorted())
        )
      }
      mapping = next
    }
    switch mapping {
    case .attribute(let column):
      if let slot = layout.slot(named: first), layout.kinds[slot] == .externalData {
        throw SQLQueryFailure(.mayBeInFile(name, entity: layout.name))
      }
      return column
    case .toOne(let column, _, _):
      return column
    case .composite(let elements):
      throw SQLQueryFailure(
        .composite(
          name,
          entity: layout.name,
          elements: elements.keys.sorted().map { "\(name).\($0)" }
        )
      )
    case .toManyInverse, .toManyForeignKey, .join:
      throw SQLQueryFailure(.toMany(name, entity: layout.name))
    case .none:
      throw SQLQueryFailure(.notStored(name, entity: layout.name))
    }
  }

  private func bound(_ value: SQLQuery.Value) throws(SQLQueryFailure) -> SQLValue {
    switch value {
    case .null: return .null
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .text(let text): return .text(text)
    case .data(let data): return .blob([UInt8](data))
    case .object(let id):
      guard id.key.store == store else {
        throw SQLQueryFailure(.objectOfOtherStore(id.uriRepresentation().absoluteString))
      }
      return .integer(id.key.number)
    }
  }
}

// MARK: - Names

extension ModelLayout {
  func layout(of choice: SQLQuery.EntityChoice) throws(SQLQueryFailure) -> EntityLayout {
    switch choice {
    case .type(let type):
      if let layout = self[onlyOneOf: type] { return layout }
      let entities = entities.filter { $0.objectClass == type }.map(\.name)
      throw SQLQueryFailure(.unclearClass("\(type)", entities: entities))
    case .name(let name):
      if let layout = self[name] { return layout }
      throw SQLQueryFailure(.unknownEntity(name, known: entities.map(\.name).sorted()))
    }
  }

  func property(
    of choice: SQLQuery.PropertyChoice
  ) throws(SQLQueryFailure) -> (EntityLayout, String) {
    switch choice {
    case .path(let path, let type):
      let layout = try layout(of: .type(type))
      guard let name = type.name(of: path.value) else {
        throw SQLQueryFailure(.namelessKeyPath("\(path.value)"))
      }
      return (layout, name)
    case .name(let name, let entity):
      return (try layout(of: .name(entity)), name)
    }
  }

  fileprivate func unknown(_ name: String, of layout: EntityLayout) -> SQLQueryFailure {
    let known = layout.slots.prefix(layout.propertyCount).map(\.name).sorted()
    return SQLQueryFailure(.unknownProperty(name, entity: layout.name, known: known))
  }
}

extension SQLQuery {
  /// The entities that the query names.
  func entities(in model: ModelLayout) throws(SQLQueryFailure) -> [EntityLayout] {
    var found: [EntityLayout] = []
    for piece in pieces {
      switch piece {
      case .table(let choice, _), .objects(let choice, _):
        found.append(try model.layout(of: choice))
      case .column(let choice, _), .pairs(let choice, _):
        found.append(try model.property(of: choice).0)
      case .text, .value, .list: continue
      }
    }
    return found
  }
}
