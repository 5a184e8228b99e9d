package import Foundation

/// Writes a binary property list, the same bytes for the same value: dictionaries are written in
/// code-point order of their keys, and equal texts and numbers once.
extension PropertyListValue {
  package var binary: Data {
    var writer = BinaryPropertyListWriter()
    return writer.data(for: self)
  }
}

private struct BinaryPropertyListWriter {
  private var objects: [Object] = []
  private var indices: [PropertyListValue.Exact: Int] = [:]

  /// An object with its parts as numbers of other objects.
  private enum Object {
    case scalar(PropertyListValue)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  mutating func data(for value: PropertyListValue) -> Data {
    _ = add(value)
    let referenceSize = BinaryPropertyListBytes.size(of: objects.count)
    var bytes = [UInt8]("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      Self.append(object, referenceSize, to: &bytes)
    }
    let table = bytes.count
    let offsetSize = BinaryPropertyListBytes.size(of: table)
    for offset in offsets { bytes += BinaryPropertyListBytes.bytes(offset, offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    bytes +=
      BinaryPropertyListBytes.bytes(objects.count, 8) + BinaryPropertyListBytes.bytes(0, 8)
      + BinaryPropertyListBytes.bytes(table, 8)
    return Data(bytes)
  }

  private mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let elements):
      let index = reserve()
      objects[index] = .array(elements.map { add($0) })
      return index
    case .dictionary(let dictionary):
      let index = reserve()
      let entries = dictionary.sortedByCodePoints(\.key)
      let keys = entries.map { add(.text($0.key)) }
      objects[index] = .dictionary(keys: keys, values: entries.map { add($0.value) })
      return index
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .text, .uid:
      let exact = PropertyListValue.Exact(value: value)
      if let known = indices[exact] { return known }
      let index = reserve()
      objects[index] = .scalar(value)
      indices[exact] = index
      return index
    }
  }

  private mutating func reserve() -> Int {
    objects.append(.scalar(.null))
    return objects.count - 1
  }
}

extension BinaryPropertyListWriter {
  private static func append(
    _ object: Object,
    _ referenceSize: Int,
    to bytes: inout [UInt8]
  ) {
    switch object {
    case .scalar(let value):
      BinaryPropertyListBytes.append(value, to: &bytes)
    case .array(let elements):
      BinaryPropertyListBytes.appendMarker(0xa0, count: elements.count, to: &bytes)
      for element in elements { bytes += BinaryPropertyListBytes.bytes(element, referenceSize) }
    case .dictionary(let keys, let values):
      BinaryPropertyListBytes.appendMarker(0xd0, count: keys.count, to: &bytes)
      for element in keys + values {
        bytes += BinaryPropertyListBytes.bytes(element, referenceSize)
      }
    }
  }
}

// MARK: - Bytes

/// How the objects of a binary property list are written down.
enum BinaryPropertyListBytes {
  static func append(_ value: PropertyListValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0x00)
    case .boolean(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let value): appendInteger(value, to: &bytes)
    case .unsigned(let value): bytes += [0x14] + Self.bytes(0, 8) + value.bigEndianBytes
    case .real(let value): bytes += [0x23] + value.bitPattern.bigEndianBytes
    case .date(let value): bytes += [0x33] + value.bitPattern.bigEndianBytes
    case .data(let data):
      appendMarker(0x40, count: data.count, to: &bytes)
      bytes += data
    case .text(let text): append(text, to: &bytes)
    case .uid(let number):
      let size = Self.size(of: number)
      bytes += [0x80 | UInt8(size - 1)] + Self.bytes(number, size)
    case .array, .dictionary: return
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let utf8 = text.utf8
    if utf8.allSatisfy({ $0 < 0x80 }) {
      appendMarker(0x50, count: utf8.count, to: &bytes)
      bytes += utf8
    } else {
      appendMarker(0x60, count: text.utf16.count, to: &bytes)
      for unit in text.utf16 { bytes += unit.bigEndianBytes }
    }
  }

  private static func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
    switch value {
    case 0...0xff: bytes += [0x10, UInt8(value)]
    case 0...0xffff: bytes += [0x11] + UInt16(value).bigEndianBytes
    case 0...0xffff_ffff: bytes += [0x12] + UInt32(value).bigEndianBytes
    default: bytes += [0x13] + value.bigEndianBytes
    }
  }

  static func appendMarker(_ marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    if count < 0x0f {
      bytes.append(marker | UInt8(count))
    } else {
      bytes.append(marker | 0x0f)
      appendInteger(Int64(count), to: &bytes)
    }
  }

  /// How many bytes numbers up to this one need: 1, 2, 4 or 8.
  static func size(of number: Int) -> Int {
    switch number {
    case 0...0xff: 1
    case 0...0xffff: 2
    case 0...0xffff_ffff: 4
    default: 8
    }
  }

  static func bytes(_ number: Int, _ size: Int) -> ArraySlice<UInt8> {
    number.bigEndianBytes.suffix(size)
  }
}
