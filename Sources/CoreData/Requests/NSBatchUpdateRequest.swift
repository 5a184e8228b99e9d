import CoreDataPredicates
public import Foundation

/// Changes many rows of a SQLite store without making their objects.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Note")
/// request.predicate = NSPredicate(format: "folder.name == %@", "Inbox")
/// request.propertiesToUpdate = [
///   "isFavourite": false,
///   "views": NSExpression(format: "views + 1"),
/// ]
/// request.resultType = .updatedObjectsCountResultType
/// let result = try context.execute(request) as? NSBatchUpdateResult
/// ```
///
/// One `UPDATE` statement, and one query before it where identities are asked for. Every row gets a new
/// version, so that a context that has changed an object meanwhile meets a conflict. Objects in memory
/// keep their values: see ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
/// Rules of validation are not applied.
public final class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The name of the entity, however it was given.
  public var entityName: String { source.name }

  /// The entity; made with a name alone, stops the program until the request was executed.
  public var entity: NSEntityDescription { source.requiredEntity }

  /// Which rows; nil for all.
  public var predicate: NSPredicate?

  /// Whether rows of subentities are changed too; true unless set.
  public var includesSubentities = true

  /// The new values, by the names or descriptions of properties.
  ///
  /// A constant, `NSNull` for no value; or an `NSExpression` that SQL can compute from the row as it
  /// was, else 134091 names the part that it cannot. A to-one relationship takes the
  /// `NSManagedObjectID` of a saved object. A constant of another type than the attribute's throws
  /// 1550; a number that an expression computes loses its fraction in an integer attribute.
  public var propertiesToUpdate: [AnyHashable: Any]?

  /// A `Bool` as `NSNumber`, unless set.
  public var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  let source: BatchEntity

  public init(entityName: String) {
    source = BatchEntity(name: entityName)
    super.init()
  }

  public init(entity: NSEntityDescription) {
    source = BatchEntity(entity)
    super.init()
  }

  public override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
}

/// What a batch update gives; raw values are Apple's.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it has worked, which it has where nothing was thrown.
  case statusOnlyResultType = 0
  /// The identities of the rows that match.
  case updatedObjectIDsResultType = 1
  /// How many rows match.
  case updatedObjectsCountResultType = 2
}
