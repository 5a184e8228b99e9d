public import Foundation

extension Picture {
  /// The same picture without what it says about where, when and by what it was taken; nil for a kind or a form in
  /// which that cannot be taken out.
  ///
  /// Pixels and colours stay to the bit, and so does which side is up. Removed are Exif, XMP, IPTC, comments, and
  /// whatever stands behind the picture's end, where cameras put a second one.
  public static func withoutMetadata(_ data: Data) -> Data? {
    let bytes = [UInt8](data)
    switch PictureKind(of: data) {
    case .jpeg: return JPEGFile.stripped(bytes).map { Data($0) }
    case .png: return PNGFile.stripped(bytes).map { Data($0) }
    case .webp: return WebPFile.stripped(bytes).map { Data($0) }
    case .gif: return GIFFile.stripped(bytes).map { Data($0) }
    case .heic, .avif, nil: return nil
    }
  }
}

/// The one thing of Exif that a picture needs: which side is up.
enum ExifOrientation {
  /// The number from 2 to 8 in Exif data that begins with its byte order; nil for 1, which needs no word, and for
  /// data that says nothing.
  static func number(in exif: ArraySlice<UInt8>) -> UInt8? {
    let bytes = Array(exif)
    let isLittle: Bool
    switch bytes.prefix(4) {
    case [0x49, 0x49, 0x2A, 0x00]: isLittle = true
    case [0x4D, 0x4D, 0x00, 0x2A]: isLittle = false
    default: return nil
    }
    func number(_ position: Int, _ count: Int) -> Int? {
      guard position >= 0, position <= bytes.count - count else { return nil }
      let digits = bytes[position..<position + count]
      return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let start = number(4, 4), let count = number(start, 2) else { return nil }
    for index in 0..<count {
      let entry = start + 2 + index * 12
      guard let tag = number(entry, 2) else { return nil }
      if tag == 0x0112, let value = number(entry + 8, 2) {
        return (2...8).contains(value) ? UInt8(value) : nil
      }
    }
    return nil
  }

  /// Exif data that says nothing else.
  static func data(_ orientation: UInt8) -> [UInt8] {
    [0x4D, 0x4D, 0x00, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      + [0, 0, 0, 0]
  }
}

/// Segments of a JPEG: `FF marker`, and mostly a length with content.
enum JPEGFile {
  static func stripped(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var (kept, position) = (Array(bytes[..<2]), 2)
    var orientation: UInt8?
    var place = kept.count
    while position + 1 < bytes.count {
      guard bytes[position] == 0xFF else { return nil }
      let marker = bytes[position + 1]
      if marker == 0xFF {  // Filling before a marker.
        position += 1
        continue
      }
      if marker == 0xD9 {
        kept += [0xFF, 0xD9]
        if let orientation { kept.insert(contentsOf: segment(of: orientation), at: place) }
        return kept
      }
      guard let end = endOfSegment(bytes, position) else { return nil }
      let content = bytes[min(position + 4, end)..<end]
      if marker == 0xE1, content.starts(with: Array("Exif\0\0".utf8)) {
        orientation = ExifOrientation.number(in: content.dropFirst(6)) ?? orientation
      }
      if isKept(marker, content) { kept += bytes[position..<end] }
      // Behind what says which kind of file it is.
      if marker == 0xE0, place == 2 { place = kept.count }
      position = end
      if marker == 0xDA {
        position = endOfScan(bytes, end)
        kept += bytes[end..<position]
      }
    }
    return nil
  }

  private static func segment(of orientation: UInt8) -> [UInt8] {
    let content = Array("Exif\0\0".utf8) + ExifOrientation.data(orientation)
    return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
  }

  private static func endOfSegment(_ bytes: [UInt8], _ position: Int) -> Int? {
    let marker = bytes[position + 1]
    if marker == 0x01 || (0xD0...0xD7).contains(marker) { return position + 2 }
    guard position + 3 < bytes.count else { return nil }
    let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
    guard length >= 2, position + 2 + length <= bytes.count else { return nil }
    return position + 2 + length
  }

  /// Where the packed pixels end: at the next marker that is none of theirs.
  private static func endOfScan(_ bytes: [UInt8], _ start: Int) -> Int {
    var position = start
    while position + 1 < bytes.count {
      let next = bytes[position + 1]
      if bytes[position] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
        return position
      }
      position += 1
    }
    return bytes.count
  }

  /// Tables, frames and scans; of the applications' own segments JFIF, Adobe's note on colours, and profiles.
  private static func isKept(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
    switch marker {
    case 0xE0: content.starts(with: Array("JFIF\0".utf8))
    case 0xE2: content.starts(with: Array("ICC_PROFILE\0".utf8))
    case 0xEE: content.starts(with: Array("Adobe".utf8))
    case 0xE1...0xEF, 0xFE: false
    default: true
    }
  }
}

/// Chunks of a PNG: length, name, content, sum.
enum PNGFile {
  private static let kept: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "bKGD",
    "pHYs",
    "acTL", "fcTL", "fdAT",
  ]

  static func stripped(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 8 else { return nil }
    var (result, position) = (Array(bytes[..<8]), 8)
    var place: Int?
    var orientation: UInt8?
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { return nil }
      let end = position + 12 + length
      let name = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      if name == "eXIf" {
        orientation = ExifOrientation.number(in: bytes[position + 8..<end - 4])
      }
      if kept.contains(name) {
        result += bytes[position..<end]
        if name == "IHDR" { place = result.count }
      }
      position = end
      guard name == "IEND" else { continue }
      if let orientation, let place { result.insert(contentsOf: chunk(of: orientation), at: place) }
      return place == nil ? nil : result
    }
    return nil
  }

  private static func chunk(of orientation: UInt8) -> [UInt8] {
    let content = ExifOrientation.data(orientation)
    let named = Array("eXIf".utf8) + content
    let sum = named.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
    return [0, 0, 0, UInt8(content.count)] + named
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~sum >> $0) }
  }
}

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
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func numbered(_ count: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) }
  }
}

/// Blocks of a GIF: pictures, and extensions, of which some say things.
enum GIFFile {
  static func stripped(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 13 else { return nil }
    let head = 13 + tableSize(bytes[10])
    guard head < bytes.count else { return nil }
    var (result, position) = (Array(bytes[..<head]), head)
    while position < bytes.count {
      switch bytes[position] {
      case 0x3B: return result + [0x3B]
      case 0x2C:
        guard position + 10 < bytes.count else { return nil }
        let start = position + 10 + tableSize(bytes[position + 9]) + 1
        guard let end = endOfBlocks(bytes, start) else { return nil }
        result += bytes[position..<end]
        position = end
      case 0x21:
        guard position + 2 < bytes.count, let end = endOfBlocks(bytes, position + 2) else {
          return nil
        }
        if isKept(bytes[position..<end]) { result += bytes[position..<end] }
        position = end
      default: return nil
      }
    }
    return nil
  }

  private static func tableSize(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  private static func endOfBlocks(_ bytes: [UInt8], _ start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      if bytes[position] == 0 { return position + 1 }
      position += Int(bytes[position]) + 1
    }
    return nil
  }

  /// How pictures follow one another, and how often.
  private static func isKept(_ block: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(block)
    switch bytes[1] {
    case 0xF9: return true
    case 0xFF:
      let name = bytes.dropFirst(3).prefix(11)
      return ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { name.elementsEqual($0.utf8) }
    default: return false
    }
  }
}
