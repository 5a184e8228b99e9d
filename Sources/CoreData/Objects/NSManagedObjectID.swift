public import Foundation
import Synchronization

/// The identity of a managed object, valid in every context and, as a URI, in every process.
///
/// An object that was never saved has a temporary identity; the first save replaces it by a
/// permanent one. Two identities are equal when they name the same object of the same store.
///
/// Safety: immutable.
public final class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  package let key: ObjectKey
  unowned(unsafe) let layout: EntityLayout

  init(key: ObjectKey, layout: EntityLayout) {
    self.key = key
    self.layout = layout
    super.init()
  }

  private var home: StoreHome? { StoreHome.ofStore(key.store) }

  /// The entity of the object, which may be a subentity of the one that was asked for.
  public var entity: NSEntityDescription { layout.description }

  /// Whether the object was never saved.
  public var isTemporaryID: Bool { key.isTemporary }

  /// The store that holds the object; nil for a temporary identity and after the store was removed.
  public var persistentStore: NSPersistentStore? { home?.store }

  /// `x-coredata://<store>/<entity>/p<number>`; with `t` and a unique text for a temporary identity.
  public func uriRepresentation() -> URL {
    let text = home.map { "x-coredata://\($0.identifier)/\(layout.name)/p\(key.number)" }
    guard let url = URL(string: text ?? TemporaryNumber.uri(of: key.number, entity: layout.name))
    else { stop("the entity name \(layout.name) cannot stand in a URI") }
    return url
  }

  public override var description: String { "<\(uriRepresentation().absoluteString)>" }

  public override var hash: Int { key.hashValue }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSManagedObjectID).map { $0.key == key } ?? false
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A store as identities know it.
///
/// Safety: the text is immutable; the weak reference is behind a mutex.
final class StoreHome: @unchecked Sendable {
  let identifier: String
  private let weakStore: Mutex<WeakStore>

  private struct WeakStore {
    weak var store: NSPersistentStore?
  }

  private init(_ store: NSPersistentStore) {
    identifier = store.identifier
    weakStore = Mutex(WeakStore(store: store))
  }

  /// Every store of the process, also those that are gone: their objects' identities stay what they
  /// are.
  private static let homes = Mutex<[StoreNumber: StoreHome]>([:])

  static func register(_ store: NSPersistentStore) {
    let home = StoreHome(store)
    homes.withLock { $0[store.number] = home }
  }

  static func ofStore(_ number: StoreNumber) -> StoreHome? { homes.withLock { $0[number] } }

  var store: NSPersistentStore? { weakStore.withLock { $0.store } }
}

/// Numbers for objects that were never saved, unique in the process.
enum TemporaryNumber {
  private static let last = Atomic<Int64>(0)
  /// Tells this process's temporary identities from another's.
  private static let process = UUID().uuidString

  static func next() -> Int64 {
    last.add(1, ordering: .relaxed).newValue
  }

  static func uri(of number: Int64, entity: String) -> String {
    "x-coredata:///\(entity)/t\(process)\(number)"
  }
}
