public import Foundation

/// A note as a file of Markdown: what is known about it, and its text.
///
/// ```
/// ---
/// title: Faults
/// tags: [memory, "to read"]
/// status: draft
/// ---
///
/// A fault is a promise of values.
/// ```
///
/// Without such a beginning, a heading of the first level at the top is the title, and not in the text.
public struct MarkdownFile: Hashable, Sendable {
  public var title: String?

  /// In the order of the file, each once; the file may call them `tags` or `keywords`.
  public var keywords: [String]
  public var status: String?
  public var text: RichText

  /// The identifier of the note that was written.
  public var id: UUID?

  /// Other names of the note.
  public var aliases: [String] = []
  public var created: Date?
  public var modified: Date?
  public var isFavourite = false

  /// Where the picture of the note lies.
  public var picture: String?

  /// Whether the title is the first heading, and not said before the text.
  public private(set) var hasHeadingAsTitle = false

  /// What else stands there, line by line, which a note has no place for.
  public var others: [String] = []

  public init(title: String?, keywords: [String] = [], status: String? = nil, text: RichText) {
    self.title = title
    self.keywords = keywords
    self.status = status
    self.text = text
  }

  /// The note of a file.
  public init(_ contents: String, noteNamed: (_ title: String) -> UUID? = { _ in nil }) {
    self = withoutActuallyEscaping(noteNamed) { noteNamed in
      MarkdownFile(contents, in: MarkdownSurroundings(noteNamed: noteNamed))
    }
  }

  /// The note of a file that speaks of others around it.
  public init(_ contents: String, in surroundings: MarkdownSurroundings) {
    let matter = FrontMatter(contents)
    let text = RichText(markdown: matter.rest, in: surroundings)
    self.init(
      title: matter.fields["title"]?.first,
      keywords: matter.keywords,
      status: matter.fields["status"]?.first,
      text: text
    )
    id = matter.first("id").flatMap(UUID.init)
    aliases = matter.all("aliases", "alias")
    created = matter.first("created", "date", "created_at", "creation date").flatMap(FileDate.date)
    modified = matter.first("modified", "updated", "updated_at", "modification date")
      .flatMap(FileDate.date)
    isFavourite = ["favourite", "favorite", "starred", "pinned"].contains { name in
      matter.first(name).map { ["true", "yes", "1"].contains($0.lowercased()) } ?? false
    }
    picture = matter.first("picture")
    others = matter.others
    if title == nil, case .heading(.one, let line)? = text.blocks.first {
      title = Text.oneLine(line.plainText)
      hasHeadingAsTitle = true
      self.text = RichText(Array(text.blocks.dropFirst()))
    }
    if title?.isEmpty ?? false { title = nil }
  }

  /// A date as people and programs write it: `2026-11-21`, `2026-11-21T07:12:33Z`; nil for what is none.
  public static func date(_ text: String) -> Date? { FileDate.date(text) }

  /// The file of a note.
  public var contents: String { contents { _ in nil } }

  /// The file of a note, with links by the titles of notes; see ``RichText/markdown(titleOf:)``.
  public func contents(titleOf: @escaping (UUID) -> String?) -> String {
    contents(with: MarkdownNames(titleOf: titleOf))
  }

  /// The same, which says of pictures and files where they lie.
  public func contents(with names: MarkdownNames) -> String {
    var lines = ["---"]
    if let id { lines.append("id: \"\(id.uuidString.lowercased())\"") }
    if let title { lines.append("title: \(FrontMatter.written(title))") }
    if !aliases.isEmpty {
      lines.append("aliases: [\(aliases.map(FrontMatter.written).joined(separator: ", "))]")
    }
    if !keywords.isEmpty {
      lines.append("tags: [\(keywords.map(FrontMatter.written).joined(separator: ", "))]")
    }
    if let status { lines.append("status: \(FrontMatter.written(status))") }
    if let created { lines.append("created: \(FileDate.text(created))") }
    if let modified { lines.append("modified: \(FileDate.text(modified))") }
    if isFavourite { lines.append("favourite: true") }
    if let picture { lines.append("picture: \(FrontMatter.written(picture))") }
    return lines.joined(separator: "\n") + "\n---\n\n" + text.markdown(with: names)
  }
}

/// The lines between `---` at the beginning of a file, as far as a note has use for them.
struct FrontMatter {
  /// Values by names in lower case.
  private(set) var fields: [String: [String]] = [:]

