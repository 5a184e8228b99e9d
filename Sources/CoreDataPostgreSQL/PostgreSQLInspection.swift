package import CoreData
package import CoreDataSQL
import Foundation

/// Looks through a database at one moment, zone by zone, to find out whether it is sound.
package final class PostgreSQLInspection {
  private let connection: PostgreSQLConnection
  private let path: String

  package init(at url: URL, options: [AnyHashable: Any]?) throws {
    let address = try PostgreSQLAddress(url, options: options)
    let door = try PostgreSQLKind.registered().door
    path = address.description
    do {
      let wire = try door.open(address)
      try wire.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      connection = PostgreSQLConnection(wire, zone: address.zone, namesStatements: false)
    } catch {
      throw PostgreSQLFailure(.server(error, .opening), path: address.description).error()
    }
  }

  /// The rows that a query gives, in which `$1` is the zone.
  package func rows(_ query: SQLFragment, zone: String) throws -> [[SQLValue]] {
    connection.zone = zone
    do {
      let statement = try connection.statement(query)
      defer { statement.reset() }
      var rows: [[SQLValue]] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map(statement.value))
      }
      return rows
    } catch {
      throw PostgreSQLFailure(.server(error, .reading), path: path).error()
    }
  }
}
