import CoreData
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Synchronization

/// Tells a server about writes of others to the zones that it has in common with them.
///
/// ```
/// a push, to any server ─▶ NOTIFY at its commit ─▶ LISTEN, on its own connection ─▶ waiting threads wake
/// ```
///
/// If the connection was lost, all zones are reported with their numbers once there is another one.
final class PostgreSQLZoneNews: Sendable {
  private let address: PostgreSQLAddress
  /// Takes sentences for the server's owner.
  private let report: @Sendable (String) -> Void
  private let isStopped = Atomic(false)

  /// How long one look lasts, in milliseconds: a listener that is to stop does so within it.
  private static let look: Int32 = 1_000

  init(_ address: PostgreSQLAddress, report: @escaping @Sendable (String) -> Void) {
    self.address = address
    self.report = report
  }

  /// Begins to listen.
  func start(_ tell: @escaping @Sendable (_ zone: String, _ number: UInt64) -> Void) {
    let thread = Thread { [self] in listen(tell) }
    thread.name = "CoreData.PostgreSQLZoneNews"
    thread.start()
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
  }

  /// Words for others; `$1` is the zone, of which letters and digits are all that there is.
  static func notification(of number: UInt64) -> SQLFragment {
    "SELECT pg_notify(\(channel), \(.text(String(number))) || ' ' || $1)"
  }

  /// A channel for each schema; only letters and digits.
  private static let channel: SQLFragment = """
    'sync_' || substr(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 1, 40)
    """
}

// MARK: - Listening

extension PostgreSQLZoneNews {
  private func listen(_ tell: (_ zone: String, _ number: UInt64) -> Void) {
    var isLost = false
    while !isStopped.load(ordering: .relaxed) {
      do throws(PostgreSQLError) {
        let connection = try listening()
        if isLost { report("The database answers again.") }
        isLost = false
        try tellAll(connection, tell)
        try hear(connection, tell)
      } catch {
        if !isLost { report("The database does not answer: \(error.message)") }
        isLost = true
        usleep(UInt32(Self.look) * 1_000)
      }
    }
  }

  private func listening() throws(PostgreSQLError) -> PostgreSQLConnection {
    let wire = try PostgreSQLShell.connect(address)
    let connection = PostgreSQLConnection(wire, zone: "", namesStatements: false)
    let statement = try connection.statement("SELECT \(Self.channel)")
    defer { statement.reset() }
    _ = try statement.step()
    try connection.run(plain: "LISTEN \(statement.text(0))")
    return connection
  }

  /// Reports the numbers of all zones: earlier writes were not noticed.
  private func tellAll(
    _ connection: PostgreSQLConnection,
    _ tell: (_ zone: String, _ number: UInt64) -> Void
  ) throws(PostgreSQLError) {
    let statement = try connection.statement("SELECT name, head FROM sync_zone")
    defer { statement.reset() }
    while try statement.step() {
      tell(statement.text(0), UInt64(bitPattern: statement.integer(1)))
    }
  }

  private func hear(
    _ connection: PostgreSQLConnection,
    _ tell: (_ zone: String, _ number: UInt64) -> Void
  ) throws(PostgreSQLError) {
    while !isStopped.load(ordering: .relaxed) {
      for words in try connection.wire.notices(within: Self.look) {
        let parts = words.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let number = UInt64(parts[0]) else { continue }
        tell(String(parts[1]), number)
      }
    }
  }
}
