import RichText

/// Texts with the signs of Markdown, also those of Obsidian and Bear.
struct MarkdownFormat: NoteFormat {
  let name = "Markdown"
  let endings = ["md", "markdown", "mdown"]

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    var sketch = survey.sketch(of: index, self)
    let entry = survey.source.entries[index]
    let outline = MarkdownOutline(
      try ImportedText.text(try entry.read(ImportedFile.limitWithFiles))
    )
    sketch.names += outline.names
    if let id = outline.id { sketch.id = id }
    survey.want(outline.linked)
    try survey.add(sketch)
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let text = try reader.text(of: sketch, upTo: ImportedFile.limitWithFiles)
    let isOfBear = reader.isOfBear(sketch, text)
    return try await reader.draft(sketch) {
      MarkdownFile(text, in: $0.surroundings(sketch, isOfBear: isOfBear, $1))
    }
  }
}
