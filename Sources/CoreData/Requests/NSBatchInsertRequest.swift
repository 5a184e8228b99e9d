public import Foundation

/// Adds many rows to a SQLite store without making their objects.
///
/// ```swift
/// let request = NSBatchInsertRequest(
///   entityName: "Note",
///   objects: [["title": "First", "stars": 3], ["title": "Second", "folder": folder.objectID]]
/// )
/// request.resultType = .count
/// let result = try context.execute(request) as? NSBatchInsertResult
/// ```
///
/// Each row is written as it comes, by one prepared statement in one transaction, so that a handler
/// can give a million of them in the memory of one. What a row leaves out has the model's default.
/// Values must be of their attributes' types (1550 tells which is not); rules of validation are not
/// applied, `awakeFromInsert()` is not called, and no context hears of the rows: see
/// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
///
/// A to-one relationship takes the `NSManagedObjectID` of a saved object, whose to-many relationship
/// back then has the row. To-many relationships cannot be set, nor those between one and one.
///
/// Where a row has what must be unique, the merge policy of the context decides: the policy of errors
/// throws 133021 and nothing is inserted, ``NSMergePolicy/mergeByPropertyObjectTrump`` writes the values
/// that were given onto the row that is there, ``NSMergePolicy/overwrite`` also the defaults of those
/// that were not, and the others leave the row as it is.
public final class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The name of the entity, however it was given.
  public var entityName: String { source.name }

  /// The entity; with a name alone, nil until the request was executed.
  public var entity: NSEntityDescription? { source.entity }

  /// The rows, values by the names of properties; `NSNull` for no value.
  public var objectsToInsert: [[String: Any]]?

  /// Puts the next row into an empty dictionary; true says that there was none, and ends the request.
  ///
  /// Called where the request is executed, with the store locked: it may read, and not save.
  public var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

  /// Puts the next row into an object that has the model's defaults; true says that there was none,
  /// and ends the request.
  ///
  /// The object belongs to no context, and is the same for all rows unless it is kept.
  public var managedObjectHandler: ((NSManagedObject) -> Bool)?

  /// A `Bool` as `NSNumber`, unless set.
  public var resultType = NSBatchInsertRequestResultType.statusOnly

  let source: BatchEntity

  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    source = BatchEntity(name: entityName)
    objectsToInsert = dictionaries
    super.init()
  }

  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    source = BatchEntity(entity)
    objectsToInsert = dictionaries
    super.init()
  }

  private init(
    _ source: BatchEntity,
    dictionaries: ((NSMutableDictionary) -> Bool)? = nil,
    objects: ((NSManagedObject) -> Bool)? = nil
  ) {
    self.source = source
    dictionaryHandler = dictionaries
    managedObjectHandler = objects
    super.init()
  }

  public convenience init(
    entityName: String,
    dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(BatchEntity(name: entityName), dictionaries: handler)
  }

  public convenience init(
    entity: NSEntityDescription,
    dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(BatchEntity(entity), dictionaries: handler)
  }

  public convenience init(
    entityName: String,
    managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(BatchEntity(name: entityName), objects: handler)
  }

  public convenience init(
    entity: NSEntityDescription,
    managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(BatchEntity(entity), objects: handler)
  }

  public override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }
}

/// What a batch insertion gives; raw values are Apple's.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it has worked, which it has where nothing was thrown.
  case statusOnly = 0
  /// The identities of the rows that were inserted or, under a merge policy, written.
  case objectIDs = 1
  /// How many rows these are.
  case count = 2
}
