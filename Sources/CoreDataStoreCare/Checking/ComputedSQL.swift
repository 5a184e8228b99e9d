/// Whether the text of an index or a table, as a file has it, computes anything when a row is written.
///
/// ```
/// CREATE INDEX byTitle ON ZNOTE (ZTITLE, ZSTARS) WHERE ZSTARS > 3      compares values
/// CREATE INDEX large ON ZNOTE (zeroblob(1000000000))                   computes
/// CREATE TABLE ZNOTE (ZTITLE VARCHAR CHECK (length(ZTITLE) < 9))       computes
/// ```
///
/// Whatever is not surely a comparison counts as computed: nobody but SQLite reads all of its language.
enum ComputedSQL {
  static func isComputed(index sql: String) -> Bool {
    guard let tokens = tokens(of: sql), let table = tokens.firstIndex(of: .word("ON")) else {
      return true
    }
    // The columns follow the table's name, in the only parenthesis that follows a name.
    let rest = Array(tokens[(table + 1)...].dropFirst())
    guard rest.first == .sign("(") else { return true }
    var last = Token.sign("(")
    for token in rest.dropFirst() {
      switch token {
      case .word(let word) where computing.contains(word): return true
      case .sign("|"): return true
      case .sign(">") where last == .sign("-"): return true
      case .sign("(") where !canOpen(behind: last): return true
      case .word, .name, .literal, .sign: last = token
      }
    }
    return false
  }

  static func isComputed(table sql: String) -> Bool {
    guard let tokens = tokens(of: sql) else { return true }
    return zip(tokens, tokens.dropFirst() + [.sign(")")]).contains { token, next in
      switch token {
      case .word("CHECK"), .word("AS"), .word("GENERATED"): true
      case .word("DEFAULT"): next == .sign("(")
      case .word, .name, .literal, .sign: false
      }
    }
  }

  /// Operators that call functions, or go through a text again and again.
  private static let computing: Set<String> = [
    "LIKE", "GLOB", "MATCH", "REGEXP", "CASE", "CAST", "SELECT", "RAISE",
  ]

  /// Whether a parenthesis there holds values together; behind any other word it would be a call.
  private static func canOpen(behind token: Token) -> Bool {
    switch token {
    case .sign: true
    case .word(let word): ["WHERE", "AND", "OR", "NOT", "IN", "BETWEEN", "IS"].contains(word)
    case .name, .literal: false
    }
  }
}

// MARK: - Reading SQL

extension ComputedSQL {
  private enum Token: Equatable {
    /// A word without quotation marks, in capital letters.
    case word(String)
    /// Text in quotation marks, which may be a name.
    case name
    case literal
    case sign(Unicode.Scalar)
  }

  /// The words and signs of a statement without its comments; `nil` if something does not end.
  ///
  /// It goes by bytes, as SQLite does: a sign counts, whatever letters are put on top of it.
  private static func tokens(of sql: String) -> [Token]? {
    var tokens: [Token] = []
    var rest = Array(sql.utf8)[...]
    while let first = rest.first {
      if isSpace(first) {
        rest.removeFirst()
      } else if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        guard let end = endOfComment(in: rest) else { return nil }
        rest = rest[end...]
      } else if let mark = closingMark(of: first) {
        guard let end = rest.dropFirst().firstIndex(of: mark) else { return nil }
        rest = rest[(end + 1)...]
        tokens.append(first == UInt8(ascii: "'") ? .literal : .name)
      } else if isOfWord(first) {
        let word = rest.prefix(while: isOfWord)
        rest = rest[word.endIndex...]
        let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        tokens.append(
          isNumber ? .literal : .word(String(decoding: word, as: UTF8.self).uppercased())
        )
      } else {
        rest.removeFirst()
        tokens.append(.sign(Unicode.Scalar(first)))
      }
    }
    return tokens
  }

  private static func endOfComment(in text: ArraySlice<UInt8>) -> Int? {
    var last: UInt8 = 0
    for place in text.indices.dropFirst(2) {
      if last == UInt8(ascii: "*"), text[place] == UInt8(ascii: "/") { return place + 1 }
      last = text[place]
    }
    return nil
  }

  private static func closingMark(of mark: UInt8) -> UInt8? {
    switch mark {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): mark
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case _: nil
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    case _: false
    }
  }
}
