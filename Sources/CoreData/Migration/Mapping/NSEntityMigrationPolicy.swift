public import Foundation

/// How the objects of one entity mapping are made; a subclass does it in its own way.
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
/// The manager makes one policy for each entity mapping and calls it in this order:
///
/// ```
/// first pass     begin · createDestinationInstances for each source · endInstanceCreation
/// second pass    createRelationships for each destination · endRelationshipCreation
/// third pass     performCustomValidation · end
/// ```
///
/// Each pass goes through all mappings before the next begins. Objects are plain `NSManagedObject`s, as
/// the classes of a program know its newest model only. What a method throws ends the migration: as the
/// error itself if it has one of migration's codes, else as 134170 with the error as the underlying one.
///
/// A mapping names its policy by class. Without Objective-C such a class is a top-level class known as
/// `Module.Class`; in the module of the program itself the class alone will do.
open class NSEntityMigrationPolicy: NSObject {
  /// What ``value(forFunction:arguments:)`` has thrown into an expression, which has no place for it.
  var thrown: (any Error)?

  public required override init() {
    super.init()
  }

  /// Called at the start of the mapping; does nothing.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes the object for an object of the source, sets its attributes as the mapping says, and
  /// associates the two.
  ///
  /// A subclass that does not call this has to call
  /// ``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)``, or relationships
  /// will not find the object.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try manager.makeInstance(for: sInstance, in: mapping)
  }

  /// Called when all objects of the mapping were made; does nothing.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of an object as the mapping says.
  open func createRelationships(
    forDestination dInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try manager.relateInstance(dInstance, in: mapping)
  }

  /// Called when all relationships of the mapping were made; does nothing.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Called before the objects are validated by the rules of the model; does nothing.
  ///
  /// ``NSMigrationManager/destinationContext`` finds the objects.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Called at the end of the mapping; does nothing.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Answers a call of an expression: `FUNCTION($entityPolicy, "monthOf:", $source.created)`.
  ///
  /// An addition to Apple's class, where the runtime finds a method by its selector; here a subclass
  /// overrides this and answers the selectors that its mapping model uses:
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
  /// Throws 134170 for a selector that nobody has answered.
  open func value(forFunction selector: String, arguments: [Any?]) throws -> Any? {
    throw MappingFailure.unknownFunction(selector: selector, policy: "\(type(of: self))").error()
  }
}
