public import Foundation

/// A note as a file of Markdown: the facts about it, and its text.
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
  /// Whether the note is pinned; other programs say so beside the text.
  public var isPinned = false

  /// The path of the note's picture.
  public var picture: String?

  /// Whether the title is the first heading, and not said before the text.
  public private(set) var hasHeadingAsTitle = false

  /// The fields that are not facts of ours, in the order of the file.
  public var properties: [NoteProperty] = []

  /// The remarks and other lines before the text, which a note cannot keep.
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
    var matter = FrontMatter(contents)
    let text = RichText(markdown: matter.rest, in: surroundings.below(matter.lineCount))
    id = matter.take("id") { UUID(uuidString: $0) }
    title = matter.take("title") { $0 }
    keywords = matter.takeKeywords(areOurs: id != nil)
    status = matter.take("status") { $0 }
    self.text = text
    aliases = matter.takeAll("aliases", "alias")
    // One date may tell how to read another.
    let order = WrittenDate.order(of: matter.allValues)
    func date(_ text: String) -> Date? { FileDate.date(text, order: order) }
    created = matter.take(
      "created",
      "date",
      "created_at",
      "creation date",
      "date created",
      read: date
    )
    modified = matter.take(
      "modified",
      "updated",
      "updated_at",
      "modification date",
      "date modified",
      "lastmod",
      read: date
    )
    let marks = ["favourite", "favorite", "starred", "pinned"].map {
      matter.take($0, read: Self.truth)
    }
    isFavourite = marks.contains(true)
    picture = matter.take("picture") { $0 }
    properties = matter.takeProperties().map { $0.linked(surroundings.noteNamed) }
    others = matter.others
    if let line = matter.firstOther { surroundings.changed?(.frontMatter, line) }
    if let line = matter.firstForeign { surroundings.changed?(.appearance, line) }
    if title == nil, case .heading(.one, let line)? = text.blocks.first {
      title = Text.oneLine(line.plainText)
      hasHeadingAsTitle = true
      self.text = RichText(Array(text.blocks.dropFirst()))
    }
    if title?.isEmpty ?? false { title = nil }
  }

  private static func truth(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }

  /// A date as people and programs write it: `2026-11-21`, `2026-11-21T07:12:33Z`; `nil` for another text.
  ///
  /// Numbers whose order is not clear, such as `03/04/2021`, are read as in the dates `beside`.
  public static func date(_ text: String, beside others: [String] = []) -> Date? {
    FileDate.date(text, order: WrittenDate.order(of: others))
  }

  /// The file of a note.
  public var contents: String { contents { _ in nil } }

  /// The file of a note, with links by the titles of notes; see ``RichText/markdown(titleOf:)``.
  public func contents(titleOf: @escaping (UUID) -> String?) -> String {
    contents(with: MarkdownNames(titleOf: titleOf))
  }

  /// The same, which says of pictures and files where they lie.
  public func contents(with names: MarkdownNames) -> String {
    var lines = ["---"]
    let taken = Set(properties.map { $0.name.lowercased() })
    /// A fact of ours, under a name of our own if a property has the usual one.
    func add(_ name: String, _ value: String?) {
      guard let value else { return }
      lines.append("\(taken.contains(name) ? FrontMatter.ownPrefix : "")\(name): \(value)")
    }
    func list(_ words: [String]) -> String? {
      words.isEmpty ? nil : "[\(words.map(FrontMatter.written).joined(separator: ", "))]"
    }
    add("id", id.map { "\"\($0.uuidString.lowercased())\"" })
    add("title", title.map(FrontMatter.written))
    add("aliases", list(aliases))
    add("tags", list(keywords))
    add("status", status.map(FrontMatter.written))
    add("created", created.map(FileDate.text))
    add("modified", modified.map(FileDate.text))
    add("favourite", isFavourite ? "true" : nil)
    add("picture", picture.map(FrontMatter.written))
    lines += properties.map { $0.yaml(titleOf: names.titleOf) }
    return lines.joined(separator: "\n") + "\n---\n\n" + text.markdown(with: names)
  }
}
