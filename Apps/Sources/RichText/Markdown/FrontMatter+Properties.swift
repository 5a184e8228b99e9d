import Foundation

// The fields of a file that are properties of its note.
//
//   due: 2026-12-01 # soon      the date; the remark stays, as "# due: soon"
//   genre:                      a list
//     - myth
//     - epic
//   size: {width: 3}            no kind holds this: its lines stay as they are

extension FrontMatter {
  /// Takes the fields that nobody has taken as properties.
  ///
  /// A field stays among ``others`` if its name cannot be that of a property, or if another field has the name.
  mutating func takeProperties() -> [NoteProperty] {
    var seen: Set<String> = []
    var properties: [NoteProperty] = []
    for index in fields.indices where isLeftAsProperty(fields[index]) {
      guard properties.count < NoteProperty.mostOfNote else { break }
      let field = fields[index]
      let label = Text.oneLine(field.label)
      let (value, remarks) = field.property
      guard NoteProperty.isName(label), value.isWithinBounds,
        seen.insert(label.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
          .inserted
      else { continue }
      properties.append(NoteProperty(label, value))
      leaveRemarks(remarks, of: index)
    }
    return properties
  }

  private func isLeftAsProperty(_ field: Field) -> Bool {
    guard !field.isTaken, !field.name.isEmpty, !Self.foreign.contains(field.name) else {
      return false
    }
    // A fact about the note without a value says nothing.
    return !field.isEmpty || !NoteProperty.namesOfFacts.contains(field.name)
  }
}

extension NoteProperty {
  /// The most properties of a note.
  public static let mostOfNote = 100
  /// In bytes.
  public static let longestName = 100
  /// In bytes.
  public static let longestValue = 8_000
  public static let mostItems = 200

  /// The names under which files have the facts about a note that are not properties.
  public static let namesOfFacts: Set<String> = [
    "id", "title", "aliases", "alias", "tags", "tag", "keywords", "created", "modified",
    "favourite", "favorite", "starred", "pinned", "picture",
  ]

  /// Whether a text can be the name of a property.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestName && Text.oneLine(text) == text
      && !text.contains { ":\"\\".contains($0) } && !text.hasPrefix(FrontMatter.ownPrefix)
  }
}

extension PropertyValue {
  /// Whether a note can keep the value.
  public var isWithinBounds: Bool {
    if case .list(let items) = self, items.count > NoteProperty.mostItems { return false }
    return stored.utf8.count <= NoteProperty.longestValue
  }
}

// MARK: - Reading a field

extension FrontMatter.Field {
  /// The value, and the remarks that are not part of it.
  fileprivate var property: (value: PropertyValue, remarks: [String]) {
    guard let first = lines.first, let colon = first.firstIndex(of: ":") else {
      return (.text(""), [])
    }
    let head = String(first[first.index(after: colon)...])
    let raw = ([head] + lines.dropFirst()).joined(separator: "\n")
    let below = lines.dropFirst().map { String(String($0).trimmed) }.filter { !$0.isEmpty }
    let isBlock = "|>".contains(String(head.trimmed).first ?? " ")
    let remarks = isBlock ? [] : below.filter { $0.hasPrefix("#") }
    let rest = isBlock ? below : below.filter { !$0.hasPrefix("#") }
    guard let value = Self.value(String(head.trimmed), rest) else {
      return (.other(raw.withoutBlankEnd), [])
    }
    let remark = value.remark.map { ["# \(label): \($0)"] } ?? []
    return (value.value, remark + remarks)
  }

  private static func value(_ first: String, _ below: [String]) -> YAMLScalar? {
    let isRemark = first.hasPrefix("#") && first.dropFirst().first.map(\.isWhitespace) ?? true
    if first.hasPrefix("["), !first.hasPrefix("[[") {
      let whole = ([first] + below).joined(separator: " ")
      if whole.hasSuffix("]") {
        // In several lines, a sign may begin a remark in any of them.
        return below.isEmpty || !whole.contains(" #") ? list(whole) : nil
      }
      let words = YAMLText.withoutRemark(whole[...])
      if words.hasSuffix("]"), var found = list(String(words)) {
        found.remark = Text.oneLine(String(whole[words.endIndex...].drop { " #".contains($0) }))
        return found
      }
    }
    if below.isEmpty { return isRemark ? nil : YAMLScalar(first) }
    guard first.isEmpty, below.allSatisfy({ $0.hasPrefix("- ") }) else { return nil }
    return items(below.map { String($0.dropFirst(2)) })
  }

  /// `[a, "b c"]`.
  private static func list(_ text: String) -> YAMLScalar? {
    let inside = text.dropFirst().dropLast()
    if String(inside).trimmed.isEmpty { return YAMLScalar(.list([])) }
    return items(YAMLText.items(inside).map { String(String($0).trimmed) })
  }

