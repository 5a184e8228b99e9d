import CoreDataSQL
package import CoreDataSQLite
import Foundation

/// A store's database, open for statements that a person writes.
///
/// Triggers run: Core Data's SQL functions are there. Where the session is not for writing, no statement
/// can change the file or make another.
package final class SQLSession {
  private let file: SQLiteFile
  private let isWritable: Bool
  private var current: Connection

  /// `patience` is how many seconds a statement waits for another program that writes.
  package init(at url: URL, isWritable: Bool, patience: TimeInterval) throws {
    let options = [NSPersistentStoreTimeoutOption: patience]
    file = SQLiteFile(at: url, options: options, isReadOnly: !isWritable)
    if let obstacle = file.obstacle { throw StoreFailure(obstacle, path: url.path).error() }
    if isWritable, !file.isWritable { throw StoreFailure(.unwritable, path: url.path).error() }
    self.isWritable = isWritable
    current = try Self.open(file, isWritable)
  }

  /// The connection; a new one where somebody began to write to a file that was at rest.
  package var connection: Connection {
    get throws {
      if current.isOutdated { current = try Self.open(file, isWritable) }
      return current
    }
  }

  private static func open(_ file: SQLiteFile, _ isWritable: Bool) throws -> Connection {
    try file.translating { () throws(SQLiteError) in
      let connection = try file.plainConnection()
      StoreFunctions.define(on: connection)
      TextFunctions.register(on: connection)
      // Any statement shows whether the file is a database.
      _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
      if !isWritable { connection.guardFiles() }
      return connection
    }
  }
}

// MARK: - What there is

extension SQLSession {
  /// A table, view, index or trigger.
  package struct Thing: Hashable, Sendable {
    package let kind: String
    package let name: String
    package let table: String
    package let sql: String
  }

  /// Everything in the database, in the order in which it was made.
  package func things() throws -> [Thing] {
    let statement = try connection.statement(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    )
    defer { statement.reset() }
    var things: [Thing] = []
    while try statement.step() {
      things.append(
        Thing(
          kind: statement.text(0),
          name: statement.text(1),
          table: statement.text(2),
          sql: statement.text(3)
        )
      )
    }
    return things
  }
}
