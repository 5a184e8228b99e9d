import CoreDataSQLite

/// The rows whose values triggers have changed, as a connection's functions hear of them.
///
/// ```
/// UPDATE ZFOLDER … ─▶ trigger sets ZNOTE.ZFOLDERNAME ─▶ reports note 4, note 9
/// ```
///
/// Safety: not Sendable; belongs to one connection, which one thread uses at a time.
final class ReportedRows {
  private(set) var rows: Set<ReportedRow> = []

  func note(_ row: ReportedRow) { rows.insert(row) }

  func forget() {
    if !rows.isEmpty { rows = [] }
  }

  /// The rows that were reported on a connection.
  static func of(_ connection: Connection) -> ReportedRows? {
    connection.companion as? ReportedRows
  }
}
