import Foundation

extension Dice {
  /// The bytes with a few changes, such as a disk, a transfer or somebody with an editor makes.
  mutating func damaged(_ bytes: [UInt8], among others: [[UInt8]] = []) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<(once(in: 3) ? number(2..<12) : 1) { damage(&bytes, others) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8], _ others: [[UInt8]]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(number(0..<256))) }
    let place = number(0..<bytes.count)
    switch number(0..<10) {
    case 0: bytes[place] = UInt8(number(0..<256))
    case 1: bytes[place] ^= 1 << UInt8(number(0..<8))
    case 2: bytes[place] = one(of: [0, 0x0F, 0x7F, 0x80, 0xFF, 0xC0, 0xED])
    case 3:
      // A number of several bytes at its end.
      let width = one(of: [2, 4, 8])
      let number = UInt64(bitPattern: one(of: Nasty.integers))
      for index in 0..<min(width, bytes.count - place) {
        bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * (width - 1 - index)))
      }
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + number(1..<64)))
    case 5: bytes.removeSubrange(place...)
    case 6:
      let end = min(bytes.count, place + number(1..<256))
      bytes.insert(contentsOf: bytes[place..<end], at: number(0..<bytes.count))
    case 7: bytes.insert(contentsOf: one(of: Nasty.texts).utf8, at: place)
    case 8:
      let other = others.isEmpty ? bytes : one(of: others)
      guard !other.isEmpty else { return }
      let start = number(0..<other.count)
      let piece = other[start..<min(other.count, start + number(1..<512))]
      bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
    case _:
      for index in place..<min(bytes.count, place + number(1..<32)) { bytes[index] = 0 }
    }
  }
}
