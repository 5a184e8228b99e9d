import CoreDataModel
import Foundation

/// Takes the properties of one `Encodable` value as the values of a row.
///
/// ```
/// Book(isbn: "978", title: "Emma", author: "austen")  ─▶  isbn "978"  title "Emma"  author 7
/// ```
///
/// The names are those of the value's coding keys. Dates, data, UUIDs, URLs and decimals are taken as they are;
/// a type that encodes a single value, such as an enumeration, is that value.
final class RowValuesEncoder: Encoder {
  /// The row that is being filled.
  var row: BatchRowValues
  /// Where the row is, for errors.
  var place = ""
  /// What was asked for that no row can take, even if nothing followed.
  private(set) var failure: NSError?
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let targets: BatchTargets

  init(_ row: BatchRowValues, _ targets: BatchTargets) {
    self.row = row
    self.targets = targets
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RowContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer(self, "a list") }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RefusingContainer(self, "a single value")
  }
}

extension RowValuesEncoder {
  fileprivate func take<Value>(_ value: Value, for name: String) throws {
    if row.takePlain(value, for: name) { return }
    if let slot = row.layout.slot(named: name), row.layout.kinds[slot] == .toOne {
      let target = try targets.target(value, at: slot, of: row.layout, place: place)
      try row.take(target as Any? ?? NSNull(), for: name, place: place)
    } else {
      try row.take(value, for: name, place: place)
    }
  }

  /// Takes a value of a type that says itself how it is encoded.
  fileprivate func take<Value: Encodable>(encoding value: Value, for name: String) throws {
    if Self.takenTypes.contains(where: { $0 == Value.self }) {
      try take(value, for: name)
    } else {
      try value.encode(to: SingleValueEncoder(row: self, name: name))
    }
  }

  /// The types that are not asked how they are encoded; comparing types takes less than casting.
  private static let takenTypes: [Any.Type] = [
    Date.self, Data.self, UUID.self, URL.self, Decimal.self, String.self, Double.self, Bool.self,
    Int.self,
  ]

  /// Notes, and gives, the error for something that no row can take.
  @discardableResult
  fileprivate func refusal(of what: String, for name: String?) -> NSError {
    let property = name.map { "\(row.layout.name).\($0)" } ?? row.layout.name
    let error =
      failure
      ?? BatchFailure.wrongType(
        property,
        expected: name == nil ? "a value with properties" : "a single value",
        value: what,
        place: place
      ).error(key: name)
    failure = error
    return error
  }
}

// MARK: - A value with properties

private struct RowContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RowValuesEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try encoder.take(NSNull(), for: key.stringValue) }

  func encode(_ value: Bool, forKey key: Key) throws {
    try encoder.take(value, for: key.stringValue)
  }
  func encode(_ value: String, forKey key: Key) throws {
    try encoder.take(value, for: key.stringValue)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try encoder.take(value, for: key.stringValue)
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try encoder.take(value, for: key.stringValue)
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try encoder.take(value, for: key.stringValue)
  }
  func encode(_ value: Int32, forKey key: Key) throws {
    try encoder.take(value, for: key.stringValue)
  }
  func encode(_ value: Int16, forKey key: Key) throws {
    try encoder.take(value, for: key.stringValue)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.take(encoding: value, for: key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      RefusingKeyedContainer(encoder, "a value with properties", key.stringValue)
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingContainer(encoder, "a list", key.stringValue)
  }

  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder {
    SingleValueEncoder(row: encoder, name: key.stringValue)
  }
}

// MARK: - A property's own value

/// Encodes a type that is one value in the end.
private struct SingleValueEncoder: Encoder, SingleValueEncodingContainer {
  let row: RowValuesEncoder
  let name: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingKeyedContainer(row, "a value with properties", name))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer(row, "a list", name) }

  func encodeNil() throws { try row.take(NSNull(), for: name) }
  func encode(_ value: Bool) throws { try row.take(value, for: name) }
  func encode(_ value: String) throws { try row.take(value, for: name) }
  func encode(_ value: Double) throws { try row.take(value, for: name) }
  func encode(_ value: Float) throws { try row.take(value, for: name) }
  func encode(_ value: Int) throws { try row.take(value, for: name) }
  func encode(_ value: Int8) throws { try row.take(Int64(value), for: name) }
  func encode(_ value: Int16) throws { try row.take(value, for: name) }
  func encode(_ value: Int32) throws { try row.take(value, for: name) }
  func encode(_ value: Int64) throws { try row.take(value, for: name) }
  func encode(_ value: UInt) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt8) throws { try row.take(Int64(value), for: name) }
  func encode(_ value: UInt16) throws { try row.take(Int64(value), for: name) }
  func encode(_ value: UInt32) throws { try row.take(Int64(value), for: name) }

  func encode(_ value: UInt64) throws {
    guard let whole = Int64(exactly: value) else { throw row.refusal(of: "\(value)", for: name) }
    try row.take(whole, for: name)
  }

  func encode(_ value: some Encodable) throws { try row.take(encoding: value, for: name) }
}

// MARK: - What no row can take

/// Throws whatever comes.
private struct RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let encoder: RowValuesEncoder
  let what: String
  let name: String?
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  init(_ encoder: RowValuesEncoder, _ what: String, _ name: String? = nil) {
    self.encoder = encoder
    self.what = what
    self.name = name
    encoder.refusal(of: what, for: name)
  }

  func encodeNil() throws { throw encoder.refusal(of: what, for: name) }
  func encode(_ value: some Encodable) throws { throw encoder.refusal(of: what, for: name) }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingKeyedContainer(encoder, what, name))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { encoder }
}

private struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RowValuesEncoder
  let what: String
  let name: String?
  var codingPath: [any CodingKey] { [] }

  init(_ encoder: RowValuesEncoder, _ what: String, _ name: String?) {
    self.encoder = encoder
    self.what = what
    self.name = name
    encoder.refusal(of: what, for: name)
  }

  func encodeNil(forKey key: Key) throws { throw encoder.refusal(of: what, for: name) }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    throw encoder.refusal(of: what, for: name)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RefusingKeyedContainer<Nested>(encoder, what, name))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingContainer(encoder, what, name)
  }

  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}
