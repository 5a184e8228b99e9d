import Foundation

/// A request that deletes rows of a SQLite or PostgreSQL store without loading their objects.
///
/// ```swift
/// let old = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
/// old.predicate = NSPredicate(format: "created < %@", date as NSDate)
/// let request = NSBatchDeleteRequest(fetchRequest: old)
/// request.resultType = .resultTypeObjectIDs
/// let result = try context.execute(request) as? NSBatchDeleteResult
/// let changes = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
/// ```
///
/// Relationships to the deleted rows become `nil`, rows of many-to-many relationships are deleted,
/// and files with external data are removed after the commit. Delete rules are applied in the
/// database: Cascade also deletes the related rows, Deny makes the request throw 1600, and 1570 is
/// thrown if a mandatory to-one relationship would become `nil`; in these cases nothing is deleted.
/// `prepareForDeletion()` is not called, and contexts are not notified.
///
/// Runs one statement for each relationship, however many rows there are. A limit or an offset holds for all stores
/// together; if there are several, the identities of the rows are fetched first.
///
/// If the fetch request does not have an entity, executing this request throws 134060.
public final class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// A copy of the request that specifies the rows to delete.
  ///
  /// If the batch request was created with identities, the predicate of this request matches them.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
    request.retyped((any NSFetchRequestResult).self)
  }

  /// The type of the result.
  ///
  /// The default is `.resultTypeStatusOnly`.
  public var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  let request: NSFetchRequest<any NSFetchRequestResult>
  /// The identities that the request was made with; nil for a fetch request.
  let objectIDs: [NSManagedObjectID]?

  /// Creates a request that deletes the rows which a fetch request matches.
  ///
  /// - Parameter fetch: The request that specifies the rows with its entity, predicate, order,
  ///   limit and offset.
  public convenience init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    self.init(rowsOf: fetch)
  }

  /// Creates a request that deletes the rows which a fetch request of any type of results matches.
  ///
  /// On Apple's systems, a request for notes is cast to an `NSFetchRequest<any NSFetchRequestResult>`. Without
  /// Objective-C, it is not of that class, and the cast fails.
  ///
  /// - Parameter fetch: The request that specifies the rows with its entity, predicate, order,
  ///   limit and offset.
  public convenience init<Result>(fetchRequest fetch: NSFetchRequest<Result>) {
    self.init(rowsOf: fetch)
  }

  private init<Result>(rowsOf fetch: NSFetchRequest<Result>) {
    request = fetch.retyped((any NSFetchRequestResult).self)
    objectIDs = nil
    super.init()
    affectedStores = fetch.affectedStores
  }

  private init(
    _ request: NSFetchRequest<any NSFetchRequestResult>,
    _ objectIDs: [NSManagedObjectID]
  ) {
    self.request = request
    self.objectIDs = objectIDs
    super.init()
  }

  /// Creates a request that deletes the rows with the given identities.
  ///
  /// Rows that no longer exist are ignored. If the identities belong to different entities,
  /// executing the request throws 134060.
  ///
  /// - Parameter objects: The identities, all of one entity.
  public convenience init(objectIDs objects: [NSManagedObjectID]) {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = objects.first?.entity
    request.predicate = NSPredicate(format: "SELF IN %@", objects)
    self.init(request, objects)
  }

  /// The kind of request, which is `.batchDeleteRequestType`.
  public override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }
}

/// The types of results of a batch delete request, with the raw values of Apple's framework.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// `true`, as an `NSNumber`, if the request succeeded.
  case resultTypeStatusOnly = 0
  /// The identities of the deleted rows, including those that a Cascade rule deleted.
  case resultTypeObjectIDs = 1
  /// The number of deleted rows, including those that a Cascade rule deleted.
  case resultTypeCount = 2
}
