import Foundation
import RichText

/// Notes of Simplenote: a list of JSON, beside which its export has a copy of each note as plain text.
///
/// ```
/// source/notes.json      {"activeNotes": [{"id": …, "content": "Title\r\n\r\nText", "tags": ["home"]}], "trashedNotes": []}
/// Title.txt              the note again
/// trash/Old.txt
/// ```
struct SimplenoteFormat: NoteFormat {
  let name = "Simplenote"
  let endings = ["json"]
  let isKnownByEnding = false
  let hasKeywordsInTexts = false

  /// The path of the list in an export.
  static let list = "source/notes.json"
  /// The largest list that is read, in bytes.
  private static let limit = 64 << 20

  func recognizes(_ file: ImportCandidate) -> Bool {
    // A file that cannot be read is not one of Simplenote.
    guard let data = try? file.entry.beginning(2_000) else { return false }
    return data.range(of: Data("\"activeNotes\"".utf8)) != nil
  }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let entry = survey.source.entries[index]
    let list = try SimplenoteList(try entry.read(Self.limit))
    for (number, note) in list.notes.enumerated() {
      survey.want(MarkdownOutline.linked(by: note.text))
      survey.programs.simplenote.insert(SimplenoteNote.beginning(of: note.text))
      try survey.add(
        ImportSketch(
          id: UUID(),
          entry: index,
          part: number..<(number + 1),
          format: self,
          path: note.title.isEmpty ? entry.path : note.title,
          folder: "",
          names: [note.title, note.id].compactMap { $0 }.filter { !$0.isEmpty }
        )
      )
    }
    for note in list.trash {
      survey.programs.simplenote.insert(SimplenoteNote.beginning(of: note.text))
      survey.leaveOut(
        note.title.isEmpty ? entry.path : note.title,
        "It lies in Simplenote’s trash."
      )
    }
    if list.notes.isEmpty, list.trash.isEmpty {
      throw LibraryProblem.refused("There are no notes in this file of Simplenote.")
    }
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let list = try reader.collection(sketch.entry) {
      try SimplenoteList(try $0.read(Self.limit))
    }
    guard let number = sketch.part?.lowerBound, list.notes.indices.contains(number) else {
      throw LibraryProblem.refused("The file has changed while it was read.")
    }
    let note = list.notes[number]
    return try await reader.draft(sketch) { reader, mentions in
      func target(of address: String) -> UUID? {
        guard address.hasPrefix(SimplenoteNote.scheme) else { return nil }
        let id = String(address.dropFirst(SimplenoteNote.scheme.count))
        return reader.directory.note(id, in: sketch)
      }
      if note.hasOtherFacts { mentions.changes[.facts] = 0 }
      guard note.isMarkdown else {
        let text = PlainNote(note.body) { target(of: $0).map { .note($0) } }
        return note.properties.file(RichText(text.blocks))
      }
      var around = reader.surroundings(sketch, isOfBear: false, mentions)
      around.noteAt = target
      return note.properties.file(markdown: note.body, firstLine: note.firstLine, in: around)
    }
  }
}

extension ImportSurvey {
  /// Leaves out the copies that an export of Simplenote has of its notes.
  mutating func finishSimplenote() {
    let (known, folders) = (programs.simplenote, exports.simplenote)
    if known.isEmpty || folders.isEmpty { return }
    let copies = sketches.filter { sketch in
      guard sketch.format is PlainTextFormat, folders.contains(where: sketch.path.hasPrefix),
        // The code that reads it as a note reports why it cannot be read.
        let head = try? source.entries[sketch.entry].beginning(SimplenoteNote.beginningCount * 4)
      else { return false }
      return SimplenoteNote.isCopy(String(decoding: head, as: UTF8.self), of: known)
    }
    let entries = Set(copies.map(\.entry))
    remove { $0.format is PlainTextFormat && entries.contains($0.entry) }
  }
}
