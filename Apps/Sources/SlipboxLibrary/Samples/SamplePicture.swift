import Foundation

/// A picture made in code: slips in a box, in four colours, as a PNG.
///
/// ```
/// signature · IHDR · PLTE · IDAT · IEND      each part: length, name, bytes, checksum
/// ```
enum SamplePicture {
  static let width = 480
  static let height = 320

  /// Paper, box, slips and their edges.
  private static let palette: [[UInt8]] = [
    [0xf6, 0xf1, 0xe7], [0x9c, 0x6b, 0x3f], [0xff, 0xff, 0xff], [0x2f, 0x4a, 0x6d],
  ]

  static var png: Data {
    var data = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    // Two bits for each pixel, colours from a palette.
    data += part("IHDR", bytes(UInt32(width)) + bytes(UInt32(height)) + [2, 3, 0, 0, 0])
    data += part("PLTE", palette.flatMap { $0 })
    data += part("IDAT", stored(pixels))
    data += part("IEND", [])
    return data
  }

  /// Which of the four colours a point has.
  private static func colour(_ x: Int, _ y: Int) -> UInt8 {
    let isBox = (90..<390).contains(x) && (190..<280).contains(y)
    if isBox { return (95..<385).contains(x) && (195..<275).contains(y) ? 1 : 3 }
    // Slips are in the box, each a little behind the next.
    for slip in (0..<6).reversed() {
      let (left, top) = (110 + slip * 22, 150 - slip * 20)
      guard (left..<left + 150).contains(x), (top..<190).contains(y) else { continue }
      let isEdge = x == left || x == left + 149 || y == top
      let isLine = (y - top) % 12 == 9 && (left + 14..<left + 120).contains(x)
      return isEdge || isLine ? 3 : 2
    }
    return 0
  }

  private static var pixels: [UInt8] {
    (0..<height).flatMap { y in
      // No filter, then four pixels in each byte.
      [UInt8(0)]
        + stride(from: 0, to: width, by: 4).map { x in
          (0..<4).reduce(into: UInt8(0)) { byte, pixel in
            byte <<= 2
            byte |= colour(x + pixel, y)
          }
        }
    }
  }

  private static func part(_ name: String, _ content: [UInt8]) -> Data {
    let named = Array(name.utf8) + content
    return Data(bytes(UInt32(content.count)) + named + bytes(checksum(named)))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }

  /// The bytes as zlib has them, without pressing: blocks of up to 65,535 bytes.
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: content.count, by: 65_535) {
      let block = content[start..<min(start + 65_535, content.count)]
      let length = UInt16(block.count)
      result.append(start + block.count == content.count ? 1 : 0)
      for number in [length, ~length] {
        result += [UInt8(number & 0xff), UInt8(number >> 8)]
      }
      result += block
    }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in content {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return result + bytes((high << 16) | low)
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ content: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let half = sum >> 1
        sum = sum & 1 == 1 ? half ^ 0xedb8_8320 : half
      }
    }
    return ~sum
  }
}
