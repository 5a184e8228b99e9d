import CoreData
import CoreDataSQL

/// A statement with the values that are bound to it, and what it gave.
///
/// The first place of every statement on the wire is the zone's; callers count from the place behind it.
package final class PostgreSQLStatement: SQLStatement {
  typealias Failure = PostgreSQLError

  private unowned let connection: PostgreSQLConnection
  private let sql: String
  private var types: [UInt32]
  private var values: [SQLValue]
  private var rows: (any PostgreSQLRows)?
  private var columnTypes: [UInt32] = []
  /// The required types of the first columns.
  private var expectedTypes: [ColumnType?] = []
  private var row: Int32 = -1
  /// The values of the row, for reading them one by one; empty before the first row and after the last use.
  private var cells: [UnsafeRawBufferPointer?] = []

  init(_ sql: String, places: Int, on connection: PostgreSQLConnection) {
    self.sql = sql
    self.connection = connection
    values = [SQLValue](repeating: .null, count: places)
    types = [UInt32](repeating: PostgreSQLType.open, count: places)
  }

  /// Binds a value that came with the statement: if the text leaves the type open, it is the value's.
  func bind(own value: SQLValue, at index: Int) {
    values[index] = value
    types[index] = value.type
  }
}

// MARK: - Running

extension PostgreSQLStatement {
  package func step() throws(PostgreSQLError) -> Bool {
    if rows == nil { try take(try connection.run(sql, types, values)) }
    guard let rows, row + 1 < rows.rowCount else { return false }
    row += 1
    readCells(of: rows)
    return true
  }

  /// Takes the values of the row in one call.
  ///
  /// The list is a local one while others write to it: so the compiler sees that nobody can be within an access to the
  /// property, and reading a value costs no check of that.
  private func readCells(of rows: any PostgreSQLRows) {
    var cells: [UnsafeRawBufferPointer?] = []
    swap(&cells, &self.cells)
    cells.withUnsafeMutableBufferPointer { rows.read(row, into: $0) }
    swap(&cells, &self.cells)
  }

  func expect(_ types: [ColumnType?]) { expectedTypes = types }

  /// The statement with the values that it has now, to be run in one trip with others.
  func request() throws(PostgreSQLError) -> PostgreSQLRequest {
    try connection.request(sql, types, values)
  }

  /// Takes what the request of this statement gave: ``step()`` goes through its rows.
  func take(_ found: any PostgreSQLRows) throws(PostgreSQLError) {
    columnTypes = (0..<found.columnCount).map(found.type)
    try checkColumns(of: found)
    rows = found
    cells = Array(repeating: nil, count: columnTypes.count)
    row = -1
  }

  /// Looks once at what the values of all rows are: those of another type would be read as something else.
  private func checkColumns(of rows: any PostgreSQLRows) throws(PostgreSQLError) {
    for (column, (type, expected)) in zip(columnTypes, expectedTypes).enumerated() {
      guard let expected, !expected.isRead(from: type) else { continue }
      throw PostgreSQLError(
        state: PostgreSQLError.changedColumnState,
        message:
          "the column \(rows.name(of: Int32(column))) is not of the type \(expected.inPostgreSQL)",
        sql: sql
      )
    }
  }

  package func reset() {
    rows = nil
    cells = []
    row = -1
  }

  package func run() throws(PostgreSQLError) {
    _ = try step()
    reset()
  }
}

// MARK: - Binding

extension PostgreSQLStatement {
  func bindNull(at index: Int32) { values[Int(index) - 1] = .null }

  func bind(_ value: Int64, at index: Int32) { values[Int(index) - 1] = .integer(value) }

  func bind(_ value: Double, at index: Int32) { values[Int(index) - 1] = .real(value) }

  func bind(_ value: SQLValue, at index: Int32) { values[Int(index) - 1] = value }

  func bindText(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) {
    values[Int(index) - 1] = .text(String(decoding: bytes, as: UTF8.self))
  }

  func bindBlob(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) {
    values[Int(index) - 1] = .blob([UInt8](bytes))
  }

  var parameterCount: Int32 { Int32(values.count) }
}

extension SQLValue {
  fileprivate var type: UInt32 {
    switch self {
    case .null: PostgreSQLType.open
    case .integer: PostgreSQLType.int64
    case .real: PostgreSQLType.double
    case .text: PostgreSQLType.text
    case .blob: PostgreSQLType.bytes
    }
  }
}

