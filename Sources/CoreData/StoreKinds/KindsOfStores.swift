import Foundation
import Synchronization

/// Makes the kind of a module known; the class of this protocol is found by its name.
package protocol StoreKindPlugin: AnyObject {
  static func register()
}

/// The kinds of stores that the process knows, each with a type of its own.
///
/// The framework's own are among them from the beginning. Another module of the package registers its
/// kind, a program registers classes of stores (``CustomKind``).
package enum KindsOfStores {
  private static let kinds = Mutex<[any KindOfStore]>([
    SQLiteKind(), WholeFileKind<XMLFormat>(), WholeFileKind<BinaryFormat>(), MemoryKind(),
  ])

  /// All kinds, in the order in which they were registered.
  static var all: [any KindOfStore] { kinds.withLock { $0 } }

  /// Makes a kind known; one of the same type is not known any more.
  package static func register(_ kind: any KindOfStore) {
    kinds.withLock { kinds in
      kinds.removeAll { $0.type == kind.type }
      kinds.append(kind)
    }
  }

  /// Forgets a kind.
  package static func forget(_ type: String) {
    kinds.withLock { $0.removeAll { $0.type == type } }
  }

  /// The kind of that type, if it is known.
  package static func known(_ type: String) -> (any KindOfStore)? {
    if let kind = registered(type) { return kind }
    // The module that has it is found by the name of a class, so that a program without it contains no database.
    guard type == StoreAddress.postgreSQLType,
      let plugin = NSClassFromString("CoreDataPostgreSQL.PostgreSQLPlugin")
        as? any StoreKindPlugin.Type
    else { return nil }
    plugin.register()
    return registered(type)
  }

  private static func registered(_ type: String) -> (any KindOfStore)? {
    kinds.withLock { $0.first { $0.type == type } }
  }

  /// The kind of that type; throws 134000, with the place of the store, if it is unknown.
  static func kind(_ type: String, at path: String) throws -> any KindOfStore {
    guard let kind = known(type) else {
      throw StoreFailure(.unknownType(type), path: path).error()
    }
    return kind
  }

  /// The kind of the store that a file looks like; throws 259 if it looks like none.
  static func kind(ofFileAt url: URL) throws -> any KindOfStore {
    let content = try content(at: url)
    guard let kind = all.first(where: { $0.recognizes(content) }) else {
      throw WholeFileFailure(.damaged("looks like no type of store"), path: url.path).error
    }
    return kind
  }

  /// The contents of a file; throws 260 if it does not exist.
  static func content(at url: URL) throws -> Data {
    guard let content = try WholeFile(url: url, steps: FileSteps()).read() else {
      throw StoreFailure(.missingFile, path: url.path).error()
    }
    return content
  }

  /// Metadata with what every store must say of itself: type, UUID and versions stay unless new ones
  /// are given.
  package static func completed(_ new: [String: Any]?, from old: [String: Any]) -> [String: Any] {
    let kept = old.filter { key, _ in
      key.hasPrefix("NSStore") || key.hasPrefix("NSPersistence") || key.hasPrefix("_NS")
    }
    return kept.merging(new ?? [:]) { _, new in new }
  }
}
