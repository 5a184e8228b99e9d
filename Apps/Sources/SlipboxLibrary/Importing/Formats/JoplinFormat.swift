import Foundation
import RichText

/// Notes of Joplin: the files of its RAW export, and of a `.jex`, which is an archive of such files.
///
/// ```
/// 9bdd5d51716c4db7b05c02700ffa68ce.md                a note, a notebook, a tag, a file's name, or a tag of a note
/// resources/82eba373e2054df8adb94274c3add306.png     the file itself
/// ```
struct JoplinFormat: NoteFormat {
  let name = "Joplin"
  let endings = ["md"]
  let isKnownByEnding = false
  let hasKeywordsInTexts = false

  func recognizes(_ file: ImportCandidate) -> Bool {
    JoplinItem.isIdentifier(ImportPath.stem(of: file.entry.path))
  }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let text = try ImportedText.text(
      try survey.source.entries[index].read(ImportedFile.limitWithFiles)
    )
    guard let item = JoplinItem(text) else {
      return try MarkdownFormat().survey(index, &survey)
    }
    guard item.kind == .note else { return survey.programs.joplin.add(item) }
    let path = survey.source.entries[index].path
    if let reason = item.reasonToLeaveOut { return survey.leaveOut(item.name(at: path), reason) }
    var sketch = survey.sketch(of: index, self)
    sketch.folder = ""
    if !item.title.isEmpty { sketch.names.append(item.title) }
    survey.want(MarkdownOutline.linked(by: item.body))
    survey.programs.joplin.addNote(index, in: item["parent_id"])
    try survey.add(sketch)
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let text = try reader.text(of: sketch, upTo: ImportedFile.limitWithFiles)
    guard let item = JoplinItem(text) else { throw LibraryProblem.refused("The file is damaged.") }
    let id = ImportPath.stem(of: sketch.path)
    var properties = item.properties
    properties.keywords = reader.programs.joplin.tags(of: id)
    return try await reader.draft(sketch) { [properties] reader, mentions in
      let joplin = reader.programs.joplin
      func file(at address: String) -> RichText.Attached? {
        guard let id = JoplinItem.identifier(in: address) else {
          return reader.attached(at: address, sketch, mentions)
        }
        return joplin.resources[id].flatMap { reader.attached($0, mentions) }
      }
      func note(at address: String) -> UUID? {
        JoplinItem.identifier(in: address).flatMap { reader.directory.note($0, in: sketch) }
      }
      guard item.isPage else {
        var around = reader.surroundings(sketch, isOfBear: false, mentions)
        (around.noteAt, around.fileAt) = (note, file)
        return properties.file(markdown: item.body, firstLine: item.firstLine, in: around)
      }
      let page = try HTMLPage(item.body, in: HTMLSurroundings(noteAt: note, fileAt: file))
      for change in page.changes { mentions.changes[change] = 0 }
      return properties.file(page.text)
    }
  }
}
