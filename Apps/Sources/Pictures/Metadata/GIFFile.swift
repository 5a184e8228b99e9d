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
