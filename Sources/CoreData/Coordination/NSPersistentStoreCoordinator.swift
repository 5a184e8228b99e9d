import CoreDataModel
public import Foundation
import Synchronization

/// Connects a model with stores: contexts read and write through it.
///
/// Taking a model freezes it. A coordinator can be used from any thread.
///
/// Safety: the list of stores is behind a mutex; the model is frozen.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
  public let managedObjectModel: NSManagedObjectModel
  package let layout: ModelLayout
  let stores = Mutex<[NSPersistentStore]>([])
  /// The contexts that work with the coordinator's stores.
  let contexts = CoordinatedContexts()
  let queue = CoordinatorQueue()
  /// Saves of several contexts follow each other.
  let saving = NSRecursiveLock()
  private let label = Mutex<String?>(nil)
  /// How many saves have changed or removed rows that were there before.
  let changes = Atomic<Int>(0)
  /// What `changes` was when a batch request last changed rows that nobody has counted.
  let batchGeneration = Atomic<Int>(0)
  /// The contexts that merge what others save.
  let audience = MergeAudience()

  /// Takes a model, which cannot be changed from now on.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    layout = model.layout
    super.init()
  }

  /// What `init(managedObjectModel:)` comes to where the class is known only at run time.
  public required convenience init(of model: NSManagedObjectModel) {
    self.init(managedObjectModel: model)
  }

  /// A name for logs.
  public var name: String? {
    get { label.withLock { $0 } }
    set { label.withLock { $0 = newValue } }
  }

  public var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

  func store(numbered number: StoreNumber) -> NSPersistentStore? {
    stores.withLock { $0.first { $0.number == number } }
  }

  /// Grows whenever rows that contexts may hold become old.
  var rowGeneration: Int { changes.load(ordering: .acquiring) }
}

// MARK: - Stores

extension NSPersistentStoreCoordinator {
  /// Opens a store, or makes it where there is none.
  ///
  /// `type` is `NSSQLiteStoreType`, `NSXMLStoreType`, `NSBinaryStoreType`, `NSInMemoryStoreType` or a
  /// type whose class was registered; the URL `/dev/null` makes a SQLite store in memory. Throws 134000 for an unknown type, 134100 when the file was made with another model
  /// (both sets of version hashes are in the error), 259 for a file that is no Core Data store, and
  /// 134080 with SQLite's words when it cannot be opened.
  ///
  /// With `NSMigratePersistentStoresAutomaticallyOption` a file of another version of the model is
  /// migrated first: with a mapping model of the program, or with `NSInferMappingModelAutomaticallyOption`
  /// by inference, a SQLite file then in one transaction. Throws 134130
  /// where nobody knows the model it was made with, 134140 where none may be inferred, 134190 with all
  /// reasons and remedies where none can be, and 134111 where objects stand against a new uniqueness
  /// constraint; the file is as it was then. Added columns and new names cost nothing; other changes
  /// go through the rows of a table once, after a copy of the file has been made.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String,
    configurationName configuration: String?,
    at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    if let configuration, layout.schema.configurations[configuration] == nil {
      throw StoreFailure(.unknownConfiguration(configuration), path: storeURL?.path ?? "").error()
    }
    try migrateInStages(storeType, configuration, at: storeURL, options)
    let store = try open(storeType, configuration, at: storeURL, options)
    announce(.NSPersistentStoreCoordinatorStoresWillChange, added: [store])
    stores.withLock { $0.append(store) }
    announce(added: [store])
    return store
  }

  /// Opens a store that is not among the coordinator's yet.
  func open(
    _ storeType: String,
    _ configuration: String?,
    at storeURL: URL?,
    _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    let place = StorePlace(
      number: StoreNumber.next(),
      type: storeType,
      configuration: configuration,
      url: storeURL,
      options: options
    )
    for entity in layout.entities { try entity.checkDerivations(path: place.path) }
    switch storeType {
    case NSSQLiteStoreType:
      return try openUpgrading(place) { try SQLiteStore.open(place, for: self) }
    case NSInMemoryStoreType: return MemoryStore.make(place, for: self)
    case NSXMLStoreType:
      return try openUpgrading(place) { try WholeFileStore<XMLFormat>.open(place, for: self) }
    case NSBinaryStoreType:
      return try openUpgrading(place) { try WholeFileStore<BinaryFormat>.open(place, for: self) }
    case _: return try CustomStores.open(place, for: self)
    }
  }

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

  /// Opens the store that a description asks for, and calls the handler with the description and the
  /// error if there is one; on the calling thread unless the description wants it asynchronous.
  public func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler handler:
      @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let work = StoreAddition(coordinator: self, description: description, handler: handler)
    if description.shouldAddStoreAsynchronously {
      DispatchQueue.global().async { work.perform() }
    } else {
      work.perform()
    }
  }

  /// Closes a store.
  ///
  /// Its objects lose their values and their unsaved changes, and are told of as invalidated; where a
  /// context's queue is not the current one, a little later. Throws 134080 for a store of another
  /// coordinator.
  public func remove(_ store: NSPersistentStore) throws {
    try release(store)
    contexts.tell { $0.invalidateObjects(of: store.number) }
    announce(removed: [store])
  }

  /// Lets go of a store that shall not be asked any more.
  func release(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(store) else {
      throw StoreFailure(.otherCoordinator, path: store.url?.path ?? "").error()
    }
    announce(.NSPersistentStoreCoordinatorStoresWillChange, removed: [store])
    announce(.NSPersistentStoreCoordinatorWillRemoveStore, removed: [store])
    store.willRemove(from: self)
    stores.withLock { stores in stores.removeAll { $0 === store } }
    store.leaveCoordinator()
  }

  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  public func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// The identity that a text names, as ``managedObjectID(forURIRepresentation:)`` has it.
  public func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
  }

  /// The identity that a URI names; nil when none of the stores has that UUID.
  ///
  /// No statement: whether there is such a row is not checked.
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
    added: [NSPersistentStore] = [],
    removed: [NSPersistentStore] = [],
    uuidChanged: [Any] = []
  ) {
    var userInfo: [AnyHashable: Any] = [:]
    if !added.isEmpty { userInfo[NSAddedPersistentStoresKey] = added }
    if !removed.isEmpty { userInfo[NSRemovedPersistentStoresKey] = removed }
    if !uuidChanged.isEmpty { userInfo[NSUUIDChangedPersistentStoresKey] = uuidChanged }
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }

  /// Safety: performed once; the handler's own captures are its author's business, as with Apple's.
  private struct StoreAddition: @unchecked Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let description: NSPersistentStoreDescription
    let handler: (NSPersistentStoreDescription, (any Error)?) -> Void

    func perform() {
      do {
        try coordinator.addPersistentStore(
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
