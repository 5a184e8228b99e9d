import CoreDataModel
import CoreDataPredicates
import Foundation

/// Whether a mapping model is one of two models; every problem is found, not the first.
///
/// After it, names in the mapping model are names in the models, so that expressions find what they ask
/// for.
struct MappingCheck {
  private let source: ModelSchema
  private let destination: ModelSchema
  private var problems: [String] = []

  static func check(
    _ mapping: NSMappingModel,
    from source: ModelSchema,
    to destination: ModelSchema
  ) throws(MappingFailure) {
    var check = MappingCheck(source: source, destination: destination)
    check.examine(mapping)
    if !check.problems.isEmpty { throw .mismatch(check.problems) }
  }

  private init(source: ModelSchema, destination: ModelSchema) {
    self.source = source
    self.destination = destination
  }

  private mutating func examine(_ mapping: NSMappingModel) {
    let (old, new) = (source.entityVersionHashes, destination.entityVersionHashes)
    var names: Set<String> = []
    for entity in mapping.mappings {
      let name: String = entity.name
      if !names.insert(name).inserted { problems.append("two entity mappings are called \(name)") }
      examine(
        entity.sourceEntityName,
        entity.sourceEntityVersionHash,
        old,
        in: "the source",
        of: name
      )
      examine(
        entity.destinationEntityName,
        entity.destinationEntityVersionHash,
        new,
        in: "the destination",
        of: name
      )
      examineKind(of: entity)
      examineProperties(of: entity)
    }
  }

  private mutating func examine(
    _ entity: String?,
    _ hash: Data?,
    _ hashes: [String: Data],
    in place: String,
    of mapping: String
  ) {
    guard let entity else { return }
    guard let own = hashes[entity] else {
      problems.append("\(mapping) names the entity \(entity), which \(place) does not have")
      return
    }
    if let hash, hash != own {
      problems.append("\(mapping) is for another version of the entity \(entity) of \(place)")
    }
  }

  private mutating func examineKind(of entity: NSEntityMapping) {
    let name: String = entity.name
    switch entity.mappingType {
    case .copyEntityMappingType, .transformEntityMappingType:
      if entity.sourceEntityName == nil { problems.append("\(name) names no entity of the source") }
      if entity.destinationEntityName == nil {
        problems.append("\(name) names no entity of the destination")
      }
    case .addEntityMappingType, .removeEntityMappingType, .customEntityMappingType,
      .undefinedEntityMappingType:
      break
    }
  }
}

// MARK: - Properties

extension MappingCheck {
  private mutating func examineProperties(of entity: NSEntityMapping) {
    let name: String = entity.name
    for property in entity.attributeMappings ?? [] {
      examine(property, of: entity) { if case .attribute = $0 { true } else { false } }
    }
    for property in entity.relationshipMappings ?? [] {
      examine(property, of: entity) { if case .relationship = $0 { true } else { false } }
    }
    for property in (entity.attributeMappings ?? []) + (entity.relationshipMappings ?? []) {
      guard let tree = property.valueExpression?.tree, let start = entity.sourceEntityName else {
        continue
      }
      for keys in tree.sourceKeys {
        guard let key = unknownKey(in: keys, from: start) else { continue }
        problems.append(
          "\(name).\(property.name ?? "") reads $source.\(keys.joined(separator: ".")), and \(key)"
        )
      }
    }
  }

  private mutating func examine(
    _ property: NSPropertyMapping,
    of entity: NSEntityMapping,
    _ isOfKind: (PropertySchema) -> Bool
  ) {
    let mapping: String = entity.name
    guard let name = property.name else {
      problems.append("\(mapping) has a property mapping without a name")
      return
    }
    guard let destinationName = entity.destinationEntityName else { return }
    let isThere = destination.property(name, of: destinationName).map(isOfKind) ?? false
    if !isThere {
      problems.append("\(mapping) sets \(destinationName).\(name), which there is not")
    }
  }

  /// The error in a path, as a clause.
  private func unknownKey(in keys: [String], from entityName: String) -> String? {
    var entity = entityName
    for key in keys {
      if key.hasPrefix("@") || ["self", "objectID", "entity"].contains(key) { return nil }
      switch source.property(key, of: entity) {
      case .relationship(let relationship)?: entity = relationship.destinationName
      case .attribute?, .fetched?: return nil
      case nil: return "\(entity) has no property \(key)"
      }
    }
    return nil
  }
}

extension ExpressionTree {
  /// The paths that are read from the object that is taken over.
  fileprivate var sourceKeys: [[String]] {
    var found: [[String]] = []
    if case .keyPath(.variable(NSMigrationSourceObjectKey), let names) = self {
      found.append(names)
    }
    _ = mappingParts { part in
      found += part.sourceKeys
      return part
    }
    return found
  }
}
