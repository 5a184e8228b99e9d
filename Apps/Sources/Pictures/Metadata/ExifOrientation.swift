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
      return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { ($0 << 8) | Int($1) }
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