  /// Items that are single words, numbers, dates or links; nil if one is more, or says that it is not what it looks like.
  private static func items(_ texts: [String]) -> YAMLScalar? {
    var items: [String] = []
    for text in texts {
      guard let scalar = YAMLScalar(text), scalar.remark == nil, !scalar.value.isEmpty,
        scalar.isQuoted
          || !text.contains(": ") && (!text.hasPrefix("[") || scalar.value.kind == .link)
      else { return nil }
      var item = scalar.value.plainText
      if case .link(let link) = scalar.value { item = link.written() }
      // As a text it would leave as a number.
      if scalar.isQuoted, PropertyValue.looksTyped(item) { return nil }
      items.append(item)
    }
    return YAMLScalar(.list(items))
  }
}

/// A value on one line.
private struct YAMLScalar {
  let value: PropertyValue
  var remark: String?
  var isQuoted = false

  init(_ value: PropertyValue) { self.value = value }

  /// Nil for a value that no kind of property holds.
  init?(_ text: String) {
    let whole = YAMLText.withoutRemark(text[...])
    let rest = text[whole.endIndex...].drop { $0.isWhitespace || $0 == "#" }
    remark = rest.isEmpty ? nil : Text.oneLine(String(rest))
    let words = String(whole)
    if let quote = words.first, quote == "\"" || quote == "'" {
      // A backslash before another one says nothing of the letter behind them.
      let escapes = quote == "'" ? "" : words.replacing("\\\\", with: "")
      guard words.count > 1, words.last == quote,
        !["\\n", "\\t", "\\r"].contains(where: escapes.contains)
      else { return nil }
      isQuoted = true
      let text = Text.oneLine(YAMLText.unquoted(whole))
      let isDate = PropertyDate.isDate(text)
      value = PropertyLink(written: text).map { .link($0) } ?? (isDate ? .date(text) : .text(text))
      return
    }
    guard !words.isEmpty else {
      value = .text("")
      return
    }
    guard let first = words.first, !"*&!|>{}@%`".contains(first), !Self.isForeign(words) else {
      return nil
    }
    value = PropertyValue(plain: Text.oneLine(words))
  }

  /// Numbers that YAML writes in ways of its own.
  private static func isForeign(_ words: String) -> Bool {
    let small = words.lowercased()
    return ["0x", "0o"].contains(where: small.hasPrefix) && !small.contains(" ")
      || [".inf", "-.inf", "+.inf", ".nan"].contains(small)
  }
}

extension PropertyValue {
  /// The value of a word without quotes.
  fileprivate init(plain words: String) {
    switch words {
    case "~", "null", "Null", "NULL": self = .text("")
    case "true", "True", "TRUE": self = .checkbox(true)
    case "false", "False", "FALSE": self = .checkbox(false)
    case _ where Self.number(words) != nil: self = .number(words)
    case _ where PropertyDate.isDate(words): self = .date(words)
    case _: self = PropertyLink(written: words).map { .link($0) } ?? .text(words)
    }
  }

  /// Whether a word is written without quotes, and then is more than a text.
  fileprivate static func looksTyped(_ words: String) -> Bool {
    let kind = PropertyValue(plain: words).kind
    return kind == .number || kind == .checkbox
  }
}

// MARK: - Writing a field

extension NoteProperty {
  /// The property as a field; `titleOf` gives the title by which reading finds a linked note again.
  func yaml(titleOf: (UUID) -> String?) -> String {
    let head = "\(Self.isPlain(name) ? name : FrontMatter.written(name)):"
    switch value {
    case .other(let lines):
      return head + (lines.first == "\n" || lines.hasPrefix(" ") ? "" : " ") + lines
    case .list(let items):
      return "\(head) [\(items.map(Self.written(item:)).joined(separator: ", "))]"
    case .link(let link) where !link.title.isEmpty:
      return "\(head) \(FrontMatter.written(link.written(as: link.note.flatMap(titleOf))))"
    case _ where value.isEmpty: return head
    case .number(let text), .date(let text): return "\(head) \(text)"
    case .checkbox(let isOn): return "\(head) \(isOn)"
    case .text, .link: return "\(head) \(FrontMatter.written(value.plainText))"
    }
  }

  private static func written(item: String) -> String {
    switch PropertyValue(plain: item) {
    case .number, .date, .checkbox: item
    case .text, .list, .link, .other: FrontMatter.written(item)
    }
  }

  /// Whether a name needs no quotes.
  private static func isPlain(_ name: String) -> Bool {
    (name.first?.isLetter ?? false)
      && FrontMatter.written(name.filter { !"-_./".contains($0) }).first != "\""
  }
}

extension String {
  fileprivate var withoutBlankEnd: String {
    var text = self[...]
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}
