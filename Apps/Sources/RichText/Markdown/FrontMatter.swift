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
  private(set) var fields: [Field] = []

  /// The file without them.
  let rest: String

  /// The number of lines before the rest.
  let lineCount: Int

  struct Field {
    /// In lower case; empty for lines before the first field.
    let name: String
    /// As it is written.
    let label: String
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
    for name in names.flatMap(ownNames) {
      guard let index = fields.firstIndex(where: { $0.name == name }) else { continue }
      for words in fields[index].values {
        guard let value = read(words) else { continue }
        fields[index].isTaken = true
        return value
      }
    }
    return nil
  }

  /// The names under which a fact about the note may be: one of ours, if a property has the usual name.
  private func ownNames(of name: String) -> [String] {
    let own = Self.ownPrefix + name
    return fields.contains { $0.name == own } ? [own] : [name]
  }

  /// The beginning of the name of a fact about the note if a property of the note has the usual name.
  static let ownPrefix = "slipbox-"

  /// The values of all fields.
  var allValues: [String] { fields.flatMap(\.values) }

  /// All values of some fields, each once.
  mutating func takeAll(_ names: String...) -> [String] {
    var seen: Set<String> = []
    var all: [String] = []
    for name in names.flatMap(ownNames) {
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

  /// Takes a field, of which only some remarks stay.
  mutating func leaveRemarks(_ remarks: [String], of index: Int) {
    fields[index].isTaken = remarks.isEmpty
    if remarks.isEmpty { return }
    fields[index] = Field(name: "", label: "", line: fields[index].line, lines: remarks)
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
  var left: [Field] { fields.filter { !$0.isTaken && !$0.isEmpty } }

  /// Fields that other programs write for themselves.
  static let foreign: Set<String> = ["cssclasses", "cssclass"]

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
      if !isBelow, let (label, value) = head(words) {
        let name = label.lowercased()
        fields.append(Field(name: name, label: label, line: index + 1, lines: [String(line)]))
        if isMinding, value.hasPrefix("[") || value.hasPrefix("{") {
          openCount = YAMLText.openCount(in: value)
        }
      } else {
        let isRemark = words.isEmpty || words.hasPrefix("#")
        // A rule and a list below it are text.
        guard isRemark || (!fields.isEmpty && (isBelow || words == "-" || words.hasPrefix("- ")))
        else { return nil }
        if openCount > 0 { openCount += YAMLText.openCount(in: words) }
        if fields.isEmpty {
          fields.append(Field(name: "", label: "", line: index + 1, lines: []))
        }
        fields[fields.count - 1].lines.append(String(line))
      }
    }
    // So are a rule and a heading.
    let isText = fields.count == 1 && fields[0].name.isEmpty && !fields[0].isBlank
    return openCount > 0 || isText ? nil : fields
  }

  /// `Name: value`; nil for a remark, an item of a list, and other words.
  static func head(_ line: Substring) -> (label: String, value: Substring)? {
    guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("#"), !line.hasPrefix("- ") else {
      return nil
    }
    let label = YAMLText.unquoted(String(line[..<colon]).trimmed)
    return (label, String(line[line.index(after: colon)...]).trimmed)
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
  var isEmpty: Bool { !name.isEmpty && values.isEmpty }

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

extension Substring {
  fileprivate var trimmedEnd: Substring {
    self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)]
  }
}
