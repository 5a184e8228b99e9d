import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncServer

/// The zones of servers in a PostgreSQL database.
///
/// A transaction on a zone holds the lock of its row. So changes get their numbers in the order in which they become
/// visible, whichever server they come to; numbers of a sequence would not.
final class PostgreSQLZoneStorage: ZoneStorage {
  private let database: SyncDatabase
  private let news: PostgreSQLZoneNews

  init(_ database: SyncDatabase, _ news: PostgreSQLZoneNews) {
    self.database = database
    self.news = news
  }

  deinit {
    news.stop()
  }

  func transact<Result>(
    on zone: String,
    _ work: (any ZoneTransaction) throws -> Result
  ) throws -> Result {
    try database.transact(on: zone) { connection in
      try work(try PostgreSQLZoneTransaction(connection))
    }
  }

  func zones() throws -> [String] {
    try database.transact(on: "") { connection in
      let statement = try connection.statement(
        "SELECT name FROM sync_zone ORDER BY name COLLATE \"C\""
      )
      defer { statement.reset() }
      var names: [String] = []
      while try statement.step() { names.append(statement.text(0)) }
      return names
    }
  }

  func tellOfOthers(_ tell: @escaping @Sendable (_ zone: String, _ number: UInt64) -> Void) {
    news.start(tell)
  }

  var command: ServingCommand { .database }
}
