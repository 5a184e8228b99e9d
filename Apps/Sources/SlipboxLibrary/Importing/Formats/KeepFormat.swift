import Foundation
import RichText

/// Notes of Google Keep, from Google's archive of a person's data: a file of JSON for each note, with its files beside it.
struct KeepFormat: NoteFormat {
  let name = "Google Keep"
  let endings = ["json"]
  let isKnownByEnding = false
  let hasKeywordsInTexts = false

  func recognizes(_ file: ImportCandidate) -> Bool {
    // Its members are in any order. A file that cannot be read is not one of Keep.
    guard let data = try? file.entry.read(ImportedFile.limit) else { return false }
    return KeepNote.isLikeOne(data)
  }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let path = survey.source.entries[index].path
    let note = try KeepNote(try survey.source.entries[index].read(ImportedFile.limit))
    survey.programs.keep.add(note, at: path)
    if note.isTrashed { return survey.leaveOut(path, "It lies in Keep’s trash.") }
    var sketch = survey.sketch(of: index, self)
    sketch.folder = NotePath(path).folder.split(separator: "/").last.map { String($0) } ?? ""
    if !survey.source.isTree { sketch.folder = "" }
    if !note.title.isEmpty { sketch.names.append(note.title) }
    try survey.add(sketch)
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let note = try KeepNote(try reader.source.entries[sketch.entry].read(ImportedFile.limit))
    for file in note.files where reader.keepFile(file, in: sketch) == nil {
      reader.refused.append(.init(name: sketch.path, reason: "Its file “\(file)” is missing."))
    }
    return try await reader.draft(sketch) { reader, mentions in
      var blocks = try note.blocks()
      if note.hasOtherFacts { mentions.changes[.facts] = 0 }
      for file in note.files {
        guard let index = reader.keepFile(file, in: sketch) else { continue }
        switch reader.attached(index, mentions) {
        case .picture(let id): blocks.append(.picture(.init(file: id)))
        case .file(let id, let name): blocks.append(.file(.init(file: id, name: name)))
        case nil: break
        }
      }
      return note.properties.file(RichText(blocks))
    }
  }
}

extension ImportReader {
  /// The file of a name beside a note, which often has another ending than the note says.
  fileprivate func keepFile(_ name: String, in sketch: ImportSketch) -> Int? {
    if let file = directory.file(at: name, in: sketch) { return file }
    let stem = ImportPath.stem(of: name)
    return ["jpg", "jpeg", "png", "gif", "webp", "3gp", "amr", "m4a", "aac", "mp4"].lazy
      .compactMap { directory.file(at: "\(stem).\($0)", in: sketch) }.first
  }
}

extension ImportSurvey {
  /// Leaves out the pages of the web that Keep writes beside its notes, the list of its labels, and Google's overview.
  mutating func finishKeep() {
    let keep = programs.keep
    if keep.isEmpty { return }
    remove { $0.format is HTMLFormat && keep.hasNote(at: $0.path) }
    for sketch in sketches where sketch.format is HTMLFormat && keep.isBeside(sketch.path) {
      leaveOut(sketch.path, "It is an overview of what Google has exported.")
    }
    remove { $0.format is HTMLFormat && keep.isBeside($0.path) }
    for sketch in sketches
    where sketch.format is PlainTextFormat && keep.isListOfLabels(sketch.path) {
      // A list that cannot be read has nothing but labels, most of which notes have.
      let data = (try? source.entries[sketch.entry].read(1 << 20)) ?? Data()
      let unused = keep.unusedLabels(in: String(decoding: data, as: UTF8.self))
      if unused.isEmpty { continue }
      leaveOut(
        sketch.path,
        "No imported note has these labels: \(unused.prefix(50).joined(separator: ", "))."
      )
    }
    remove { $0.format is PlainTextFormat && keep.isListOfLabels($0.path) }
  }
}
