import Foundation
import RichText

/// Notes of Standard Notes: the file of a backup that is not encrypted.
///
/// ```
/// Standard Notes Backup and Import File.txt     {"version": "004", "items": [{"content_type": "Note", "content": {…}}]}
/// Items/Note/A walk-b6da2c93.txt                the text of a note again
/// ```
struct StandardNotesFormat: NoteFormat {
  let name = "Standard Notes"
  let endings = ["txt", "json"]
  let isKnownByEnding = false
  let hasKeywordsInTexts = false

  /// The largest backup that is read, in bytes.
  private static let limit = 64 << 20

  /// Whether a file has the name of a backup.
  static func isBackup(_ path: String) -> Bool {
    ImportPath.name(of: path).hasPrefix("Standard Notes Backup and Import File")
  }

  func recognizes(_ file: ImportCandidate) -> Bool {
    if Self.isBackup(file.entry.path) { return true }
    // A file that cannot be read is not one of Standard Notes.
    guard ImportPath.ending(of: file.entry.path) == "json",
      let data = try? file.entry.beginning(20_000)
    else { return false }
    return ["\"items\"", "\"content_type\""].allSatisfy { data.range(of: Data($0.utf8)) != nil }
  }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let entry = survey.source.entries[index]
    let backup = try StandardNotesBackup(try entry.read(Self.limit))
    for (number, note) in backup.notes.enumerated() {
      survey.want(MarkdownOutline.linked(by: note.text))
      try survey.add(
        ImportSketch(
          id: UUID(),
          entry: index,
          part: number..<(number + 1),
          format: self,
          path: note.title.isEmpty ? entry.path : note.title,
          folder: "",
          names: [note.title, note.id].filter { !$0.isEmpty }
        )
      )
    }
    for (name, reason) in backup.leftOut {
      survey.leaveOut(name.isEmpty ? entry.path : name, reason)
    }
    if backup.notes.isEmpty, backup.leftOut.isEmpty {
      throw LibraryProblem.refused("There are no notes in this backup of Standard Notes.")
    }
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let backup = try reader.collection(sketch.entry) {
      try StandardNotesBackup(try $0.read(Self.limit))
    }
    guard let number = sketch.part?.lowerBound, backup.notes.indices.contains(number) else {
      throw LibraryProblem.refused("The file has changed while it was read.")
    }
    let note = backup.notes[number]
    var properties = note.properties
    properties.keywords = backup.tags(of: note.id)
    return try await reader.draft(sketch) { [properties] reader, mentions in
      let around = reader.surroundings(sketch, isOfBear: false, mentions)
      switch note.kind {
      case .plain: return properties.file(RichText(PlainNote(note.text).blocks))
      case .markdown: return properties.file(markdown: note.text, in: around)
      case .code(let language):
        return properties.file(RichText([.codeBlock(language: language, note.text)]))
      case .page:
        let page = try HTMLPage(
          note.text,
          in: HTMLSurroundings(fileAt: { reader.attached(at: $0, sketch, mentions) })
        )
        for change in page.changes { mentions.changes[change] = 0 }
        return properties.file(page.text)
      case .blocks(let root):
        var blocks = LexicalBlocks(
          noteOf: { reader.directory.note($0, in: sketch) },
          nameOf: { backup.names[$0] },
          fileAt: { reader.attached(at: $0, sketch, mentions) }
        )
        let text = RichText(blocks.read(root))
        for change in blocks.changes { mentions.changes[change] = 0 }
        return properties.file(text)
      case .tasks(let blocks): return properties.file(RichText(blocks))
      }
    }
  }
}

extension ImportSurvey {
  /// Leaves out the copies that a backup of Standard Notes has of its items.
  mutating func finishStandardNotes() {
    let folders = exports.standardNotes.map { "\($0)Items/" }
    if folders.isEmpty { return }
    func isCopy(_ path: String) -> Bool { folders.contains { path.hasPrefix($0) } }
    remove { !($0.format is StandardNotesFormat) && isCopy($0.path) }
    removeAttachments(isCopy)
  }
}
