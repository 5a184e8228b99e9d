package import CoreData
import CoreDataCPostgreSQL
package import CoreDataSQL
import Foundation

/// A database that is open for statements which a person writes.
///
/// A session that is not for writing runs each statement in a transaction of its own that only reads, so that
/// none of them can be the beginning of one that writes.
///
/// Settings of a session would stay with a connection that a pooler lends to the next program. So one that reads has
/// its own for its transactions, and one that writes does not have any behind a pooler: its statements may then run as
/// long as the server allows.
package final class PostgreSQLSession {
  private var wire: LibPQConnection
  private let address: PostgreSQLAddress
  private let isWritable: Bool
  private let patience: Int?

  /// `patience` is how many seconds a statement may work; nil for as long as it takes.
  package init(
    at url: URL,
    options: [AnyHashable: Any],
    isWritable: Bool,
    patience: Int?
  ) throws {
    self.isWritable = isWritable
    self.patience = patience
    address = try PostgreSQLAddress(url, options: options)
    do {
      wire = try Self.connected(to: address, isWritable ? Self.settings(patience, "SET") : nil)
    } catch {
      throw PostgreSQLFailure(.server(error, .opening), path: address.description).error()
    }
  }

  private static func connected(
    to address: PostgreSQLAddress,
    _ settings: String?
  ) throws(PostgreSQLError) -> LibPQConnection {
    let wire = try LibPQConnection.open(address)
    if let settings, try !wire.isBehindPooler() { try wire.run(settings) }
    return wire
  }

  private static func settings(_ patience: Int?, _ verb: String) -> String {
    let milliseconds = min(patience ?? 0, 2_000_000) * 1000
    return """
      \(verb) statement_timeout = \(milliseconds); \(verb) bytea_output = hex; \
      \(verb) extra_float_digits = 1
      """
  }

  /// Whether a transaction is open, failed ones among them.
  package var isInTransaction: Bool { wire.isInTransaction }
}

/// Why the server does not run a statement, in its words.
package struct StatementRefusal: Error {
  /// Five letters and digits by which the server distinguishes errors; empty if it did not answer.
  package let state: String
  package let message: String
  package let hint: String?
  /// The number of characters before the part of the statement that the server complains about.
  package let place: Int?
}

/// The receiver of a statement's rows.
package protocol StatementReader {
  /// Hears the names of the columns, if the statement has some.
  func begin(_ names: [String])
  /// Takes a row; returns `false` if no more are wanted.
  func row(_ values: [SQLValue]) -> Bool
}

// MARK: - Running

extension PostgreSQLSession {
  /// Runs one statement, and hands over its rows one at a time.
  ///
  /// - Returns: How many rows the statement has changed.
  package func run(
    _ sql: String,
    into reader: some StatementReader
  ) throws(StatementRefusal) -> Int {
    if isWritable { return try rows(of: sql, into: reader) }
    try plain("BEGIN TRANSACTION READ ONLY; \(Self.settings(patience, "SET LOCAL"))")
    do throws(StatementRefusal) {
      let count = try rows(of: sql, into: reader)
      // Nothing was written, and a statement of which no more rows were wanted has failed.
      try plain("ROLLBACK")
      return count
    } catch {
      // The first error matters; a lost connection has been rolled back.
      if !wire.isLost { try? wire.run("ROLLBACK") }
      throw error
    }
  }

  private func plain(_ sql: String) throws(StatementRefusal) {
    do {
      try wire.run(sql)
    } catch {
      throw StatementRefusal(state: error.state, message: error.message, hint: nil, place: nil)
    }
  }

  /// The server refuses a text with several statements: the part after the first is not looked at here.
  private func rows(
    of sql: String,
    into reader: some StatementReader
  ) throws(StatementRefusal) -> Int {
    if wire.isLost { throw lost() }
    guard PQsendQueryParams(wire.connection, sql, 0, nil, nil, nil, nil, 0) == 1,
      PQsetSingleRowMode(wire.connection) == 1
    else { throw lost() }
    var changes = 0
    var (hasBegun, isWanted) = (false, true)
    var refusal: StatementRefusal?
    while let result = PQgetResult(wire.connection) {
      let rows = LibPQRows(result)
      switch PQresultStatus(result) {
      case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
        if !hasBegun { reader.begin(rows.names) }
        hasBegun = true
        let wasWanted = isWanted
        for row in 0..<rows.rowCount where isWanted { isWanted = reader.row(rows.texts(row)) }
        changes += rows.changedCount
        if wasWanted, !isWanted { cancel() }
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: changes += rows.changedCount
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        // This loop would not see the end of a copy; the statements after it get a connection of their own.
        wire.close()
        let settings = isWritable ? Self.settings(patience, "SET") : nil
        if let next = try? Self.connected(to: address, settings) { wire = next }
        throw .copies
      case _: refusal = refusal ?? StatementRefusal(result)
      }
      if wire.isLost { break }
    }
    if let refusal, isWanted { throw refusal }
    if wire.isLost { throw lost() }
    return changes
  }

