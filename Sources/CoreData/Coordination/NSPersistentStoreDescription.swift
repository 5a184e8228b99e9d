public import Foundation

/// How a container or coordinator shall open a store.
///
/// Safety: used by one thread at a time until the store is added, and only read then.
public class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
  /// The file; `/dev/null` makes a SQLite store in memory.
  public var url: URL?
  /// `NSSQLiteStoreType` unless set.
  public var type = NSSQLiteStoreType
  /// The model's configuration that the store holds; nil for all entities.
  public var configuration: String?
  /// Whether the store is opened in the background; false unless set.
  public var shouldAddStoreAsynchronously = false
  private var chosenOptions: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]

  /// A description of a store at a place.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  public override init() {
    super.init()
  }

  public var options: [String: NSObject] { chosenOptions }

  /// Sets an option by its key; nil removes it.
  public func setOption(_ option: NSObject?, forKey key: String) {
    chosenOptions[key] = option
  }

  public var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  public var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set {
      setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption)
    }
  }

  public var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  /// Seconds to wait for another process that writes; 240 unless set.
  public var timeout: TimeInterval {
    get { (chosenOptions[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// The pragmas that each of the store's SQLite connections runs when it opens.
  public var sqlitePragmas: [String: NSObject] {
    chosenOptions[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject] ?? [:]
  }

  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    chosenOptions[NSSQLitePragmasOption] = pragmas as NSDictionary
  }

  private func flag(_ key: String) -> Bool { (chosenOptions[key] as? NSNumber)?.boolValue ?? false }

  /// Whether the other asks for the same store, opened in the same way.
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
    copy.chosenOptions = chosenOptions
    return copy
  }
}
