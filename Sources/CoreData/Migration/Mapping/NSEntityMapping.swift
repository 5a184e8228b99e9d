import CoreDataModel
import CoreDataModelChanges
public import CoreDataPredicates
public import Foundation

/// How the objects of one entity become those of another.
///
/// ```swift
/// let notes = NSEntityMapping()
/// notes.mappingType = .transformEntityMappingType
/// notes.sourceEntityName = "Note"
/// notes.destinationEntityName = "Memo"
/// notes.attributeMappings = [title]
/// ```
///
/// Entities are known by name; ``NSMigrationManager`` finds their descriptions.
open class NSEntityMapping: NSObject {
  private var ownName: String?

  /// What the mapping is called; `Note->Memo` unless set.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var name: String! {
    get { ownName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { ownName = newValue }
  }
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType
  open var sourceEntityName: String?
  /// The version hash that the source's entity must have; nil not to check it.
  open var sourceEntityVersionHash: Data?
  open var destinationEntityName: String?
  /// The version hash that the destination's entity must have; nil not to check it.
  open var destinationEntityVersionHash: Data?
  /// How attributes get their values, in this order.
  open var attributeMappings: [NSPropertyMapping]?
  /// How relationships get their objects, in this order.
  open var relationshipMappings: [NSPropertyMapping]?
  /// What gives the objects of the source, such as a `FETCH`; nil for all of the entity, those of its
  /// subentities left out.
  open var sourceExpression: CoreDataPredicates.NSExpression?
  /// The class of the policy, as `NSClassFromString` knows it: `Module.Class`.
  ///
  /// The module of the running program may be left out. Nil for ``NSEntityMigrationPolicy`` itself.
  open var entityMigrationPolicyClassName: String?
  /// Whatever the developer keeps with the mapping.
  open var userInfo: [AnyHashable: Any]?
}

/// What an entity mapping does; raw values are Apple's.
public enum NSEntityMappingType: UInt, Sendable {
  /// The developer sees to it; the policy is asked as for a custom one.
  case undefinedEntityMappingType = 0
  /// A policy of the developer's own sees to it.
  case customEntityMappingType = 1
  /// The entity is new; there are no objects to take over.
  case addEntityMappingType = 2
  /// The entity is gone; its objects are left out.
  case removeEntityMappingType = 3
  /// Objects are taken over as they are: what has no property mapping keeps its name and value.
  case copyEntityMappingType = 4
  /// Objects become what the property mappings say.
  case transformEntityMappingType = 5
}

extension NSEntityMappingType {
  /// Whether objects of the source go through the policy.
  var hasInstances: Bool {
    switch self {
    case .addEntityMappingType, .removeEntityMappingType: false
    case .undefinedEntityMappingType, .customEntityMappingType, .copyEntityMappingType,
      .transformEntityMappingType:
      true
    }
  }
}

// MARK: - As values

extension NSEntityMapping {
  convenience init(_ schema: EntityMappingSchema) {
    self.init()
    name = schema.name
    mappingType = NSEntityMappingType(rawValue: schema.kind.rawValue) ?? .undefinedEntityMappingType
    sourceEntityName = schema.sourceName
    sourceEntityVersionHash = schema.sourceHash
    destinationEntityName = schema.destinationName
    destinationEntityVersionHash = schema.destinationHash
    sourceExpression = schema.sourceExpression.map(CoreDataPredicates.NSExpression.init)
    attributeMappings = schema.attributeMappings.map(NSPropertyMapping.init)
    relationshipMappings = schema.relationshipMappings.map(NSPropertyMapping.init)
    entityMigrationPolicyClassName = schema.policyClassName
    if !schema.userInfo.isEmpty { userInfo = schema.userInfo }
  }

  /// The mapping as a value.
  var schema: EntityMappingSchema {
    var schema = EntityMappingSchema(
      name: name,
      kind: EntityMappingSchema.Kind(rawValue: mappingType.rawValue) ?? .undefined
    )
    schema.sourceName = sourceEntityName
    schema.sourceHash = sourceEntityVersionHash
    schema.destinationName = destinationEntityName
    schema.destinationHash = destinationEntityVersionHash
    schema.sourceExpression = sourceExpression?.tree
    schema.attributeMappings = (attributeMappings ?? []).map(\.schema)
    schema.relationshipMappings = (relationshipMappings ?? []).map(\.schema)
    schema.policyClassName = entityMigrationPolicyClassName
    schema.userInfo = userInfo?.texts ?? [:]
    return schema
  }
}

extension NSEntityMapping: KeyValueReadable {
  package func keyValue(_ key: String) -> Any? {
    switch key {
    case "name": name
    case "mappingType": mappingType.rawValue
    case "sourceEntityName": sourceEntityName
    case "destinationEntityName": destinationEntityName
    case "sourceEntityVersionHash": sourceEntityVersionHash
    case "destinationEntityVersionHash": destinationEntityVersionHash
    case "sourceExpression": sourceExpression
    case "attributeMappings": attributeMappings
    case "relationshipMappings": relationshipMappings
    case "entityMigrationPolicyClassName": entityMigrationPolicyClassName
    case "userInfo": userInfo
    case _: nil
    }
  }
}
