import CZlib
import Foundation

/// Compresses and decompresses the files of an archive.
enum Deflate {
  /// The data pressed; nil when it does not get smaller.
  static func pressed(_ data: Data) throws -> Data? {
    guard data.count > 64, data.count < Int(UInt32.max) else { return nil }
    var stream = z_stream()
    guard czlib_begin_deflate(&stream, 6) == Z_OK else { throw outOfMemory }
    defer { deflateEnd(&stream) }
    var pressed = Data(count: data.count)
    let result = data.withUnsafeBytes { input in
      pressed.withUnsafeMutableBytes { output in
        set(&stream, input, output)
        return deflate(&stream, Z_FINISH)
      }
    }
    return result == Z_STREAM_END ? pressed.prefix(Int(stream.total_out)) : nil
  }

  /// The data unpressed, which shall have so many bytes; the first of them if fewer are wanted.
  ///
  /// Never more memory is taken than for the wanted bytes, whatever the data would become.
  static func unpressed(_ data: Data, count: Int, wanted: Int) throws -> Data {
    var stream = z_stream()
    guard czlib_begin_inflate(&stream) == Z_OK else { throw outOfMemory }
    defer { inflateEnd(&stream) }
    // One more, so that a stream that goes on is noticed.
    let room = min(count, wanted) + 1
    var unpressed = Data(count: room)
    let result = data.withUnsafeBytes { input in
      unpressed.withUnsafeMutableBytes { output in
        set(&stream, input, output)
        return inflate(&stream, Z_FINISH)
      }
    }
    let length = Int(stream.total_out)
    if wanted < count, length >= wanted { return unpressed.prefix(wanted) }
    guard result == Z_STREAM_END, length == count else {
      throw ArchiveError("It is damaged in the archive.")
    }
    return unpressed.prefix(length)
  }

  /// Hands the data over unpressed, piece by piece.
  ///
  /// - Throws: An ``ArchiveError`` for more than `count` bytes, and the errors of the block.
  static func unpress(
    _ data: Data,
    count: Int,
    _ take: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var stream = z_stream()
    guard czlib_begin_inflate(&stream) == Z_OK else { throw outOfMemory }
    defer { inflateEnd(&stream) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 1)
    defer { piece.deallocate() }
    try data.withUnsafeBytes { input in
      set(&stream, input, piece)
      var (result, taken) = (Z_OK, 0)
      while result == Z_OK {
        result = inflate(&stream, Z_NO_FLUSH)
        let length = pieceSize - Int(stream.avail_out)
        taken += length
        guard result == Z_OK || result == Z_STREAM_END, taken <= count else {
          throw ArchiveError("It is damaged in the archive.")
        }
        try take(UnsafeRawBufferPointer(rebasing: piece[..<length]))
        stream.next_out = piece.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(pieceSize)
      }
    }
  }

  private static let pieceSize = 256 << 10

  static func checksum(_ data: Data) -> UInt32 {
    data.withUnsafeBytes { bytes in
      UInt32(crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
    }
  }

  private static func set(
    _ stream: inout z_stream,
    _ input: UnsafeRawBufferPointer,
    _ output: UnsafeMutableRawBufferPointer
  ) {
    stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.avail_in = UInt32(clamping: input.count)
    stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.avail_out = UInt32(clamping: output.count)
  }

  private static let outOfMemory = ArchiveError("There is not enough memory to read the archive.")
}
