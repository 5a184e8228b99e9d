public import Foundation

/// A store of one's own that reads and writes object by object, from wherever it likes.
///
/// ```swift
/// final class ServerStore: NSIncrementalStore {
///   override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?)
///     throws -> Any
///   {
///     switch request {
///     case let fetch as NSFetchRequest<any NSFetchRequestResult>: try find(fetch, context)
///     case let save as NSSaveChangesRequest: try send(save)
///     case let other: throw …
///     }
///   }
/// }
/// NSPersistentStoreCoordinator.registerStoreClass(ServerStore.self, type: .init(rawValue: "Server"))
/// ```
///
/// A fetch gives objects or identities; their values are asked for when somebody needs them, and are
/// kept. Methods are called by one thread at a time, whichever it is.
///
/// Safety: the framework calls the author's methods under a lock.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  let references = ReferenceTable()

  // MARK: What authors write

  /// Reads the metadata, or makes those of a new store; type and UUID must be among them.
  ///
  /// Unless overridden the store is new each time, with the identifier that the class gives.
  open override func loadMetadata() throws {
    guard let url else { return }
    let identifier = Swift.type(of: self).identifierForNewStore(at: url)
    metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: "\(identifier)"]
  }

  /// An identifier for a store that is made anew.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Answers a request; to be overridden.
  ///
  /// A fetch comes as `NSFetchRequest<any NSFetchRequestResult>` and is answered with an array of
  /// objects of the context, or of identities where the request's result type says so; a count with an
  /// array of one number. A save comes as ``NSSaveChangesRequest``; its answer is not looked at. What
  /// is thrown here is thrown by the context, which stays as it was.
  open func execute(
    _ request: NSPersistentStoreRequest,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    stop("\(Swift.type(of: self)) must override execute(_:with:)")
  }

  /// The values of one object; to be overridden.
  ///
  /// Throws 133000 where there is no such object.
  open func newValuesForObject(
    with objectID: NSManagedObjectID,
    with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    stop("\(Swift.type(of: self)) must override newValuesForObject(with:with:)")
  }

  /// Where a relationship leads that the object's node does not tell; to be overridden.
  ///
  /// An identity or `NSNull` for a to-one relationship, a collection of identities for a to-many one,
  /// in its order where it has one.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    stop(
      """
      \(Swift.type(of: self)) must override newValue(forRelationship:forObjectWith:with:), or have \
      \(relationship.name) in the nodes it gives
      """
    )
  }

  /// Identities for new objects, in their order; to be overridden.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    stop("\(Swift.type(of: self)) must override obtainPermanentIDs(for:)")
  }

  /// Called when contexts begin to hold objects; once for each context and object.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Called when contexts hold objects no longer, on whatever thread that happens.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  // MARK: Identities

  /// The identity for what the author calls an object: a number, a text, a UUID.
  public func newObjectID(
    for entity: NSEntityDescription,
    referenceObject data: Any
  ) -> NSManagedObjectID {
    references.objectID(for: entity, reference: data, in: self)
  }

  /// What the author calls an object.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any {
    references.reference(of: objectID, in: self)
  }
}
