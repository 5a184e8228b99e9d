import CoreDataSQL
import Foundation

/// Many values of one type as one value, in the server's binary form: a column of rows to be written.
///
/// ```
/// dimensions, whether there are nulls, type, count, first index, then each value behind its length
/// ```
package struct PostgreSQLArray {
  package let elementType: UInt32
  private var body: [UInt8] = []
  private var count: Int32 = 0
  private var hasNull = false

  package init(of elementType: UInt32) {
    self.elementType = elementType
  }

  var byteCount: Int { body.count }

  /// The server's number for the type of such an array.
  package var type: UInt32 {
    switch elementType {
    case PostgreSQLType.int64: PostgreSQLType.int64s
    case PostgreSQLType.double: PostgreSQLType.doubles
    case PostgreSQLType.text: PostgreSQLType.texts
    case _: PostgreSQLType.blobs
    }
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count + 20)
    bytes.append(bigEndian: count == 0 ? 0 : 1 as Int32)
    bytes.append(bigEndian: hasNull ? 1 : 0 as Int32)
    bytes.append(bigEndian: elementType)
    if count > 0 {
      bytes.append(bigEndian: count)
      bytes.append(bigEndian: 1 as Int32)
    }
    return bytes + body
  }
}

// MARK: - Filling

extension PostgreSQLArray {
  package mutating func appendNull() {
    count += 1
    hasNull = true
    body.append(bigEndian: -1 as Int32)
  }

  package mutating func append(_ value: Int64) {
    count += 1
    body.append(bigEndian: 8 as Int32)
    body.append(bigEndian: value)
  }

  /// No number is NULL, as SQLite has it.
  mutating func append(_ value: Double) {
    if value.isNaN { return appendNull() }
    count += 1
    body.append(bigEndian: 8 as Int32)
    body.append(bigEndian: value.bitPattern)
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    count += 1
    body.append(bigEndian: Int32(clamping: bytes.count))
    body += bytes
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  init(_ numbers: some Sequence<Int64>) {
    self.init(of: PostgreSQLType.int64)
    for number in numbers { append(number) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { self += $0 }
  }
}

// MARK: - From snapshots

extension PostgreSQLArray {
  /// An array for the values of a column.
  init(for column: BoundColumn) {
    switch column.kind {
    case .integer, .boolean, .toOne, .composite, .object, .toMany, .orderedToMany, .fetched:
      self.init(of: PostgreSQLType.int64)
    case .real, .date: self.init(of: PostgreSQLType.double)
    // A decimal number goes with all its digits.
    case .text, .uri, .decimal: self.init(of: PostgreSQLType.text)
    case .uuid, .data, .externalData, .transformable: self.init(of: PostgreSQLType.bytes)
    }
  }

  mutating func append(_ column: BoundColumn, of snapshot: SnapshotBytes) {
    guard snapshot.hasValue(column.slot) else { return appendNull() }
    switch column.kind {
    case .integer, .boolean, .toOne: append(snapshot.integer(column.slot))
    case .real, .date: append(snapshot.real(column.slot))
    case .text, .uri, .uuid, .data, .externalData, .transformable:
      append(snapshot.bytes(column.slot))
    case .decimal: append("\(snapshot.bytes(column.slot).loadUnaligned(as: Decimal.self))")
    case .composite, .object, .toMany, .orderedToMany, .fetched: appendNull()
    }
  }
}
