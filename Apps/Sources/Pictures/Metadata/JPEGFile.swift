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
    let length = (Int(bytes[position + 2]) << 8) | Int(bytes[position + 3])
    guard length >= 2, position + 2 + length <= bytes.count else { return nil }
    return position + 2 + length
  }

  /// The end of the packed pixels: the next marker that is not one of theirs.
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
