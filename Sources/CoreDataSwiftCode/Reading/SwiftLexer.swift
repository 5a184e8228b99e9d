/// Cuts Swift source text into tokens.
///
/// It reads as much as is needed to find declarations and to distinguish code from comments and texts, and it accepts
/// any bytes: text that no compiler would accept becomes tokens too, and the compiler will complain.
package struct SwiftLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var lineStart = 0
  private var isFirstOnLine = true
  private var tokens: [SwiftToken] = []
  /// How many strings are around this place, each in an interpolation of the one before.
  private var stringDepth = 0

  /// The numbers of signs around patterns that nothing ends.
  private var unendedPatterns: Set<Int> = []

  /// In strings that are nested more deeply, quotation marks are ordinary signs.
  private static let mostStrings = 64

  /// The tokens of a source text in UTF-8.
  package static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
    var lexer = Self(bytes: bytes)
    lexer.run()
    return lexer.tokens
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    // The byte order mark is not part of the first word.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private mutating func run() {
    while let byte = peek() {
      switch byte {
      case .newline: takeNewline()
      case .space, .tab, .carriageReturn: position += 1
      case .slash where peek(1) == .slash: skipLine()
      case .slash where peek(1) == .star: skipComment()
      default: takeToken(byte)
      }
    }
  }
}

// MARK: - Tokens

extension SwiftLexer {
  private mutating func takeToken(_ byte: UInt8) {
    let start = position
    let (startLine, column, isFirst) = (line, position - lineStart + 1, isFirstOnLine)
    let kind = skipToken(byte)
    isFirstOnLine = false
    tokens.append(
      SwiftToken(
        kind: kind,
        text: String(decoding: bytes[start..<position], as: UTF8.self),
        range: start..<position,
        line: startLine,
        column: column,
        isFirstOnLine: isFirst
      )
    )
  }

  private mutating func skipToken(_ byte: UInt8) -> SwiftToken.Kind {
    switch byte {
    case .quote:
      skipString(hashes: 0)
      return .string
    case .hash:
      return skipHash()
    case .backquote:
      skipQuotedName()
      return .word
    case _ where byte.beginsWord:
      skip { $0.continuesWord }
      return .word
    case _ where byte.isDigit:
      skipNumber()
      return .number
    case .slash where isPatternStart:
      return skipPattern(hashes: 0) ? .pattern : skipSign()
    default:
      return skipSign()
    }
  }

  private mutating func skipSign() -> SwiftToken.Kind {
    position += peek() == .minus && peek(1) == .greater ? 2 : 1
    return .sign
  }

  private mutating func skipQuotedName() {
    position += 1
    skip { $0 != .backquote && $0 != .newline }
    if peek() == .backquote { position += 1 }
  }

  private mutating func skipNumber() {
    skip { $0.continuesWord }
    guard peek() == .point, peek(1)?.isDigit == true else { return }
    position += 1
    skip { $0.continuesWord }
  }

  /// Skips the token that a number sign begins: a raw string, a raw pattern, a directive, or nothing.
  private mutating func skipHash() -> SwiftToken.Kind {
    var hashes = 0
    while peek(hashes) == .hash { hashes += 1 }
    if peek(hashes) == .quote {
      position += hashes
      skipString(hashes: hashes)
      return .string
    }
    if peek(hashes) == .slash, skipRawPattern(hashes: hashes) { return .pattern }
    guard hashes == 1 else {
      // The last one may begin a word; none of them is counted twice.
      position += hashes - 1
      return .sign
    }
    position += 1
    guard let byte = peek(), byte.beginsWord else { return .sign }
    skip { $0.continuesWord }
    return .directive
  }
}

// MARK: - Strings and patterns

extension SwiftLexer {
  private mutating func skipString(hashes: Int) {
    let isLong = peek(1) == .quote && peek(2) == .quote
    position += isLong ? 3 : 1
    stringDepth += 1
    defer { stringDepth -= 1 }
    while let byte = peek() {
      switch byte {
      case .backslash where followed(by: .hash, times: hashes, after: 1):
        position += 1 + hashes
        if peek() == .openParenthesis { skipInterpolation() } else { skipEscaped() }
      case .quote where endsString(isLong: isLong, hashes: hashes):
        position += (isLong ? 3 : 1) + hashes
        return
      case .newline where isLong:
        takeNewline()
      case .newline:
        return
      default:
        position += 1
      }
    }
  }

  private mutating func skipEscaped() {
    guard let byte = peek() else { return }
    if byte == .newline { takeNewline() } else { position += 1 }
  }

  private func endsString(isLong: Bool, hashes: Int) -> Bool {
    let quotes = isLong ? 3 : 1
    return followed(by: .quote, times: quotes, after: 0)
      && followed(by: .hash, times: hashes, after: quotes)
  }

  private func followed(by byte: UInt8, times: Int, after start: Int) -> Bool {
    (start..<start + times).allSatisfy { peek($0) == byte }
  }

  /// Skips from the parenthesis of an interpolation to its end; strings in it may have their own.
  private mutating func skipInterpolation() {
    var depth = 0
    while let byte = peek() {
      switch byte {
      case .openParenthesis: depth += 1
      case .closeParenthesis: depth -= 1
      case .quote where stringDepth < Self.mostStrings:
        skipString(hashes: 0)
        continue
      case .newline:
        takeNewline()
        continue
      default: break
      }
      position += 1
      if depth == 0 { return }
    }
  }

  /// Whether a slash can begin a pattern: after a sign that no operand ends with, before no blank.
  private var isPatternStart: Bool {
    guard let next = peek(1), next != .space, next != .newline, next != .equals else {
      return false
    }
    guard let last = tokens.last else { return true }
    return last.kind == .sign && ["(", "[", "{", ",", ":", "=", "|", "&", "!"].contains(last.text)
      || ["return", "case", "in", "try"].contains(last.text)
  }

  /// Skips a pattern with number signs around it, unless the rest of the source has been searched for its end already.
  private mutating func skipRawPattern(hashes: Int) -> Bool {
    guard !unendedPatterns.contains(hashes) else { return false }
    if skipPattern(hashes: hashes) { return true }
    unendedPatterns.insert(hashes)
    return false
  }

  /// Skips a pattern if one ends on the same line, or on any with number signs around it.
  private mutating func skipPattern(hashes: Int) -> Bool {
    let (start, startLine, startOfLine) = (position, line, lineStart)
    position += hashes + 1
    while let byte = peek() {
      switch byte {
      case .backslash: position += 2
      case .newline where hashes > 0: takeNewline()
      case .newline:
        (position, line, lineStart) = (start, startLine, startOfLine)
        return false
      case .slash where followed(by: .hash, times: hashes, after: 1):
        position += 1 + hashes
        return true
      default: position += 1
      }
    }
    (position, line, lineStart) = (start, startLine, startOfLine)
    return false
  }
}

// MARK: - Blanks and comments

extension SwiftLexer {
  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  private mutating func skip(while isPart: (UInt8) -> Bool) {
    while let byte = peek(), isPart(byte) { position += 1 }
  }

  private mutating func takeNewline() {
    position += 1
    line += 1
    lineStart = position
    isFirstOnLine = true
  }

  private mutating func skipLine() {
    skip { $0 != .newline }
  }

  private mutating func skipComment() {
    var depth = 0
    while let byte = peek() {
      if byte == .slash, peek(1) == .star {
        depth += 1
        position += 2
      } else if byte == .star, peek(1) == .slash {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else if byte == .newline {
        takeNewline()
      } else {
        position += 1
      }
    }
  }
}
