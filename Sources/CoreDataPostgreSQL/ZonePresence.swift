import CoreData
import CoreDataSQL
import Synchronization

/// Asks at the end of what a transaction writes whether its zone is still the one that the store was opened with.
///
/// ```
/// the rows of a save ─▶ has z_zones the zone, with the store's UUID? ─▶ has it a history by now? ─▶ the transaction's number
/// ```
///
/// Another program may have destroyed the zone. Rows that are written afterwards would be seen by nobody until the zone is
/// made anew, which would not be empty then; and in one that has been made anew they would be another store's. A history that
/// another program has begun would have gaps. Where it is so, the server itself refuses, as ``TablesMark`` has it.
final class ZonePresence: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// What the zone may call itself; empty where that is not known yet.
    var identifiers: Set<String>
    var watch: Watch
  }

  /// What is looked at of a history that the store does not keep.
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

  /// Looks at what the request gave; true where the same has to be asked once more, of a table that is there by now.
  func hasMore(_ answer: any PostgreSQLRows) -> Bool {
    guard answer.bytes(0, 0)?.last == Self.tableIsThere else { return false }
    state.withLock { $0.watch = .zone }
    return true
  }
}

// MARK: - The question

extension ZonePresence {
  /// A number of a text that is none, which the server finds out for a row only.
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

  /// What the server means, in whatever language; nil where it speaks of something else.
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

  /// What an error means that answers a question of ours.
  var meant: PostgreSQLError {
    if TablesMark.isRefusal(self) { return .otherModel }
    return ZonePresence.meaning(of: self) ?? self
  }
}
