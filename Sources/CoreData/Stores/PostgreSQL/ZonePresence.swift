/// Asks at the end of what a transaction writes whether its zone is still there.
///
/// ```
/// the rows of a save ─▶ has z_zones the zone? ─▶ the transaction's number
/// ```
///
/// Another program may have destroyed the zone. Rows that are written afterwards would be seen by nobody until the zone is
/// made anew, which would not be empty then. Where it is gone, the server itself refuses, as ``TablesMark`` has it.
enum ZonePresence {
  static func request(in zone: String) -> PostgreSQLRequest { PostgreSQLRequest(check, zone: zone) }

  /// A number of a text that is none, which the server finds out for a row only.
  private static let check = """
    SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM z_zones WHERE z_zone = $1) \
    THEN '1' ELSE '\(refusal)' || z_version END AS INTEGER) FROM z_model
    """

  private static let refusal = "coredata_no_zone_"

  /// Whether the server has said so, in whatever language.
  fileprivate static func isRefusal(_ error: PostgreSQLError) -> Bool {
    error.state == "22P02" && error.message.contains(refusal)
  }
}

extension PostgreSQLError {
  /// Of the class that the server has for programs.
  static let goneZoneState = "CD017"

  static let goneZone = PostgreSQLError(
    state: goneZoneState,
    message: "there is no such zone"
  )

  /// What an error means that answers a question of ours.
  var meant: PostgreSQLError {
    if TablesMark.isRefusal(self) { return .otherModel }
    return ZonePresence.isRefusal(self) ? .goneZone : self
  }
}
