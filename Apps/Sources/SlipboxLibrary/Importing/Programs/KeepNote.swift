import Foundation
import RichText

/// A note of Google Keep.
///
/// ```
/// {"title": "Shopping", "listContent": [{"text": "Bread", "isChecked": true}], "labels": [{"name": "home"}],
///  "isPinned": true, "isArchived": false, "isTrashed": false, "color": "RED",
///  "createdTimestampUsec": 1690514467150000, "userEditedTimestampUsec": 1690864183842000,
///  "attachments": [{"filePath": "1690514441523.1361766539.png", "mimetype": "image/png"}]}
/// ```
struct KeepNote: Sendable {
  let title: String
  let isTrashed: Bool
  let labels: [String]
  /// The names of its files.
  let files: [String]
  /// Whether others can read the note, too.
  let hasOtherFacts: Bool
  private let members: JSONMembers

  private static let mostLabels = 200
  private static let mostFiles = 1_000

  /// Whether a file has the names that all notes of Keep have.
  static func isLikeOne(_ data: Data) -> Bool {
    data.first { $0 > 0x20 } == UInt8(ascii: "{")
      && ["\"isTrashed\"", "\"userEditedTimestampUsec\""].allSatisfy {
        data.range(of: Data($0.utf8)) != nil
      }
  }

  /// - Throws: A ``LibraryProblem`` if the file is damaged.
  init(_ data: Data) throws {
    guard case .object(let members) = try JSONFile.value(of: data) else {
      throw LibraryProblem.refused("The file is not a note of Google Keep.")
    }
    self.members = members
    title = Self.line(members.text("title") ?? "")
    isTrashed = members.isTrue("isTrashed")
    labels = members.objects("labels").prefix(Self.mostLabels).compactMap { $0.text("name") }
    files = members.objects("attachments").prefix(Self.mostFiles).compactMap { $0.text("filePath") }
    hasOtherFacts = !members.objects("sharees").isEmpty
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingCharacters(
      in: .whitespaces
    )
  }

  var properties: NoteFacts {
    var properties = NoteFacts(title: title)
    properties.keywords = labels
    properties.isPinned = members.isTrue("isPinned")
    properties.isArchived = members.isTrue("isArchived")
    properties.modified = date("userEditedTimestampUsec")
    properties.created = date("createdTimestampUsec") ?? properties.modified
    if let color = members.text("color"), color != "DEFAULT" {
      properties.add("color", color.lowercased())
    }
    return properties
  }

  /// A moment in millionths of a second.
  private func date(_ name: String) -> Date? {
    guard case .integer(let moment)? = members[name], moment > 0 else { return nil }
    return Date(timeIntervalSince1970: Double(moment) / 1_000_000)
  }
}

extension KeepNote {
  /// The text, the tasks, and the pages of the web that the note shows.
  func blocks() throws -> [RichText.Block] {
    var blocks = try words(in: members, "textContent")
    let tasks = try members.objects("listContent").map { item in
      RichText.TaskItem(isDone: item.isTrue("isChecked"), try words(in: item, "text"))
    }
    if !tasks.isEmpty { blocks.append(.taskList(tasks)) }
    let plain = RichText(blocks).plainText
    for page in members.objects("annotations") {
      guard let address = page.text("url"), !plain.contains(address),
        let link = RichText.Link(address)
      else { continue }
      let words = page.text("title").flatMap { $0.isEmpty ? nil : $0 } ?? address
      var line: [RichText.Inline] = [.text(words, RichText.Marks([], link: link))]
      if let more = page.text("description"), !more.isEmpty { line += [.hardBreak, .text(more)] }
      blocks.append(.paragraph(line))
    }
    return blocks
  }

  /// Words with their looks if the note has some, which are beside the plain words.
  private func words(in members: JSONMembers, _ name: String) throws -> [RichText.Block] {
    let html = members.text(name == "text" ? "textHtml" : "textContentHtml") ?? ""
    if !html.isEmpty {
      // Typefaces and sizes are those of Keep itself; nobody can choose them there.
      let blocks = try HTMLPage(html).text.blocks.map { block -> RichText.Block in
        if case .paragraph(let line) = block {
          .paragraph(PlainNote.withAddresses(line))
        } else {
          block
        }
      }
      if blocks != [.paragraph([])] { return blocks }
    }
    let words = members.text(name) ?? ""
    return PlainNote(words).blocks
  }
}

/// The folders of an archive that have notes of Keep.
struct KeepFolders: Sendable {
  /// The paths of the notes without endings.
  private var notes: Set<String> = []
  private var folders: Set<String> = []
  private var labels: Set<String> = []

  mutating func add(_ note: KeepNote, at path: String) {
    let folder = ImportPath.folder(of: path)
    notes.insert(Self.stem(path))
    folders.insert(folder)
    if !note.isTrashed { labels.formUnion(note.labels) }
  }

  var isEmpty: Bool { notes.isEmpty }

  func hasNote(at path: String) -> Bool { notes.contains(Self.stem(path)) }

  /// Whether a file is beside a folder of Keep, in Google's archive.
  func isBeside(_ path: String) -> Bool {
    let folder = ImportPath.folder(of: path)
    return ImportPath.name(of: folder) == "Takeout"
      && folders.contains { ImportPath.folder(of: $0) == folder }
  }

  func isListOfLabels(_ path: String) -> Bool {
    ImportPath.name(of: path) == "Labels.txt" && folders.contains(ImportPath.folder(of: path))
  }

  func unusedLabels(in list: String) -> [String] {
    list.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !labels.contains($0) }
  }

  private static func stem(_ path: String) -> String {
    "\(ImportPath.folder(of: path))/\(ImportPath.stem(of: path))"
  }
}
