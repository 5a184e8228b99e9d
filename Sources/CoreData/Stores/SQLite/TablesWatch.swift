import CoreDataModel
import CoreDataSQLite
import Foundation
import Synchronization

/// Whether a file's tables are still those with which a store was opened: another program may migrate the file at any
/// time.
///
/// SQLite counts the changes of a file's tables. Only if that number has changed are the file's metadata read again.
final class TablesWatch: Sendable {
  private let file: SQLiteFile
  private let schema: StoreSchema
  private let seen = Mutex(Seen())
  /// Whether the last look found tables of another model; readers ask for it without a lock.
  private let isMisfit = Atomic<Bool>(false)

  private struct Seen {
    /// `nil` before the first look.
    var version: Int64?
    var failure: NSError?
  }

  init(_ file: SQLiteFile, _ schema: StoreSchema) {
    self.file = file
    self.schema = schema
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
      let metadata = try file.metadata(on: connection, StoreTables.names(on: connection))
      schema.surplus = try file.place.surplus(of: metadata, beyond: schema.model) {
        file.storedModel
      }
      return nil
    } catch {
      return error as NSError
    }
  }

  /// Throws what the last look has found.
  func checkLastLook() throws {
    guard isMisfit.load(ordering: .acquiring) else { return }
    try seen.withLock { if let failure = $0.failure { throw failure } }
  }
}
