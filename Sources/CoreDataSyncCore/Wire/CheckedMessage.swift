/// A message with a checksum at its end, by which the receiver finds that something has changed it on its way.
///
/// ```
/// 1             the protocol
/// 16 + kind     the kind of the message, which says that there is a checksum
/// …             the fields of the message
/// 4 bytes       the CRC-32 of all bytes before
/// ```
///
/// A program of before there were checksums takes the kind for one that is newer than it is.
package enum CheckedMessage {
  private static let mark: UInt8 = 16
  private static let size = 4
  private static let placeOfKind = 1

  /// The bytes of a message, with their checksum.
  package static func bytes(of message: some WirePart) -> [UInt8] {
    var bytes = message.bytes
    bytes[placeOfKind] |= mark
    let sum = bytes.withUnsafeBytes { Checksum.of($0) }
    withUnsafeBytes(of: sum.bigEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Whether the bytes are those of a message with a checksum.
  package static func isChecked(_ bytes: [UInt8]) -> Bool {
    bytes.count > placeOfKind && bytes[0] == SyncRequest.version && bytes[placeOfKind] & mark != 0
  }

  /// Reads a message with or without a checksum.
  ///
  /// - Throws: An error that says that the message is damaged if the checksum is wrong.
  package static func message<Message: WirePart>(
    _ bytes: [UInt8]
  ) throws(WireError) -> Message {
    guard isChecked(bytes) else { return try Message(bytes: bytes) }
    let end = bytes.count - size
    guard end > placeOfKind else {
      throw WireError(sentence: "The message ends within its checksum.", offset: bytes.count)
    }
    let given = bytes[end...].reduce(UInt32(0)) { ($0 << 8) | UInt32($1) }
    guard bytes[..<end].withUnsafeBytes({ Checksum.of($0) }) == given else {
      throw WireError(
        sentence: "The message does not have its checksum: something has changed it on its way.",
        offset: end,
        isDamage: true
      )
    }
    var plain = Array(bytes[..<end])
    plain[placeOfKind] &= ~mark
    return try Message(bytes: plain)
  }
}
