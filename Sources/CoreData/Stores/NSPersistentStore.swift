import CoreDataModel
public import Foundation
import Synchronization

/// A place where rows live: a SQLite file, an XML or binary file, memory, or whatever a subclass makes
/// of it.
///
/// Stores are made by a coordinator, which is told their type and place. A type of one's own is a
/// subclass of ``NSAtomicStore`` or ``NSIncrementalStore``, made known with
/// ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``.
///
/// Safety: what can change is behind a mutex, `rows` is set before the store is handed out, and the
/// rows see to their own order.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// The name of the model's configuration that the store holds; `PF_DEFAULT_CONFIGURATION_NAME`
  /// for all entities.
  public let configurationName: String
  public let options: [AnyHashable: Any]?
  package let number: StoreNumber
  package internal(set) var rows: any RowStore
  let rowCache = RowCache()
  /// The names of the entities that the store holds; nil for all.
  private let entityNames: Set<String>?
  private let state: Mutex<State>

  /// Safety: behind the mutex, without which nobody reaches it.
  private struct State: @unchecked Sendable {
    var url: URL?
    var metadata: [String: Any]
    var isReadOnly: Bool
    var hasUnsavedMetadata = false
    weak var coordinator: NSPersistentStoreCoordinator?
  }

  /// A store of one of the types that are built in.
  init(
    _ place: StorePlace,
    rows: any RowStore,
    metadata: [String: Any],
    coordinator: NSPersistentStoreCoordinator
  ) {
    self.rows = rows
    number = place.number
    configurationName = place.configuration ?? Self.defaultConfiguration
    options = place.options
    entityNames = place.configuration.flatMap { coordinator.layout.schema.configurations[$0] }
    let state = State(
      url: place.url,
      metadata: metadata,
      isReadOnly: place.isReadOnly,
      coordinator: coordinator
    )
    self.state = Mutex(state)
    super.init()
    StoreHome.register(self)
  }

  /// A store of a class of one's own; called by the coordinator.
  ///
  /// `required`, unlike Apple's, because without Objective-C a class can only be instantiated through
  /// an initializer that every subclass is known to have.
  public required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
    configurationName name: String?,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    rows = UnconnectedRows()
    number = StoreNumber.next()
    let configuration = name == Self.defaultConfiguration ? nil : name
    configurationName = configuration ?? Self.defaultConfiguration
    self.options = options
    entityNames = configuration.flatMap { root?.layout.schema.configurations[$0] }
    let place = StorePlace(
      number: number,
      type: "",
      configuration: configuration,
      url: url,
      options: options
    )
    let state = State(
      url: url,
      metadata: [NSStoreUUIDKey: UUID().uuidString],
      isReadOnly: place.isReadOnly,
      coordinator: root
    )
    self.state = Mutex(state)
    super.init()
  }

  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  // MARK: What a store says of itself

  /// The file; a name for a store in memory.
  ///
  /// To move a store ask the coordinator: ``NSPersistentStoreCoordinator/setURL(_:for:)``.
  open var url: URL? {
    get { state.withLock { $0.url } }
    set { state.withLock { $0.url = newValue } }
  }

  /// The store's type, such as `NSSQLiteStoreType`; subclasses override it.
  open var type: String { storedMetadata[NSStoreTypeKey] as? String ?? "" }

  /// The store's UUID, as text; it stands in the URIs of the store's objects.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var identifier: String! {
    get { storedMetadata[NSStoreUUIDKey] as? String ?? "" }
    set {
      let identifier = newValue ?? ""
      state.withLock { $0.metadata[NSStoreUUIDKey] = identifier }
      StoreHome.register(self)
    }
  }

  /// Whether saves to this store are refused.
  open var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// What the file says about itself: type, UUID, the model's version hashes, and whatever else was
  /// put there.
  ///
  /// The next save writes what was set; a subclass sees to that itself. Type, UUID and the model's
  /// versions stay unless other values for them are given.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var metadata: [String: Any]! {
    get {
      var values = storedMetadata
      if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = type }
      return values
    }
    set {
      var values = StoreFiles.completed(newValue, from: storedMetadata)
      if values[NSStoreUUIDKey] == nil { values[NSStoreUUIDKey] = identifier }
      if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = type }
      let boxed = Metadata(values)
      let isInUse = StoreHome.ofStore(number) != nil
      state.withLock { state in
        state.metadata = boxed.values
        // What a subclass sets while it loads stands in its file already.
        if isInUse { state.hasUnsavedMetadata = true }
      }
      if isInUse { StoreHome.register(self) }
    }
  }

  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    state.withLock { $0.coordinator }
  }

  // MARK: Life cycle

  /// Reads the metadata of the file; the coordinator calls it before it uses the store.
  open func loadMetadata() throws {}

  /// Called when the coordinator has the store; an atomic store is loaded afterwards.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called before the coordinator lets go of the store.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  /// The metadata of a file, without opening it as a store; subclasses override it.
  ///
  /// Throws 134091 where a subclass does not.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    let request = "metadata, which \(self).metadataForPersistentStore(with:) would have to read"
    throw StoreFailure(.unsupportedRequest(request), path: url.path).error()
  }

  /// Changes the metadata of a file, without opening it as a store; subclasses override it.
  ///
  /// Throws 134091 where a subclass does not.
  open class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreAt url: URL
  ) throws {
    let request = "metadata, which \(self).setMetadata(_:forPersistentStoreAt:) would have to write"
    throw StoreFailure(.unsupportedRequest(request), path: url.path).error()
  }

  // MARK: The kinds of stores

  /// The kinds of stores.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Reads and writes a SQLite database.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// Is gone with the process.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    /// Reads and writes an XML file, whole.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
    /// Reads and writes a binary file, whole.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
  }
}

