// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The names under which the expressions of a mapping model see what they work with; names and values are
// Apple's.
//
// ```
// FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "TagToLabel", $source.tags)
// ```

/// The name of the variable for the ``NSMigrationManager`` in expressions: `$manager`.
public let NSMigrationManagerKey = "manager"
/// The name of the variable for the source object in expressions: `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The name of the variable for the destination object in expressions: `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The name of the variable for the ``NSEntityMapping`` in expressions: `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The name of the variable for the ``NSPropertyMapping`` in expressions: `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The name of the variable for the ``NSEntityMigrationPolicy`` in expressions: `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"
