import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation
import Synchronization

/// The store that is open now, with the orders of rows that pages look at.
final class Desk: Sendable {
  let source: StudioSource
  let notes: StudioNotes
  let changes: ChangeDesk
  let model: ModelDesk
  private let open = Mutex<OpenStore?>(nil)

  init(_ source: StudioSource) {
    self.source = source
    changes = ChangeDesk(source)
    model = ModelDesk(source.model)
    notes = StudioNotes(besides: source.model ?? source.store ?? URL(filePath: source.name))
  }

  /// Returns the open store, and opens the file again if it is another one than before.
  ///
  /// - Throws: A `Problem` with status 503 if the file is gone.
  func store() throws -> OpenStore {
    let identity = source.store.flatMap(FileIdentity.init)
    if source.store != nil, identity == nil {
      open.withLock { $0 = nil }
      throw Problem(
        503,
        "\(source.name) is not there any more. Put the file back, and this page goes on."
      )
    }
    return try open.withLock { open in
      if let open, open.identity == identity { return open }
      let new = OpenStore(try source.open(), identity)
      open = new
      return new
    }
  }
}

/// An open store, and what the pages need of it.
final class OpenStore: Sendable {
  let contents: StudioContents
  let orders = RowOrders()
  let jobs = Jobs()
  fileprivate let identity: FileIdentity?

  fileprivate init(_ contents: StudioContents, _ identity: FileIdentity?) {
    self.contents = contents
    self.identity = identity
  }

  var schema: ModelSchema { contents.schema }

  /// - Throws: A `Problem` with status 404 for a model alone.
  var coordinator: NSPersistentStoreCoordinator {
    get throws {
      if let coordinator = contents.coordinator { return coordinator }
      throw Problem(
        404,
        "Only a model is open here. Start coredata studio with a store to see objects."
      )
    }
  }

  /// - Throws: A `Problem` with status 404 if the store is not in a SQLite file.
  func file(for purpose: String) throws -> URL {
    let persistent = try coordinator.persistentStores.first
    guard let url = persistent?.url, persistent?.type == "SQLite" else {
      throw Problem(404, "\(purpose) is for stores in SQLite files.")
    }
    return url
  }

  /// - Throws: A `Problem` with status 404 for a name that no entity has.
  func layout(_ entity: String) throws -> EntityLayout {
    if let layout = try coordinator.layout[entity] { return layout }
    let question = Spelling.question(entity, among: schema.entities.map(\.name))
    throw Problem(404, "The model has no entity “\(entity.prefix(200))”\(question)")
  }

  /// The facts of the store's file; `nil` for stores of other kinds, and for a model alone.
  ///
  /// - Throws: An error with the code `NSPersistentStoreTimeoutError` if another program keeps the file locked.
  func facts(counting time: Duration) throws -> StoreFacts? {
    guard let store = contents.coordinator?.persistentStores.first,
      store.type == NSSQLiteStoreType, let url = store.url
    else { return nil }
    // The facts would be waited for much longer than somebody looks at a page.
    _ = try SQLSession(at: url, isWritable: false, patience: Self.patience)
    return try StoreFacts(at: url, counting: time)
  }

  /// Seconds to wait for another program that keeps the file locked.
  private static let patience = 2.0

  /// The identity of the object that an address names.
  func identity(_ key: StoredKey) throws -> NSManagedObjectID {
    let coordinator = try coordinator
    let host = coordinator.persistentStores.first?.identifier ?? ""
    let address = "x-coredata://\(host)/\(key.entity)/p\(key.primaryKey)"
    if let identity = coordinator.managedObjectID(for: address) { return identity }
    throw Problem(404, "There is no object \(key.text).")
  }
}

/// The file at a path: another file has another identity.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  /// `nil` if the file does not exist.
  init?(_ url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}

/// Tells that a file has changed, without reading it.
enum FileVersion {
  /// A text that differs after another program has written to the store's file or to its log.
  static func text(of store: URL?) -> String {
    guard let store else { return "" }
    return ["", "-wal"].map { end in
      var status = stat()
      guard stat(store.path + end, &status) == 0 else { return "-" }
      let (time, size) = (status.st_mtim, status.st_size)
      return "\(status.st_ino).\(size).\(time.tv_sec).\(time.tv_nsec)"
    }.joined(separator: " ")
  }
}
