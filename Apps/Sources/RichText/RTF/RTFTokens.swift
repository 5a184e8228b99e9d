/// The pieces of an RTF file, one after the other.
///
/// ```
/// {\b bold\b0  \'e9\u8226 ?}
/// open · word b · byte "bold" … · word b 0 · byte " " · byte 0xE9 hex · word u 8226 · byte "?" · close
/// ```
///
/// Whatever the bytes are, each call goes on by at least one.
struct RTFTokens {
  enum Token: Equatable {
    case open
    case close

    /// A control word and its number, for instance `\fs24`.
    case word(String, Int?)

    /// A backslash and a character that is not a letter.
    case symbol(UInt8)

    /// A character of the code page, as itself or in hexadecimal.
    case byte(UInt8)
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> Token? {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"): return .open
      case UInt8(ascii: "}"): return .close
      case UInt8(ascii: "\\"): return control()
      // Lines end where the writer liked; tabs are text.
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0: continue
      default: return .byte(byte)
      }
    }
    return nil
  }

  /// Goes on by so many bytes, as `\bin` asks for.
  mutating func skip(_ count: Int) {
    position += min(max(count, 0), bytes.count - position)
  }
}

// MARK: - After a backslash

extension RTFTokens {
  private mutating func control() -> Token? {
    guard let byte = peek() else { return nil }
    if Self.isLetter(byte) { return word() }
    position += 1
    guard byte == UInt8(ascii: "'") else { return .symbol(byte) }
    guard let high = hexDigit() else { return .symbol(byte) }
    guard let low = hexDigit() else { return .byte(high) }
    return .byte((high << 4) | low)
  }

  private mutating func word() -> Token {
    let start = position
    while let byte = peek(), Self.isLetter(byte), position - start < 32 { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    let number = number()
    if peek() == UInt8(ascii: " ") { position += 1 }
    return .word(name, number)
  }

  /// A number of any length, of which nothing above two milliards matters.
  private mutating func number() -> Int? {
    let isNegative = peek() == UInt8(ascii: "-")
    let first = isNegative ? position + 1 : position
    guard first < bytes.count, Self.isDigit(bytes[first]) else { return nil }
    position = first
    var number = 0
    while let byte = peek(), Self.isDigit(byte) {
      number = min(number * 10 + Int(byte - UInt8(ascii: "0")), 0x7FFF_FFFF)
      position += 1
    }
    return isNegative ? -number : number
  }

  private mutating func hexDigit() -> UInt8? {
    guard let byte = peek() else { return nil }
    let digit: UInt8
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
    default: return nil
    }
    position += 1
    return digit
  }

  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
