import Foundation
import RichText

/// Canvases of Obsidian: cards and groups on a plane, with lines between them.
struct CanvasFormat: NoteFormat {
  let name = "Obsidian’s canvas"
  let endings = ["canvas"]

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let canvas = try Canvas(try survey.source.entries[index].read(ImportedFile.limit))
    survey.want(MarkdownOutline.linked(by: canvas.markdown))
    try survey.add(survey.sketch(of: index, self))
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let canvas = try Canvas(try reader.source.entries[sketch.entry].read(ImportedFile.limit))
    let properties = NoteFacts(title: NotePath(sketch.path).name)
    return try await reader.draft(sketch) { reader, mentions in
      // Its lines do not concern anybody: a program has written them.
      var around = reader.surroundings(sketch, isOfBear: false, mentions)
      around.changed = { change, _ in mentions.changes[change] = 0 }
      if canvas.hasPlaces { mentions.changes[.places] = 0 }
      if canvas.hasColours { mentions.changes[.looks] = 0 }
      return properties.file(markdown: canvas.markdown, in: around)
    }
  }
}
