import CoreDataCZlib

/// A message as a body that is compressed with gzip.
package enum CompressedMessage {
  /// A shorter message is not compressed.
  package static let shortest = 1_000
  /// The sizes by which a message grows in memory while it is decompressed.
  private static let steps = (16 << 10)...(1 << 20)

  /// The reason why a body cannot be decompressed.
  package enum Failure: Error, Equatable {
    /// The bytes are not one whole gzip stream.
    case damaged
    /// The message has more bytes than it may have.
    case tooLarge
    /// The caller lacks room for it.
    case noRoom
  }

  /// Returns the compressed bytes of a message, or `nil` if they save less than an eighth.
  package static func bytes(of message: [UInt8]) -> [UInt8]? {
    guard message.count >= shortest else { return nil }
    let capacity = message.count / 8 * 7
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, used in
      // The fastest level: texts become a third of their size.
      used = coredata_gzip(
        message,
        uInt(message.count),
        buffer.baseAddress,
        uInt(capacity),
        Z_BEST_SPEED
      )
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Decompresses the message of a body.
  ///
  /// - Parameters:
  ///   - bytes: A gzip stream, with nothing behind it.
  ///   - limit: The most bytes that the message may have.
  ///   - takeRoom: Called before the message takes so many more bytes of memory; returns whether there is room.
  /// - Returns: The bytes of the message.
  /// - Throws: ``Failure``, with the reason.
  package static func message(
    of bytes: [UInt8],
    upTo limit: Int,
    takeRoom: (Int) -> Bool = { _ in true }
  ) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    guard coredata_inflate_init_gzip(&stream) == Z_OK else { throw .noRoom }
    defer { inflateEnd(&stream) }
    guard let size = uInt(exactly: bytes.count) else { throw .tooLarge }
    var message: [UInt8] = []
    var code = Z_OK
    while code == Z_OK {
      // One byte more than the limit shows that the message goes on.
      let step = min(max(4 * bytes.count, steps.lowerBound), steps.upperBound)
      let room = min(step, limit + 1 - message.count)
      guard room > 0 else { throw .tooLarge }
      guard takeRoom(room) else { throw .noRoom }
      let start = message.count
      message.append(contentsOf: repeatElement(0, count: room))
      let read = Int(stream.total_in)
      (code, stream.avail_out) = bytes.withUnsafeBufferPointer { source in
        message.withUnsafeMutableBufferPointer { target in
          stream.next_in = source.baseAddress.map { UnsafeMutablePointer(mutating: $0 + read) }
          stream.avail_in = size - uInt(read)
          stream.next_out = target.baseAddress.map { $0 + start }
          stream.avail_out = uInt(room)
          return (inflate(&stream, Z_NO_FLUSH), stream.avail_out)
        }
      }
      let written = room - Int(stream.avail_out)
      message.removeLast(room - written)
      // Without progress, the stream ends too early.
      if code == Z_OK, written == 0 { throw .damaged }
    }
    guard code == Z_STREAM_END, stream.avail_in == 0 else { throw .damaged }
    guard message.count <= limit else { throw .tooLarge }
    return message
  }
}
