import CoreDataSQLite
import Foundation
import Synchronization

/// Whether a file's tables are still those with which a store was opened: another program may migrate the file at any
/// time.
///
/// SQLite counts the changes of a file's tables. Only if that number has changed are the file's metadata read again.
final class TablesWatch<Found: Sendable>: Sendable {
  /// Compares the tables with the program's model, and throws 134100 if the program cannot use them any more.
  private let compare: @Sendable (Connection) throws -> Found
  /// Takes over what the comparison has found.
  private let adopt: @Sendable (Found) -> Void
  private let seen = Mutex(Seen())
  /// Whether the last look found tables of another model; readers ask for it without a lock.
  private let isMisfit = Atomic<Bool>(false)

  private struct Seen {
    /// `nil` before the first look.
    var version: Int64?
    var failure: NSError?
  }

  init(
    _ pool: Pool,
    compare: @escaping @Sendable (Connection) throws -> Found,
    adopt: @escaping @Sendable (Found) -> Void
  ) {
    self.compare = compare
    self.adopt = adopt
    // A look that fails is repeated when something is written or a moment begins.
    try? pool.read(look)
  }

  /// Looks at the tables, and follows a migration that only adds attributes.
  ///
  /// Throws 134100 if the program cannot use the tables any more.
  func look(on connection: Connection) throws {
    let version = try connection.schemaVersion()
    try seen.withLock { seen in
      if seen.version != version {
        seen.failure = failure(on: connection)
        seen.version = version
        isMisfit.store(seen.failure != nil, ordering: .releasing)
      }
      if let failure = seen.failure { throw failure }
    }
  }

  private func failure(on connection: Connection) -> NSError? {
    do {
      adopt(try compare(connection))
      return nil
    } catch {
      return error as NSError
    }
  }

  /// Looks at the tables as a moment sees them, which may be older than the last look.
  func check(_ moment: Pool) throws {
    try moment.read { connection in
      let version = try connection.schemaVersion()
      let last = seen.withLock { $0 }
      if last.version != version {
        _ = try compare(connection)
        return
      }
      if let failure = last.failure { throw failure }
    }
  }

  /// Throws what the last look has found.
  func checkLastLook() throws {
    guard isMisfit.load(ordering: .acquiring) else { return }
    try seen.withLock { if let failure = $0.failure { throw failure } }
  }
}
