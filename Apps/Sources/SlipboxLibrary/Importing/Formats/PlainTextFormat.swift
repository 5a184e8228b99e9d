import RichText

/// Texts without signs, and the notes of Apple's Notes.
struct PlainTextFormat: NoteFormat {
  let name = "plain text"
  let endings = ["txt", "text"]

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let words = try reader.text(of: sketch)
    guard let facts = reader.apple[sketch.path] else {
      let text = RichText(plainText: words)
      return try await reader.draft(sketch) { _, _ in MarkdownFile(title: nil, text: text) }
    }
    return try await reader.draft(sketch) { reader, mentions in
      let files = facts.files.compactMap { reader.attached($0, mentions) }
      return AppleNote(words, files: files).file(facts)
    }
  }
}
