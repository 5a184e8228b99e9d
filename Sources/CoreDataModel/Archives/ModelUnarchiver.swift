import CoreDataPredicates
import Foundation

/// Reads a model's archived description objects into a schema.
struct ModelUnarchiver {
  private let root: ArchivedNode
  /// The names of each entity's properties, own and inherited, by the entity's number.
  private var propertyNames: [Int: Set<String>] = [:]
  /// How many entities and properties were read.
  private var count = 0

  /// More than any model has; looking through so many takes seconds.
  private static let greatestCount = 50_000

  init(_ data: Data) throws(ArchiveError) {
    root = try KeyedArchive(data).root
    guard root.className == "NSManagedObjectModel" else {
      throw ArchiveError(
        "the archive holds \(root.className ?? "a plain value"), not a managed object model"
      )
    }
  }

  mutating func schema() throws(ArchiveError) -> ModelSchema {
    var schema = ModelSchema()
    for (name, node) in root["NSEntities"].entries {
      guard node.className == "NSEntityDescription" else {
        throw ArchiveError("the entity \"\(name)\" is missing from the archive")
      }
      schema.entities.append(try entity(node))
    }
    for (name, node) in root["NSFetchRequestTemplates"].entries {
      schema.fetchRequestTemplates.append(try FetchRequestSchema(archived: node, name: name))
    }
    for (name, node) in root["NSConfigurations"].entries {
      schema.configurations[name] = Set(node.elements.compactMap { $0["NSEntityName"].text })
    }
    schema.versionIdentifiers = Set(root["NSVersionIdentifiers"].elements.compactMap(\.text))
    try root.archive.requireWhole()
    return schema.canonical
  }

  private mutating func entity(_ node: ArchivedNode) throws(ArchiveError) -> EntitySchema {
    let name = node["NSEntityName"].text ?? ""
    var entity = EntitySchema(name: name)
    if let className = node["NSClassNameForEntity"].text { entity.className = className }
    entity.archivesClass.value = !node["NSClassNameForEntity"].isNull
    entity.isAbstract = node["NSIsAbstract"].isTrue
    entity.superentityName = node["NSSuperentity"]["NSEntityName"].text
    entity.versionHashModifier = node["NSVersionHashModifier"].text
    entity.renamingIdentifier = node["NSRenamingIdentifier"].renaming(name)
    entity.userInfo = node["NSUserInfo"].texts
    entity.uniquenessConstraints = node["NSUniqueTuples"].elements.map {
      $0.elements.compactMap { $0.text ?? $0["NSPropertyName"].text }
    }
    let properties = try ownProperties(of: node)
    try take(1 + properties.count)
    for property in properties {
      try read(property, into: &entity)
    }
    entity.indexes = try indexes(of: node)
    return entity
  }

  /// Counts what is about to be read.
  private mutating func take(_ more: Int) throws(ArchiveError) {
    count += more
    guard count <= Self.greatestCount else {
      throw ArchiveError("the model has more than \(Self.greatestCount) entities and properties")
    }
  }

  /// The properties that an entity declares itself.
  ///
  /// Archives repeat inherited properties as copies, which call the subentity their entity, or, in
  /// older ones, as proxies of the superentity's; either way they have an inherited name.
  private mutating func ownProperties(
    of node: ArchivedNode
  ) throws(ArchiveError) -> [ArchivedNode] {
    let inherited = try names(of: node["NSSuperentity"], depth: 0)
    return node["NSProperties"].entries
      .filter { $0.value.className != "_NSPropertyDescriptionProxy" && !inherited.contains($0.key) }
      .map(\.value)
  }

  private mutating func names(
    of entity: ArchivedNode,
    depth: Int
  ) throws(ArchiveError) -> Set<String> {
    guard let number = entity.number else { return [] }
    if let known = propertyNames[number] { return known }
    guard depth < 100 else {
      throw ArchiveError("the entities of the archive inherit from each other in a circle")
    }
    let names = Set(entity["NSProperties"].entries.map(\.key))
      .union(try names(of: entity["NSSuperentity"], depth: depth + 1))
    propertyNames[number] = names
    root.archive.spend(names.count)
    return names
  }

  private func read(
    _ node: ArchivedNode,
    into entity: inout EntitySchema
  ) throws(ArchiveError) {
    switch node.className {
    case "NSAttributeDescription", "NSDerivedAttributeDescription",
      "NSCompositeAttributeDescription":
      entity.attributes.append(try AttributeSchema(archived: node))
    case "NSRelationshipDescription":
      entity.relationships.append(try RelationshipSchema(archived: node))
    case "NSFetchedPropertyDescription":
      entity.fetchedProperties.append(try FetchedPropertySchema(archived: node))
    case let other:
      throw ArchiveError(
        "\(entity.name) has a property of the unknown class \(other ?? "(none)")"
      )
    }
  }
}

// MARK: - Indexes

extension ModelUnarchiver {
  private func indexes(of node: ArchivedNode) throws(ArchiveError) -> [FetchIndexSchema] {
    guard node["NSFetchIndexDescriptions"].isNull else {
      var indexes: [FetchIndexSchema] = []
      for index in node["NSFetchIndexDescriptions"].elements {
        indexes.append(try FetchIndexSchema(archived: index))
      }
      return indexes
    }
    return oldIndexes(of: node)
  }

  /// The indexes that archives named before fetch indexes existed.
  private func oldIndexes(of node: ArchivedNode) -> [FetchIndexSchema] {
    let single = node["NSProperties"].entries
      .filter { $0.value["NSIsIndexed"].isTrue && !$0.value["NSAttributeType"].isNull }
      .map(\.key).sortedByCodePoints()
      .map { FetchIndexSchema(name: $0, elements: [.init(.property($0))]) }
    let compound = node["NSCompoundIndexes"].elements.enumerated().map { position, index in
      FetchIndexSchema(
        name: position == 0 ? "compoundIndex" : "compoundIndex\(position)",
        elements: index.elements
          .compactMap { $0.text ?? $0["NSPropertyName"].text }
          .map { .init(.property($0)) }
      )
    }
    return single + compound
  }
}

extension FetchIndexSchema {
  fileprivate init(archived node: ArchivedNode) throws(ArchiveError) {
    self.init(name: node["NSIndexName"].text ?? "", elements: [])
    partialPredicateFormat = try node["NSPartialIndexPredicate"].predicateFormat
    for element in node["NSIndexElements"].elements {
      let expression = element["NSIndexedProperty"]["NSExpression"]
      let subject: Subject =
        if expression.isNull {
          .property(element["NSPropertyName"].text ?? "")
        } else {
          .expression(try ExpressionTree(archived: expression).format)
        }
      let collation = element["NSFetchIndexElementType"].integer == 1 ? Collation.rTree : .binary
      elements.append(
        Element(subject, collation: collation, isAscending: element["NSAscending"].isTrue)
      )
    }
  }
}

// MARK: - Common fields

extension ArchivedNode {
  /// A renaming identifier, when it is another name than the present one.
  func renaming(_ name: String) -> String? {
    text.flatMap { $0 == name ? nil : $0 }
  }

  /// User info: the entries that are texts or numbers, as a model file can have them.
  package var texts: [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in entries {
      texts[key] = value.text ?? value.integer.map(String.init) ?? value.real.map { "\($0)" }
    }
    return texts
  }

  var predicateFormat: String? {
    get throws(ArchiveError) { isNull ? nil : try PredicateTree(archived: self).format }
  }
}
