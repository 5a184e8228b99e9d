import CoreDataSQL
import CoreDataSQLite
import Dispatch
import Foundation
import Synchronization

/// Notifies a program of everything that is written to a store, no matter who writes.
///
/// ```
/// a save here           ─▶ NSPersistentStoreRemoteChange
/// another connection    ─▶ the file changes ─▶ PRAGMA data_version ─▶ NSPersistentStoreRemoteChange
/// ```
///
/// Notifications are posted on a queue of their own, in the order of the writes. Several foreign writes
/// within the time of one look are told once. SQLite itself knows which writes were not this
/// coordinator's: the version changes only for those.
final class RemoteChanges: WriteListener {
  private let pool: Pool
  private weak let store: NSPersistentStore?
  private let queue = DispatchQueue(label: "CoreData.RemoteChanges")
  private let state = Mutex(Looking())

  private struct Looking {
    var watch: FileWatch?
    var version: Int64?
    var isStopped = false
  }

  init(of store: NSPersistentStore, _ pool: Pool) {
    self.store = store
    self.pool = pool
  }

  /// Begins to look at the file; earlier writes are not announced.
  func start(path: String) {
    let version = dataVersion()
    let watch = FileWatch(of: path, on: queue) { [weak self] in self?.look() }
    state.withLock { state in
      state.version = version
      state.watch = watch
    }
  }

  /// Tells nothing any more; called before the connections are closed.
  func stop() {
    let watch = state.withLock { state in
      state.isStopped = true
      defer { state.watch = nil }
      return state.watch
    }
    watch?.stop()
  }

  /// Notes that this coordinator has written; the number is that of the last transaction.
  func noteOwnWrite(_ number: Int64?, isSave: Bool) {
    queue.async { [weak self] in self?.post(number, isSave: isSave) }
  }

  private func look() {
    guard let version = dataVersion() else { return }
    let isForeign = state.withLock { state in
      defer { state.version = version }
      return state.version != version
    }
    if isForeign { post(nil, isSave: false) }
  }

  /// Changes when other connections than the writer have written; nil when the store is closed.
  private func dataVersion() -> Int64? {
    // A look that fails says nothing; the next one will.
    try? pool.write { try $0.dataVersion() }
  }

  private func post(_ number: Int64?, isSave: Bool) {
    if state.withLock({ $0.isStopped }) { return }
    store?.tellOfWrite(number, isOwnSave: isSave)
  }
}

extension NSPersistentStore {
  /// Posts that something was written, with the token of the last transaction; `number` is its number, if it is
  /// known.
  package func tellOfWrite(_ number: Int64?, isOwnSave: Bool = false) {
    guard let coordinator = persistentStoreCoordinator else { return }
    var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier ?? ""]
    userInfo[NSPersistentStoreURLKey] = url.flatMap(StoreAddress.withoutSecrets)
    // Without a history, or if it cannot be read at the moment, there is no token; the write is announced all the
    // same.
    if let last = number ?? (try? history?.lastTransactionNumber()) {
      userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken(
        [identifier ?? "": last],
        isOfOwnSave: isOwnSave && number != nil
      )
    }
    NotificationCenter.default.post(
      name: .NSPersistentStoreRemoteChange,
      object: coordinator,
      userInfo: userInfo
    )
  }
}
