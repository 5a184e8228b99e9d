import Foundation

/// The lines between `---` at the beginning of a file, as far as a note has use for them.
///
/// ```
/// title: >-
///   Faults, and why           a value may go on in the lines below it
/// tags: [memory,
///   "to read"]
/// rating: 5                   a field that a note lacks stays as it is written
/// ```
///
/// Reading a value takes its field; ``others`` are the lines of those that were not taken.
struct FrontMatter {
  private var fields: [Field] = []

  /// The file without them.
  let rest: String

  /// The number of lines before the rest.
  let lineCount: Int

  fileprivate struct Field {
    /// In lower case; empty for lines before the first field.
    let name: String
    /// The line of the file that it begins in.
    let line: Int
    var lines: [String]
    var isTaken = false
  }

  init(_ contents: String) {
    let contents = contents.hasPrefix("\u{FEFF}") ? String(contents.dropFirst()) : contents
    let lines = contents.prefix(Self.maximumSize)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first?.trimmedEnd == "---",
      let end = lines.dropFirst().firstIndex(where: { ["---", "..."].contains($0.trimmedEnd) }),
      let fields = Self.fields(of: lines[1..<end])
    else {
      rest = contents
      lineCount = 0
      return
    }
    let below = contents[lines[end].endIndex...].drop(while: \.isNewline)
    rest = String(below)
    lineCount = contents[..<below.startIndex].count(where: \.isNewline)
    self.fields = fields
  }

  /// More than anybody says about a note.
  private static let maximumSize = 20_000
}

// MARK: - Taking values

extension FrontMatter {
  /// The first value that means something to `read`, in the order of the names.
  mutating func take<Value>(_ names: String..., read: (String) -> Value?) -> Value? {
    for name in names {
      guard let index = fields.firstIndex(where: { $0.name == name }) else { continue }
      for words in fields[index].values {
        guard let value = read(words) else { continue }
        fields[index].isTaken = true
        return value
      }
    }
    return nil
  }

  /// The values of all fields.
  var allValues: [String] { fields.flatMap(\.values) }

  /// All values of some fields, each once.
  mutating func takeAll(_ names: String...) -> [String] {
    var seen: Set<String> = []
    var all: [String] = []
    for name in names {
      for index in fields.indices where fields[index].name == name {
        fields[index].isTaken = true
        all += fields[index].manyValues.filter { seen.insert($0.lowercased()).inserted }
      }
    }
    return all
  }

  /// Others write a sign before each; in our files each is as the keyword is.
  mutating func takeKeywords(areOurs: Bool) -> [String] {
    var seen: Set<String> = []
    return takeAll("tags", "tag", "keywords")
      .map { $0.hasPrefix("#") && !areOurs ? String($0.dropFirst()) : $0 }
      .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
  }

