import CoreDataCZlib

/// A payload as a device keeps it in its own file: a long one is compressed.
///
/// ```
/// 16    the mark
/// ....  the number of bytes, big-endian
/// …     the bytes, compressed by zlib, with its checksum
/// ```
///
/// Others begin with a kind of value. Payloads of a message are never in this form.
package enum KeptPayload {
  /// A shorter payload gains nothing.
  package static let shortest: Int64 = 200
  /// Compressing a longer one takes as much memory again, and these are pictures and films.
  private static let longest = 16 << 20
  /// So much of a long payload is compressed first, to see whether that gains anything.
  private static let sampleLength = 4096
  /// zlib makes of one byte no more.
  private static let greatestRatio = 1032
  private static let headLength = 5

  /// The bytes to keep.
  package static func bytes(of payload: [UInt8]) -> [UInt8] {
    let seemsKept = payload.first == CellValue.Envelope.kept
    guard seemsKept || (Int(shortest)...longest).contains(payload.count) else { return payload }
    if !seemsKept, payload.count > 4 * sampleLength {
      let sample = Array(payload[sampleLength..<(2 * sampleLength)])
      guard let compressed = compressed(sample), compressed.count < sampleLength * 7 / 8 else {
        return payload
      }
    }
    guard let compressed = compressed(payload) else { return payload }
    return seemsKept || compressed.count < payload.count * 7 / 8 ? compressed : payload
  }

  /// The payload of bytes that were kept.
  package static func payload(of row: UnsafeRawBufferPointer) throws(WireError) -> [UInt8] {
    guard row.first == CellValue.Envelope.kept else { return Array(row) }
    guard row.count > headLength else { throw damaged }
    let count = Int(UInt32(bigEndian: row.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
    let source = UnsafeRawBufferPointer(rebasing: row.dropFirst(headLength))
    guard count / greatestRatio <= source.count else { throw damaged }
    var isWhole = false
    let payload = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      var length = uLongf(count)
      let code = uncompress(
        buffer.baseAddress,
        &length,
        source.baseAddress?.assumingMemoryBound(to: UInt8.self),
        uLong(source.count)
      )
      isWhole = code == Z_OK && Int(length) == count
      used = isWhole ? count : 0
    }
    if !isWhole { throw damaged }
    return payload
  }

  private static var damaged: WireError {
    WireError(sentence: "A compressed payload in the sidecar is damaged.", offset: 0)
  }

  private static func compressed(_ payload: [UInt8]) -> [UInt8]? {
    guard let count = UInt32(exactly: payload.count) else { return nil }
    var code = Z_OK
    let bound = headLength + Int(compressBound(uLong(payload.count)))
    let bytes = [UInt8](unsafeUninitializedCapacity: bound) { buffer, used in
      buffer[0] = CellValue.Envelope.kept
      withUnsafeBytes(of: count.bigEndian) { head in
        for (place, byte) in head.enumerated() { buffer[1 + place] = byte }
      }
      var length = uLongf(bound - headLength)
      let target = buffer.baseAddress.map { $0 + headLength }
      // The fastest: texts become a third of what they were.
      code = compress2(target, &length, payload, uLong(payload.count), Z_BEST_SPEED)
      used = code == Z_OK ? headLength + Int(length) : 0
    }
    return code == Z_OK ? bytes : nil
  }
}
