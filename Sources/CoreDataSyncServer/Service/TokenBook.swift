import CoreDataSQL
import CoreDataSQLite
import Synchronization

/// The tokens of a server, in the file of its zones.
///
/// Another program may make and revoke tokens in the same file meanwhile; each question sees that.
package final class TokenBook: Sendable {
  private let connection: Mutex<Lent<Connection>>

  package init(path: String) throws {
    let connection = try Connection(path: path)
    connection.setBusyTimeout(milliseconds: 10_000)
    try connection.setJournalMode("WAL")
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS token (
        number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, zone TEXT NOT NULL,
        role TEXT NOT NULL, label TEXT NOT NULL, made INTEGER NOT NULL, isRevoked INTEGER NOT NULL)
      """ as SQLFragment
    )
    self.connection = Mutex(Lent(connection))
  }
}

extension TokenBook {
  /// Makes a token.
  ///
  /// - Returns: Its text, which is not kept.
  package func make(
    zone: String,
    _ role: TokenRole,
    label: String,
    at time: UInt64
  ) throws -> String {
    let text = TokenText.random()
    try connection.withLock {
      try $0.value.run(
        """
        INSERT INTO token (hash, zone, role, label, made, isRevoked) VALUES (\
        \(.blob(TokenText.hash(text))), \(.text(zone)), \(.text(role.rawValue)), \(.text(label)), \
        \(.integer(Int64(clamping: time))), 0)
        """
      )
    }
    return text
  }

  /// The token with this text, revoked or not.
  package func token(_ text: String) throws -> AccessToken? {
    try tokens("hash = \(.blob(TokenText.hash(text)))").first
  }

  /// The tokens of a zone, or of all zones, in the order in which they were made.
  package func all(of zone: String?) throws -> [AccessToken] {
    try tokens(zone.map { "zone = \(.text($0))" } ?? "1")
  }

  /// Revokes a token of a zone, or of any; says whether there is one of that number.
  package func revoke(_ number: Int64, of zone: String?) throws -> Bool {
    let isThere: SQLFragment = "number = \(.integer(number))"
    guard let token = try tokens(isThere).first, zone == nil || token.zone == zone else {
      return false
    }
    try connection.withLock {
      try $0.value.run("UPDATE token SET isRevoked = 1 WHERE number = \(.integer(number))")
    }
    return true
  }

  private func tokens(_ condition: SQLFragment) throws -> [AccessToken] {
    try connection.withLock { lent in
      let statement = try lent.value.statement(
        """
        SELECT number, zone, role, label, made, isRevoked FROM token WHERE \(condition) ORDER BY number
        """ as SQLFragment
      )
      defer { statement.reset() }
      var all: [AccessToken] = []
      while try statement.step() {
        all.append(
          AccessToken(
            number: statement.integer(0),
            zone: statement.text(1),
            role: TokenRole(rawValue: statement.text(2)) ?? .read,
            label: statement.text(3),
            made: UInt64(max(statement.integer(4), 0)),
            isRevoked: statement.integer(5) != 0
          )
        )
      }
      return all
    }
  }
}
