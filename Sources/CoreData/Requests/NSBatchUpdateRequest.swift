import CoreDataPredicates
public import Foundation

/// A request that updates rows of a SQLite or PostgreSQL store without loading their objects.
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
/// Runs one `UPDATE` statement in each store that contains the entity. One query precedes it if
/// identities are requested, if the store keeps a history, or if the model has derived attributes that the
/// database does not maintain by itself. Each updated row gets a new version, so that a context that has
/// changed the object encounters a merge conflict. Validation rules are not applied, and objects in memory
/// keep their values; see ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
///
/// Executing the request throws 134060 if ``propertiesToUpdate`` is empty, contains a name that the
/// entity does not have, or one of a property that cannot be set: a to-many or one-to-one relationship,
/// a derived attribute or a property that is not stored. It throws 133021 if values that must be unique
/// would not be. After an error no row of that store is changed.
public final class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The name of the entity of the rows.
  public var entityName: String { source.name }

  /// The entity of the rows.
  ///
  /// If the request was created with a name, reading this property before the request was executed
  /// stops the program.
  public var entity: NSEntityDescription { source.requiredEntity }

  /// The condition that the rows must meet, or `nil` to update all rows.
  public var predicate: NSPredicate?

  /// A Boolean value that indicates whether rows of subentities are updated, too.
  ///
  /// The default is `true`.
  public var includesSubentities = true

  /// The new values, by property names or property descriptions.
  ///
  /// A value is a constant, `NSNull` for no value, or an `NSExpression` that is computed in SQL
  /// from the row's previous values. The value of a to-one relationship is the `NSManagedObjectID`
  /// of a saved object. Executing the request throws 134091 for an expression that SQL cannot
  /// compute, and 1550 for a constant of the wrong type. A computed number loses its fraction in an
  /// integer attribute.
  public var propertiesToUpdate: [AnyHashable: Any]?

  /// The type of the result.
  ///
  /// The default is `.statusOnlyResultType`.
  public var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  let source: BatchEntity

  /// Creates a request that updates rows of an entity.
  ///
  /// - Parameter entityName: The name of the entity.
  public init(entityName: String) {
    source = BatchEntity(name: entityName)
    super.init()
  }

  /// Creates a request that updates rows of an entity.
  ///
  /// - Parameter entity: The entity.
  public init(entity: NSEntityDescription) {
    source = BatchEntity(entity)
    super.init()
  }

  /// The kind of request, which is `.batchUpdateRequestType`.
  public override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
}

/// The types of results of a batch update request, with the raw values of Apple's framework.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// `true`, as an `NSNumber`, if the request succeeded.
  case statusOnlyResultType = 0
  /// The identities of the updated rows.
  case updatedObjectIDsResultType = 1
  /// The number of updated rows.
  case updatedObjectsCountResultType = 2
}
