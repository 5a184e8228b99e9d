public import Foundation

/// The description of a store that a container or coordinator opens.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
///
/// Safety: used by one thread at a time until the store is added, and only read then.
public class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
  /// The location of the store.
  ///
  /// `/dev/null` creates a SQLite store in memory.
  public var url: URL?
  /// The type of the store.
  ///
  /// The default is `NSSQLiteStoreType`.
  public var type = NSSQLiteStoreType
  /// The configuration of the model whose entities the store contains, or `nil` for all entities.
  public var configuration: String?
  /// A Boolean value that indicates whether the store is opened on a background thread.
  ///
  /// The default is `false`.
  public var shouldAddStoreAsynchronously = false
  /// The options with which the store is kept in step with other devices, or `nil`, which is the default.
  ///
  /// An ``NSPersistentCloudKitContainer`` reads them when it loads its stores.
  public var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?
  private var chosenOptions: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]

  /// Creates a description of a SQLite store that is migrated automatically.
  ///
  /// - Parameter url: The location of the store.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  public override init() {
    super.init()
  }

  /// The options with which the store is opened.
  public var options: [String: NSObject] { chosenOptions }

  /// Sets an option for opening the store.
  ///
  /// - Parameters:
  ///   - option: The value of the option, or `nil` to remove it.
  ///   - key: The key of the option, such as `NSPersistentHistoryTrackingKey`.
  public func setOption(_ option: NSObject?, forKey key: String) {
    chosenOptions[key] = option
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
  /// The default is 240.
  public var timeout: TimeInterval {
    get { (chosenOptions[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// The pragmas that each connection to a SQLite store executes when it is opened.
  public var sqlitePragmas: [String: NSObject] {
    chosenOptions[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject] ?? [:]
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
    chosenOptions[NSSQLitePragmasOption] = pragmas as NSDictionary
  }

  private func flag(_ key: String) -> Bool { (chosenOptions[key] as? NSNumber)?.boolValue ?? false }

  /// Returns whether another description specifies the same store with the same options.
  ///
  /// - Parameter object: The object to compare with.
  /// - Returns: `true` if the descriptions are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return url == other.url && type == other.type && configuration == other.configuration
      && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
      && chosenOptions == other.chosenOptions
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(url)
    hasher.combine(type)
    hasher.combine(configuration)
    return hasher.finalize()
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.url = url
    copy.type = type
    copy.configuration = configuration
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    copy.cloudKitContainerOptions = cloudKitContainerOptions
    copy.chosenOptions = chosenOptions
    return copy
  }
}
