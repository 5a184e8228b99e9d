import CZlib
public import Foundation

/// A file that is compressed with gzip, as a `.tgz` is.
public enum Gzip {
  /// Whether data begin as such a file does.
  public static func isCompressed(_ data: Data) -> Bool {
    data.prefix(3).elementsEqual([0x1F, 0x8B, 8])
  }

  /// Returns the content of a file, which waits in a folder on the disk and is mapped into memory.
  ///
  /// - Throws: An ``ArchiveError`` if the file is damaged, or its content has more bytes than `limit`.
  public static func unpacked(_ data: Data, limit: Int, in folder: URL) throws -> Data {
    let start = try contentStart(of: data)
    guard data.count - start >= 8 else { throw damaged }
    let end = data.endIndex - 8
    let content = try HeldData.data(in: folder) { descriptor in
      let pressed = data[(data.startIndex + start)..<end]
      try Deflate.unpress(pressed, count: limit) { try HeldData.write($0, to: descriptor) }
    }
    let trailer = Data(data[end...])
    guard trailer.number(at: 0, bytes: 4) == Int(Deflate.checksum(content)),
      trailer.number(at: 4, bytes: 4) == content.count % (1 << 32)
    else { throw damaged }
    return content
  }

  /// Returns the place behind the header, which may have a name and a comment.
  private static func contentStart(of data: Data) throws -> Int {
    guard isCompressed(data), data.count >= 18, let flags = data.number(at: 3, bytes: 1) else {
      throw damaged
    }
    var position = 10
    if flags & 4 != 0 {
      guard let length = data.number(at: position, bytes: 2) else { throw damaged }
      position += 2 + length
    }
    for flag in [8, 16] where flags & flag != 0 {
      guard position < data.count,
        let end = data[(data.startIndex + position)...].firstIndex(of: 0)
      else { throw damaged }
      position = end - data.startIndex + 1
    }
    return flags & 2 != 0 ? position + 2 : position
  }

  private static let damaged = ArchiveError("The archive is damaged, or not all of it is there.")
}
