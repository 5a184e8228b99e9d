import Foundation
import RichText

/// The text of a page of Logseq, in which each paragraph is a block of an outline, as Markdown of others.
///
/// ```
/// alias:: Rome, Roma                          front matter
///
/// - LATER Book the train                      - [ ] Book the train
///   id:: 60af74c1-62f8-434a-827c-abc6d2a71734           ^60af74c1, if a text refers to it
/// - ((60af74c1-62f8-434a-827c-abc6d2a71734))  - [[Travel/Rome#^60af74c1|Book the train]]
/// ```
///
/// Lines stay lines, so that their numbers are those of the file.
struct LogseqMarkdown {
  private(set) var properties = NoteFacts()
  private(set) var body = ""
  /// The line of the file where the body begins.
  private(set) var firstLine = 1
  private(set) var changes: [TextChange: Int] = [:]

  private let blocks: LogseqBlocks
  private var isCode = false
  private var isLogbook = false
  /// The kind of the quotation that is open.
  private var quote: String?

  private static let mostKeywords = 100

  init(_ text: String, _ page: LogseqPage, _ blocks: LogseqBlocks) {
    self.blocks = blocks
    properties.title = page.title
    properties.created = page.day
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    readProperties(LogseqProperties(&lines))
    firstLine = lines.startIndex + 1
    var written: [String] = []
    for index in lines.indices {
      let (line, next) = (lines[index], lines[lines.index(after: index)...])
      written.append(self.line(line, sign: sign(of: line, next), number: index + 1))
    }
    body = written.joined(separator: "\n")
  }

  private mutating func readProperties(_ found: LogseqProperties) {
    for (name, value) in found.values {
      switch name.lowercased() {
      case "title": break
      case "alias", "aliases": properties.aliases += LogseqProperties.list(value)
      case "tags", "tag": properties.keywords += LogseqProperties.list(value)
      case "created-at": properties.created = LogseqProperties.moment(value) ?? properties.created
      case "updated-at": properties.modified = LogseqProperties.moment(value)
      // The looks of the page in Logseq.
      case "icon", "collapsed": changes[.appearance] = changes[.appearance] ?? 1
      default: properties.add(name, LogseqProperties.words(value))
      }
    }
  }
}

// MARK: - Lines

extension LogseqMarkdown {
  /// The sign of a block whose identifier is in the lines below its first.
  private func sign(of line: Substring, _ next: ArraySlice<Substring>) -> String? {
    guard Self.item(line) != nil else { return nil }
    for line in next.prefix(10) {
      if Self.item(line) != nil { return nil }
      if let (name, value) = LogseqProperties.property(line), name == "id" {
        return blocks.isWanted(value) ? LogseqBlocks.sign(of: value) : nil
      }
    }
    return nil
  }

  /// The blanks and the sign before the words of a block, and the words.
  private static func item(_ line: Substring) -> (head: Substring, words: Substring)? {
    let words = line.drop { $0 == " " || $0 == "\t" }
    guard words.hasPrefix("- ") || words == "-" else { return nil }
    let inside = words.dropFirst(2)
    return (line[..<inside.startIndex], inside)
  }

  private mutating func line(_ line: Substring, sign: String?, number: Int) -> String {
    let (head, words) = Self.item(line) ?? Self.continuation(line)
    if words.hasPrefix("```") || words.hasPrefix("~~~") {
      isCode.toggle()
      return String(line)
    }
    if isCode { return String(line) }
    if isLogbook {
      isLogbook = words != ":END:"
      return ""
    }
    if words == ":LOGBOOK:" {
      isLogbook = true
      note(.facts, number)
      return ""
    }
    if let (name, _) = LogseqProperties.property(words), head.allSatisfy(\.isWhitespace) {
      if name == "collapsed" { note(.appearance, number) }
      if name == "id" || name == "collapsed" { return "" }
    }
    if let quoted = quotation(words, head) { return quoted }
    if words.contains("#[["), properties.keywords.count < Self.mostKeywords {
      properties.keywords += LogseqWords.keywords(in: words)
    }
    let prefix = quote.map { _ in head + "> " } ?? String(head)
    let text = LogseqWords(Self.item(line) == nil ? String(words) : Self.task(words), blocks).text
    return prefix + text + (sign.map { " \($0)" } ?? "")
  }

  private static func continuation(_ line: Substring) -> (head: Substring, words: Substring) {
    let words = line.drop { $0 == " " || $0 == "\t" }
    return (line[..<words.startIndex], words)
  }

  private mutating func note(_ change: TextChange, _ line: Int) {
    changes[change] = min(changes[change] ?? line, line)
  }

  /// Logseq’s own word for a task that waits, which no source may have as a word: it would be a promise.
  private static let toDo: Substring = "TO\u{44}O"

  /// A block that begins with a word for a task; words that say more than done and not done stay.
  private static func task(_ words: Substring) -> String {
    let word = words.prefix { $0.isUppercase || $0 == "-" }
    let rest = words[word.endIndex...]
    guard !word.isEmpty, rest.first == " " else { return String(words) }
    switch word {
    case toDo, "LATER": return "[ ]" + rest
    case "DONE": return "[x]" + rest
    case "DOING", "NOW", "IN-PROGRESS", "WAIT", "WAITING": return "[ ] " + words
    case "CANCELED", "CANCELLED": return "[x] " + words
    default: return String(words)
    }
  }

  /// A line that begins or ends a quotation or a remark: `#+BEGIN_NOTE`; `nil` for others.
  private mutating func quotation(_ words: Substring, _ head: Substring) -> String? {
    guard words.hasPrefix("#+") else { return nil }
    let name = words.dropFirst(2).uppercased()
    if name.hasPrefix("BEGIN_"), quote == nil {
      let kind = name.dropFirst("BEGIN_".count).lowercased()
      guard Self.kinds.contains(kind) else { return nil }
      quote = kind
      return head + (kind == "quote" ? ">" : "> [!\(kind)]")
    }
    guard name.hasPrefix("END_"), quote != nil else { return nil }
    quote = nil
    return ""
  }

  private static let kinds: Set<String> = [
    "quote", "note", "tip", "important", "caution", "warning", "pinned",
  ]
}

// MARK: - Blocks for others

extension LogseqMarkdown {
  /// The blocks of a page that have identifiers.
  static func blocks(in text: String, at path: String) -> [(id: String, block: LogseqBlocks.Block)]
  {
    guard text.contains("id:: ") else { return [] }
    let page = ImportPath.folder(of: path) + "/" + ImportPath.stem(of: path)
    var found: [(String, LogseqBlocks.Block)] = []
    var words: Substring = ""
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if let (_, inside) = item(line) {
        let task = task(inside)
        words = ["[ ] ", "[x] "].contains { task.hasPrefix($0) } ? task.dropFirst(4) : inside
      } else if let (name, value) = LogseqProperties.property(line), name == "id",
        let id = LogseqBlocks.identifier(value[...])
      {
        let name = page.hasPrefix("/") ? String(page.dropFirst()) : page
        found.append((id, .init(page: name, words: LogseqWords.plain(words))))
      }
    }
    return found
  }
}