  /// Tells the server that nobody reads the rest.
  private func cancel() {
    guard let request = LibPQCancelRequest(wire.connection) else { return }
    // A request that comes later would stop the next statement.
    if !request.isOver(within: Self.patienceOfCancelling) { wire.close() }
  }

  private static let patienceOfCancelling = Duration.seconds(5)

  private func lost() -> StatementRefusal {
    StatementRefusal(
      state: "",
      message: "the connection to the server was lost",
      hint: nil,
      place: nil
    )
  }
}

extension StatementRefusal {
  fileprivate init(_ result: OpaquePointer) {
    let text = { (words: UnsafePointer<CChar>?) in words.map { String(cString: $0) } }
    self.init(
      state: text(coredata_sqlstate(result)) ?? "",
      message: text(coredata_message(result)) ?? "the server gave no reason",
      hint: text(coredata_hint(result)),
      place: text(coredata_position(result)).flatMap { Int($0) }.map { $0 - 1 }
    )
  }

  fileprivate static let copies = StatementRefusal(
    state: "0A000",
    message: "COPY from or to the terminal is not supported; psql has it",
    hint: nil,
    place: nil
  )
}

// MARK: - Values

extension LibPQRows {
  fileprivate var names: [String] { (0..<columnCount).map(name(of:)) }

  /// How many rows the statement has written; the server counts rows that were read, too.
  fileprivate var changedCount: Int {
    let writes = ["INSERT", "UPDATE", "DELETE", "MERGE"].contains { command.hasPrefix($0) }
    return writes ? changeCount : 0
  }

  /// The values of a row that came as texts; numbers and bytes become the same as in a row of a file.
  fileprivate func texts(_ row: Int32) -> [SQLValue] {
    (0..<columnCount).map { column in
      guard let bytes = bytes(row, column) else { return .null }
      let text = String(decoding: bytes, as: UTF8.self)
      switch type(of: column) {
      case PostgreSQLType.int16, PostgreSQLType.int32, PostgreSQLType.int64,
        PostgreSQLType.numeric:
        return Int64(text).map(SQLValue.integer) ?? .text(text)
      case PostgreSQLType.float, PostgreSQLType.double:
        return Double(text).map(SQLValue.real) ?? .text(text)
      case PostgreSQLType.boolean: return .integer(text == "t" ? 1 : 0)
      case PostgreSQLType.bytes where text.hasPrefix("\\x"):
        return .blob(Self.bytes(hexadecimal: text))
      case _: return .text(text)
      }
    }
  }

  /// The bytes that the server writes as `\x00ff`.
  private static func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.utf8.dropFirst(2).map { $0 < 58 ? $0 &- 48 : $0 &- 87 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { (digits[$0] << 4) | digits[$0 + 1] }
  }
}

// MARK: - What there is

extension PostgreSQLSession {
  /// The tables that a statement finds without the name of a schema, each with the statements that would make
  /// it again.
  package func tables() throws -> [(name: String, statements: [String])] {
    let columns = try texts(Self.columns)
    let indexes = try texts(Self.indexes)
    let names = try texts(Self.names).compactMap { $0.first ?? nil }
    return names.map { name in
      let own = { (rows: [[String?]]) in rows.filter { $0[0] == name }.compactMap { $0[1] } }
      let table = "CREATE TABLE \(name) (\n  \(own(columns).joined(separator: ",\n  "))\n)"
      return (name, [table] + own(indexes))
    }
  }

  private func texts(_ sql: String) throws -> [[String?]] {
    do {
      return try wire.texts(sql)
    } catch {
      throw StatementRefusal(state: error.state, message: error.message, hint: nil, place: nil)
    }
  }

  private static let ours = """
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    """
  private static let visible = "c.relkind IN ('r', 'p') AND n.nspname = current_schema()"

  private static let names = """
    SELECT quote_ident(c.relname) \(ours) WHERE \(visible) ORDER BY c.relname
    """

  /// A line for each column, and one for each constraint.
  private static let columns = """
    SELECT quote_ident(c.relname), quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod) \
    || coalesce(' COLLATE ' || quote_ident(o.collname), '') || \
    CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END, 1 AS part, a.attnum AS place \(ours) \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid \
    LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid \
    LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation AND a.attcollation <> t.typcollation \
    WHERE \(visible) AND a.attnum > 0 AND NOT a.attisdropped \
    UNION ALL SELECT quote_ident(c.relname), pg_get_constraintdef(k.oid), 2, k.oid::int8 \(ours) \
    JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid WHERE \(visible) AND k.contype <> 'n' \
    ORDER BY 3, 4
    """

  private static let indexes = """
    SELECT quote_ident(c.relname), pg_get_indexdef(x.indexrelid) \(ours) \
    JOIN pg_catalog.pg_index x ON x.indrelid = c.oid WHERE \(visible) \
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint k WHERE k.conindid = x.indexrelid) ORDER BY 2
    """
}
