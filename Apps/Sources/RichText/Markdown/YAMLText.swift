/// The values of fields, in the part of YAML that people write there.
enum YAMLText {
  /// How many brackets are opened and not closed.
  static func openCount(in text: Substring) -> Int {
    var count = 0
    goThrough(text) { _, sign in
      if "[{".contains(sign) { count += 1 }
      if "]}".contains(sign) { count -= 1 }
    }
    return count
  }

  /// The items between commas outside of quotes.
  static func items(_ text: Substring) -> [Substring] {
    var items: [Substring] = []
    var start = text.startIndex
    goThrough(text) { index, sign in
      guard sign == "," else { return }
      items.append(text[start..<index])
      start = text.index(after: index)
    }
    return items + [text[start...]]
  }

  /// Tells each character outside of quotes, which begin a value and end it.
  private static func goThrough(_ text: Substring, _ tell: (String.Index, Character) -> Void) {
    var quote: Character?
    var (isEscaped, isBeginning) = (false, true)
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        isEscaped = false
      } else if let open = quote {
        if character == "\\" && open == "\"" { isEscaped = true }
        if character == open { quote = nil }
      } else if isBeginning, character == "\"" || character == "'" {
        quote = character
      } else {
        tell(index, character)
        isBeginning = "[{,:".contains(character) || (isBeginning && character.isWhitespace)
      }
    }
  }

  /// A value without its quotes and the remark behind it; nil for one that says nothing.
  static func value(_ text: Substring) -> String? {
    let text = withoutRemark(text)
    if ["", "~", "null", "Null", "NULL"].contains(text) { return nil }
    let value = unquoted(text)
    return value.isEmpty ? nil : value
  }

  /// The value before a `# remark`; a sign right before a word is one of the value.
  static func withoutRemark(_ text: Substring) -> Substring {
    if let quote = text.first, quote == "\"" || quote == "'" {
      guard let end = text.lastIndex(of: quote), end > text.startIndex,
        String(text[text.index(after: end)...]).trimmed.hasPrefix("#")
      else { return text }
      return text[...end]
    }
    guard let remark = text.firstRange(of: " # ") else { return text }
    return String(text[..<remark.lowerBound]).trimmed
  }

  static func unquoted(_ value: Substring) -> String {
    guard value.count > 1, let first = value.first, first == value.last else {
      return String(value)
    }
    let inside = value.dropFirst().dropLast()
    switch first {
    case "'": return String(inside.replacing("''", with: "'"))
    case "\"": return unescaped(inside)
    default: return String(value)
    }
  }

  /// Programs write letters as numbers there: `Caf\xE9`, `Caf\u00E9`.
  private static func unescaped(_ text: Substring) -> String {
    var words = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let sign = rest.popFirst() else {
        words.append(scalar)
        continue
      }
      switch sign {
      case "n", "t", "r": words.append(" ")
      case "x", "u", "U":
        let count = sign == "x" ? 2 : sign == "u" ? 4 : 8
        let digits = String(String.UnicodeScalarView(rest.prefix(count)))
        if digits.count == count,
          let letter = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        {
          words.append(letter)
          rest = rest.dropFirst(count)
        } else {
          words.append(sign)
        }
      default: words.append(sign)
      }
    }
    return String(words)
  }
}
