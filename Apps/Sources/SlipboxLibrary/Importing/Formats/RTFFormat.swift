import RichText

/// Texts of word processors.
struct RTFFormat: NoteFormat {
  let name = "RTF"
  let endings = ["rtf"]

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let data = try reader.source.entries[sketch.entry].read(ImportedFile.limit)
    let (text, changes) = try RichText.reading(rtf: data)
    return try await reader.draft(sketch) { _, mentions in
      // Its lines do not concern anybody: a program has written them.
      for change in changes { mentions.changes[change] = 0 }
      return MarkdownFile(title: nil, text: text)
    }
  }
}
