import CoreDataCSQLite
package import CoreDataSQL

/// One run of a statement, with its times.
package struct StatementReport: Sendable {
  package let sql: String
  /// The values of the statement's places, in their order.
  package let bindings: [SQLValue]
  /// The rows it gave, if they were asked for.
  package let rows: [[SQLValue]]
  package let rowCount: Int
  /// Whether the statement is one that reads: it has columns.
  package let isQuery: Bool
  /// Until the first row was there, or the end.
  package let timeToFirstRow: Duration
  package let time: Duration
  /// How SQLite finds the rows, a line for each step; empty unless it was asked for.
  package let plan: [String]
}

/// Follows every statement of a connection, by SQLite's own means: a connection that nobody follows
/// does nothing for it.
///
/// Safety: used by the thread that has the connection.
final class StatementTrace {
  private let details: Connection.TraceDetails
  private let report: (@Sendable (StatementReport) -> Void)?
  private let path: String
  /// The meter that is told too.
  var meter: (any ConnectionMeter)?
  private var running: [OpaquePointer: Run] = [:]
  private var isExplaining = false
  /// Whether statements pass without a report.
  var isPaused = false

  private struct Run {
    let begin = ContinuousClock.now
    let bindings: [SQLValue]
    var timeToFirstRow: Duration?
    var rowCount = 0
    var rows: [[SQLValue]] = []
    let plan: [String]

    mutating func noteRow() {
      if timeToFirstRow == nil { timeToFirstRow = begin.duration(to: .now) }
      rowCount += 1
    }
  }

  init(
    _ details: Connection.TraceDetails,
    of path: String,
    _ report: (@Sendable (StatementReport) -> Void)?
  ) {
    self.details = details
    self.path = path
    self.report = report
  }

  var reportsToNobody: Bool { report == nil && meter == nil }

  func follow(_ handle: OpaquePointer) {
    let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE)
    let place = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      handle,
      events,
      { event, place, subject, text in
        guard let place, let subject else { return 0 }
        let trace = Unmanaged<StatementTrace>.fromOpaque(place).takeUnretainedValue()
        trace.note(Int32(bitPattern: event), OpaquePointer(subject), text)
        return 0
      },
      place
    )
  }

  private func note(_ event: Int32, _ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?) {
    if isExplaining || isPaused { return }
    switch event {
    case SQLITE_TRACE_STMT: begin(statement, text)
    case SQLITE_TRACE_ROW: noteRow(of: statement)
    case SQLITE_TRACE_PROFILE: end(statement)
    case _: break
    }
  }
}

// MARK: - One run

extension StatementTrace {
  private func begin(_ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?) {
    // A trigger announces itself as a comment while its statement runs.
    if let text, String(cString: text.assumingMemoryBound(to: CChar.self)).hasPrefix("--") {
      return
    }
    running[statement] = Run(
      bindings: details.contains(.bindings) ? bindings(of: statement) : [],
      plan: details.contains(.plan) ? plan(of: statement) : []
    )
  }

  private func noteRow(of statement: OpaquePointer) {
    guard let place = running.index(forKey: statement) else { return }
    running.values[place].noteRow()
    if details.contains(.rows) { running.values[place].rows.append(row(of: statement)) }
  }

  private func end(_ statement: OpaquePointer) {
    guard let run = running.removeValue(forKey: statement) else { return }
    let time = run.begin.duration(to: .now)
    let isSlow = meter?.timeForPlan.map { time >= $0 } ?? false
    let report = StatementReport(
      sql: text(of: statement),
      bindings: run.bindings,
      rows: run.rows,
      rowCount: run.rowCount,
      isQuery: sqlite3_column_count(statement) > 0,
      timeToFirstRow: run.timeToFirstRow ?? time,
      time: time,
      plan: run.plan.isEmpty && isSlow ? plan(of: statement) : run.plan
    )
    self.report?(report)
    meter?.ran(report, in: path)
  }

  private func text(of statement: OpaquePointer) -> String {
    sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }

  private func bindings(of statement: OpaquePointer) -> [SQLValue] {
    guard sqlite3_bind_parameter_count(statement) > 0,
      let expanded = sqlite3_expanded_sql(statement)
    else { return [] }
    defer { sqlite3_free(expanded) }
    return ExpandedBindings.values(in: String(cString: expanded), of: text(of: statement))
  }

  private func row(of statement: OpaquePointer) -> [SQLValue] {
    (0..<sqlite3_column_count(statement)).map { column in
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
      case SQLITE_TEXT:
        .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
      case SQLITE_BLOB:
        .blob(
          [UInt8](
            UnsafeRawBufferPointer(
              start: sqlite3_column_blob(statement, column),
              count: Int(sqlite3_column_bytes(statement, column))
            )
          )
        )
      case _: .null
      }
    }
  }

  /// The output of `EXPLAIN QUERY PLAN` for a statement; nothing for one that cannot be explained.
  private func plan(of statement: OpaquePointer) -> [String] {
    isExplaining = true
    defer { isExplaining = false }
    var explanation: OpaquePointer?
    let database = sqlite3_db_handle(statement)
    let sql = "EXPLAIN QUERY PLAN " + text(of: statement)
    guard sqlite3_prepare_v2(database, sql, -1, &explanation, nil) == SQLITE_OK else { return [] }
    defer { sqlite3_finalize(explanation) }
    var lines: [String] = []
    while sqlite3_step(explanation) == SQLITE_ROW {
      let (id, parent) = (sqlite3_column_int(explanation, 0), sqlite3_column_int(explanation, 1))
      let detail = sqlite3_column_text(explanation, 3).map { String(cString: $0) } ?? ""
      lines.append("\(id) \(parent) \(detail)")
    }
    return lines
  }
}

// MARK: - Following

extension Connection {
  /// The parts of a report besides the text and the times.
  package struct TraceDetails: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    package static let bindings = TraceDetails(rawValue: 1)
    package static let rows = TraceDetails(rawValue: 2)
    package static let plan = TraceDetails(rawValue: 4)
  }

  /// Reports every statement when it has run, from now on.
  package func follow(
    with details: TraceDetails,
    _ report: (@Sendable (StatementReport) -> Void)?
  ) {
    let trace = StatementTrace(details, of: path, report)
    trace.follow(handle)
    self.trace = trace
  }

  func stopFollowing() {
    sqlite3_trace_v2(handle, 0, nil, nil)
    trace = nil
  }
}
