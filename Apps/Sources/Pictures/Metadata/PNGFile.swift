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
      let length = bytes[position..<position + 4].reduce(0) { ($0 << 8) | Int($1) }
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
        sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1
      }
    }
    return [0, 0, 0, UInt8(content.count)] + named
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~sum >> $0) }
  }
}