// MARK: - For the coordinator

extension NSPersistentStore {
  /// The metadata kept here; a subclass may keep its own.
  private var storedMetadata: [String: Any] { state.withLock { Metadata($0.metadata) }.values }

  /// Whether metadata was set that no save has written.
  var hasUnsavedMetadata: Bool {
    get { state.withLock { $0.hasUnsavedMetadata } }
    set { state.withLock { $0.hasUnsavedMetadata = newValue } }
  }

  /// Whether objects of the entity can live here.
  func holds(_ layout: EntityLayout) -> Bool {
    entityNames?.contains(layout.name) ?? true
  }

  /// Why a read-only store is not written.
  var readOnlyFailure: SaveFailure {
    let path = url?.path ?? ""
    let isLocked = (rows as? SQLiteStore)?.isLocked ?? false
    return isLocked ? .readOnlyForHistory(store: path) : .readOnly(store: path)
  }

  func join(_ coordinator: NSPersistentStoreCoordinator) {
    state.withLock { $0.coordinator = coordinator }
  }

  /// Takes over metadata that stand in the file already.
  func noteWritten(_ metadata: [String: Any]) {
    let boxed = Metadata(metadata)
    state.withLock { $0.metadata = boxed.values }
  }

  /// Forgets all rows: nobody knows which of them are old now.
  func forgetRows() {
    rowCache.removeAll()
    guard let coordinator = persistentStoreCoordinator else { return }
    let generation = coordinator.changes.add(1, ordering: .acquiringAndReleasing).newValue
    coordinator.batchGeneration.store(generation, ordering: .releasing)
  }

  func leaveCoordinator() {
    state.withLock { $0.coordinator = nil }
    rowCache.removeAll()
    rows.close()
  }

  /// The bytes of a file that the store keeps beside itself; nil when it is missing, which is said.
  func externalData(named name: String) -> Data? {
    let data = url.flatMap { ExternalFiles.data(named: name, besides: $0) }
    if data == nil, let url {
      NSLog(
        "CoreData: warning: %@ names a file of large data that is not there, and the value reads as nil: %@",
        url.path,
        ExternalFiles.folder(besides: url).appendingPathComponent(name).path
      )
    }
    return data
  }

  /// Safety: property list values, which nobody changes.
  private struct Metadata: @unchecked Sendable {
    let values: [String: Any]

    init(_ values: [String: Any]) {
      self.values = values
    }
  }
}
