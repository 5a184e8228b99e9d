public import Foundation

/// A base class for custom stores that read and write single objects, for example on a server.
///
/// ```swift
/// final class ServerStore: NSIncrementalStore {
///   override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?)
///     throws -> Any
///   {
///     switch request {
///     case let fetch as NSFetchRequest<any NSFetchRequestResult>: try find(fetch, context)
///     case let save as NSSaveChangesRequest: try send(save)
///     case let other: throw UnknownRequest(other)
///     }
///   }
/// }
/// NSPersistentStoreCoordinator.registerStoreClass(ServerStore.self, type: .init(rawValue: "Server"))
/// ```
///
/// A fetch returns objects or identities. Their values are requested when they are needed and are
/// then cached. The methods of a subclass are called by one thread at a time, which can be any
/// thread.
///
/// Safety: the framework calls the author's methods under a lock.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  let references = ReferenceTable()

  // MARK: Methods for authors of stores

  /// Loads the metadata of the store, or creates those of a new store.
  ///
  /// The metadata must contain the store's type and UUID. The default implementation creates a new
  /// store each time, with the identifier that ``identifierForNewStore(at:)`` returns.
  ///
  /// - Throws: An error if the metadata cannot be loaded; the store is then not added.
  open override func loadMetadata() throws {
    guard let url else { return }
    let identifier = Swift.type(of: self).identifierForNewStore(at: url)
    metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: "\(identifier)"]
  }

  /// Returns an identifier for a new store.
  ///
  /// - Parameter storeURL: The location of the store.
  /// - Returns: The identifier, which by default is a UUID.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Executes a request.
  ///
  /// Subclasses must override this method.
  ///
  /// - Parameters:
  ///   - request: An `NSFetchRequest<any NSFetchRequestResult>`, an ``NSSaveChangesRequest``, or a request
  ///     of any other kind that a program passes to ``NSPersistentStoreCoordinator/execute(_:with:)``.
  ///   - context: The context on whose behalf the request is executed.
  /// - Returns: For a fetch, an array of objects of the context, or of identities or dictionaries if the
  ///   request's result type says so; for a count, an array with one number. With anything else, such as an
  ///   identity of another store, the fetch throws 134070. The result of a save is ignored.
  /// - Throws: An error if the request cannot be executed. The context throws it and keeps its
  ///   changes.
  open func execute(
    _ request: NSPersistentStoreRequest,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    stop("\(Swift.type(of: self)) must override execute(_:with:)")
  }

  /// Returns the values of one object.
  ///
  /// Subclasses must override this method.
  ///
  /// - Parameters:
  ///   - objectID: The identity of the object.
  ///   - context: The context that needs the values.
  /// - Returns: A node with the values.
  /// - Throws: 133000 if the object does not exist; otherwise an error of your own.
  open func newValuesForObject(
    with objectID: NSManagedObjectID,
    with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    stop("\(Swift.type(of: self)) must override newValuesForObject(with:with:)")
  }

  /// Returns the value of a relationship that the object's node does not contain.
  ///
  /// Subclasses must override this method unless their nodes contain the values of all relationships.
  ///
  /// - Parameters:
  ///   - relationship: The relationship.
  ///   - objectID: The identity of the object.
  ///   - context: The context that needs the value.
  /// - Returns: For a to-one relationship an identity or `NSNull`; for a to-many relationship a
  ///   collection of identities, in order if the relationship is ordered.
  /// - Throws: An error if the value cannot be obtained.
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

  /// Returns permanent identities for newly inserted objects.
  ///
  /// Subclasses must override this method.
  ///
  /// - Parameter array: The inserted objects.
  /// - Returns: The identities in the order of the objects, created with
  ///   ``newObjectID(for:referenceObject:)``.
  /// - Throws: An error if identities cannot be assigned; the save then fails.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    stop("\(Swift.type(of: self)) must override obtainPermanentIDs(for:)")
  }

  /// Called when contexts start to hold objects, once for each context and object.
  ///
  /// - Parameter objectIDs: The identities of the objects.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Called when contexts no longer hold objects.
  ///
  /// The call can come on any thread.
  ///
  /// - Parameter objectIDs: The identities of the objects.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  // MARK: Identities

  /// Returns the identity of the object that a reference object denotes.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object.
  ///   - data: Your own key of the object: a number, a string or a UUID.
  /// - Returns: The identity.
  public func newObjectID(
    for entity: NSEntityDescription,
    referenceObject data: Any
  ) -> NSManagedObjectID {
    references.objectID(for: entity, reference: data, in: self)
  }

  /// Returns the reference object of an identity.
  ///
  /// If the identity was made from a URI, and this store has not made it before, only the text of the key is
  /// known: a UUID is returned as a `String`, and a text that consists of digits as an `NSNumber`.
  ///
  /// - Parameter objectID: The identity of an object of this store. Another one stops the program.
  /// - Returns: Your own key of the object.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any {
    references.reference(of: objectID, in: self)
  }
}
