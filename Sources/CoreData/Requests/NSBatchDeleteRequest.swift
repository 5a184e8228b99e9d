import Foundation

/// Deletes many rows of a SQLite store without making their objects.
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
/// The request's predicate, order and range say which rows. What leads to them from other rows becomes
/// nil, pairs of many-to-many relationships go, and files with their data are removed after the
/// commit. Delete rules hold as far as rows can tell: Cascade takes the related rows along, Deny throws
/// 1600, and 1570 tells of a to-one relationship that is not optional and would become nil; nothing is
/// deleted then. `prepareForDeletion()` is not called, and no context hears of it.
///
/// A statement for each relationship, however many rows there are.
public final class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// Which rows; a copy of what the request was made with.
  ///
  /// Made with identities it has a predicate that finds them.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
    request.retyped((any NSFetchRequestResult).self)
  }

  /// A `Bool` as `NSNumber`, unless set.
  public var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  let request: NSFetchRequest<any NSFetchRequestResult>
  /// The identities that the request was made with; nil for a fetch request.
  let objectIDs: [NSManagedObjectID]?

  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
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

  /// Deletes the rows with these identities, which must be of one entity.
  ///
  /// Executing it throws 134060 where they are of several. Those that are gone already are passed
  /// over.
  public convenience init(objectIDs objects: [NSManagedObjectID]) {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = objects.first?.entity
    request.predicate = NSPredicate(format: "SELF IN %@", objects)
    self.init(request, objects)
  }

  public override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }
}

/// What a batch deletion gives; raw values are Apple's.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it has worked, which it has where nothing was thrown.
  case resultTypeStatusOnly = 0
  /// The identities of the rows that were deleted, those that a Cascade rule has taken along included.
  case resultTypeObjectIDs = 1
  /// How many rows these are.
  case resultTypeCount = 2
}
