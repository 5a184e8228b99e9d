import CoreDataPredicates
import Foundation

/// Makes of Xcode's objects what its compiler makes of them, with the expressions that it fills in.
struct EntityMappingBuilder {
  let objects: MappingObjects
  let source: ModelSchema
  let destination: ModelSchema
  private let sourceHashes: [String: Data]
  private let destinationHashes: [String: Data]

  init(objects: MappingObjects, source: ModelSchema, destination: ModelSchema) {
    self.objects = objects
    self.source = source
    self.destination = destination
    sourceHashes = source.entityVersionHashes
    destinationHashes = destination.entityVersionHashes
  }

  func mapping(of object: MappingObjects.Object) throws(ArchiveError) -> EntityMappingSchema {
    let (from, to) = (object.text("sourcename"), object.text("destinationname"))
    guard let name = object.text("name") ?? Self.name(from: from, to: to) else {
      throw ArchiveError("the entity mapping \(object.identity) has neither source nor destination")
    }
    var mapping = EntityMappingSchema(name: name, kind: kind(of: object, from: from, to: to))
    mapping.sourceName = from
    mapping.sourceHash = from.flatMap { sourceHashes[$0] }
    mapping.destinationName = to
    mapping.destinationHash = to.flatMap { destinationHashes[$0] }
    mapping.policyClassName = object.text("migrationpolicyclassname")
    mapping.sourceExpression =
      try object.expression("sourceexpressiondata") ?? from.map(ExpressionTree.allObjects)
    for attribute in try objects.related(to: object, by: "attributemappings") {
      mapping.attributeMappings.append(try self.attribute(attribute, of: from))
    }
    for relationship in try objects.related(to: object, by: "relationshipmappings") {
      mapping.relationshipMappings.append(try self.relationship(relationship))
    }
    mapping.attributeMappings = mapping.attributeMappings.sortedByCodePoints(\.name)
    mapping.relationshipMappings = mapping.relationshipMappings.sortedByCodePoints(\.name)
    return mapping
  }

  /// `MoodToMood`; the one name where there is only one.
  private static func name(from: String?, to: String?) -> String? {
    if let from, let to { return "\(from)To\(to)" }
    return to ?? from
  }

  private func kind(
    of object: MappingObjects.Object,
    from: String?,
    to: String?
  ) -> EntityMappingSchema.Kind {
    if object.text("migrationpolicyclassname") != nil { return .custom }
    switch object.text("mappingtypename") {
    case "Add": return .add
    case "Remove": return .remove
    case "Copy": return .copy
    case "Transform": return .transform
    case "Custom": return .custom
    case _: break
    }
    guard let from else { return .add }
    guard let to else { return .remove }
    let areEqual = sourceHashes[from] != nil && sourceHashes[from] == destinationHashes[to]
    return areEqual ? .copy : .transform
  }
}

// MARK: - Properties

extension EntityMappingBuilder {
  private func attribute(
    _ object: MappingObjects.Object,
    of sourceName: String?
  ) throws(ArchiveError) -> PropertyMappingSchema {
    let name = object.text("name") ?? ""
    let expression = try object.expression("valueexpressiondata")
    return PropertyMappingSchema(
      name: name,
      valueExpression: expression ?? automatic(name, of: sourceName)
    )
  }

  /// The source's attribute of the same name, when it has one.
  private func automatic(_ name: String, of sourceName: String?) -> ExpressionTree? {
    guard let sourceName, case .attribute? = source.property(name, of: sourceName) else {
      return nil
    }
    return .path(.variable("source"), [name])
  }

  private func relationship(
    _ object: MappingObjects.Object
  ) throws(ArchiveError) -> PropertyMappingSchema {
    let name = object.text("name") ?? ""
    if let expression = try object.expression("valueexpressiondata") {
      return PropertyMappingSchema(name: name, valueExpression: expression)
    }
    guard let mapping = object.text("sourcemappingname"), let path = object.text("sourcekeypath")
    else { return PropertyMappingSchema(name: name) }
    do {
      let objects = try PredicateFormat.expression(path)
      return PropertyMappingSchema(
        name: name,
        valueExpression: .destinationInstances(of: mapping, for: objects)
      )
    } catch {
      throw ArchiveError("the key path \"\(path)\" of \(name) cannot be parsed: \(error)")
    }
  }

  /// Fills in the relationships that nothing is said about, once all mappings have names.
  ///
  /// The objects come from the mapping that makes the relationship's destination.
  func completed(_ mappings: [EntityMappingSchema]) -> [EntityMappingSchema] {
    mappings.map { mapping in
      var mapping = mapping
      for index in mapping.relationshipMappings.indices
      where mapping.relationshipMappings[index].valueExpression == nil {
        mapping.relationshipMappings[index].valueExpression = automatic(
          relationship: mapping.relationshipMappings[index].name,
          of: mapping,
          among: mappings
        )
      }
      return mapping
    }
  }

  private func automatic(
    relationship name: String,
    of mapping: EntityMappingSchema,
    among mappings: [EntityMappingSchema]
  ) -> ExpressionTree? {
    guard let from = mapping.sourceName, let to = mapping.destinationName,
      case .relationship(let old)? = source.property(name, of: from),
      case .relationship(let new)? = destination.property(name, of: to),
      let other = mappings.first(where: {
        $0.sourceName == old.destinationName && $0.destinationName == new.destinationName
      })
    else { return nil }
    return .destinationInstances(of: other.name, for: .path(.variable("source"), [name]))
  }
}

// MARK: - Expressions

extension ExpressionTree {
  /// All objects of an entity of the source.
  fileprivate static func allObjects(of entityName: String) -> ExpressionTree {
    .fetch(
      request: .message(
        target: .variable("manager"),
        selector: "fetchRequestForSourceEntityNamed:predicateString:",
        arguments: [.constant(Constant(entityName)), .constant(Constant("TRUEPREDICATE"))]
      ),
      context: .path(.variable("manager"), ["sourceContext"]),
      countOnly: false
    )
  }

  /// What an entity mapping has made of objects of the source.
  fileprivate static func destinationInstances(
    of mappingName: String,
    for objects: ExpressionTree
  ) -> ExpressionTree {
    .message(
      target: .variable("manager"),
      selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
      arguments: [.constant(Constant(mappingName)), objects]
    )
  }
}
