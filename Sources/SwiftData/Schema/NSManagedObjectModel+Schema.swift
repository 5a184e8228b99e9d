public import CoreData

extension NSManagedObjectModel {
  /// Creates Core Data's model of classes, so that a program can use a store with both interfaces.
  ///
  /// The objects of the model are plain managed objects. Set
  /// ``CoreData/NSEntityDescription/managedObjectClassName`` before its first use to have classes of your own.
  ///
  /// - Parameter types: The classes.
  /// - Returns: The model, with the version hashes of the classes' store.
  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type]
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types))
  }

  /// Creates Core Data's model of a schema.
  ///
  /// - Parameter schema: The schema.
  /// - Returns: The model, with the version hashes of the schema's store.
  public static func makeManagedObjectModel(for schema: Schema) -> NSManagedObjectModel? {
    let model = schema.makeManagedObjectModel()
    for entity in model.entities { entity.rowKind = nil }
    return model
  }
}
