import Foundation
import RichText

/// The items of a backup of Standard Notes.
struct StandardNotesBackup: Sendable {
  private(set) var notes: [StandardNote] = []
  /// Items that stay where they are, by their names, with the reasons.
  private(set) var leftOut: [(name: String, reason: String)] = []
  /// The names of files and notes, by their identifiers; a backup does not have the content of files.
  private(set) var names: [String: String] = [:]

  private var tags: [String: (title: String, parent: String?)] = [:]
  private var tagsOfNotes: [String: Set<String>] = [:]

  private static let deepest = 10

  /// - Throws: A ``LibraryProblem`` if the file is damaged or encrypted.
  init(_ data: Data) throws {
    guard case .object(let members) = try JSONFile.value(of: data) else {
      throw LibraryProblem.refused("The file is not a backup of Standard Notes.")
    }
    var encryptedCount = 0
    for item in members.objects("items") where !item.isTrue("deleted") {
      if case .text? = item["content"] {
        encryptedCount += 1
      } else if let content = item.object("content") {
        add(item, content)
      }
    }
    if encryptedCount > 0 {
      let sentence = "encrypted. Make a decrypted backup in Standard Notes, and import that."
      guard !notes.isEmpty else { throw LibraryProblem.refused("The backup is \(sentence)") }
      leftOut.append(("", "\(encryptedCount) of its items are \(sentence)"))
    }
  }

  private mutating func add(_ item: JSONMembers, _ content: JSONMembers) {
    let id = item.text("uuid") ?? ""
    let references = content.objects("references")
    switch item.text("content_type") {
    case "Note":
      let note = StandardNote(id, item, content)
      if content.isTrue("trashed") {
        leftOut.append((note.title, "It lies in the trash of Standard Notes."))
      } else {
        notes.append(note)
        names[id] = note.title
      }
      // Older backups name a note's tags in the note as well.
      for tag in references where tag.text("content_type") == "Tag" {
        if let tag = tag.text("uuid") { tagsOfNotes[id, default: []].insert(tag) }
      }
    case "Tag":
      let parent = references.first { $0.text("content_type") == "Tag" }?.text("uuid")
      tags[id] = (content.text("title") ?? "", parent)
      for note in references where note.text("content_type") == "Note" {
        if let note = note.text("uuid") { tagsOfNotes[note, default: []].insert(id) }
      }
    case "SN|File":
      let name = content.text("name") ?? "file"
      names[id] = name
      leftOut.append(
        (name, "A backup does not have the content of files. Download it in Standard Notes.")
      )
    default: break
    }
  }

  /// The names of a note's tags, with those of the tags around them: `travel/italy`.
  func tags(of note: String) -> [String] {
    (tagsOfNotes[note] ?? []).compactMap { path(of: $0) }.sorted()
  }

  private func path(of tag: String) -> String? {
    var parts: [String] = []
    var next: String? = tag
    while let id = next, let found = tags[id], parts.count < Self.deepest {
      if !found.title.isEmpty { parts.append(found.title) }
      next = found.parent
    }
    return parts.isEmpty ? nil : parts.reversed().joined(separator: "/")
  }
}

/// A note of Standard Notes, whose text is as its editor writes it.
struct StandardNote: Sendable {
  enum Kind: Sendable {
    case plain, markdown, page
    case code(language: String?)
    /// The document of the editor “Super”.
    case blocks(JSONMembers)
    case tasks([RichText.Block])
  }

  let id: String
  let title: String
  let text: String
  private let created: Date?
  private let modified: Date?
  private let content: JSONMembers

  /// The facts that Standard Notes keeps for itself.
  private let facts: JSONMembers

  init(_ id: String, _ item: JSONMembers, _ content: JSONMembers) {
    self.id = id
    self.content = content
    title = (content.text("title") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    text = content.text("text") ?? ""
    facts = content.object("appData")?.object("org.standardnotes.sn") ?? [:]
    created = Self.date(item.text("created_at"))
    modified = Self.date(facts.text("client_updated_at")) ?? Self.date(item.text("updated_at"))
  }

  /// A date; `nil` for the first moment of 1970, which is written for dates that are not known.
  private static func date(_ text: String?) -> Date? {
    text.flatMap { MarkdownFile.date($0) }.flatMap { $0.timeIntervalSince1970 > 0 ? $0 : nil }
  }

  /// The kind by the name that newer backups have, or by the looks of the text.
  ///
  /// It is not kept, because a document takes more memory than its text.
  var kind: Kind {
    switch content.text("noteType") {
    case "markdown": return .markdown
    case "rich-text": return .page
    case "code": return .code(language: nil)
    case "spreadsheet", "authentication": return .code(language: "json")
    case "task": return StandardTasks(text).map { .tasks($0.blocks) } ?? .markdown
    case "super": return Self.document(text).map(Kind.blocks) ?? .plain
    case "plain-text": return .plain
    default:
      let isPage = text.hasPrefix("<") && (text.contains("</p>") || text.contains("</div>"))
      return isPage ? .page : StandardTasks(text).map { .tasks($0.blocks) } ?? .plain
    }
  }

  private static func document(_ text: String) -> JSONMembers? {
    // A text that is not a document stays as it is.
    guard text.hasPrefix("{"), let value = try? JSONFile.value(of: Data(text.utf8)),
      case .object(let members) = value
    else { return nil }
    return members.object("root")
  }

  var properties: NoteFacts {
    var properties = NoteFacts(title: title)
    (properties.created, properties.modified) = (created, modified)
    properties.isFavourite = content.isTrue("starred")
    properties.isPinned = facts.isTrue("pinned")
    properties.isArchived = facts.isTrue("archived")
    return properties
  }
}

/// The tasks of the editor for checklists, in groups.
private struct StandardTasks {
  private(set) var blocks: [RichText.Block] = []

  /// Nil for another text.
  init?(_ text: String) {
    // A text that is not a checklist stays as it is.
    guard text.hasPrefix("{"), text.contains("\"groups\""),
      let value = try? JSONFile.value(of: Data(text.utf8)), case .object(let members) = value
    else { return nil }
    for group in members.objects("groups") {
      if let name = group.text("name"), !name.isEmpty {
        blocks.append(.heading(.two, [.text(name)]))
      }
      let tasks = group.objects("tasks").map { task in
        RichText.TaskItem(
          isDone: task.isTrue("completed"),
          [.paragraph([.text(task.text("description") ?? "")])]
        )
      }
      if !tasks.isEmpty { blocks.append(.taskList(tasks)) }
    }
  }
}
