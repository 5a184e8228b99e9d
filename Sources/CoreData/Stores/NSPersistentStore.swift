import CoreDataModel
public import Foundation
import Synchronization

/// A place where rows live: a SQLite file, or memory.
///
/// Stores are made by a coordinator, which is told their type and place.
///
/// Safety: what can change is behind a mutex; the rows see to their own order.
public class NSPersistentStore: NSObject, @unchecked Sendable {
  /// The file; a name for a store in memory.
  public var url: URL? { state.withLock { $0.url } }
  /// The name of the model's configuration that the store holds; `PF_DEFAULT_CONFIGURATION_NAME`
  /// for all entities.
  public let configurationName: String
  public let options: [AnyHashable: Any]?
  /// Whether saves to this store are refused.
  public let isReadOnly: Bool
  package let number: StoreNumber
  package let rows: any RowStore
  let rowCache = RowCache()
  /// The numbers of the entities that the store holds; nil for all.
  private let entityNames: Set<String>?
  private let state: Mutex<State>

  /// Safety: behind the mutex, without which nobody reaches it.
  private struct State: @unchecked Sendable {
    var url: URL?
    var metadata: [String: Any]
    weak var coordinator: NSPersistentStoreCoordinator?
  }

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
    isReadOnly = place.isReadOnly
    entityNames = place.configuration.flatMap { coordinator.layout.schema.configurations[$0] }
    state = Mutex(State(url: place.url, metadata: metadata, coordinator: coordinator))
    super.init()
    StoreHome.register(self)
  }

  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The store's type, such as `NSSQLiteStoreType`.
  public var type: String { metadata[NSStoreTypeKey] as? String ?? "" }

  /// The store's UUID, as text.
  public var identifier: String { metadata[NSStoreUUIDKey] as? String ?? "" }

  /// What the file says about itself: type, UUID, the model's version hashes, and whatever else was
  /// put there.
  public var metadata: [String: Any] { state.withLock { Metadata($0.metadata) }.values }

  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    state.withLock { $0.coordinator }
  }

  /// Whether objects of the entity can live here.
  func holds(_ layout: EntityLayout) -> Bool {
    entityNames?.contains(layout.name) ?? true
  }

  /// The bytes of a file that the store keeps beside itself; nil when it is missing.
  func externalData(named name: String) -> Data? {
    url.flatMap { ExternalFiles.data(named: name, besides: $0) }
  }

  func leaveCoordinator() {
    state.withLock { $0.coordinator = nil }
    rowCache.removeAll()
    rows.close()
  }

  /// Safety: property list values, which nobody changes.
  private struct Metadata: @unchecked Sendable {
    let values: [String: Any]

    init(_ values: [String: Any]) {
      self.values = values
    }
  }

  /// The kinds of stores.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}

/// Where a store shall be, and how it shall be opened.
///
/// Safety: options are property list values, which nobody changes.
struct StorePlace: @unchecked Sendable {
  let number: StoreNumber
  let type: String
  let configuration: String?
  let url: URL?
  let options: [AnyHashable: Any]?

  var isReadOnly: Bool { flag(NSReadOnlyPersistentStoreOption) }

  var ignoresVersions: Bool { flag(NSIgnorePersistentStoreVersioningOption) }

  /// Seconds to wait for another process that writes.
  var timeout: TimeInterval {
    (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240
  }

  var pragmas: [String: String] {
    let given = options?[NSSQLitePragmasOption] as? [AnyHashable: Any] ?? [:]
    return given.reduce(into: [:]) { pragmas, pair in pragmas["\(pair.key)"] = "\(pair.value)" }
  }

  private func flag(_ key: String) -> Bool {
    switch options?[key] {
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    case _: false
    }
  }
}
