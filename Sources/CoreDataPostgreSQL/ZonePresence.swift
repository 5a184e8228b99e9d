import CoreData
import CoreDataSQL
import Synchronization

/// Asks at the end of what a transaction writes whether its zone is still the one that the store was opened with.
///
/// ```
/// the rows of a save ─▶ has z_zones the zone, with the store's UUID? ─▶ has it a history by now? ─▶ the transaction's number
/// ```
///
/// Another program may have destroyed the zone. Rows that are written afterwards would be invisible until the zone is
/// made again, which would not be empty then; and in a zone that has been made again they would be another store's. A
/// history that another program has begun would have gaps. In these cases the server itself refuses, as
/// ``TablesMark`` has it.
final class ZonePresence: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// The possible identifiers of the zone; empty if they are not known yet.
    var identifiers: Set<String>
    var watch: Watch
  }

  /// The part that is checked of a history that the store does not keep.
  enum Watch: Sendable {
    case nothing
    /// Whether the database has histories at all: without their table nobody can be asked about one.
    case table
    /// Whether the zone has one.
    case zone
  }

  init(of identifier: String?, watching watch: Watch) {
    state = Mutex(State(identifiers: Set([identifier].compactMap(\.self)), watch: watch))
  }

  /// Notes what this store calls the zone from its next save on.
  func allow(_ identifier: String) {
    state.withLock { _ = $0.identifiers.insert(identifier) }
  }

  func request(in zone: String) -> PostgreSQLRequest {
    let (identifiers, watch) = state.withLock { ($0.identifiers.sorted(), $0.watch) }
    var texts = PostgreSQLArray(of: PostgreSQLType.text)
    for identifier in identifiers { texts.append(identifier) }
    return ArrayRows.request(Self.check(watch), [texts], zone: zone)
  }

  /// Checks the answer; true if the same must be asked once more, because the table exists now.
  func hasMore(_ answer: any PostgreSQLRows) -> Bool {
    guard answer.bytes(0, 0)?.last == Self.tableIsThere else { return false }
    state.withLock { $0.watch = .zone }
    return true
  }
}

// MARK: - The question

extension ZonePresence {
  /// Converts a text that is not a number, which the server notices only if there is a row.
  private static func check(_ watch: Watch) -> String {
    let zone = """
      NOT EXISTS (SELECT 1 FROM z_zones WHERE z_zone = $1 \
      AND (z_uuid = ANY($2) OR cardinality($2) = 0)) THEN '\(refusal)' || z_version
      """
    let history =
      switch watch {
      case .nothing: ""
      case .table:
        """
         WHEN to_regclass(quote_ident(current_schema()) || '.\(PostgreSQLHistory.marker)') \
        IS NOT NULL THEN '\(tableIsThere)'
        """
      case .zone:
        """
         WHEN EXISTS (SELECT 1 FROM \(PostgreSQLHistory.marker) WHERE z_zone = $1) \
        THEN '\(refusalForHistory)' || z_version
        """
      }
    return "SELECT CAST(CASE WHEN \(zone)\(history) ELSE '1' END AS INTEGER) FROM z_model"
  }

  private static let tableIsThere: UInt8 = 2
  private static let refusal = "coredata_no_zone_"
  private static let refusalForHistory = "coredata_history_"

  /// The meaning of the server's error, in whatever language; `nil` if it is about something else.
  fileprivate static func meaning(of error: PostgreSQLError) -> PostgreSQLError? {
    guard error.state == "22P02" else { return nil }
    if error.message.contains(refusal) { return .goneZone }
    return error.message.contains(refusalForHistory) ? .begunHistory : nil
  }
}

extension PostgreSQLError {
  /// A state that no server gives.
  static let goneZoneState = "CD017"
  static let begunHistoryState = "CD018"

  static let goneZone = PostgreSQLError(
    state: goneZoneState,
    message: "there is no such zone"
  )

  fileprivate static let begunHistory = PostgreSQLError(
    state: begunHistoryState,
    message: "the zone has a history"
  )

  /// The meaning of an error that answers a question of ours.
  var meant: PostgreSQLError {
    if TablesMark.isRefusal(self) { return .otherModel }
    return ZonePresence.meaning(of: self) ?? self
  }
}
