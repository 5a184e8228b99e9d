import CoreData
public import Foundation

// MARK: - Deleting many

extension ModelContext {
  /// Deletes all models of a class that meet a condition, in the stores and at once.
  ///
  /// One transaction in each store. The models are not read; those that the context has are deleted there, too. Delete
  /// rules are applied in the store. ``rollback()`` does not bring the models back.
  ///
  /// - Parameters:
  ///   - model: The class.
  ///   - predicate: The condition; all models if `nil`.
  ///   - includeSubclasses: Whether models of subclasses are deleted, too.
  /// - Throws: ``SwiftDataError/unknownSchema`` if the container does not have the class;
  ///   ``SwiftDataError/unsupportedPredicate`` if a store cannot be asked so; otherwise the error of the store, for example
  ///   if a required relationship of a model that stays leads to one that goes. Nothing is deleted then.
  public func delete<Model: PersistentModel>(
    model: Model.Type,
    where predicate: Predicate<Model>? = nil,
    includeSubclasses: Bool = true
  ) throws {
    takeMail()
    let kind = try kind(of: model)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: kind.name)
    request.predicate = try self.predicate(of: predicate)
    request.includesSubentities = includeSubclasses
    let deletion = NSBatchDeleteRequest(fetchRequest: request)
    deletion.resultType = .resultTypeObjectIDs
    let result = try objects.execute(deletion) as? NSBatchDeleteResult
    let gone = result?.result as? [NSManagedObjectID] ?? []
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectIDsKey: gone],
      into: [objects]
    )
  }
}
