public import Foundation

/// An object that performs an entity mapping.
///
/// Subclasses customize single steps.
///
/// ```swift
/// final class NoteToMemo: NSEntityMigrationPolicy {
///   override func createDestinationInstances(
///     forSource note: NSManagedObject,
///     in mapping: NSEntityMapping,
///     manager: NSMigrationManager
///   ) throws {
///     try super.createDestinationInstances(forSource: note, in: mapping, manager: manager)
///     let memo = manager.destinationInstances(
///       forEntityMappingName: mapping.name,
///       sourceInstances: [note]
///     ).first
///     memo?.setValue("migrated", forKey: "origin")
///   }
/// }
/// ```
///
/// The manager creates one policy for each entity mapping and calls its methods in this order:
///
/// ```
/// first pass     begin · createDestinationInstances for each source object · endInstanceCreation
/// second pass    createRelationships for each destination object · endRelationshipCreation
/// third pass     performCustomValidation · end
/// ```
///
/// Each pass covers all mappings before the next pass begins. All objects are plain
/// `NSManagedObject`s, because the classes of a program match its newest model only. An error that
/// a method throws ends the migration. If it does not have one of the codes for migrations, it
/// becomes the underlying error of 134170.
///
/// A mapping names its policy by class. Without Objective-C, the class must be a top-level class.
/// It is named `Module.Class`, or only `Class` if it is in the module of the program.
nonisolated open class NSEntityMigrationPolicy: NSObject {
  /// The error that ``value(forFunction:arguments:)`` has thrown into an expression, which cannot throw it.
  var thrown: (any Error)?

  public required override init() {
    super.init()
  }

  /// Called at the start of the mapping.
  ///
  /// The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration manager.
  /// - Throws: An error to end the migration.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Creates the destination object for a source object, sets its attributes and associates the
  /// two.
  ///
  /// If an override does not call `super`, it must call
  /// ``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)``, so that
  /// relationships find the object.
  ///
  /// - Parameters:
  ///   - sInstance: The source object.
  ///   - mapping: The entity mapping.
  ///   - manager: The migration manager.
  /// - Throws: An error to end the migration.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try manager.makeInstance(for: sInstance, in: mapping)
  }

  /// Called after all objects of the mapping have been created.
  ///
  /// The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration manager.
  /// - Throws: An error to end the migration.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of a destination object as the relationship mappings specify.
  ///
  /// - Parameters:
  ///   - dInstance: The destination object.
  ///   - mapping: The entity mapping.
  ///   - manager: The migration manager.
  /// - Throws: An error to end the migration.
  open func createRelationships(
    forDestination dInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try manager.relateInstance(dInstance, in: mapping)
  }

  /// Called after all relationships of the mapping have been set.
  ///
  /// The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration manager.
  /// - Throws: An error to end the migration.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Called before the objects are validated against the rules of the model.
  ///
  /// The default implementation does nothing.
  ///
  /// Find the objects with ``NSMigrationManager/destinationContext``.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration manager.
  /// - Throws: An error to end the migration.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Called at the end of the mapping.
  ///
  /// The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration manager.
  /// - Throws: An error to end the migration.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Returns the result of a function that an expression calls on the policy.
  ///
  /// An expression such as `FUNCTION($entityPolicy, "monthOf:", $source.created)` calls this
  /// method. Apple's framework finds a method by its selector; here a subclass overrides this
  /// method and handles the selectors that its mapping model uses:
  ///
  /// ```swift
  /// override func value(forFunction selector: String, arguments: [Any?]) throws -> Any? {
  ///   switch selector {
  ///   case "monthOf:": (arguments[0] as? Date).map(month)
  ///   case _: try super.value(forFunction: selector, arguments: arguments)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - selector: The selector in the expression.
  ///   - arguments: The values of the arguments.
  /// - Returns: The result of the function.
  /// - Throws: 134170 if the selector is not handled, or an error to end the migration.
  open func value(forFunction selector: String, arguments: [Any?]) throws -> Any? {
    throw MappingFailure.unknownFunction(selector: selector, policy: "\(type(of: self))").error()
  }
}
