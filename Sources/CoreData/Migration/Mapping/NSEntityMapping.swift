import CoreDataModel
import CoreDataModelChanges
public import CoreDataPredicates
public import Foundation

/// A description of how the objects of one entity are converted to those of another.
///
/// ```swift
/// let notes = NSEntityMapping()
/// notes.mappingType = .transformEntityMappingType
/// notes.sourceEntityName = "Note"
/// notes.destinationEntityName = "Memo"
/// notes.attributeMappings = [title]
/// ```
///
/// Entities are referred to by name; ``NSMigrationManager`` looks up their descriptions.
nonisolated open class NSEntityMapping: NSObject {
  private var ownName: String?

  /// The name of the mapping.
  ///
  /// The default consists of the names of both entities, such as `Note->Memo`. If two mappings of a mapping
  /// model have the same name, the migration throws 134110.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var name: String! {
    get { ownName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { ownName = newValue }
  }
  /// The kind of the mapping.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The name of the source entity.
  open var sourceEntityName: String?
  /// The version hash that the source entity must have, or `nil` for any.
  open var sourceEntityVersionHash: Data?
  /// The name of the destination entity.
  open var destinationEntityName: String?
  /// The version hash that the destination entity must have, or `nil` for any.
  open var destinationEntityVersionHash: Data?
  /// The mappings of attributes, in the order in which they are performed.
  open var attributeMappings: [NSPropertyMapping]?
  /// The mappings of relationships, in the order in which they are performed.
  open var relationshipMappings: [NSPropertyMapping]?
  /// The expression whose value is the source objects, such as a `FETCH` expression.
  ///
  /// If the value is `nil`, all objects of the source entity are used, without those of its
  /// subentities.
  open var sourceExpression: CoreDataPredicates.NSExpression?
  /// The name of the migration policy's class: `Class` or `Module.Class`.
  ///
  /// Without a module, the name means a class of the program's own module, else of the only module that has it. If the
  /// value is `nil`, ``NSEntityMigrationPolicy`` is used; a mapping of the type `.customEntityMappingType` must name a
  /// class, otherwise the migration throws 134110. It throws 134170 if the class does not exist, or if several modules
  /// have it.
  open var entityMigrationPolicyClassName: String?
  /// A dictionary for values that you want to keep with the mapping.
  open var userInfo: [AnyHashable: Any]?
}

/// The kinds of entity mappings, with the raw values of Apple's framework.
public enum NSEntityMappingType: UInt, Sendable {
  /// The mapping is performed by the migration policy.
  case undefinedEntityMappingType = 0
  /// The mapping is performed by a custom migration policy.
  case customEntityMappingType = 1
  /// The entity is new and does not have source objects.
  case addEntityMappingType = 2
  /// The entity no longer exists and its objects are not migrated.
  case removeEntityMappingType = 3
  /// The objects are copied.
  ///
  /// Properties without a mapping keep their values.
  case copyEntityMappingType = 4
  /// The objects are converted by the property mappings.
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
