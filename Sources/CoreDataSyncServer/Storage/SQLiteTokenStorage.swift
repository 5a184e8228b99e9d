package import CoreDataSQL
import CoreDataSQLite
import Synchronization

/// The tokens of a server, in the file of its zones.
final class SQLiteTokenStorage: TokenStorage {
  private let connection: Mutex<Lent<Connection>>

  init(path: String) throws {
    let connection = try Connection(path: path)
    connection.setBusyTimeout(milliseconds: 10_000)
    try connection.setJournalMode("WAL")
    try SQLiteZoneTables.make(in: connection)
    self.connection = Mutex(Lent(connection))
  }
}

extension SQLiteTokenStorage {
  var answersAtOnce: Bool { true }

  func add(_ token: NewToken) throws {
    try connection.withLock {
      try $0.value.run(
        """
        INSERT INTO token (hash, zone, role, label, made, isRevoked) VALUES (\
        \(.blob(token.hash)), \(.text(token.zone)), \(.text(token.role.rawValue)), \
        \(.text(token.label)), \(.integer(Int64(clamping: token.made))), 0)
        """
      )
    }
  }

  func revoke(_ number: Int64) throws {
    try connection.withLock {
      try $0.value.run("UPDATE token SET isRevoked = 1 WHERE number = \(.integer(number))")
    }
  }

  func forgetRevoked(of zone: String) throws {
    try connection.withLock {
      try $0.value.run("DELETE FROM token WHERE zone = \(.text(zone)) AND isRevoked")
    }
  }

  func forget(hash: [UInt8]) throws {
    try connection.withLock {
      try $0.value.run("DELETE FROM token WHERE hash = \(.blob(hash))")
    }
  }

  func tokens(_ choice: TokenChoice) throws -> [AccessToken] {
    try connection.withLock { lent in
      let statement = try lent.value.statement(
        """
        SELECT number, zone, role, label, made, isRevoked FROM token WHERE \(choice.condition) \
        ORDER BY number
        """ as SQLFragment
      )
      defer { statement.reset() }
      var all: [AccessToken] = []
      while try statement.step() { all.append(AccessToken(row: statement)) }
      return all
    }
  }
}

extension TokenChoice {
  /// The choice as a condition of SQL.
  package var condition: SQLFragment {
    switch self {
    case .all: "1 = 1"
    case .ofZone(let zone): "zone = \(.text(zone))"
    case .withNumber(let number): "number = \(.integer(number))"
    case .withHash(let hash): "hash = \(.blob(hash))"
    }
  }
}

extension Statement: TokenRow {}
