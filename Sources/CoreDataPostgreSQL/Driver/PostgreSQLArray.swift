import CoreData
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
  private(set) var count: Int32 = 0
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

  /// Makes room for so many numbers, or as many texts.
  mutating func reserve(_ count: Int) { body.reserveCapacity(12 * count) }

  /// Adds the array as one value.
  func write(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: count == 0 ? 0 : 1 as Int32)
    bytes.append(bigEndian: hasNull ? 1 : 0 as Int32)
    bytes.append(bigEndian: elementType)
    if count > 0 {
      bytes.append(bigEndian: count)
      bytes.append(bigEndian: 1 as Int32)
    }
    bytes += body
  }

  /// The greatest size of the part before the values, in bytes.
  static let headSize = 20
}

// MARK: - Filling

extension PostgreSQLArray {
  package mutating func appendNull() {
    count += 1
    hasNull = true
    body.append(bigEndian: -1 as Int32)
  }

  package mutating func append(_ value: Int64) { append(eightBytes: UInt64(bitPattern: value)) }

  /// No number is NULL, as SQLite has it.
  mutating func append(_ value: Double) {
    value.isNaN ? appendNull() : append(eightBytes: value.bitPattern)
  }

  /// Adds a number behind its length, both at once: a row has many of them.
  private mutating func append(eightBytes bits: UInt64) {
    count += 1
    let first = (UInt64(8) << 32) | (bits >> 32)
    let parts = (first.bigEndian, UInt32(truncatingIfNeeded: bits).bigEndian)
    withUnsafeBytes(of: parts) { body += $0 }
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
    case .decimal:
      let decimal = snapshot.bytes(column.slot).loadUnaligned(as: Decimal.self)
      decimal.isNaN ? appendNull() : append("\(decimal)")
    case .composite, .object, .toMany, .orderedToMany, .fetched: appendNull()
    }
  }
}
