package import CoreData
package import CoreDataModel
import CoreDataPredicates
import Foundation

/// The columns of an entity, and the meanings of typed names.
package struct ColumnChoice {
  private let entity: EntityLayout
  private let schema: ModelSchema
  private let isDetailed: Bool

  package init(_ entity: EntityLayout, _ schema: ModelSchema, isDetailed: Bool) {
    self.entity = entity
    self.schema = schema
    self.isDetailed = isDetailed
  }

  /// The attribute that names the object first, then other attributes, large ones, and relationships.
  package var all: [ShownColumn] {
    let name = schema.nameAttribute(of: entity.name)
    let attributes = schema.attributes(of: entity.name).sorted { left, right in
      (rank(left, name), left.name) < (rank(right, name), right.name)
    }
    let relationships = schema.relationships(of: entity.name)
      .sorted { ($0.isToMany ? 1 : 0, $0.name) < ($1.isToMany ? 1 : 0, $1.name) }
    return attributes.flatMap(columns) + relationships.compactMap(column)
  }

  /// The column of the attribute by which people call an object; `nil` if the entity does not have a text.
  package var name: ShownColumn? {
    schema.nameAttribute(of: entity.name).flatMap { name in
      schema.property(name, of: entity.name).flatMap { property in
        if case .attribute(let attribute) = property { columns(attribute).first } else { nil }
      }
    }
  }

  private func rank(_ attribute: AttributeSchema, _ name: String?) -> Int {
    if attribute.name == name { return 0 }
    return [.binaryData, .transformable].contains(attribute.type) ? 2 : 1
  }

  /// The column that a name or key path means; throws for a name that nothing has.
  package func column(_ text: String) throws -> ShownColumn {
    let path = text.split(separator: ".").map(String.init)
    try check(path)
    if path.count == 1, let name = path.first {
      switch schema.property(name, of: entity.name) {
      case .relationship(let relationship)?:
        if let column = column(relationship) { return column }
      case .attribute(let attribute)? where attribute.type == .composite:
        throw refusal(ofComposite: attribute, at: name)
      case .attribute?, .fetched?, nil: break
      }
    }
    guard let record = RecordColumn(path, from: entity) else {
      try refuseWrongElement(at: path)
      let remedy = leadsToMany(path) ? "; for a to-many relationship use \(text).@count" : ""
      throw Refusal("\(entity.name).\(text) is not a single stored value\(remedy)")
    }
    let names = namesBehind(path)
    return ShownColumn(title: text, kind: kind(of: path), records: [record] + names)
  }

  /// Throws for a path into a composite attribute that ends at no element, or at a composite within it.
  private func refuseWrongElement(at path: [String]) throws {
    guard let name = path.first,
      case .attribute(let attribute)? = schema.property(name, of: entity.name),
      attribute.type == .composite
    else { return }
    let text = path.joined(separator: ".")
    guard let element = try schema.element(at: text, of: entity.name), element.type == .composite
    else { return }
    throw refusal(ofComposite: element, at: text)
  }

  private func refusal(ofComposite attribute: AttributeSchema, at path: String) -> Refusal {
    Refusal(
      "\(entity.name).\(path) is a composite attribute; name one of its elements, "
        + attribute.elementPaths(behind: path)
    )
  }
}

// MARK: - Columns of properties

extension ColumnChoice {
  /// A composite attribute has a column for each element.
  private func columns(_ attribute: AttributeSchema) -> [ShownColumn] {
    columns(attribute, [attribute.name])
  }

  private func columns(_ attribute: AttributeSchema, _ path: [String]) -> [ShownColumn] {
    if attribute.type == .composite {
      return attribute.elements.flatMap { columns($0, path + [$0.name]) }
    }
    guard let record = RecordColumn(path, from: entity) else { return [] }
    let title = path.joined(separator: ".")
    return [ShownColumn(title: title, kind: .attribute(attribute), records: [record])]
  }

  private func column(_ relationship: RelationshipSchema) -> ShownColumn? {
    let name = relationship.name
    guard relationship.isToMany else {
      guard let record = RecordColumn([name], from: entity) else { return nil }
      return ShownColumn(title: name, kind: .object, records: [record] + namesBehind([name]))
    }
    if relationship.isTransient { return nil }
    if isDetailed { return ShownColumn(title: name, kind: .members(name), records: []) }
    return RecordColumn([name, "@count"], from: entity)
      .map { ShownColumn(title: name, kind: .number, records: [$0]) }
  }

  /// The attribute that names the object at the end of a path, if the path leads to one.
  private func namesBehind(_ path: [String]) -> [RecordColumn] {
    guard case .object(let destination) = end(of: path),
      let name = schema.nameAttribute(of: destination),
      let record = RecordColumn(path + [name], from: entity)
    else { return [] }
    return [record]
  }

  private func kind(of path: [String]) -> ShownColumn.Kind {
    switch end(of: path) {
    case .attribute(let attribute): .attribute(attribute)
    case .object: .object
    case .number: .number
    }
  }
}

// MARK: - Paths

extension ColumnChoice {
  private enum End {
    case attribute(AttributeSchema)
    /// An object of the entity.
    case object(String)
    case number
  }

  private func end(of path: [String]) -> End {
    var place = entity.name
    for (depth, key) in path.enumerated() {
      switch schema.property(key, of: place) {
      case .relationship(let relationship)?: place = relationship.destinationName
      case .attribute(var attribute)?:
        for name in path.dropFirst(depth + 1) {
          attribute = attribute.elements.first { $0.name == name } ?? attribute
        }
        return .attribute(attribute)
      case .fetched?, nil: return .number
      }
    }
    return .object(place)
  }

  private func leadsToMany(_ path: [String]) -> Bool {
    var place = entity.name
    for key in path {
      guard case .relationship(let relationship)? = schema.property(key, of: place) else { break }
      if relationship.isToMany { return !path.contains { $0.hasPrefix("@") } }
      place = relationship.destinationName
    }
    return false
  }

  /// Throws for the first key that its entity does not have, with the one that may be meant.
  package func check(_ path: [String]) throws {
    var place = entity.name
    for key in path where !key.hasPrefix("@") && !["self", "SELF", "objectID"].contains(key) {
      switch schema.property(key, of: place) {
      case .relationship(let relationship)?: place = relationship.destinationName
      case .attribute?, .fetched?: return
      case nil:
        let names = schema.entityChain(of: place).flatMap(\.propertyNames).sorted()
        let question =
          path == ["id"]
          ? "; the column id is printed anyway, and objectID sorts by it"
          : Spelling.question(key, among: names)
        let list = names.joined(separator: ", ")
        throw Refusal("\(place) has no property '\(key)'\(question)\nIts properties are \(list).")
      }
    }
  }
}

// MARK: - What the model says

extension ModelSchema {
  /// The stored attributes of an entity, inherited ones included.
  fileprivate func attributes(of entity: String) -> [AttributeSchema] {
    entityChain(of: entity).flatMap(\.attributes).filter { !$0.isTransient }
  }

  fileprivate func relationships(of entity: String) -> [RelationshipSchema] {
    entityChain(of: entity).flatMap(\.relationships)
  }

  /// The attribute by which people call an object: its name or title, or else its first text.
  fileprivate func nameAttribute(of entity: String) -> String? {
    let texts = attributes(of: entity).filter { $0.type == .string }.map(\.name).sorted()
    let usual = ["name", "title", "label", "displayName", "fullName", "subject", "username"]
    return usual.first(where: texts.contains)
      ?? texts.first { $0.lowercased().hasSuffix("name") || $0.lowercased().hasSuffix("title") }
      ?? texts.first
  }
}
