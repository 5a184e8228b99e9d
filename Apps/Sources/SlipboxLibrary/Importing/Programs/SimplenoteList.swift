import Foundation
import RichText

/// The notes in a file of Simplenote.
struct SimplenoteList: Sendable {
  let notes: [SimplenoteNote]
  let trash: [SimplenoteNote]

  init(_ data: Data) throws {
    guard case .object(let members) = try JSONFile.value(of: data) else {
      throw LibraryProblem.refused("The file is not a list of Simplenote.")
    }
    notes = members.objects("activeNotes").map { SimplenoteNote($0) }
    trash = members.objects("trashedNotes").map { SimplenoteNote($0) }
  }
}

/// A note of Simplenote, whose first line is its title.
struct SimplenoteNote: Sendable {
  let id: String?
  let text: String
  let title: String
  let isMarkdown: Bool
  /// Whether others can read or write the note, too.
  let hasOtherFacts: Bool
  private let members: JSONMembers

  /// The beginning of the address of another note.
  static let scheme = "simplenote://note/"
  private static let mostTags = 200

  init(_ members: JSONMembers) {
    self.members = members
    id = members.text("id")
    text = (members.text("content") ?? "").replacing("\r\n", with: "\n")
    isMarkdown = members.isTrue("markdown")
    hasOtherFacts = members["collaboratorEmails"] != nil
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
    let words = isMarkdown && line.hasPrefix("#") ? line.drop { $0 == "#" } : line
    title = words.trimmingCharacters(in: .whitespaces)
  }

  /// The text below the title.
  var body: String {
    String(text.drop(while: \.isWhitespace).drop { !$0.isNewline }.drop(while: \.isNewline))
  }

  /// The line of the note where the body begins.
  var firstLine: Int { text.count(where: \.isNewline) - body.count(where: \.isNewline) + 1 }

  var properties: NoteFacts {
    var properties = NoteFacts(title: title)
    properties.created = members.text("creationDate").flatMap { MarkdownFile.date($0) }
    properties.modified = members.text("lastModified").flatMap { MarkdownFile.date($0) }
    properties.isPinned = members.isTrue("pinned")
    if case .list(let tags)? = members["tags"] {
      properties.keywords = tags.prefix(Self.mostTags).compactMap {
        if case .text(let tag) = $0 { tag } else { nil }
      }
    }
    properties.add("published", members.text("publicURL") ?? members.text("publishURL"))
    return properties
  }
}

extension SimplenoteNote {
  /// How many characters of a note tell it from others.
  static let beginningCount = 300

  /// The words at the beginning of a note, without the blanks between them.
  static func beginning(of text: String) -> String {
    String(text.prefix(beginningCount).filter { !$0.isWhitespace })
  }

  /// Whether a file is the copy of a note; behind it, the file may name the note's tags.
  static func isCopy(_ text: String, of known: Set<String>) -> Bool {
    if known.contains(beginning(of: text)) { return true }
    let tags = text.firstRange(of: "\n\nTags:") ?? text.firstRange(of: "\r\n\r\nTags:")
    return tags.map { known.contains(beginning(of: String(text[..<$0.lowerBound]))) } ?? false
  }
}
