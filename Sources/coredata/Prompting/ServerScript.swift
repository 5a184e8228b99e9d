/// The ends of statements in a text for a PostgreSQL server: at semicolons outside of texts, names and comments.
///
/// ```
/// SELECT 'a;b', "c;d", $tag$ e;f $tag$ -- g;h
/// /* i; /* j; */ */ FROM t;
///                         ^
/// ```
enum ServerScript {
  /// The place after the first semicolon that ends a statement; `nil` if there is none.
  static func end(ofFirstStatementIn text: Substring) -> Substring.Index? {
    var rest = text
    while let character = rest.first {
      switch character {
      case ";": return rest.index(after: rest.startIndex)
      case "'": rest = afterText(rest, takesBackslashes: isEscaped(rest.startIndex, in: text))
      case "\"": rest = afterText(rest, takesBackslashes: false)
      case "$": rest = afterDollars(rest, beginning: rest.startIndex, in: text)
      case "-" where rest.hasPrefix("--"): rest = rest.drop { !$0.isNewline }
      case "/" where rest.hasPrefix("/*"): rest = afterComment(rest)
      case _: rest = rest.dropFirst()
      }
    }
    return nil
  }

  /// Whether the text that begins here is one such as `E'it\'s'`.
  private static func isEscaped(_ start: Substring.Index, in text: Substring) -> Bool {
    guard let mark = text[..<start].last, mark == "E" || mark == "e" else { return false }
    return text[..<start].dropLast().last.map { !$0.isPartOfName } ?? true
  }

  /// The text after the second quotation mark; one that is doubled ends a text and begins the next.
  private static func afterText(_ text: Substring, takesBackslashes: Bool) -> Substring {
    let mark = text.first
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      if character == mark { return rest }
      if character == "\\", takesBackslashes { rest = rest.dropFirst() }
    }
    return rest
  }

  /// The text after `$tag$ … $tag$`, or after the sign if it does not begin a text.
  private static func afterDollars(
    _ text: Substring,
    beginning start: Substring.Index,
    in whole: Substring
  ) -> Substring {
    let inner = text.dropFirst()
    let tag = inner.prefix { $0.isPartOfName }
    let isName = whole[..<start].last?.isPartOfName ?? false
    guard !isName, tag.first?.isNumber != true, inner.dropFirst(tag.count).first == "$" else {
      return inner
    }
    let mark = text.prefix(tag.count + 2)
    let content = text.dropFirst(mark.count)
    guard let end = content.firstRange(of: mark) else { return content.suffix(0) }
    return content[end.upperBound...]
  }

  /// The text after a comment; comments can be nested.
  private static func afterComment(_ text: Substring) -> Substring {
    var rest = text.dropFirst(2)
    var depth = 1
    while depth > 0, !rest.isEmpty {
      if rest.hasPrefix("/*") {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("*/") {
        depth -= 1
        rest = rest.dropFirst(2)
      } else {
        rest = rest.dropFirst()
      }
    }
    return rest
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}
