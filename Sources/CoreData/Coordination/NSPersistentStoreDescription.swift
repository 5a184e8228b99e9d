import CoreDataPredicates
public import Foundation
import Synchronization

/// The description of a store that a container or coordinator opens.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
public final class NSPersistentStoreDescription: NSObject, NSCopying, Sendable {
  /// The location of the store: the URL of a file, or the address of a PostgreSQL database.
  ///
  /// `/dev/null` creates a SQLite store in memory. Stores with a name below it, such as `/dev/null/Notes`, are in memory,
  /// too, and share what they have with those of the same name in this process.
  public var url: URL? {
    get { parts.withLock { $0.url } }
    set { parts.withLock { $0.url = newValue } }
  }
  /// The type of the store.
  ///
  /// The default is `NSSQLiteStoreType`. For the others see
  /// ``NSPersistentStoreCoordinator/addPersistentStore(ofType:configurationName:at:options:)``.
  public var type: String {
    get { parts.withLock { $0.type } }
    set { parts.withLock { $0.type = newValue } }
  }
  /// The configuration of the model whose entities the store contains, or `nil` for all entities.
  public var configuration: String? {
    get { parts.withLock { $0.configuration } }
    set { parts.withLock { $0.configuration = newValue } }
  }
  /// A Boolean value that indicates whether the store is opened on a background thread.
  ///
  /// The default is `false`.
  public var shouldAddStoreAsynchronously: Bool {
    get { parts.withLock { $0.isAsynchronous } }
    set { parts.withLock { $0.isAsynchronous = newValue } }
  }
  /// The options with which the store is kept in step with other devices, or `nil`, which is the default.
  ///
  /// An ``NSPersistentCloudKitContainer`` reads them when it loads its stores.
  public var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions? {
    get { parts.withLock { $0.cloudKitOptions } }
    set { parts.withLock { $0.cloudKitOptions = newValue } }
  }

  /// The store that was opened as this description says, while there is one.
  var store: NSPersistentStore? {
    get { parts.withLock { $0.store } }
    set { parts.withLock { $0.store = newValue } }
  }

  private let parts: Mutex<Parts>

  private struct Parts {
    var url: URL?
    var type = NSSQLiteStoreType
    var configuration: String?
    var isAsynchronous = false
    var cloudKitOptions: NSPersistentCloudKitContainerOptions?
    weak var store: NSPersistentStore?
    var options = Immutable<[String: NSObject]>([
      NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
      NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ])
  }

  /// Creates a description of a SQLite store that is migrated automatically.
  ///
  /// - Parameter url: The location of the store.
  public init(url: URL) {
    parts = Mutex(Parts(url: url))
    super.init()
  }

  /// Creates a description of a SQLite store in memory.
  ///
  /// Its ``url`` is that of `/dev/null`. Set it for a store in a file or a database.
  public override init() {
    parts = Mutex(Parts(url: URL(fileURLWithPath: "/dev/null")))
    super.init()
  }

  private init(_ parts: Parts) {
    self.parts = Mutex(parts)
    super.init()
  }

  /// The options with which the store is opened.
  public var options: [String: NSObject] { parts.withLock { $0.options }.value }

  /// Sets an option for opening the store.
  ///
  /// - Parameters:
  ///   - option: The value of the option, or `nil` to remove it.
  ///   - key: The key of the option, such as `NSPersistentHistoryTrackingKey`.
  public func setOption(_ option: NSObject?, forKey key: String) {
    let option = Immutable(option)
    parts.withLock { parts in
      var options = parts.options.value
      options[key] = option.value
      parts.options = Immutable(options)
    }
  }

  /// A Boolean value that indicates whether the store is opened for reading only.
  ///
  /// The default is `false`.
  public var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// A Boolean value that indicates whether a store of another version of the model is migrated
  /// when it is opened.
  ///
  /// The default is `true`.
  public var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set {
      setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption)
    }
  }

  /// A Boolean value that indicates whether a migration may infer its mapping model.
  ///
  /// The default is `true`.
  public var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  /// The time, in seconds, to wait for another connection that locks the store.
  ///
  /// The default is 240. For a store in a PostgreSQL database see `NSPersistentStoreTimeoutOption`.
  public var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// The pragmas that each connection to a SQLite store executes when it is opened.
  public var sqlitePragmas: [String: NSObject] {
    options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject] ?? [:]
  }

  /// Sets a pragma that each connection to a SQLite store executes when it is opened.
  ///
  /// ```swift
  /// description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value of the pragma, or `nil` to remove it.
  ///   - name: The name of the pragma.
  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(pragmas as NSDictionary, forKey: NSSQLitePragmasOption)
  }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  /// Returns whether another description specifies the same store with the same options.
  ///
  /// - Parameter object: The object to compare with.
  /// - Returns: `true` if the descriptions are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return url == other.url && type == other.type && configuration == other.configuration
      && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
      && options == other.options
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(url)
    hasher.combine(type)
    hasher.combine(configuration)
    return hasher.finalize()
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    NSPersistentStoreDescription(parts.withLock { $0 })
  }
}
