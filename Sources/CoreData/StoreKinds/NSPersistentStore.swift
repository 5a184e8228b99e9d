import CoreDataModel
import CoreDataPredicates
public import Foundation
import Synchronization

/// A persistent store: a SQLite file, a zone of a PostgreSQL database, an XML or binary file, memory, or
/// a kind that a subclass implements.
///
/// A coordinator creates stores from their type and location. To implement a type of your own,
/// subclass ``NSAtomicStore`` or ``NSIncrementalStore`` and register the class with
/// ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``.
///
/// Safety: mutable state is behind a mutex, `backend` is set before the store is handed out, and sees to its own
/// order.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// The name of the model's configuration whose entities the store contains, or
  /// `PF_DEFAULT_CONFIGURATION_NAME` for all entities.
  public let configurationName: String
  /// The options with which the store was opened, or `nil` if it was opened without options.
  public let options: [AnyHashable: Any]?
  package let number: StoreNumber
  /// The backend with the rows of the store.
  package internal(set) var backend: any RowStore
  let rowCache = RowCache()
  /// The names of the entities that the store holds; nil for all.
  private let entityNames: Set<String>?
  private let state: Mutex<Particulars>

  private struct Particulars: Sendable {
    var url: URL?
    /// Values of property lists.
    var metadata: Immutable<[String: Any]>
    var isReadOnly: Bool
    var hasUnsavedMetadata = false
    weak var coordinator: NSPersistentStoreCoordinator?
  }

  /// A store of one of the framework's own kinds.
  package init(
    _ place: StorePlace,
    backend: any RowStore,
    metadata: [String: Any],
    coordinator: NSPersistentStoreCoordinator
  ) {
    self.backend = backend
    number = place.number
    configurationName = place.configuration ?? StorePlace.defaultConfiguration
    options = place.options
    entityNames = place.configuration.flatMap { coordinator.layout.schema.configurations[$0] }
    let state = Particulars(
      url: place.url,
      metadata: Immutable(metadata),
      isReadOnly: place.isReadOnly,
      coordinator: coordinator
    )
    self.state = Mutex(state)
    super.init()
    StoreHome.register(self)
  }

  /// Creates a store of a custom class.
  ///
  /// The coordinator calls this initializer.
  ///
  /// Unlike Apple's initializer, this one is `required`, because without Objective-C a class can be
  /// instantiated only through an initializer that all its subclasses have.
  ///
  /// - Parameters:
  ///   - root: The coordinator to which the store is added.
  ///   - name: The configuration whose entities the store contains, or `nil` for all entities.
  ///   - url: The location of the store.
  ///   - options: The options with which the store is opened.
  public required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
    configurationName name: String?,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    backend = UnconnectedRows()
    number = StoreNumber.next()
    let place = StorePlace(
      number: number,
      type: "",
      configuration: name,
      url: url,
      options: options
    )
    configurationName = place.configuration ?? StorePlace.defaultConfiguration
    self.options = options
    entityNames = place.configuration.flatMap { root?.layout.schema.configurations[$0] }
    let state = Particulars(
      url: url,
      metadata: Immutable([NSStoreUUIDKey: UUID().uuidString]),
      isReadOnly: place.isReadOnly,
      coordinator: root
    )
    self.state = Mutex(state)
    super.init()
  }

  // MARK: The store's metadata

  /// The location of the store.
  ///
  /// For a store in memory it is only a name.
  ///
  /// To move a store, call ``NSPersistentStoreCoordinator/setURL(_:for:)``.
  open var url: URL? {
    get { state.withLock { $0.url } }
    set { state.withLock { $0.url = newValue } }
  }

  /// The type of the store, such as `NSSQLiteStoreType`.
  ///
  /// Subclasses override this property.
  open var type: String { storedMetadata[NSStoreTypeKey] as? String ?? "" }

  /// The UUID of the store as text, which is part of the URIs of the store's objects.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var identifier: String! {
    get { storedMetadata[NSStoreUUIDKey] as? String ?? "" }
    set {
      let identifier = newValue ?? ""
      state.withLock { state in
        var values = state.metadata.value
        values[NSStoreUUIDKey] = identifier
        state.metadata = Immutable(values)
      }
      StoreHome.register(self)
    }
  }

  /// A Boolean value that indicates whether the store refuses to be saved.
  ///
  /// A save that changes or deletes an object of such a store throws 513. New objects are saved in another store; if no
  /// other store takes them, the save throws 134030. You can use this property on any thread.
  open var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// The metadata of the store: its type, its UUID, the version hashes of its model, and values of
  /// your own.
  ///
  /// The next save writes changed metadata; a subclass writes them itself. The store's type, UUID
  /// and model versions are kept unless the new metadata contain them.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var metadata: [String: Any]! {
    get {
      var values = storedMetadata
      if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = type }
      return values
    }
    set {
      var values = KindsOfStores.completed(newValue, from: storedMetadata)
      if values[NSStoreUUIDKey] == nil { values[NSStoreUUIDKey] = identifier }
      if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = type }
      let new = Immutable(values)
      let isInUse = StoreHome.ofStore(number) != nil
      state.withLock { state in
        state.metadata = new
        // Metadata that a subclass sets while it loads is in its file already.
        if isInUse { state.hasUnsavedMetadata = true }
      }
      if isInUse { StoreHome.register(self) }
    }
  }

  /// The coordinator of the store, or `nil` after the store was removed.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    state.withLock { $0.coordinator }
  }

  // MARK: Life cycle

  /// Loads the metadata of the store.
  ///
  /// The coordinator calls this method before it uses the store.
  ///
  /// - Throws: An error if the metadata cannot be loaded; the store is then not added.
  open func loadMetadata() throws {}

  /// Called after the store was added to a coordinator.
  ///
  /// An atomic store is loaded after this call.
  ///
  /// - Parameter coordinator: The coordinator of the store.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called before the store is removed from its coordinator.
  ///
  /// - Parameter coordinator: The coordinator of the store.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  /// Reads the metadata of a store without opening it.
  ///
  /// Subclasses override this method.
  ///
  /// - Parameter url: The location of the store.
  /// - Returns: The metadata.
  /// - Throws: 134091 if a subclass does not override the method; otherwise the error of a file
  ///   that cannot be read.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    let request = "metadata, which \(self).metadataForPersistentStore(with:) would have to read"
    throw StoreFailure(.unsupportedRequest(request), path: url.path).error()
  }

  /// Writes the metadata of a store without opening it.
  ///
  /// Subclasses override this method.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - url: The location of the store.
  /// - Throws: 134091 if a subclass does not override the method; otherwise the error of a file
  ///   that cannot be written.
  open class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreAt url: URL
  ) throws {
    let request = "metadata, which \(self).setMetadata(_:forPersistentStoreAt:) would have to write"
    throw StoreFailure(.unsupportedRequest(request), path: url.path).error()
  }

  // MARK: The kinds of stores

  /// The types of persistent stores.
  ///
  /// The raw value of a type is the text that an ``NSPersistentStoreDescription`` takes, such as `NSSQLiteStoreType`.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A SQLite database, of which only the requested rows are read.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// A store in memory whose contents are lost when the process ends.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    /// An XML file, which is read and written as a whole.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
    /// A binary file, which is read and written as a whole.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
  }
}

