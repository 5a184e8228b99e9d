import CoreDataModel
public import Foundation
import Synchronization

/// An object that connects a model with persistent stores, and through which contexts read and
/// save.
///
/// The model is frozen when the coordinator is created. You can use a coordinator on any thread.
///
/// Safety: the list of stores is behind a mutex; the model is frozen.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  /// The model that the coordinator was created with.
  ///
  /// It is frozen: its entities and their properties cannot be changed anymore.
  public let managedObjectModel: NSManagedObjectModel
  package let layout: ModelLayout
  let stores = Mutex<[NSPersistentStore]>([])
  /// The contexts that work with the coordinator's stores.
  let contexts = CoordinatedContexts()
  let queue = CoordinatorQueue()
  /// The order in which contexts save.
  let saving = SaveGate()
  private let label = Mutex<String?>(nil)
  /// How many saves have changed or removed rows that were there before.
  let changes = RowChangeCount()
  /// The value of `changes` when a batch request last changed rows that were not counted.
  let batchGeneration = Atomic<Int>(0)
  /// The contexts that merge the saves of others.
  let audience = MergeAudience()
  let syncEvents = SyncEvents()
  let departures = StoreDepartures()

  /// Creates a coordinator for a model.
  ///
  /// - Parameter model: The model. It is frozen and cannot be changed afterwards.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    layout = model.layout
    super.init()
  }

  /// Creates a coordinator of a class that is known only at run time.
  ///
  /// Generic code calls this initializer when it calls `init(managedObjectModel:)`. Call that one yourself.
  ///
  /// - Parameter model: The model. It is frozen and cannot be changed afterwards.
  public required convenience init(of model: NSManagedObjectModel) {
    self.init(managedObjectModel: model)
  }

  /// The name of the coordinator, which you can use in your own messages.
  ///
  /// You can use this property on any thread. The default is `nil`.
  public var name: String? {
    get { label.withLock { $0 } }
    set { label.withLock { $0 = newValue } }
  }

  /// The stores of the coordinator, in the order in which they were added.
  public var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

  func store(numbered number: StoreNumber) -> NSPersistentStore? {
    stores.withLock { $0.first { $0.number == number } }
  }

  /// Grows whenever rows that contexts may hold become old.
  var rowGeneration: Int { changes.current }
}

// MARK: - Stores