  /// The lines of fields that a note has no place for.
  private(set) var others: [String] = []

  /// The file without them.
  let rest: String

  init(_ contents: String) {
    let contents = contents.hasPrefix("\u{FEFF}") ? String(contents.dropFirst()) : contents
    let lines = contents.prefix(Self.maximumSize)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first?.trimmedEnd == "---",
      let end = lines.dropFirst().firstIndex(where: { ["---", "..."].contains($0.trimmedEnd) }),
      lines[1..<end].allSatisfy(Self.isField)
    else {
      rest = contents
      return
    }
    rest = String(contents[lines[end].endIndex...].drop(while: \.isNewline))
    readFields(lines[1..<end])
  }

  /// More than anybody says about a note.
  private static let maximumSize = 20_000

  /// The first value of the first of some fields that has one.
  func first(_ names: String...) -> String? {
    names.lazy.compactMap { fields[$0]?.first }.first
  }

  /// All values of some fields, each once.
  func all(_ names: String...) -> [String] {
    var seen: Set<String> = []
    return names.flatMap { fields[$0] ?? [] }.filter { seen.insert($0.lowercased()).inserted }
  }

  var keywords: [String] {
    var seen: Set<String> = []
    return ((fields["tags"] ?? []) + (fields["tag"] ?? []) + (fields["keywords"] ?? []))
      // Others write a sign before each; what we have written is as the keyword is.
      .map { $0.hasPrefix("#") && first("id") == nil ? String($0.dropFirst()) : $0 }
      .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
  }

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

// MARK: - Fields

extension FrontMatter {
  private mutating func readFields(_ lines: ArraySlice<Substring>) {
    var name = ""
    for line in lines {
      let words = String(line).trimmed
      let isInside = line.first == " " || line.first == "\t"
      if let colon = words.firstIndex(of: ":"), !isInside, !words.hasPrefix("#"),
        !words.hasPrefix("- ")
      {
        name = words[..<colon].lowercased()
      }
      if !Self.known.contains(name), !words.isEmpty, others.count < Self.mostOthers {
        others.append(String(line))
      }
      if words.hasPrefix("- ") {
        fields[name, default: []] += Self.values(words.dropFirst(2), areMany: false)
      } else if let colon = words.firstIndex(of: ":"), !isInside, !words.hasPrefix("#") {
        let areMany = ["tags", "tag", "keywords", "aliases", "alias"].contains(name)
        fields[name] = Self.values(words[words.index(after: colon)...], areMany: areMany)
      }
    }
  }

  /// What a note has a place for, and what other programs say of their own doings.
  private static let known: Set<String> = [
    "title", "tags", "tag", "keywords", "status", "id", "aliases", "alias", "created", "date",
    "created_at", "creation date", "modified", "updated", "updated_at", "modification date",
    "favourite", "favorite", "starred", "pinned", "picture", "cssclasses", "cssclass",
  ]

  private static let mostOthers = 500

  private static func isField(_ line: Substring) -> Bool {
    let words = String(line).trimmed
    return words.isEmpty || words.hasPrefix("#") || words.hasPrefix("- ") || words == "-"
      || words.contains(":") || line.first == " "
  }

  /// `[a, "b c"]`, `a, b` or one value.
  private static func values(_ text: Substring, areMany: Bool) -> [String] {
    var text = String(text).trimmed
    let isArray = text.hasPrefix("[") && text.hasSuffix("]")
    if isArray { text = text.dropFirst().dropLast() }
    return (isArray || areMany ? parts(text) : [text])
      .map { unquoted(String($0).trimmed) }.filter { !$0.isEmpty }
  }

  /// What is between commas outside of quotes.
  private static func parts(_ text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var quote: Character?
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        isEscaped = false
      } else if let open = quote {
        if character == "\\" && open == "\"" { isEscaped = true }
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "," {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return parts + [text[start...]]
  }

  private static func unquoted(_ value: Substring) -> String {
    guard value.count > 1, let first = value.first, first == value.last else {
      return String(value)
    }
    let inside = value.dropFirst().dropLast()
    switch first {
    case "'": return String(inside.replacing("''", with: "'"))
    case "\"":
      var isEscaped = false
      return inside.reduce(into: "") { text, character in
        isEscaped = character == "\\" && !isEscaped
        if !isEscaped { text.append(character) }
      }
    default: return String(value)
    }
  }
}

extension Substring {
  fileprivate var trimmedEnd: Substring {
    self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)]
  }
}
