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
  let row: EncodedRow
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var latest: KnownContainer?

  convenience init(_ row: BatchRowValues, _ targets: BatchTargets) {
    self.init(EncodedRow(row, targets))
  }

  fileprivate init(_ row: EncodedRow) {
    self.row = row
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if let latest, latest.key == ObjectIdentifier(type) {
      return unsafeDowncast(latest, to: ContainerKeyed<Key>.self).container
    }
    let new = ContainerKeyed<Key>(row)
    latest = new
    return new.container
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer(row, "a list") }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RefusingContainer(row, "a single value")
  }
}

/// The container of the value before, which serves the next as well: nearly all are of one type, and
/// making one costs more than what is put into it.
private class KnownContainer {
  let key: ObjectIdentifier

  init(_ key: any CodingKey.Type) {
    self.key = ObjectIdentifier(key)
  }
}

private final class ContainerKeyed<Key: CodingKey>: KnownContainer {
  let container: KeyedEncodingContainer<Key>

  init(_ row: EncodedRow) {
    container = KeyedEncodingContainer(RowContainer(row: row))
    super.init(Key.self)
  }
}

// MARK: - A value with properties

private struct RowContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let row: EncodedRow
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try row.take(NSNull(), for: key.stringValue) }

  func encode(_ value: Bool, forKey key: Key) throws {
    try row.take(value, for: key.stringValue)
  }
  func encode(_ value: String, forKey key: Key) throws {
    try row.take(value, for: key.stringValue)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try row.take(value, for: key.stringValue)
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try row.take(value, for: key.stringValue)
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try row.take(value, for: key.stringValue)
  }
  func encode(_ value: Int32, forKey key: Key) throws {
    try row.take(value, for: key.stringValue)
  }
  func encode(_ value: Int16, forKey key: Key) throws {
    try row.take(value, for: key.stringValue)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try row.take(encoding: value, for: key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      RefusingKeyedContainer(row, "a value with properties", key.stringValue)
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingContainer(row, "a list", key.stringValue)
  }

  func superEncoder() -> any Encoder { RowValuesEncoder(row) }
  func superEncoder(forKey key: Key) -> any Encoder {
    SingleValueEncoder(row: row, name: key.stringValue)
  }
}

// MARK: - A property's own value

/// Encodes a type that is one value in the end.
struct SingleValueEncoder: Encoder, SingleValueEncodingContainer {
  let row: EncodedRow
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

// MARK: - Values that no row can take

/// Throws whatever comes.
private struct RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let row: EncodedRow
  let what: String
  let name: String?
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  init(_ row: EncodedRow, _ what: String, _ name: String? = nil) {
    self.row = row
    self.what = what
    self.name = name
    row.refusal(of: what, for: name)
  }

  func encodeNil() throws { throw row.refusal(of: what, for: name) }
  func encode(_ value: some Encodable) throws { throw row.refusal(of: what, for: name) }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingKeyedContainer(row, what, name))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RowValuesEncoder(row) }
}

private struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let row: EncodedRow
  let what: String
  let name: String?
  var codingPath: [any CodingKey] { [] }

  init(_ row: EncodedRow, _ what: String, _ name: String?) {
    self.row = row
    self.what = what
    self.name = name
    row.refusal(of: what, for: name)
  }

  func encodeNil(forKey key: Key) throws { throw row.refusal(of: what, for: name) }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    throw row.refusal(of: what, for: name)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RefusingKeyedContainer<Nested>(row, what, name))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingContainer(row, what, name)
  }

  func superEncoder() -> any Encoder { RowValuesEncoder(row) }
  func superEncoder(forKey key: Key) -> any Encoder { RowValuesEncoder(row) }
}
