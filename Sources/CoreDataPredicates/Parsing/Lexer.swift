import Foundation

/// Cuts a format string into tokens.
///
/// ```
/// %K CONTAINS[cd] 'it'   →   hole  word  [  word  ]  text  end
/// ```
struct Lexer {
  struct Piece {
    let token: Token
    /// Its beginning, in UTF-8.
    let offset: Int
  }

  private let format: String
  private let bytes: [UInt8]
  private var offset = 0
  private var holes = 0

  static func pieces(of format: String) throws(PredicateFormatError) -> [Piece] {
    var lexer = Lexer(format)
    return try lexer.pieces()
  }

  private init(_ format: String) {
    self.format = format
    bytes = Array(format.utf8)
  }

  private mutating func pieces() throws(PredicateFormatError) -> [Piece] {
    var pieces: [Piece] = []
    while true {
      skip(\.isSpace)
      let start = offset
      let token = try next()
      pieces.append(Piece(token: token, offset: start))
      if token == .end { return pieces }
    }
  }

  private mutating func next() throws(PredicateFormatError) -> Token {
    guard let byte = peek() else { return .end }
    switch byte {
    case _ where byte.startsWord: return .word(word())
    case UInt8(ascii: "#"), UInt8(ascii: "@"): return .key(try prefixedKey(byte))
    case UInt8(ascii: "$"): return .variable(try prefixedWord("a variable's name"))
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try text(until: byte))
    case UInt8(ascii: "%"): return .hole(try hole())
    case _ where byte.isDigit: return try number()
    case UInt8(ascii: ".") where peek(1)?.isDigit == true: return try number()
    default: return .sign(try sign())
    }
  }
}

// MARK: - Words

extension Lexer {
  private mutating func word() -> String {
    let start = offset
    skip(\.continuesWord)
    return string(from: start)
  }

  private mutating func prefixedKey(_ prefix: UInt8) throws(PredicateFormatError) -> String {
    let key = try prefixedWord("a key")
    return prefix == UInt8(ascii: "@") ? "@" + key : key
  }

  private mutating func prefixedWord(_ wanted: String) throws(PredicateFormatError) -> String {
    offset += 1
    guard peek()?.continuesWord == true else { throw error("expected \(wanted)") }
    return word()
  }

  private mutating func sign() throws(PredicateFormatError) -> Token.Sign {
    if let next = peek(1), next < 0x80 {
      let pair = String(decoding: [bytes[offset], next], as: UTF8.self)
      if let sign = Token.Sign(rawValue: pair) {
        offset += 2
        return sign
      }
    }
    guard let sign = Token.Sign(rawValue: String(decoding: [bytes[offset]], as: UTF8.self)) else {
      throw error("did not expect \"\(Character(Unicode.Scalar(bytes[offset])))\"")
    }
    offset += 1
    return sign
  }
}

// MARK: - Numbers

extension Lexer {
  private mutating func number() throws(PredicateFormatError) -> Token {
    if peek() == UInt8(ascii: "0"), let radix = peek(1)?.radix, let digit = peek(2),
      digit.isHexDigit
    {
      return try integer(radix: radix)
    }
    let start = offset
    skip(\.isDigit)
    var isInteger = true
    if peek() == UInt8(ascii: "."), peek(1)?.isDigit == true {
      isInteger = false
      offset += 1
      skip(\.isDigit)
    }
    if skipExponent() { isInteger = false }
    let spelling = string(from: start)
    guard peek()?.startsWord != true else {
      throw error("a number ends at \"\(spelling)\", a key begins with a letter;")
    }
    if isInteger, let value = UInt64(spelling) { return .integer(value) }
    if let decimal = Decimal(manyDigits: spelling) { return .decimal(decimal) }
    guard let value = Double(spelling), value.isFinite else {
      throw error("\"\(spelling)\" is larger than any number", at: start)
    }
    return .real(value)
  }

  private mutating func integer(radix: Int) throws(PredicateFormatError) -> Token {
    offset += 2
    let start = offset
    skip(\.continuesWord)
    guard let value = UInt64(string(from: start), radix: radix) else {
      throw error("\"\(string(from: start - 2))\" is not a whole number of 64 bits", at: start - 2)
    }
    return .integer(value)
  }

