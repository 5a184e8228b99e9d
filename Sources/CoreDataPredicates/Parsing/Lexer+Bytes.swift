/// The lexer's questions about a byte of UTF-8.
extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isHexDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
  /// Letters, the underscore, and every character beyond ASCII.
  var startsWord: Bool {
    self >= 0x80 || self == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
  var continuesWord: Bool { startsWord || isDigit }

  /// The letter of `0x1F`, `0o17` or `0b101`.
  var radix: Int? {
    switch self | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  /// Whether the byte may be between `%` and its letter: width, precision and C's length modifiers.
  var isFormatModifier: Bool {
    isDigit || "hlqLzjt.".utf8.contains(self)
  }
}
