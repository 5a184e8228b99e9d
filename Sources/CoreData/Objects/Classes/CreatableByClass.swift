// An initializer that is not `required` cannot be called on a generic class, and one that is asks every
// subclass with an initializer of its own to repeat it. Those of protocols can be called on any class:
// the compiler takes them if a class is generic, and the class's own everywhere else.

/// A managed object whose class is known only at run time, and which is created with `T(context: context)`.
public protocol CreatableInContext: NSManagedObject {}

extension NSManagedObject: CreatableInContext {}

extension CreatableInContext {
  /// Creates an object of the entity that this class represents and inserts it into a context.
  ///
  /// ```swift
  /// func make<T: NSManagedObject>(in context: NSManagedObjectContext) -> T { T(context: context) }
  /// ```
  ///
  /// The program stops unless exactly one entity of the context's model has this class, or the class
  /// overrides ``NSManagedObject/entity()``.
  ///
  /// - Parameter context: The context that receives the object.
  public init(context: NSManagedObjectContext) {
    self.init(ofOwnEntityIn: context)
  }
}

/// A coordinator whose class is known only at run time.
public protocol CreatableWithModel: NSPersistentStoreCoordinator {}

extension NSPersistentStoreCoordinator: CreatableWithModel {}

extension CreatableWithModel {
  /// Creates a coordinator for a model.
  ///
  /// - Parameter model: The model. It is frozen and cannot be changed afterwards.
  public init(managedObjectModel model: NSManagedObjectModel) {
    self.init(of: model)
  }
}
