package import CoreData
import Foundation

/// Statements for a server, for tests and tools: not for stores.
package enum PostgreSQLShell {
  /// A connection that is not shared.
  package static func connect(
    _ address: PostgreSQLAddress
  ) throws(PostgreSQLError) -> any PostgreSQLWire {
    try LibPQConnection.open(address)
  }

  /// Runs statements; the first failure ends them.
  package static func run(_ sql: String, at url: URL) throws {
    let connection = try LibPQConnection.open(PostgreSQLAddress(url, options: nil))
    try connection.run(sql)
  }

  /// The values that a query gives, as texts; nil for NULL.
  package static func rows(_ sql: String, at url: URL) throws -> [[String?]] {
    let connection = try LibPQConnection.open(PostgreSQLAddress(url, options: nil))
    return try connection.texts(sql)
  }
}
