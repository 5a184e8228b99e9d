// An initializer that is not `required` cannot be called on a generic class, and one that is asks every
// subclass with an initializer of its own to repeat it. Those of protocols can be called on any class:
// the compiler takes them where a class is generic, and the class's own everywhere else.

/// A managed object that can be made of a class which is known at run time: `T(context: context)`.
public protocol CreatableInContext: NSManagedObject {}

extension NSManagedObject: CreatableInContext {}

extension CreatableInContext {
  /// Makes an object of the entity that this class stands for, and inserts it into the context.
  ///
  /// ```swift
  /// func make<T: NSManagedObject>(in context: NSManagedObjectContext) -> T { T(context: context) }
  /// ```
  ///
  /// Exactly one entity of the context's model must have this class.
  public init(context: NSManagedObjectContext) {
    self.init(ofOwnEntityIn: context)
  }
}

/// A coordinator that can be made of a class which is known at run time.
public protocol CreatableWithModel: NSPersistentStoreCoordinator {}

extension NSPersistentStoreCoordinator: CreatableWithModel {}

extension CreatableWithModel {
  /// Takes a model, which cannot be changed from now on.
  public init(managedObjectModel model: NSManagedObjectModel) {
    self.init(of: model)
  }
}