extension PostgreSQLValues {
  /// A number goes as text, which is right for whatever type the place turns out to have.
  mutating func append(_ value: SQLValue) {
    switch value {
    case .null: appendNull()
    case .integer(let number): append(text: String(number))
    // No number is NULL, as SQLite has it.
    case .real(let number): number.isNaN ? appendNull() : append(text: "\(number)")
    case .text(let text): append(text: text)
    case .blob(let bytes): append(binary: bytes)
    }
  }
}

// MARK: - Reading

extension PostgreSQLStatement {
  var columnCount: Int32 { Int32(columnTypes.count) }

  /// The names of the columns; known after the first step.
  var columnNames: [String] {
    rows.map { rows in (0..<rows.columnCount).map(rows.name(of:)) } ?? []
  }

  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    cells.isEmpty ? nil : cells[Int(column)]
  }

  package func isNull(_ column: Int32) -> Bool { bytes(column) == nil }

  package func integer(_ column: Int32) -> Int64 {
    guard let bytes = bytes(column) else { return 0 }
    switch columnTypes[Int(column)] {
    case PostgreSQLType.int64 where bytes.count == 8: return bytes.int64
    case PostgreSQLType.int32 where bytes.count == 4:
      return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case PostgreSQLType.int16 where bytes.count == 2:
      return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case PostgreSQLType.boolean: return bytes.first == 1 ? 1 : 0
    case PostgreSQLType.double, PostgreSQLType.float: return Int64(clamping: real(column))
    case PostgreSQLType.numeric:
      return Int64(PostgreSQLNumeric(bytes).text) ?? Int64(clamping: real(column))
    case _: return Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  func real(_ column: Int32) -> Double {
    guard let bytes = bytes(column) else { return 0 }
    switch columnTypes[Int(column)] {
    case PostgreSQLType.double where bytes.count == 8:
      return Double(bitPattern: UInt64(bitPattern: bytes.int64))
    case PostgreSQLType.float where bytes.count == 4:
      return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
    case PostgreSQLType.numeric: return Double(PostgreSQLNumeric(bytes).text) ?? .nan
    case PostgreSQLType.int64, PostgreSQLType.int32, PostgreSQLType.int16, PostgreSQLType.boolean:
      return Double(integer(column))
    case _: return Double(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  package func text(_ column: Int32) -> String {
    guard let bytes = bytes(column) else { return "" }
    switch columnTypes[Int(column)] {
    case PostgreSQLType.numeric: return PostgreSQLNumeric(bytes).text
    case PostgreSQLType.int64, PostgreSQLType.int32, PostgreSQLType.int16, PostgreSQLType.boolean:
      return String(integer(column))
    case PostgreSQLType.double, PostgreSQLType.float: return "\(real(column))"
    case _: return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Of columns with texts only.
  func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  package func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer { textBytes(column) }

  func value(_ column: Int32) -> SQLValue {
    guard let bytes = bytes(column) else { return .null }
    switch columnTypes[Int(column)] {
    case PostgreSQLType.int64, PostgreSQLType.int32, PostgreSQLType.int16, PostgreSQLType.boolean:
      return .integer(integer(column))
    case PostgreSQLType.double, PostgreSQLType.float: return .real(real(column))
    case PostgreSQLType.numeric:
      let text = PostgreSQLNumeric(bytes).text
      return Int64(text).map(SQLValue.integer) ?? .text(text)
    case PostgreSQLType.bytes: return .blob([UInt8](bytes))
    case _: return .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension ColumnType {
  /// Whether the values of a server's type are such values, and nothing of them is lost.
  fileprivate func isRead(from type: UInt32) -> Bool {
    switch self {
    case .integer: type.isWhole
    case .timestamp, .float, .decimal: type.isNumber
    case .text: type.isText
    case .blob: type == PostgreSQLType.bytes
    }
  }
}

extension UInt32 {
  fileprivate var isWhole: Bool {
    [PostgreSQLType.int64, PostgreSQLType.int32, PostgreSQLType.int16, PostgreSQLType.boolean]
      .contains(self)
  }

  fileprivate var isNumber: Bool {
    isWhole
      || [PostgreSQLType.double, PostgreSQLType.float, PostgreSQLType.numeric].contains(self)
  }

  fileprivate var isText: Bool {
    [
      PostgreSQLType.text, PostgreSQLType.name, PostgreSQLType.varying, PostgreSQLType.padded,
    ]
    .contains(self)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var int64: Int64 { Int64(bigEndian: loadUnaligned(as: Int64.self)) }
}

extension Int64 {
  /// Without the digits after the point; the nearest bound for numbers beyond, and 0 for NaN.
  fileprivate init(clamping number: Double) {
    if number.isNaN {
      self = 0
    } else {
      self = Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
  }
}
