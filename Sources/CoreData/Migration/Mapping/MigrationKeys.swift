// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names under which the expressions of a mapping model see what they work with; names and values are
// Apple's.
//
// ```
// FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "TagToLabel", $source.tags)
// ```

/// The ``NSMigrationManager``: `$manager`.
public let NSMigrationManagerKey = "manager"
/// The object that is taken over: `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The object that is made: `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The ``NSEntityMapping``: `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The ``NSPropertyMapping``: `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The ``NSEntityMigrationPolicy``: `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"