  /// The lines of fields that say something and that nobody has taken.
  var others: [String] {
    left.filter { !Self.foreign.contains($0.name) }
      .flatMap(\.lines).filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// The line of the file with the first of ``others``.
  var firstOther: Int? {
    left.first { !Self.foreign.contains($0.name) && !$0.isBlank }?.line
  }

  /// The line of the file with the first field of another program that is left out.
  var firstForeign: Int? { left.first { Self.foreign.contains($0.name) }?.line }

  /// The fields that say something and that nobody has taken.
  private var left: [Field] { fields.filter { !$0.isTaken && !$0.isEmpty } }

  /// Fields that other programs write for themselves.
  private static let foreign: Set<String> = ["cssclasses", "cssclass"]

  /// A value in quotes, so that no character of it means anything.
  static func written(_ value: String) -> String {
    let line = Text.oneLine(value)
    let isPlain =
      (line.first?.isLetter ?? false) && line.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
      && !["true", "false", "yes", "no", "null", "on", "off"].contains(line.lowercased())
    if isPlain { return line }
    return "\"\(line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}

// MARK: - Lines

extension FrontMatter {
  /// The fields; `nil` if a line does not belong to a field, so that all of it is text.
  private static func fields(of lines: ArraySlice<Substring>) -> [Field]? {
    // A bracket that is left open does not count.
    fields(of: lines, minding: true) ?? fields(of: lines, minding: false)
  }

  /// The fields, whose lists may go on until their brackets are closed where these are minded.
  private static func fields(
    of lines: ArraySlice<Substring>,
    minding isMinding: Bool
  ) -> [Field]? {
    var fields: [Field] = []
    var openCount = 0
    for (index, line) in zip(lines.indices, lines) {
      let words = String(line).trimmed
      let isBelow = line.first == " " || line.first == "\t" || openCount > 0
      if !isBelow, let (name, value) = head(words) {
        fields.append(Field(name: name, line: index + 1, lines: [String(line)]))
        if isMinding, value.hasPrefix("[") || value.hasPrefix("{") {
          openCount = YAMLText.openCount(in: value)
        }
      } else {
        let isRemark = words.isEmpty || words.hasPrefix("#")
        // A rule and a list below it are text.
        guard isRemark || (!fields.isEmpty && (isBelow || words == "-" || words.hasPrefix("- ")))
        else { return nil }
        if openCount > 0 { openCount += YAMLText.openCount(in: words) }
        if fields.isEmpty { fields.append(Field(name: "", line: index + 1, lines: [])) }
        fields[fields.count - 1].lines.append(String(line))
      }
    }
    // So are a rule and a heading.
    let isText = fields.count == 1 && fields[0].name.isEmpty && !fields[0].isBlank
    return openCount > 0 || isText ? nil : fields
  }

  /// `name: value`; nil for a remark, an item of a list, and other words.
  fileprivate static func head(_ line: Substring) -> (name: String, value: Substring)? {
    guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("#"), !line.hasPrefix("- ") else {
      return nil
    }
    let name = YAMLText.unquoted(String(line[..<colon]).trimmed).lowercased()
    return (name, String(line[line.index(after: colon)...]).trimmed)
  }
}

extension FrontMatter.Field {
  /// Behind the name, and in the lines below it.
  private var parts: (first: Substring, below: [Substring]) {
    let first = lines.first.flatMap { FrontMatter.head($0.trimmed) }?.value ?? ""
    let below = lines.dropFirst().map { String($0).trimmed }
    return (first, below.filter { !$0.isEmpty && !$0.hasPrefix("#") })
  }

  fileprivate var isBlank: Bool { lines.allSatisfy { $0.allSatisfy(\.isWhitespace) } }

  /// A name that says nothing.
  fileprivate var isEmpty: Bool { !name.isEmpty && values.isEmpty }

  /// One value, or those of a list.
  fileprivate var values: [String] {
    let (first, below) = parts
    if let list = Self.list(first, below) { return list }
    let isBlock =
      first.first.map { ">|".contains($0) } ?? false
      && first.dropFirst().allSatisfy { "+-0123456789".contains($0) }
    let words = ((isBlock ? [] : [first]) + below).joined(separator: " ")
    return [YAMLText.value(String(words).trimmed)].compactMap { $0 }
  }

  /// The same, where a line with commas is a list too.
  fileprivate var manyValues: [String] {
    let (first, below) = parts
    if let list = Self.list(first, below) { return list }
    let words = ([first] + below).joined(separator: " ")
    if first.hasPrefix("#"), !words.contains(",") {
      return words.split(separator: " ").map { String($0) }
    }
    return YAMLText.items(words[...]).compactMap { YAMLText.value(String($0).trimmed) }
  }

  /// `[a, "b c"]`, or items below each other; `nil` if it is neither.
  private static func list(_ first: Substring, _ below: [Substring]) -> [String]? {
    if first.hasPrefix("[") {
      let words = ([first] + below).joined(separator: " ")
      guard let end = words.lastIndex(of: "]") else { return nil }
      let rest = String(words[words.index(after: end)...]).trimmed
      guard rest.isEmpty || rest.hasPrefix("#") else { return nil }
      return YAMLText.items(words[..<end].dropFirst())
        .compactMap { YAMLText.value(String($0).trimmed) }
    }
    guard first.isEmpty || first.hasPrefix("#"), below.first?.hasPrefix("- ") ?? false else {
      return nil
    }
    var items: [String] = []
    for line in below {
      if line.hasPrefix("- ") {
        items.append(String(line.dropFirst(2)))
      } else if line != "-" {
        items[items.count - 1] += " \(line)"
      }
    }
    return items.compactMap { YAMLText.value($0.trimmed) }
  }
}

/// The values of fields, in the part of YAML that people write there.
private enum YAMLText {
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
  private static func withoutRemark(_ text: Substring) -> Substring {
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

extension Substring {
  fileprivate var trimmedEnd: Substring {
    self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)]
  }
}
