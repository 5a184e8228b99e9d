/// A value for a statement, with the server's number for its type.
struct PlainValue {
  let type: UInt32
  private let bytes: [UInt8]
  private let isBinary: Bool

  static func text(_ text: String) -> PlainValue {
    PlainValue(type: 25, bytes: Array(text.utf8) + [0], isBinary: false)
  }

  /// The values as libpq takes them.
  static func withPointers<Result>(
    _ values: [PlainValue],
    _ body: (
      UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    let bytes = values.flatMap(\.bytes)
    var starts: [Int] = []
    var end = 0
    for value in values {
      starts.append(end)
      end += value.bytes.count
    }
    let lengths = values.map { Int32($0.bytes.count) }
    let formats = values.map { $0.isBinary ? 1 : 0 as Int32 }
    return bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = starts.map { start in base.map { $0 + start } }
      return pointers.withUnsafeBufferPointer { pointers in
        body(pointers.baseAddress, lengths, formats)
      }
    }
  }
}

// MARK: - Arrays

extension PlainValue {
  static func integers(_ numbers: [Int64]) -> PlainValue {
    array(1016, of: 20, numbers) { $0.append(number: 8 as Int32, $1) }
  }

  static func reals(_ numbers: [Double]) -> PlainValue {
    array(1022, of: 701, numbers) { $0.append(number: 8 as Int32, $1.bitPattern) }
  }

  static func texts(_ texts: [String]) -> PlainValue {
    array(1009, of: 25, texts) { bytes, text in
      bytes.append(bigEndian: Int32(text.utf8.count))
      bytes += text.utf8
    }
  }

  /// Dimensions, whether there are nulls, type, count, first index, then each value behind its length.
  private static func array<Element>(
    _ type: UInt32,
    of elementType: UInt32,
    _ elements: [Element],
    _ append: (inout [UInt8], Element) -> Void
  ) -> PlainValue {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.count * 16)
    bytes.append(bigEndian: 1 as Int32)
    bytes.append(bigEndian: 0 as Int32)
    bytes.append(bigEndian: elementType)
    bytes.append(bigEndian: Int32(elements.count))
    bytes.append(bigEndian: 1 as Int32)
    for element in elements { append(&bytes, element) }
    return PlainValue(type: type, bytes: bytes, isBinary: true)
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { self += $0 }
  }

  fileprivate mutating func append(number length: Int32, _ value: some FixedWidthInteger) {
    append(bigEndian: length)
    append(bigEndian: value)
  }
}
