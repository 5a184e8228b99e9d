/// Keeps text from being taken for Markdown.
///
/// ```
/// 2 * 3 < 4_5 [sic]       →   2 \* 3 < 4_5 \[sic\]
/// 1. not a list           →   1\. not a list
/// see [[Later]]           →   see [[Later]]                a link that waits for its note
/// ![[tree.png]]           →   ![[tree.png]]                a picture or a note that is not there
/// $a_1$ for $5 or $6      →   $a_1$ for \$5 or $6          a formula
/// see [@doe2020, p. 1]    →   see [@doe2020, p. 1]        a citation
/// ```
enum MarkdownEscapes {
  /// The text with a backslash before each sign that means something inside a line.
  ///
  /// Links to notes that are not there are links for other programs, too, if `keepsLinks`, and citations are citations.
  ///
  /// `isLast` means that nothing follows the text in its line.
  static func text(
    _ text: String,
    keepsLinks: Bool = false,
    isLast: Bool = false
  ) -> String {
    guard text.utf8.contains(where: isSuspicious) else { return text }
    let scalars = Array(text.unicodeScalars)
    let lastSign = isLast ? scalars.lastIndex(of: "$") : nil
    var escaped = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      if scalars[index] == "$" {
        let signs = formula(at: index, in: scalars, lastSign: lastSign)
        escaped.add(signs.written)
        index += signs.length
        continue
      }
      if keepsLinks, let brackets = citation(at: index, in: scalars) {
        escaped.add(brackets.written)
        index += brackets.length
        continue
      }
      let length = keepsLinks ? looseLink(at: index, in: scalars) : 0
      if length == 0, needsBackslash(at: index, in: scalars) { escaped.append("\\") }
      escaped.add(scalars[index..<index + max(length, 1)])
      index += max(length, 1)
      // With a parenthesis behind it, it would be the words of another link.
      if length > 0, index < scalars.count, scalars[index] == "(" { escaped.append("\\") }
    }
    return String(escaped)
  }

  /// A formula as it is, or signs that begin none: without a backslash if no other follows them.
  private static func formula(
    at index: Int,
    in text: [Unicode.Scalar],
    lastSign: Int?
  ) -> (written: [Unicode.Scalar], length: Int) {
    let count = MarkdownFormula.signs(at: index, in: text)
    if let length = MarkdownFormula.length(at: index, in: text) {
      return (Array(text[index..<(index + length)]), length)
    }
    let end = index + count
    let isLiteral = end < text.count && text[end] == MarkdownFormula.literal
    if count == 1, lastSign == index, !isLiteral { return (["$"], 1) }
    let written = (0..<count).flatMap { _ in ["\\", "$"] as [Unicode.Scalar] }
    return (written, isLiteral ? count + 1 : count)
  }

  /// The brackets of a citation, without backslashes before them; `nil` if none begin there, or they would be a link.
  private static func citation(
    at index: Int,
    in text: [Unicode.Scalar]
  ) -> (written: [Unicode.Scalar], length: Int)? {
    guard text[index] == "[", let range = CitationScan(letters: text).brackets(at: index),
      range.upperBound == text.count || !"([:".unicodeScalars.contains(text[range.upperBound]),
      index == 0 || !"!]^".unicodeScalars.contains(text[index - 1])
    else { return nil }
    let inside = String(String.UnicodeScalarView(text[index + 1..<range.upperBound - 1]))
    return (["["] + Array(self.text(inside).unicodeScalars) + ["]"], range.count)
  }

  /// The length of a link that waits for its note, such as `[[Title]]` or `[[Title|words]]`, and that means the same as
  /// it is; 0 if there is none.
  private static func looseLink(at index: Int, in text: [Unicode.Scalar]) -> Int {
    // Behind `^` it would be a footnote.
    guard text[index] == "[", index + 1 < text.count, text[index + 1] == "[",
      index == 0 || text[index - 1] != "^",
      let note = MarkdownScan.note(text, from: index + 2), note.link == nil,
      index == 0 || text[index - 1] != "!" || RichText.Attached(address: note.title) == nil
    else { return 0 }
    let inside = String(String.UnicodeScalarView(text[(index + 2)..<(index + note.length)]))
    let isPlain =
      self.text(inside) == inside && !inside.replacing("#^", with: "#").contains("^")
      && note.title.contains { !$0.isWhitespace }
    return isPlain ? note.length + 2 : 0
  }

  /// Whether `![[name]]` could show a file of that name, and not a note.
  static func mayBeFile(_ name: String) -> Bool {
    isOfFile(name) || RichText.Attached(address: name) != nil
  }

  /// Whether a name ends as those of files do, such as `tree.png`.
  private static func isOfFile(_ name: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let ending = name.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }
    return (2...5).contains(ending.count) && ending.count + 1 < name.utf8.count
      && ending.allSatisfy { letters.contains($0 | 0x20) || digits.contains($0) }
      && ending.contains { letters.contains($0 | 0x20) }
  }

  /// Characters as numbers: they do not look like punctuation to Markdown then.
  static func number(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { "&#\($0.value);" }.joined()
  }

  /// An address between the parentheses of a link.
  static func destination(_ href: String) -> String {
    backslashed(href, before: "\\()<>&*_`[]$")
  }

  /// The text of a link to a note.
  static func title(_ title: String) -> String {
    backslashed(title, before: "\\[]|")
  }

  /// The caption of a picture, between its brackets.
  static func caption(_ text: String) -> String {
    backslashed(text, before: "\\[]|`<>&*_~=!:^$")
  }

  /// A cell of a table, in which bars do not end it.
  static func cell(_ text: String) -> String { backslashed(text, before: "|") }

  /// Whether a byte of a path can be in an address without an escape.
  static func isPlainInPath(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Whether a title can be written into `[[…]]` as it is, for programs that know no escapes there either.
  static func isNoteTitle(_ title: String) -> Bool {
    !title.isEmpty
      && !title.unicodeScalars.contains {
        $0 == "\n" || MarkdownNames.signsOfLinks.unicodeScalars.contains($0)
      }
  }

  /// Whether a place in a note can be written behind its title and a `#`.
  static func isPlace(_ place: String) -> Bool { isNoteTitle(place) || BlockSign.isOne(place) }

  /// Goes by scalars: an accent after a bar would hide the bar from a search by characters.
  private static func backslashed(_ text: String, before marked: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if marked.unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
  }

  private static func isSuspicious(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "\\", "*", "_", "`", "[", "]", "<", "&", "~", "=", ":", "^", "$": true
    default: false
    }
  }

  private static func needsBackslash(at index: Int, in text: [Unicode.Scalar]) -> Bool {
    let before = index > 0 ? text[index - 1] : nil
    let after = index + 1 < text.count ? text[index + 1] : nil
    switch text[index] {
    case "\\", "*", "`", "[", "]", "~": return true
    // A single one has no meaning, as in `a = b`; at an end, a delimiter may follow.
    case "=": return before == nil || after == nil || before == "=" || after == "="
    case "_":
      let flanking = Flanking("_", before: before, after: after)
      return before == nil || after == nil || flanking.canOpen || flanking.canClose
        || before == "_" || after == "_"
    case "<":
      return after.map { $0.properties.isAlphabetic || "/!?".unicodeScalars.contains($0) } ?? false
    case "&": return after.map { $0.properties.isAlphabetic || $0 == "#" } ?? false
    // Inside of a bracket, or before one, it makes a footnote; brackets of the text have a backslash already.
    case "^": return before == nil || after == nil
    // An address that is not a link here must not become one.
    case ":": return after == "/" && endsInScheme(text[..<index])
    default: return false
    }
  }

  /// Whether a text ends as an address begins, but for one that is the key of a citation: `@{https`.
  private static func endsInScheme(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let end = String(String.UnicodeScalarView(text.suffix(7))).lowercased()
    return ["http", "https"].contains { end.hasSuffix($0) && !end.hasSuffix("@{" + $0) }
  }
}

