import CoreDataSQL
import Foundation

/// The columns of an answer by their names, the same for all of its rows.
final class SQLColumns: Sendable {
  let names: [String]
  let places: [String: Int]

  init(_ names: [String]) {
    self.names = names
    places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  /// PostgreSQL has names without quotation marks in small letters.
  func place(of name: String) -> Int? { places[name] ?? places[name.lowercased()] }
}

/// Makes a value of a row.
///
/// ```
/// name | notes          struct Shelf { let name: String; let notes: Int }
/// Top  | 3              Shelf(name: "Top", notes: 3)
/// ```
struct SQLRowDecoder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let columns: SQLColumns
  private let row: [SQLValue]

  init(_ columns: SQLColumns, _ row: [SQLValue]) {
    self.columns = columns
    self.row = row
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SQLRowContainer(columns, row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch(
      [SQLValue].self,
      .init(
        codingPath: [],
        debugDescription:
          "A row of a query has named columns and is no list; use a type with properties."
      )
    )
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard row.count == 1 else {
      throw DecodingError.typeMismatch(
        SQLValue.self,
        .init(
          codingPath: [],
          debugDescription: """
            The query has \(row.count) columns (\(columns.names.joined(separator: ", "))), and a single value is \
            read from one.
            """
        )
      )
    }
    return SQLCell(row[0], codingPath: [])
  }
}

// MARK: - By names

private struct SQLRowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let codingPath: [any CodingKey] = []
  private let columns: SQLColumns
  private let row: [SQLValue]

  init(_ columns: SQLColumns, _ row: [SQLValue]) {
    self.columns = columns
    self.row = row
  }

  var allKeys: [Key] { columns.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { columns.place(of: key.stringValue) != nil }

  private func cell(_ key: Key) throws -> SQLCell {
    guard let place = columns.place(of: key.stringValue) else {
      throw DecodingError.keyNotFound(
        key,
        .init(
          codingPath: [],
          debugDescription: """
            The query has no column \(key.stringValue); its columns are \
            \(columns.names.joined(separator: ", ")). Name one with AS \(key.stringValue).
            """
        )
      )
    }
    return SQLCell(row[place], codingPath: [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try cell(key).decodeNil() }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try cell(key).decode(type) }

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try cell(key).decode(type) }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try cell(key).decode(type) }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try cell(key).decode(type) }

  func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type,
    forKey key: Key
  ) throws -> Integer {
    try cell(key).decode(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try cell(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw try cell(key).mismatch("an object")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw try cell(key).mismatch("a list")
  }

  func superDecoder() throws -> any Decoder { SQLRowDecoder(columns, row) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try cell(key) }
}

// MARK: - One value

/// One value of a row, as a decoder of its own.
private struct SQLCell: Decoder, SingleValueDecodingContainer {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let value: SQLValue

  init(_ value: SQLValue, codingPath: [any CodingKey]) {
    self.value = value
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw mismatch("an object")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch("a list") }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func mismatch(_ wanted: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "The column has \(value), which is not \(wanted)."
    )
    return value == .null
      ? .valueNotFound(SQLValue.self, context) : .typeMismatch(SQLValue.self, context)
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .integer(let integer) = value, integer == 0 || integer == 1 else {
      throw mismatch("0 or 1")
    }
    return integer == 1
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .text(let text) = value else { throw mismatch("a text") }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .real(let real): return real
    case .integer(let integer): return Double(integer)
    // A decimal number of a server has all of its digits.
    case .text(let text):
      guard let number = Double(text) else { throw mismatch("a number") }
      return number
    case .null, .blob: throw mismatch("a number")
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
    let whole: Integer? =
      switch value {
      case .integer(let integer): Integer(exactly: integer)
      // A sum of decimals may be whole.
      case .real(let real): Integer(exactly: real)
      case .null, .text, .blob: nil
      }
    guard let whole else { throw mismatch("a whole number of the type \(type)") }
    return whole
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch type {
    case is Decimal.Type: return try cast(decimal())
    case is Data.Type: return try cast(data())
    case is UUID.Type: return try cast(uuid())
    case is URL.Type: return try cast(url())
    case _: return try Value(from: self)
    }
  }

  private func cast<Value>(_ value: Any) throws -> Value {
    guard let value = value as? Value else { throw mismatch("\(Value.self)") }
    return value
  }
}

// MARK: - Values of Foundation

extension SQLCell {
  private func decimal() throws -> Decimal {
    switch value {
    case .integer(let integer): return Decimal(integer)
    case .real(let real):
      // Fifteen digits are what the column is trusted with.
      guard real.isFinite, let decimal = Decimal(string: String(format: "%.15g", real)) else {
        throw mismatch("a decimal number")
      }
      return decimal
    case .text(let text):
      guard let decimal = Decimal(string: text) else { throw mismatch("a decimal number") }
      return decimal
    case .null, .blob: throw mismatch("a decimal number")
    }
  }

  private func data() throws -> Data {
    guard case .blob(let bytes) = value else { throw mismatch("bytes") }
    return Data(bytes)
  }

  private func uuid() throws -> UUID {
    switch value {
    case .blob(let bytes) where bytes.count == 16:
      return bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }
    case .text(let text):
      guard let uuid = UUID(uuidString: text) else { throw mismatch("a UUID") }
      return uuid
    case .null, .integer, .real, .blob: throw mismatch("a UUID")
    }
  }

  private func url() throws -> URL {
    guard case .text(let text) = value, let url = URL(string: text) else { throw mismatch("a URL") }
    return url
  }
}
