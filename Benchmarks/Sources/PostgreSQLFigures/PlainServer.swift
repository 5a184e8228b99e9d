import CPostgreSQL
import Foundation

/// A connection of libpq, used as a program without the framework would use it: compiled statements, values and rows
/// in the server's binary form, several statements in one trip.
final class PlainServer {
  private let connection: OpaquePointer
  private var names: [String: String] = [:]

  init(_ address: String) {
    guard let connection = PQconnectdb(address), PQstatus(connection) == CONNECTION_OK else {
      fatalError("there is no server at \(address)")
    }
    self.connection = connection
  }

  deinit {
    PQfinish(connection)
  }

  /// Runs statements without values.
  func run(_ sql: String) {
    _ = rows(PQexec(connection, sql))
  }

  /// Runs a statement, which is compiled once.
  func rows(_ sql: String, _ values: [PlainValue]) -> PlainRows {
    let name = name(of: sql, values)
    return PlainValue.withPointers(values) { pointers, lengths, formats in
      let count = Int32(values.count)
      return rows(PQexecPrepared(connection, name, count, pointers, lengths, formats, 1))
    }
  }

  /// Runs statements in one trip, and tells how many rows each gave or wrote.
  @discardableResult
  func pipeline(_ steps: [(sql: String, values: [PlainValue])]) -> [Int] {
    let named = steps.map { (name: name(of: $0.sql, $0.values), values: $0.values) }
    check(PQenterPipelineMode(connection))
    for (name, values) in named {
      PlainValue.withPointers(values) { pointers, lengths, formats in
        let count = Int32(values.count)
        check(PQsendQueryPrepared(connection, name, count, pointers, lengths, formats, 1))
      }
    }
    check(PQpipelineSync(connection))
    let counts = named.map { _ in
      let count = rows(PQgetResult(connection)).writtenCount
      // A null pointer comes between results.
      PQclear(PQgetResult(connection))
      return count
    }
    PQclear(PQgetResult(connection))
    check(PQexitPipelineMode(connection))
    return counts
  }

  private func name(of sql: String, _ values: [PlainValue]) -> String {
    if let known = names[sql] { return known }
    let name = "s\(names.count)"
    names[sql] = name
    _ = rows(PQprepare(connection, name, sql, Int32(values.count), values.map(\.type)))
    return name
  }

  private func rows(_ result: OpaquePointer?) -> PlainRows {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return PlainRows(result)
    case _: fatalError(String(cString: PQerrorMessage(connection)))
    }
  }

  private func check(_ code: Int32) {
    if code != 1 { fatalError(String(cString: PQerrorMessage(connection))) }
  }
}

// MARK: - Rows

/// The result of a statement.
final class PlainRows {
  private let result: OpaquePointer?

  init(_ result: OpaquePointer?) {
    self.result = result
  }

  deinit {
    PQclear(result)
  }

  var count: Int32 { PQntuples(result) }

  var writtenCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  private func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
    let count = Int(PQgetlength(result, row, column))
    return UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: count)
  }

  func integer(_ row: Int32, _ column: Int32) -> Int64 {
    let bytes = bytes(row, column)
    switch bytes.count {
    case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case _: return Int64(bytes.first ?? 0)
    }
  }

  func real(_ row: Int32, _ column: Int32) -> Double {
    Double(bitPattern: UInt64(bigEndian: bytes(row, column).loadUnaligned(as: UInt64.self)))
  }

  func text(_ row: Int32, _ column: Int32) -> String? {
    if PQgetisnull(result, row, column) == 1 { return nil }
    return String(decoding: bytes(row, column), as: UTF8.self)
  }
}