// MARK: - Edges of lines

extension MarkdownEscapes {
  /// A line of a paragraph, so that it is not read as a heading, list, quote or rule.
  static func edges(of line: String) -> String {
    start(of: blanks(around: line))
  }

  /// The first line of an item, with the sign of a task as other programs write it: `[/] half done`.
  ///
  /// Here it is text, with a backslash or without.
  static func box(_ line: String) -> String {
    let scalars = Array(line.unicodeScalars.prefix(6))
    guard scalars.count > 4, scalars[0] == "\\", scalars[1] == "[", scalars[3] == "\\",
      scalars[4] == "]", scalars.count == 5 || scalars[5] == " ", isSignOfTask(scalars[2])
    else { return line }
    return "[\(String(scalars[2]))]" + String(line.unicodeScalars.dropFirst(5))
  }

  private static func isSignOfTask(_ scalar: Unicode.Scalar) -> Bool {
    if "/-<>?!\"".unicodeScalars.contains(scalar) { return true }
    return scalar.isASCII && scalar.properties.isAlphabetic && scalar != "x" && scalar != "X"
  }

  /// Blanks at the beginning of a line are dropped by readers, unless they are written as numbers.
  ///
  /// Those at its end are left out: nobody sees them, and as numbers they would be seen in other programs. In a cell,
  /// `keepsEnd`, they stay.
  static func blanks(around line: String, keepsEnd: Bool = false) -> String {
    var line = line
    if let first = line.unicodeScalars.first, first == " " || first == "\t" {
      line = number(String(first)) + String(line.unicodeScalars.dropFirst())
    }
    if !keepsEnd, let last = line.unicodeScalars.lastIndex(where: { $0 != " " }) {
      line = String(line.unicodeScalars[...last])
    }
    if let last = line.unicodeScalars.last, last == " " || last == "\t" {
      line = String(line.unicodeScalars.dropLast()) + number(String(last))
    }
    return line
  }

  private static func start(of line: String) -> String {
    // Below another line it would make a table of both.
    if MarkdownTable.alignments(Array(line.utf8)[...]) != nil {
      return "\\" + line.drop { $0 == " " }
    }
    let scalars = line.unicodeScalars
    // The number of a footnote before a colon would be its text.
    if let (_, length) = MarkdownSigns.footnote(Array(line.utf8)[...]) {
      let colon = line.utf8.index(line.startIndex, offsetBy: length - 1)
      return line[..<colon] + "\\" + line[colon...]
    }
    switch scalars.first {
    // Before a word it is the sign of a keyword, which other programs know without a backslash alone.
    case "#": return MarkdownSigns.heading(Array(line.utf8)[...]) == nil ? line : "\\" + line
    case ">": return "\\" + line
    case "-", "+":
      let next = scalars.dropFirst().first
      return isBlank(next) || next == "-" ? "\\" + line : line
    default: break
    }
    let digits = scalars.prefix(10).prefix { ("0"..."9").contains($0) }
    let rest = scalars[digits.endIndex...]
    guard (1...9).contains(digits.count), let mark = rest.first, mark == "." || mark == ")",
      isBlank(rest.dropFirst().first)
    else { return line }
    return "\(String(digits))\\\(String(rest))"
  }

  private static func isBlank(_ scalar: Unicode.Scalar?) -> Bool {
    scalar == nil || scalar == " " || scalar == "\t"
  }
}
