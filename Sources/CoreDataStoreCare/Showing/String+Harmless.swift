extension String {
  /// Whether nothing but the ends of lines does anything to a terminal.
  ///
  /// Everything that is printed is looked at, so that bytes are compared and no scalars are made.
  package var isHarmless: Bool {
    var text = self
    return text.withUTF8 { bytes in
      var place = 0
      func byte(_ distance: Int) -> UInt8 {
        place + distance < bytes.count ? bytes[place + distance] : 0
      }
      while place < bytes.count {
        switch bytes[place] {
        case 0x0A, 0x20..<0x7F: break
        case 0..<0x20, 0x7F: return false
        case 0xC2 where byte(1) < 0xA0: return false
        case 0xE2 where byte(1) == 0x80 && (0xA8...0xAE).contains(byte(2)): return false
        case 0xE2 where byte(1) == 0x81 && (0xA6...0xA9).contains(byte(2)): return false
        case 0xEF where byte(1) == 0xB7 && (0x90...0xAF).contains(byte(2)): return false
        case _: break
        }
        place += 1
      }
      return true
    }
  }
}
