public import Foundation

/// Makes typed values of JSON that was read.
public enum JSONReading {
  /// A value of a type; dates are read by `date`, which gives `nil` for a text that is not a date.
  ///
  /// - Throws: A `DecodingError` with the path to the value that does not fit.
  public static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self,
    from value: JSONValue,
    date: @escaping @Sendable (String) -> Date? = { _ in nil }
  ) throws -> Value {
    try JSONValueDecoder(value: value, codingPath: [], date: date).decode(type)
  }
}

/// A value, as something to decode from.
struct JSONValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  let date: @Sendable (String) -> Date?

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(JSONObjectContainer(members: members, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let values) = value else { throw mismatch([Any].self) }
    return JSONListContainer(values: values, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    JSONSingleContainer(decoder: self)
  }

  func inside(_ key: any CodingKey, _ value: JSONValue) -> JSONValueDecoder {
    JSONValueDecoder(value: value, codingPath: codingPath + [key], date: date)
  }
}

// MARK: - Values

extension JSONValueDecoder {
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Date.self, let date = try dateValue() as? Value { return date }
    return try Value(from: self)
  }

  func bool() throws -> Bool {
    guard case .bool(let bool) = value else { throw mismatch(Bool.self) }
    return bool
  }

  func text() throws -> String {
    guard case .text(let text) = value else { throw mismatch(String.self) }
    return text
  }

  func floating<Number: BinaryFloatingPoint>(_ type: Number.Type) throws -> Number {
    switch value {
    case .integer(let number): return Number(number)
    case .number(let number): return Number(number)
    case .null, .bool, .text, .list, .object: throw mismatch(type)
    }
  }

  /// A whole number that fits; `2.0` is one.
  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    switch value {
    case .integer(let number):
      guard let exact = Number(exactly: number) else {
        throw corrupted("\(number) is out of bounds")
      }
      return exact
    case .number(let number):
      guard let whole = Int64(exactly: number), JSONLimits.numbers.contains(whole),
        let exact = Number(exactly: whole)
      else { throw corrupted("\(number) is no whole number within bounds") }
      return exact
    case .null, .bool, .text, .list, .object: throw mismatch(type)
    }
  }

  private func dateValue() throws -> Date {
    let text = try text()
    guard let date = date(text) else { throw corrupted("\(text) is no date") }
    return date
  }

  func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "not a \(type)")
    if case .null = value { return .valueNotFound(type, context) }
    return .typeMismatch(type, context)
  }

  private func corrupted(_ sentence: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
  }
}

/// The name of a member, or a place in a list.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