  private mutating func skipExponent() -> Bool {
    guard let letter = peek(), letter | 0x20 == UInt8(ascii: "e") else { return false }
    let isSigned = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+")
    guard peek(isSigned ? 2 : 1)?.isDigit == true else { return false }
    offset += isSigned ? 2 : 1
    skip(\.isDigit)
    return true
  }
}

extension Decimal {
  /// Nil when a double would do, or when there are more digits than a decimal has; zeros at the
  /// ends do not count.
  fileprivate init?(manyDigits spelling: String) {
    let mantissa = spelling.prefix { $0 != "e" && $0 != "E" }.filter { $0 != "." }
    let digits = mantissa.drop { $0 == "0" }.reversed().drop { $0 == "0" }
    guard (18...38).contains(digits.count) else { return nil }
    self.init(string: spelling)
  }
}

// MARK: - Texts

extension Lexer {
  private mutating func text(until quote: UInt8) throws(PredicateFormatError) -> String {
    let start = offset
    offset += 1
    var text: [UInt8] = []
    while let byte = peek() {
      offset += 1
      switch byte {
      case quote: return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      default: text.append(byte)
      }
    }
    throw error("the text that begins here has no closing quote,", at: start)
  }

  private mutating func escape() throws(PredicateFormatError) -> [UInt8] {
    guard let letter = peek() else { throw error("expected a character after \"\\\"") }
    offset += 1
    switch letter {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "a"): return [0x07]
    case UInt8(ascii: "v"): return [0x0B]
    case UInt8(ascii: "u"): return try unicode(digits: 4)
    case UInt8(ascii: "x"): return try unicode(digits: 2)
    default: return [letter]
    }
  }

  /// One UTF-16 unit, or two of them for a character that needs a pair.
  private mutating func unicode(digits: Int) throws(PredicateFormatError) -> [UInt8] {
    var units = [try unit(digits: digits)]
    if UTF16.isLeadSurrogate(units[0]), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
      offset += 2
      units.append(try unit(digits: 4))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private mutating func unit(digits: Int) throws(PredicateFormatError) -> UInt16 {
    let end = offset + digits
    guard end <= bytes.count, bytes[offset..<end].allSatisfy(\.isHexDigit),
      let unit = UInt16(String(decoding: bytes[offset..<end], as: UTF8.self), radix: 16)
    else {
      throw error("expected \(digits) hexadecimal digits")
    }
    offset = end
    return unit
  }
}

// MARK: - Places for arguments

extension Lexer {
  private mutating func hole() throws(PredicateFormatError) -> FormatHole {
    let start = offset
    offset += 1
    skip(\.isFormatModifier)
    let letter = peek() ?? UInt8(ascii: " ")
    guard let kind = FormatHole.Kind(conversion: letter) else {
      throw error(
        "expected %@ for a value, %K for a key path, or a number's specifier such as %ld",
        at: start
      )
    }
    offset += 1
    defer { holes += 1 }
    return FormatHole(index: holes, kind: kind, spelling: string(from: start), offset: start)
  }
}

extension FormatHole.Kind {
  fileprivate init?(conversion: UInt8) {
    switch Character(Unicode.Scalar(conversion)) {
    case "@", "p": self = .value
    case "K": self = .keyPath
    case "d", "i", "o", "u", "x", "X", "D", "U", "O", "e", "E", "f", "F", "g", "G", "a", "A":
      self = .number
    case "c", "C": self = .character
    case "s", "S": self = .text
    default: return nil
    }
  }
}

// MARK: - Reading on

extension Lexer {
  private func peek(_ distance: Int = 0) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private mutating func skip(_ belongs: (UInt8) -> Bool) {
    while let byte = peek(), belongs(byte) { offset += 1 }
  }

  private func string(from start: Int) -> String {
    String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private func characters(before offset: Int) -> Int {
    String(decoding: bytes[..<offset], as: UTF8.self).count
  }

  private func error(_ problem: String, at place: Int? = nil) -> PredicateFormatError {
    let position = characters(before: place ?? offset)
    let place = (place ?? offset) < bytes.count ? "at position \(position)" : "at the end"
    return PredicateFormatError(format, position: position, problem: "\(problem) \(place)")
  }
}
