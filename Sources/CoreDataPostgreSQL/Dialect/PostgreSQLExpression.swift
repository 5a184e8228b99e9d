import CoreData

/// A regular expression in the server's words, as far as both say the same.
///
/// ```
/// Note \d+.*        ^(?:Note [[:digit:]]+[^\n…]*)$
/// ^a|b$             ^(?:a|b)$
/// (a)\1             nil: the server counts groups and looks back otherwise
/// ```
///
/// Letters, groups, classes, repetitions and alternatives are alike in ICU and on the server. All else is refused,
/// and not tried. The classes `\w` and `\s` are spelled out, because the server's are smaller, and so are letters
/// with more than two cases where these are ignored: the server knows of a letter's own two (``CaseVariants``).
struct PostgreSQLExpression {
  /// The expression, which has to cover the whole text.
  let text: String

  init?(_ pattern: String, ignoringCase: Bool = false) {
    // The server does not have this character.
    if pattern.utf8.contains(0) { return nil }
    var reader = Reader(rest: pattern.unicodeScalars[...], ignoresCase: ignoringCase)
    guard let inner = reader.translated() else { return nil }
    text = "^(?:\(inner))$"
  }

  private struct Reader {
    var rest: Substring.UnicodeScalarView
    let ignoresCase: Bool

    private static let lineEnds = "\\u000a-\\u000d\\u0085\\u2028\\u2029"
    private static let spaces = CharacterRanges.spaces
    private static let letters = "[:alnum:]" + CharacterRanges.ofWords

    mutating func translated() -> String? {
      var text = ""
      var depth = 0
      var isAtBeginning = true
      while let scalar = rest.popFirst() {
        let wasAtBeginning = isAtBeginning
        isAtBeginning = depth == 0 && scalar == "|"
        switch scalar {
        case "\\":
          guard let members = escaped(inBrackets: false) else { return nil }
          text += members
        case ".": text += "[^\(Self.lineEnds)]"
        case "[":
          guard let brackets = brackets() else { return nil }
          text += brackets
        case "(":
          // A plain group, or one that is not counted; nothing that looks ahead or sets options.
          if rest.first == "?" {
            guard rest.dropFirst().first == ":" else { return nil }
            rest = rest.dropFirst(2)
          }
          text += "(?:"
          depth += 1
        case ")":
          // It would end the group between the anchors.
          if depth == 0 { return nil }
          text += ")"
          depth -= 1
        case "*", "+", "?":
          // Twice is a repetition that gives nothing back, which the server does not have.
          if rest.first == "+" { return nil }
          text.unicodeScalars.append(scalar)
        case "{":
          guard let count = repetition() else { return nil }
          text += count
        case "^" where wasAtBeginning && !isRepeated, "$" where depth == 0 && isAtEnd:
          // The whole text begins or ends here anyway.
          continue
        case "^", "$":
          return nil
        case _:
          text += literal(scalar)
        }
      }
      return depth == 0 ? text : nil
    }

    /// Whether the last element is repeated, or optional.
    private var isRepeated: Bool { "*+?{".unicodeScalars.contains { $0 == rest.first } }

    /// Whether an alternative that is in no group ends here.
    private var isAtEnd: Bool { rest.isEmpty || rest.first == "|" }

    /// A sign that means itself, or all the cases that it has.
    private func literal(_ scalar: Unicode.Scalar) -> String {
      guard ignoresCase, let variants = CaseVariants.of(scalar) else { return String(scalar) }
      return "[\(variants)]"
    }

    private mutating func repetition() -> String? {
      let inner = rest.prefix { $0 != "}" }
      guard rest.count > inner.count, !inner.isEmpty,
        inner.allSatisfy({ ("0"..."9").contains($0) || $0 == "," }), inner.first != ",",
        inner.split(separator: ",").allSatisfy({ Self.isCounted(String(Substring($0))) })
      else { return nil }
      rest = rest.dropFirst(inner.count + 1)
      if rest.first == "+" { return nil }
      return "{\(String(Substring(inner)))}"
    }

    /// Whether the server counts so far.
    private static func isCounted(_ digits: String) -> Bool {
      Int(digits).map { $0 <= 255 } ?? false
    }

    private mutating func escaped(inBrackets: Bool) -> String? {
      guard let scalar = rest.popFirst() else { return nil }
      switch scalar {
      case "d": return inBrackets ? "[:digit:]" : "[[:digit:]]"
      case "s": return inBrackets ? Self.spaces : "[\(Self.spaces)]"
      case "w": return inBrackets ? Self.letters : "[\(Self.letters)]"
      case "D" where !inBrackets: return "[^[:digit:]]"
      case "S" where !inBrackets: return "[^\(Self.spaces)]"
      case "W" where !inBrackets: return "[^\(Self.letters)]"
      case "n": return "\\n"
      case "r": return "\\r"
      case "t": return "\\t"
      case _ where scalar.properties.isAlphabetic || ("0"..."9").contains(scalar): return nil
      case _ where scalar.isASCII: return "\\" + String(scalar)
      case _: return String(scalar)
      }
    }

    /// A class of characters, without classes in it and without sets that are cut or taken away.
    private mutating func brackets() -> String? {
      var text = "["
      if rest.first == "^" {
        rest.removeFirst()
        text += "^"
      }
      if rest.first == "]" { return nil }
      var members = ""
      // A letter with more than two cases is named with all of them, before the members.
      var variants = ""
      var last: Unicode.Scalar?
      while let scalar = rest.popFirst() {
        switch scalar {
        case "]": return text + variants + members + "]"
        case "[": return nil
        case "&" where rest.first == "&", "-" where rest.first == "-": return nil
        case "\\":
          guard let escaped = escaped(inBrackets: true) else { return nil }
          members += escaped
          last = nil
        case "-":
          guard let low = last, let high = rest.first, high != "]" else {
            // Behind the variants, a hyphen would make a range of them.
            members += "\\-"
            last = nil
            continue
          }
          if high == "[" || high == "\\" { return nil }
          rest.removeFirst()
          members += "-"
          members.unicodeScalars.append(high)
          if ignoresCase, low <= high { variants += CaseVariants.of(low...high) }
          last = nil
        case _:
          members.unicodeScalars.append(scalar)
          if ignoresCase { variants += CaseVariants.of(scalar) ?? "" }
          last = scalar
        }
      }
      return nil
    }
  }
}
