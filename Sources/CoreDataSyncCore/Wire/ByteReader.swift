/// Reads the bytes of a ``ByteWriter``, or bytes that pretend to be that.
///
/// Nothing is believed: a count is compared with the remaining bytes before anything is made for
/// it.
package struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    place = 0
  }

  package var isAtEnd: Bool { place == bytes.endIndex }

  package var remaining: Int { bytes.endIndex - place }

  package func failure(
    _ sentence: String,
    sender: WireError.Sender = .contemporary
  ) -> WireError {
    WireError(sentence: sentence, offset: place, sender: sender)
  }

  package mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(WireError) -> Number {
    let size = MemoryLayout<Number>.size
    guard remaining >= size else { throw failure("The message ends within a number.") }
    defer { place += size }
    return bytes.withUnsafeBytes {
      Number(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
  }

  /// A count of at most that many.
  package mutating func count(upTo limit: Int) throws(WireError) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let byte: UInt8 = try number()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 {
        guard value <= UInt64(limit) else {
          throw failure("The message has a count of \(value), where \(limit) are allowed.")
        }
        return Int(value)
      }
    }
    throw failure("The message has a count that never ends.")
  }

  package mutating func counted(upTo limit: Int) throws(WireError) -> [UInt8] {
    let count = try count(upTo: limit)
    return try raw(count)
  }

  package mutating func raw(_ count: Int) throws(WireError) -> [UInt8] {
    guard remaining >= count else { throw failure("The message ends within a value.") }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  /// Nothing more may follow.
  package func end() throws(WireError) {
    if !isAtEnd { throw failure("The message has \(remaining) bytes too many.") }
  }
}
