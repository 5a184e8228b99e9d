/// Chunks of a WebP: name, length in little order, content, filled to an even length.
enum WebPFile {
  private static let kept: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]

  static func stripped(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 12 else { return nil }
    let size = min(bytes.count, little(bytes[4..<8]) + 8)
    var (chunks, position) = ([UInt8](), 12)
    var flags: Int?
    var orientation: UInt8?
    while position + 8 <= size {
      let length = little(bytes[position + 4..<position + 8])
      guard length <= size - position - 8 else { return nil }
      let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      let end = min(size, position + 8 + length + length % 2)
      if name == "VP8X", length > 0 { flags = chunks.count + 8 }
      if name == "EXIF" {
        let content = bytes[position + 8..<position + 8 + length]
        orientation = ExifOrientation.number(
          in: content.starts(with: Array("Exif\0\0".utf8)) ? content.dropFirst(6) : content
        )
      }
      if kept.contains(name) { chunks += bytes[position..<end] }
      position = end
    }
    guard !chunks.isEmpty else { return nil }
    if let flags {
      chunks[flags] &= ~0x0C
      if let orientation {
        chunks[flags] |= 0x08
        let content = ExifOrientation.data(orientation)
        chunks += Array("EXIF".utf8) + numbered(content.count) + content
      }
    }
    return Array("RIFF".utf8) + numbered(chunks.count + 4) + Array("WEBP".utf8) + chunks
  }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { ($0 << 8) | Int($1) }
  }

  private static func numbered(_ count: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) }
  }
}
