import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncServer

/// The tokens of servers in a PostgreSQL database; each of the servers takes all of them.
struct PostgreSQLTokenStorage: TokenStorage {
  let database: SyncDatabase
}

extension PostgreSQLTokenStorage {
  func add(_ token: NewToken) throws {
    try database.transact(on: token.zone) { connection in
      try connection.run(
        """
        INSERT INTO sync_token (hash, zone, role, label, made, is_revoked) VALUES (\
        \(.blob(token.hash)), $1, \(.text(token.role.rawValue)), \(.text(token.label)), \
        \(.integer(Int64(clamping: token.made))), false)
        """
      )
    }
  }

  func revoke(_ number: Int64) throws {
    try database.transact(on: "") { connection in
      try connection.run(
        "UPDATE sync_token SET is_revoked = true WHERE number = \(.integer(number))"
      )
    }
  }

  func forgetRevoked(of zone: String) throws {
    try database.transact(on: zone) { connection in
      try connection.run("DELETE FROM sync_token WHERE zone = $1 AND is_revoked")
    }
  }

  func forget(hash: [UInt8]) throws {
    try database.transact(on: "") { connection in
      try connection.run("DELETE FROM sync_token WHERE hash = \(.blob(hash))")
    }
  }

  func tokens(_ choice: TokenChoice) throws -> [AccessToken] {
    try database.transact(on: "") { connection in
      let statement = try connection.statement(
        """
        SELECT number, zone, role, label, made, is_revoked FROM sync_token \
        WHERE \(choice.condition) ORDER BY number
        """
      )
      defer { statement.reset() }
      var all: [AccessToken] = []
      while try statement.step() { all.append(AccessToken(row: statement)) }
      return all
    }
  }
}

extension PostgreSQLStatement: TokenRow {}
