import CoreDataCZlib

/// CRC-32, as gzip and PNG have it: it shows each change of up to 32 adjacent bits.
enum Checksum {
  /// The checksum of bytes, after those whose checksum is given.
  static func of(_ bytes: UnsafeRawBufferPointer, after sum: UInt32 = 0) -> UInt32 {
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    // zlib takes a missing start for the wish to begin.
    if bytes.isEmpty { return sum }
    return UInt32(truncatingIfNeeded: crc32(uLong(sum), start, UInt32(clamping: bytes.count)))
  }
}

extension KeyedCell {
  /// The checksum of the bytes that the cell has in a message.
  ///
  /// It is computed without those bytes, because a server computes it for each cell that it keeps and sends.
  package var checksum: UInt32 {
    var sum: UInt32 = 0
    key.object.lendBytes { sum = Checksum.of($0, after: sum) }
    key.field.lendBytes { sum = Checksum.of($0, after: sum) }
    cell.lendOrder { sum = Checksum.of($0, after: sum) }
    var writer = ByteWriter()
    writer.write(cell.base)
    writer.write(count: cell.payload.count)
    writer.bytes.withUnsafeBytes { sum = Checksum.of($0, after: sum) }
    return cell.payload.withUnsafeBytes { Checksum.of($0, after: sum) }
  }
}