extension NSPersistentStoreCoordinator {
  /// Opens a store, or creates it if it does not exist.
  ///
  /// ```swift
  /// try coordinator.addPersistentStore(
  ///   ofType: NSSQLiteStoreType,
  ///   configurationName: nil,
  ///   at: url,
  ///   options: [NSMigratePersistentStoresAutomaticallyOption: true]
  /// )
  /// ```
  ///
  /// With `NSMigratePersistentStoresAutomaticallyOption`, a file of another version of the model is
  /// migrated first: with a mapping model of the program, or, with
  /// `NSInferMappingModelAutomaticallyOption`, by inference. Added columns and renamed properties
  /// cost almost nothing; other changes rewrite the rows of a table once, after the file has been
  /// copied. If a migration fails, the file is unchanged.
  ///
  /// A SQLite file that this user may read but not write is opened for reading only, with a warning in the
  /// log.
  ///
  /// - Parameters:
  ///   - storeType: `NSSQLiteStoreType`, `NSXMLStoreType`, `NSBinaryStoreType`,
  ///     `NSInMemoryStoreType`, `NSPostgreSQLStoreType` of the product `CoreDataPostgreSQL`, or a type for
  ///     which you registered a class.
  ///   - configuration: The configuration of the model whose entities the store contains, or `nil`
  ///     for all entities.
  ///   - storeURL: The location of the store. `/dev/null` creates a SQLite store in memory; so does `/dev/null/Notes`, whose
  ///     contents all coordinators of this process share that open it under this name.
  ///   - options: The options of the store, such as `NSReadOnlyPersistentStoreOption`.
  /// - Returns: The store.
  /// - Throws: 134000 for an unknown type, or a file that a newer framework has written; 134081 if the
  ///   coordinator already has the store of this file; 134100 if the file was created with another model,
  ///   with the version hashes of both in the error; 259 if the file is not a Core Data store or is damaged;
  ///   260 if the file does not exist and the store is opened for reading only; 256 if the folder of the file
  ///   does not exist; 257 if the file may not be read; 513 if it may not be created; 134090 if others keep it
  ///   locked until the timeout; 134080 if the model does not have the configuration or has a derived
  ///   attribute that cannot be computed, and, with SQLite's message, if the file cannot be opened for
  ///   another reason. For migrations: 134130 if the model of the file is not found, 134140 if a mapping
  ///   model may not be inferred, 134190 with all reasons and remedies if it cannot be, 134111 if objects
  ///   violate a new uniqueness constraint, 134120 if the migration was canceled, and the codes of
  ///   ``NSStagedMigrationManager``.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String,
    configurationName configuration: String?,
    at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let isDefault = configuration == StorePlace.defaultConfiguration
    let configuration = isDefault ? nil : configuration
    if let configuration, layout.schema.configurations[configuration] == nil {
      throw StoreFailure(.unknownConfiguration(configuration), path: storeURL?.path ?? "").error()
    }
    if let storeURL, storeURL.isFileURL, !storeURL.isNowhere, persistentStore(for: storeURL) != nil
    {
      throw StoreFailure(.added, path: storeURL.path).error()
    }
    try migrateInStages(storeType, configuration, at: storeURL, options)
    let store = try open(storeType, configuration, at: storeURL, options)
    stores.withLock { $0.append(store) }
    announce(added: [store])
    return store
  }

  private static let sayOnceThatFilesAreUnprotected: Void = ProgramLog.say(
    """
    note: NSPersistentStoreFileProtectionKey has no effect on Linux. Protect the files of a store by the permissions \
    of their folder, or by an encrypted file system.
    """
  )

  /// Opens a store that is not among the coordinator's yet.
  func open(
    _ storeType: String,
    _ configuration: String?,
    at storeURL: URL?,
    _ options: [AnyHashable: Any]?,
    for purpose: StorePlace.Purpose = .use
  ) throws -> NSPersistentStore {
    let place = StorePlace(
      number: StoreNumber.next(),
      type: storeType,
      configuration: configuration,
      url: storeURL,
      options: options,
      purpose: purpose
    )
    for entity in layout.entities { try entity.checkDerivations(path: place.path) }
    if options?[NSPersistentStoreFileProtectionKey] != nil { Self.sayOnceThatFilesAreUnprotected }
    return try KindsOfStores.kind(storeType, at: place.path).open(place, for: self)
  }

  /// Opens a store, or creates it if it does not exist.
  ///
  /// For migrations see ``addPersistentStore(ofType:configurationName:at:options:)``.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - configuration: The configuration of the model whose entities the store contains, or `nil`
  ///     for all entities.
  ///   - storeURL: The location of the store. `/dev/null` creates a SQLite store in memory; so does `/dev/null/Notes`, whose
  ///     contents all coordinators of this process share that open it under this name.
  ///   - options: The options of the store, such as `NSReadOnlyPersistentStoreOption`.
  /// - Returns: The store.
  /// - Throws: The same errors as ``addPersistentStore(ofType:configurationName:at:options:)``.
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType,
    configuration: String? = nil,
    at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue,
      configurationName: configuration,
      at: storeURL,
      options: options
    )
  }

  /// Opens the store that a description specifies, or creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - description: The description of the store.
  ///   - handler: A closure that is called with the description and, if the store could not be
  ///     opened, the error. It is called on the calling thread, unless the description asks for
  ///     asynchronous opening.
  public func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler handler:
      @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let work = StoreAddition(coordinator: self, description: description, handler: handler)
    if description.shouldAddStoreAsynchronously {
      let handover = Handover(work)
      DispatchQueue.global().async { handover.value.perform() }
    } else {
      work.perform()
    }
  }

  /// Closes a store and removes it from the coordinator.
  ///
  /// The objects of the store lose their values and unsaved changes. Contexts report them as
  /// invalidated; a context whose queue is not the current one does so a little later.
  ///
  /// - Parameter store: A store of this coordinator.
  /// - Throws: 134080 if the store belongs to another coordinator.
  public func remove(_ store: NSPersistentStore) throws {
    try release(store)
    contexts.tell { $0.invalidateObjects(of: store.number) }
    announce(removed: [store])
  }

  /// Releases a store that must not be asked any more.
  func release(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(store) else {
      throw StoreFailure(.otherCoordinator, path: store.shownPath).error()
    }
    departures.tell(of: store)
    announce(.NSPersistentStoreCoordinatorWillRemoveStore, of: store, removed: [store])
    store.willRemove(from: self)
    stores.withLock { stores in stores.removeAll { $0 === store } }
    store.leaveCoordinator()
  }

  /// Returns the store at a location.
  ///
  /// - Parameter url: The location of a store.
  /// - Returns: The store, or `nil` if this coordinator does not have one at that location.
  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  /// Returns the location of a store.
  ///
  /// - Parameter store: A store of this coordinator.
  /// - Returns: The location, or the URL of `/dev/null` if the store does not have one.
  public func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  /// Returns the metadata of a store.
  ///
  /// - Parameter store: A store of this coordinator.
  /// - Returns: The metadata, including changes that have not been saved yet.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Returns the identity that a textual URI represents.
  ///
  /// - Parameter string: The text of a URI that was created by
  ///   ``NSManagedObjectID/uriRepresentation()``.
  /// - Returns: The identity, or `nil` if the text is not the URI of a permanent identity, if none of the coordinator's
  ///   stores has its UUID, or if the model does not have its entity.
  public func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
  }

  /// Returns the identity that a URI represents.
  ///
  /// Runs no SQL statement and does not check whether the object exists; see
  /// ``NSManagedObjectContext/existingObject(with:)``.
  ///
  /// - Parameter url: A URI that was created by ``NSManagedObjectID/uriRepresentation()``.
  /// - Returns: The identity, or `nil` if the URI is not that of a permanent identity, if none of the coordinator's
  ///   stores has its UUID, or if the model does not have its entity.
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    let parts = url.pathComponents.filter { $0 != "/" }
    guard url.scheme == "x-coredata", parts.count == 2, parts[1].hasPrefix("p"),
      let store = persistentStores.first(where: { $0.identifier == url.host(percentEncoded: false) }
      ),
      let entity = layout[parts[0]],
      let number = StoreHome.ofStore(store.number)?.number(forText: String(parts[1].dropFirst()))
    else { return nil }
    let key = ObjectKey(store: store.number, root: entity.rootNumber, number: number)
    return NSManagedObjectID(key: key, layout: entity)
  }

  func announce(
    _ name: Notification.Name = .NSPersistentStoreCoordinatorStoresDidChange,
    of sender: AnyObject? = nil,
    added: [NSPersistentStore] = [],
    removed: [NSPersistentStore] = [],
    uuidChanged: [Any] = []
  ) {
    var userInfo: [AnyHashable: Any] = [:]
    if !added.isEmpty { userInfo[NSAddedPersistentStoresKey] = added }
    if !removed.isEmpty { userInfo[NSRemovedPersistentStoresKey] = removed }
    if !uuidChanged.isEmpty { userInfo[NSUUIDChangedPersistentStoresKey] = uuidChanged }
    NotificationCenter.default.post(name: name, object: sender ?? self, userInfo: userInfo)
  }

  /// Performed once; the handler's own captures are its author's business, as with Apple's.
  private struct StoreAddition {
    let coordinator: NSPersistentStoreCoordinator
    let description: NSPersistentStoreDescription
    let handler: (NSPersistentStoreDescription, (any Error)?) -> Void

    func perform() {
      do {
        description.store = try coordinator.addPersistentStore(
          ofType: description.type,
          configurationName: description.configuration,
          at: description.url,
          options: description.options
        )
        handler(description, nil)
      } catch {
        handler(description, error)
      }
    }
  }
}

/// How often rows have become old that contexts may hold.
///
/// It is separate, because every fault that fires looks at it: contexts refer to it without the coordinator, to which
/// stores refer weakly, so that each reference to it is expensive.
final class RowChangeCount: Sendable {
  private let count = Atomic<Int>(0)

  var current: Int { count.load(ordering: .acquiring) }

  /// Counts a change, and gives the new count.
  @discardableResult
  func grow() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }
}
