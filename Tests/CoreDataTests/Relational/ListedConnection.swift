import CoreDataSQL

@testable import CoreData

/// A driver that runs nothing: it lists what it was asked, in the spelling of PostgreSQL, and gives rows
/// that it was told.
final class ListedConnection: SQLConnection {
  /// The statements that ran, each with its bindings.
  private(set) var log: [String] = []
  /// The results of the statements from now on.
  var answer: [[SQLValue]] = []
  var changeCount = 1
  let isInTransaction = true

  struct Refusal: SQLFailure, Equatable {
    var message: String

    static func beyondBounds(_ number: Int64, _ place: String) -> Refusal {
      Refusal(message: "\(place): \(number)")
    }

    static func duplicate(of properties: String) -> Refusal { Refusal(message: properties) }

    var isDuplicate: Bool { false }
  }

  func statement(_ sql: String) -> Statement { Statement(sql, on: self) }

  func statement(_ fragment: SQLFragment) -> Statement {
    let rendered = fragment.rendered(for: .postgreSQL)
    let statement = Statement(rendered.sql, on: self)
    for (index, value) in rendered.bindings.enumerated() {
      statement.bind(value ?? .null, at: Int32(index + 1))
    }
    return statement
  }

  func run(_ fragment: SQLFragment) throws(Refusal) { try statement(fragment).run() }

  func integer(_ fragment: SQLFragment) throws(Refusal) -> Int64? {
    let statement = statement(fragment)
    return try statement.step() ? statement.integer(0) : nil
  }

  final class Statement: SQLStatement {
    typealias Failure = Refusal

    private let sql: String
    private let connection: ListedConnection
    private var bindings: [Int32: SQLValue] = [:]
    private var rows: ArraySlice<[SQLValue]>?
    private var row: [SQLValue] = []

    init(_ sql: String, on connection: ListedConnection) {
      self.sql = sql
      self.connection = connection
    }

    func step() throws(Refusal) -> Bool {
      if rows == nil {
        let values = bindings.sorted { $0.key < $1.key }.map(\.value.description)
        connection.log.append("\(sql)  [\(values.joined(separator: ", "))]")
        rows = connection.answer[...]
      }
      guard let next = rows?.popFirst() else { return false }
      row = next
      return true
    }

    func reset() { rows = nil }

    func run() throws(Refusal) {
      while try step() {}
      reset()
    }

    func bindNull(at index: Int32) { bindings[index] = .null }
    func bind(_ value: Int64, at index: Int32) { bindings[index] = .integer(value) }
    func bind(_ value: Double, at index: Int32) { bindings[index] = .real(value) }
    func bind(_ value: SQLValue, at index: Int32) { bindings[index] = value }

    func bindText(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) {
      bindings[index] = .text(String(decoding: bytes, as: UTF8.self))
    }

    func bindBlob(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) {
      bindings[index] = .blob([UInt8](bytes))
    }

    var parameterCount: Int32 { Int32(sql.count { $0 == "$" }) }
    var columnCount: Int32 { Int32(row.count) }
    func isNull(_ column: Int32) -> Bool { row[Int(column)] == .null }

    func integer(_ column: Int32) -> Int64 {
      if case .integer(let value) = row[Int(column)] { value } else { 0 }
    }

    func real(_ column: Int32) -> Double {
      if case .real(let value) = row[Int(column)] { value } else { 0 }
    }

    func text(_ column: Int32) -> String {
      if case .text(let text) = row[Int(column)] { text } else { "" }
    }

    func textBytes(_ column: Int32) -> UnsafeRawBufferPointer { bytes([UInt8](text(column).utf8)) }

    func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer {
      if case .blob(let blob) = row[Int(column)] { bytes(blob) } else { bytes([]) }
    }

    func value(_ column: Int32) -> SQLValue { row[Int(column)] }

    private var buffers: [UnsafeMutableRawBufferPointer] = []

    private func bytes(_ values: [UInt8]) -> UnsafeRawBufferPointer {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: values.count, alignment: 16)
      buffer.copyBytes(from: values)
      buffers.append(buffer)
      return UnsafeRawBufferPointer(buffer)
    }

    deinit {
      for buffer in buffers { buffer.deallocate() }
    }
  }
}