// MARK: - For the coordinator

extension NSPersistentStore {
  /// The metadata kept here; a subclass may keep its own.
  private var storedMetadata: [String: Any] { state.withLock { $0.metadata }.value }

  /// Whether metadata was set that no save has written.
  var hasUnsavedMetadata: Bool {
    get { state.withLock { $0.hasUnsavedMetadata } }
    set { state.withLock { $0.hasUnsavedMetadata = newValue } }
  }

  /// Whether objects of the entity can live here.
  func holds(_ layout: EntityLayout) -> Bool {
    entityNames?.contains(layout.name) ?? true
  }

  /// Whether objects of one of the entities can live here; a configuration may name subentities alone.
  func holdsSome(of numbers: ClosedRange<Int32>, in model: ModelLayout) -> Bool {
    guard let entityNames else { return true }
    return numbers.contains { number in
      model[number: number].map { entityNames.contains($0.name) } ?? false
    }
  }

  /// The error of a save in a read-only store.
  var readOnlyError: NSError {
    let isLocked = (backend as? any HistoricStore)?.isLocked ?? false
    return isLocked
      ? WriteFailure.readOnlyForHistory(store: shownPath).error
      : SaveFailure.readOnly(store: shownPath).error
  }

  /// The path, or the address of a database with the zone, for messages.
  var shownPath: String {
    url.map { StoreAddress.name(ofStoreAt: $0, options) } ?? type
  }

  /// Takes over metadata that is in the file already.
  func noteWritten(_ metadata: [String: Any]) {
    let new = Immutable(metadata)
    state.withLock { $0.metadata = new }
  }

  /// Forgets all rows: nobody knows which of them are old now.
  func forgetRows() {
    rowCache.removeAll()
    guard let coordinator = persistentStoreCoordinator else { return }
    let generation = coordinator.changes.grow()
    coordinator.batchGeneration.store(generation, ordering: .releasing)
  }

  func leaveCoordinator() {
    state.withLock { $0.coordinator = nil }
    rowCache.removeAll()
    backend.close()
  }

  /// The bytes of a file that the store keeps beside itself; nil when it is missing or too large, which is said.
  func externalData(named name: String) -> Data? {
    let data = url.flatMap { ExternalFiles.data(named: name, besides: $0) }
    if data == nil, let url {
      let isThere = ExternalFiles.size(named: name, besides: url) != nil
      let reason = isThere ? "has more than \(ExternalFiles.greatestSize) bytes" : "is not there"
      let folder = ExternalFiles.supportFolderName(of: url)
      let remedy = isThere ? "" : "; copy \(folder) from beside the store where it came from"
      // The name as it is: a path would lead to whatever file a hostile one with ".." means.
      ProgramLog.say(
        """
        warning: \(url.path) names a file of large data that \(reason), and the value reads as nil: \
        \(ExternalFiles.folder(besides: url).path)/\(name)\(remedy)
        """
      )
    }
    return data
  }
}
