public import CoreData

extension NSManagedObjectModel {
  /// Creates Core Data's model of classes, so that a program can use a store with both interfaces.
  ///
  /// The objects of the model are plain managed objects. Set
  /// ``CoreData/NSEntityDescription/managedObjectClassName`` before its first use to have classes of your own.
  ///
  /// - Parameters:
  ///   - types: The classes.
  ///   - model: A model whose entities the result has, too.
  /// - Returns: The model, with the version hashes of the classes' store; `nil` if both models have an entity of the
  ///   same name that is not the same.
  public static func makeManagedObjectModel(
    for types: [any PersistentModel.Type],
    mergedWith model: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: model)
  }

  /// Creates Core Data's model of classes.
  ///
  /// - Parameters:
  ///   - types: The classes.
  ///   - model: A model whose entities the result has, too.
  /// - Returns: The model, with the version hashes of the classes' store; `nil` if both models have an entity of the
  ///   same name that is not the same.
  public static func makeManagedObjectModel(
    for types: any PersistentModel.Type...,
    mergedWith model: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(types), mergedWith: model)
  }

  /// Creates Core Data's model of a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - model: A model whose entities the result has, too.
  /// - Returns: The model, with the version hashes of the schema's store; `nil` if both models have an entity of the
  ///   same name that is not the same.
  public static func makeManagedObjectModel(
    for schema: Schema,
    mergedWith model: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    let own = schema.makeManagedObjectModel()
    for entity in own.entities { entity.rowKind = nil }
    guard let model else { return own }
    let hashes = own.entityVersionHashesByName
    let isTwice = model.entityVersionHashesByName.contains { name, hash in
      hashes[name].map { $0 != hash } ?? false
    }
    if isTwice { return nil }
    return NSManagedObjectModel(byMerging: [own, model])
  }

  /// Creates Core Data's model of a schema, as the static method does.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - model: A model whose entities the result has, too.
  /// - Returns: The model, or `nil` as that of the static method.
  public func makeManagedObjectModel(
    for schema: Schema,
    mergedWith model: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    Self.makeManagedObjectModel(for: schema, mergedWith: model)
  }
}
