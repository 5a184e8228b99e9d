import Foundation
import RichText

/// Pages of the web.
struct HTMLFormat: NoteFormat {
  let name = "HTML"
  let endings = ["html", "htm"]

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let data = try reader.source.entries[sketch.entry].read(ImportedFile.limitWithFiles)
    let page = try ImportedText.page(data)
    return try await reader.draft(sketch) { try file(of: page, sketch, $0, $1) }
  }

  /// A page of the web; a first heading that is its title is not in the text.
  private func file(
    of page: String,
    _ sketch: ImportSketch,
    _ reader: ImportReader,
    _ mentions: Mentions
  ) throws -> MarkdownFile {
    let page = try HTMLPage(
      page,
      in: HTMLSurroundings(
        noteAt: { reader.directory.note(at: $0, in: sketch) },
        fileAt: { reader.attached(at: $0, sketch, mentions) }
      )
    )
    for change in page.changes { mentions.changes[change] = 0 }
    var file = MarkdownFile(title: page.title, text: page.text)
    let dates = [page.facts["created"] ?? page.facts["date"], page.facts["updated"]]
    let read = dates.map { date in
      date.flatMap { MarkdownFile.date($0, beside: dates.compactMap(\.self)) }
    }
    (file.created, file.modified) = (read[0], read[1])
    if zip(dates, read).contains(where: { $0 != nil && $1 == nil }) { mentions.changes[.facts] = 0 }
    let words = page.facts["keywords"] ?? ""
    file.keywords = words.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    if case .heading(_, let line)? = page.text.blocks.first,
      RichText([.paragraph(line)]).plainText == page.title
    {
      file.text = RichText(Array(page.text.blocks.dropFirst()))
    }
    return file
  }
}
