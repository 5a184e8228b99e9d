import CoreDataSQL
import CoreDataSQLite
import Foundation

/// Tells what each statement of a SQLite store was and how long it took, if the program was asked to
/// with `-com.apple.CoreData.SQLDebug 1` or `COREDATA_SQL_DEBUG=1`.
///
/// ```
/// 1   CoreData: sql: SELECT … FROM "ZNOTE" AS "t0" WHERE "t0"."ZTITLE" = ?1
///     CoreData: annotation: sql connection fetch time: 0.0003s
///     CoreData: annotation: total fetch execution time: 0.0004s for 1 rows.
/// 2   CoreData: details: SQLite bind[0] = "First"
/// 3   CoreData: details: SQLite row[0] = (1, 4, 1, "First", …)
/// 4   CoreData: details: SQLite: EXPLAIN QUERY PLAN SELECT …
///         3 0 SCAN t0
/// ```
///
/// Each level has the lines of those below. The first time is SQLite's until it had a row, the second
/// that until the last row was taken.
struct SQLLog: Sendable {
  let level: Int
  /// Gets the lines of one statement at once, so that those of two threads do not mix.
  let write: @Sendable (String) -> Void

  /// The log that the program was asked for, on its standard error; `nil` if it was not asked.
  static let current: SQLLog? = {
    let level = DebugSettings.current.sqlLevel
    guard level > 0 else { return nil }
    return SQLLog(level: level) { lines in
      // A log that cannot be written, such as to a disk that is full, ends no program.
      try? FileHandle.standardError.write(contentsOf: Data(lines.utf8))
    }
  }()

  func follow(_ connection: Connection) {
    var details: Connection.TraceDetails = []
    if level >= 2 { details.insert(.bindings) }
    if level >= 3 { details.insert(.rows) }
    if level >= 4 { details.insert(.plan) }
    connection.follow(with: details) { [self] in write(text(of: $0)) }
  }

  private func text(of report: StatementReport) -> String {
    var lines = ["sql: \(report.sql)"]
    lines += report.bindings.enumerated().map { "details: SQLite bind[\($0)] = \($1.typed)" }
    lines += report.rows.enumerated().map { number, row in
      "details: SQLite row[\(number)] = (\(row.map(\.spelled).joined(separator: ", ")))"
    }
    if !report.plan.isEmpty {
      lines.append("details: SQLite: EXPLAIN QUERY PLAN \(report.sql)")
      lines[lines.count - 1] += report.plan.map { "\n\t\($0)" }.joined()
    }
    if report.isQuery {
      lines += [
        "annotation: sql connection fetch time: \(seconds(report.timeToFirstRow))",
        "annotation: total fetch execution time: \(seconds(report.time)) for \(report.rowCount) rows.",
      ]
    } else {
      lines.append("annotation: sql execution time: \(seconds(report.time))")
    }
    return lines.map { "CoreData: \($0)\n" }.joined()
  }

  private func seconds(_ duration: Duration) -> String {
    String(format: "%.4fs", duration / .seconds(1))
  }
}

extension SQLValue {
  /// The value with its type, as a binding is shown.
  fileprivate var typed: String {
    switch self {
    case .integer: "(int64)\(spelled)"
    case .real: "(double)\(spelled)"
    case .null, .text, .blob: spelled
    }
  }

  fileprivate var spelled: String {
    switch self {
    case .null: "nil"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "\"\(text)\""
    case .blob(let bytes): "<\(bytes.count) bytes>"
    }
  }
}
