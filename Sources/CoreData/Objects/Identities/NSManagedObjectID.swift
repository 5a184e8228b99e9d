public import Foundation
import Synchronization

/// The identity of a managed object.
///
/// An identity is valid in every context and, as a URI, in every process, and may be sent to any
/// thread. An object that was never saved has a temporary identity, which the first save replaces
/// with a permanent one.
///
/// Two identities are equal if they refer to the same object of the same ``persistentStore``. If two
/// coordinators have opened one file, each has identities of its own for the objects: compare their
/// URIs.
public final class NSManagedObjectID: NSObject, NSCopying, Sendable {
  package let key: ObjectKey
  unowned(unsafe) let layout: EntityLayout

  init(key: ObjectKey, layout: EntityLayout) {
    self.key = key
    self.layout = layout
    super.init()
  }

  private var home: StoreHome? { StoreHome.ofStore(key.store) }

  /// The entity of the object.
  ///
  /// It may be a subentity of the entity that was fetched.
  public var entity: NSEntityDescription { layout.description }

  /// A Boolean value that indicates whether the identity is temporary because the object was never
  /// saved.
  public var isTemporaryID: Bool { key.isTemporary }

  /// The store that contains the object.
  ///
  /// The value is `nil` for a temporary identity, and after the store was removed from its
  /// coordinator.
  public var persistentStore: NSPersistentStore? { home?.store }

  /// Returns a URI that represents the identity, for example to save it in a file.
  ///
  /// Resolve the URI with ``NSPersistentStoreCoordinator/managedObjectID(forURIRepresentation:)``.
  /// For objects of an `NSIncrementalStore` or `NSAtomicStore`, the URI contains the store's
  /// reference object.
  ///
  /// - Returns: `x-coredata://<store>/<entity>/p<key>`, or, for a temporary identity, the same with
  ///   `t` and a unique text.
  public func uriRepresentation() -> URL {
    let text = home.map { home in
      "x-coredata://\(home.identifier.asHost)/\(layout.name)/p\(home.text(for: key.number))"
    }
    guard let url = URL(string: text ?? TemporaryNumber.uri(of: key.number, entity: layout.name))
    else { stop("the entity name \(layout.name) cannot stand in a URI") }
    return url
  }

  public override var description: String { "<\(uriRepresentation().absoluteString)>" }

  public override var hash: Int { key.scatter }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSManagedObjectID).map { $0.key == key } ?? false
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A store as identities know it.
final class StoreHome: Sendable {
  /// The reference objects of a custom store; `nil` if keys are numbers of our own.
  let references: ReferenceTable?
  private let state: Mutex<Names>

  private struct Names {
    var identifier: String
    weak var store: NSPersistentStore?
    var first: StoreNumber?
  }

  private init(_ store: NSPersistentStore, references: ReferenceTable?) {
    self.references = references
    state = Mutex(Names(identifier: store.identifier, store: store))
  }

  /// Every store of the process, also those that are gone: their objects' identities stay what they
  /// are.
  private static let homes = Mutex<[StoreNumber: StoreHome]>([:])

  /// Makes a store known, or its new UUID.
  static func register(_ store: NSPersistentStore, references: ReferenceTable? = nil) {
    let identifier: String = store.identifier
    if let known = ofStore(store.number) {
      known.state.withLock { $0.identifier = identifier }
      known.noteFirst(store.number)
      return
    }
    let home = StoreHome(store, references: references)
    homes.withLock { $0[store.number] = home }
    home.noteFirst(store.number)
  }

  /// The numbers under which stores were opened first, by their identifiers.
  private static let firsts = Mutex<[String: StoreNumber]>([:])
  /// Whether a store was opened more than once, by several coordinators or one after the other.
  private static let haveTwins = Atomic<Bool>(false)

  private func noteFirst(_ number: StoreNumber) {
    // Keys that represent references cannot be compared with those of another store.
    if references != nil { return }
    let identifier = identifier
    let first = Self.firsts.withLock { firsts in
      let first = firsts[identifier] ?? number
      firsts[identifier] = first
      return first
    }
    state.withLock { $0.first = first }
    if first != number { Self.haveTwins.store(true, ordering: .releasing) }
  }

  /// The number under which the same store was opened first, so that keys of both can be compared.
  static func first(ofStore number: StoreNumber) -> StoreNumber {
    guard haveTwins.load(ordering: .acquiring) else { return number }
    return ofStore(number)?.state.withLock { $0.first } ?? number
  }

  static func ofStore(_ number: StoreNumber) -> StoreHome? { homes.withLock { $0[number] } }

  var store: NSPersistentStore? { state.withLock { $0.store } }

  var identifier: String { state.withLock { $0.identifier } }

  /// A key as a URI shows it.
  func text(for number: Int64) -> String {
    guard let references else { return String(number) }
    let text = references.text(for: number)
    return text.addingPercentEncoding(withAllowedCharacters: Self.allowedInURI) ?? String(number)
  }

  /// The key that a URI shows.
  func number(forText text: String) -> Int64? {
    references.map { $0.number(forText: text) } ?? Int64(text)
  }

  private static let allowedInURI = CharacterSet.urlPathAllowed.subtracting(
    CharacterSet(charactersIn: "/;")
  )
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

extension String {
  /// The text as the host of a URI that names the store: a UUID as it is; in other identifiers of files, the
  /// characters that a URI cannot contain are percent-encoded.
  fileprivate var asHost: String {
    if utf8.allSatisfy({
      ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 || $0 >= 45 && $0 <= 57 && $0 != 47
    }) {
      return self
    }
    return addingPercentEncoding(withAllowedCharacters: .asciiLettersAndDigits) ?? ""
  }
}

extension CharacterSet {
  fileprivate static let asciiLettersAndDigits = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._"
  )
}
