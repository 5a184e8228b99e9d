import Foundation
import RichText

/// The facts about a note that another program keeps beside its text.
///
/// They become front matter before the text, so that a note of any program has its properties in the way in which files
/// of Markdown have theirs. This is the one place where that happens.
///
/// ```
/// Notion   Rating: 5, Due: June 8, 2025        ---
/// Joplin   todo_due: 1749362400000             Rating: 5
///                                              Due: 2025-06-08
///                                              ---
/// ```
struct NoteFacts: Sendable {
  /// Empty for a note without a title; `nil` if a heading at the beginning of the text is the title.
  var title: String?
  var keywords: [String] = []
  var aliases: [String] = []
  var created: Date?
  var modified: Date?
  var isFavourite = false
  var isPinned = false
  var isArchived = false

  /// The other facts in the order in which they are shown.
  private var others: [(name: String, values: [String])] = []

  /// Front matter may have 20,000 characters; what is longer is below the text.
  private static let longestValue = 1_000
  private static let mostCharacters = 15_000
  private static let mostValues = 200

  init(title: String? = nil) {
    self.title = title
  }

  /// Adds a fact, if it says anything.
  mutating func add(_ name: String, _ values: [String]) {
    let said = values.prefix(Self.mostValues).filter { !$0.allSatisfy(\.isWhitespace) }
    if !said.isEmpty, !name.allSatisfy(\.isWhitespace) { others.append((name, said)) }
  }

  mutating func add(_ name: String, _ value: String?) {
    if let value { add(name, [value]) }
  }

  mutating func add(_ name: String, _ date: Date?) {
    guard let date else { return }
    add(name, date.formatted(.iso8601))
  }
}

extension NoteFacts {
  /// Returns the note of a text of Markdown, of which `firstLine` is the line in the file where the text begins.
  func file(
    markdown: String,
    firstLine: Int = 1,
    in surroundings: MarkdownSurroundings
  ) -> MarkdownFile {
    let (lines, long) = frontMatter
    // A text that begins with front matter gets these lines in there.
    let hasOwn = MarkdownFile.hasFrontMatter(markdown)
    let added = lines.count + (hasOwn || lines.isEmpty ? 0 : 3)
    var contents = hasOwn ? String(markdown.drop { !$0.isNewline }.dropFirst()) : markdown
    if hasOwn || !lines.isEmpty {
      let end = hasOwn ? [] : ["---", ""]
      contents = (["---"] + lines + end + [contents]).joined(separator: "\n")
    }
    var shifted = surroundings
    if let changed = surroundings.changed {
      shifted.changed = { changed($0, max(1, $1 - added + firstLine - 1)) }
    }
    if hasOwn, !MarkdownFile.hasFrontMatter(contents) {
      // Together they are longer than front matter may be.
      return completed(MarkdownFile(markdown, in: surroundings), others)
    }
    return completed(MarkdownFile(contents, in: shifted), long)
  }

  /// Returns the note of a text.
  func file(_ text: RichText) -> MarkdownFile {
    let (lines, long) = frontMatter
    var file = MarkdownFile((["---"] + lines + ["---"]).joined(separator: "\n"))
    file.text = text
    return completed(file, long)
  }

  /// The lines before the text, and the facts that are too long for them.
  private var frontMatter: (lines: [String], long: [(name: String, values: [String])]) {
    var lines: [String] = []
    var long: [(name: String, values: [String])] = []
    var count = 0
    for (name, values) in others {
      let line = MarkdownFile.property(name, values)
      let isShort = line.count <= Self.longestValue && count + line.count <= Self.mostCharacters
      if isShort, !values.contains(where: { $0.contains(where: \.isNewline) }) {
        lines.append(line)
        count += line.count + 1
      } else {
        long.append((name, values))
      }
    }
    // Its own title keeps a heading in the text from being taken for one; all of it comes later.
    if let title {
      let words = title.isEmpty ? "-" : String(title.prefix(200))
      lines.insert(MarkdownFile.property("title", [words]), at: 0)
    }
    return (lines, long)
  }

  private func completed(
    _ file: MarkdownFile,
    _ long: [(name: String, values: [String])]
  ) -> MarkdownFile {
    var file = file
    if let title { file.title = title }
    var seen: Set<String> = []
    file.keywords = (keywords + file.keywords).filter { seen.insert($0.lowercased()).inserted }
    file.aliases += aliases
    file.created = created ?? file.created
    file.modified = modified ?? file.modified
    file.isFavourite = file.isFavourite || isFavourite
    file.isPinned = isPinned
    if isArchived { file.status = Status.archived.word }
    if long.isEmpty { return file }
    let below = long.map { name, values -> RichText.Block in
      let lines = values.joined(separator: "\n")
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      return .paragraph(
        [.text(name, [.bold])] + lines.flatMap { [RichText.Inline.hardBreak, .text(String($0))] }
      )
    }
    file.text = RichText(file.text.blocks + below)
    return file
  }
}
