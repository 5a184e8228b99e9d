import Foundation
import RichText

/// Pages and tables of Notion, in Markdown with CSV, or in HTML.
struct NotionFormat: NoteFormat {
  let name = "Notion"
  let endings = ["md", "html", "csv"]
  let isKnownByEnding = false
  let hasKeywordsInTexts = false

  /// The rows that the note of a table shows; all of them are notes.
  private static let shownRows = 500

  func recognizes(_ file: ImportCandidate) -> Bool {
    NotionName(file.entry.path) != nil || isList(file.entry)
  }

  /// Whether a page lists the others.
  private func isList(_ entry: ImportSource.Entry) -> Bool {
    guard ImportPath.name(of: entry.path) == "index.html",
      // A file that cannot be read is refused when it is read.
      let beginning = try? entry.beginning(1_000)
    else { return false }
    return String(decoding: beginning, as: UTF8.self).contains("<ul id=\"id::")
  }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let entry = survey.source.entries[index]
    guard let name = NotionName(entry.path) else {
      return survey.leaveOut(entry.path, "It lists the pages of the export, which are imported.")
    }
    let ending = ImportPath.ending(of: entry.path)
    guard ending != "csv" else { return survey.programs.notion.addTable(index, name) }
    let data = try entry.read(ImportedFile.limitWithFiles)
    var sketch = survey.sketch(of: index, self)
    sketch.names.append(name.title)
    if ending == "md" {
      let outline = MarkdownOutline(try ImportedText.text(data))
      sketch.names += outline.names
      survey.want(outline.linked)
    } else if let title = Self.title(of: try ImportedText.page(data)) {
      sketch.names.append(title)
    }
    survey.programs.notion.addPage(entry.path, titled: Array(sketch.names.dropFirst()))
    try survey.add(sketch)
  }

  /// The title of a page of the web, without reading all of it.
  private static func title(of page: String) -> String? {
    guard let start = page.firstRange(of: "<title>"),
      let end = page[start.upperBound...].firstRange(of: "</title>")
    else { return nil }
    return String(page[start.upperBound..<end.lowerBound].prefix(1_000))
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let title = NotionName(sketch.path)?.title ?? ""
    switch ImportPath.ending(of: sketch.path) {
    case "csv": return try await readTable(sketch, titled: title, &reader)
    case "md": return try await readPage(sketch, titled: title, &reader)
    default: return try await readWebPage(sketch, titled: title, &reader)
    }
  }

  private func readPage(
    _ sketch: ImportSketch,
    titled title: String,
    _ reader: inout ImportReader
  ) async throws -> ImportedDraft {
    let text = try reader.text(of: sketch, upTo: ImportedFile.limitWithFiles)
    let table = reader.programs.notion.table(ofPagesIn: ImportPath.folder(of: sketch.path))
    let page = NotionPage(text, title: title, columns: table?.columns ?? [])
    var properties = page.properties
    // A property may be called “Date”, which is the date of the note elsewhere.
    properties.created = properties.created ?? reader.source.entries[sketch.entry].date
    return try await reader.draft(sketch) { [properties] reader, mentions in
      properties.file(
        markdown: page.body,
        firstLine: page.firstLine,
        in: reader.surroundings(sketch, isOfBear: false, mentions)
      )
    }
  }

  private func readWebPage(
    _ sketch: ImportSketch,
    titled title: String,
    _ reader: inout ImportReader
  ) async throws -> ImportedDraft {
    let data = try reader.source.entries[sketch.entry].read(ImportedFile.limitWithFiles)
    let web = try NotionWeb(try ImportedText.page(data))
    let date = reader.source.entries[sketch.entry].date
    return try await reader.draft(sketch) { reader, mentions in
      let page = try HTMLPage(
        web.page,
        in: HTMLSurroundings(
          noteAt: { reader.directory.note(at: $0, in: sketch) },
          fileAt: { reader.attached(at: $0, sketch, mentions) }
        )
      )
      for change in page.changes { mentions.changes[change] = 0 }
      var properties = NoteFacts(title: page.title ?? title)
      properties.created = date
      for (name, value) in web.properties { properties.add(value, in: Self.column(name, value)) }
      var blocks = page.text.blocks[...]
      if case .heading(_, let line)? = blocks.first,
        RichText([.paragraph(line)]).plainText == page.title
      {
        blocks.removeFirst()
      }
      return properties.file(RichText(NotionLists.joined(Array(blocks))))
    }
  }

  private static func column(_ name: String, _ value: String) -> NotionColumn {
    NotionColumn(name: name, kind: NotionValue.isLikeDate(value) ? .date : .text, others: [value])
  }
}

// MARK: - Tables

extension NotionFormat {
  private func readTable(
    _ sketch: ImportSketch,
    titled title: String,
    _ reader: inout ImportReader
  ) async throws -> ImportedDraft {
    let rows = try reader.collection(sketch.entry) { try NotionRows($0) }
    let base = NotionName(sketch.path)?.base ?? ""
    let columns = reader.programs.notion.table(ofPagesIn: base)?.columns ?? []
    let date = reader.source.entries[sketch.entry].date
    if let part = sketch.part {
      let row = rows.row(part)
      var properties = NoteFacts(title: row.first ?? "")
      properties.created = date
      for (column, value) in zip(columns, row).dropFirst() { properties.add(value, in: column) }
      return try await reader.draft(sketch) { [properties] _, _ in properties.file(RichText([])) }
    }
    let (shown, count) = rows.beginning(Self.shownRows + 1)
    if count > shown.count {
      reader.refused.append(
        .init(
          name: sketch.path,
          reason: "Its note shows \(Self.shownRows) of \(count - 1) rows."
        )
      )
    }
    return try await reader.draft(sketch) { reader, _ in
      var properties = NoteFacts(title: title)
      properties.created = date
      return properties.file(Self.text(of: shown, at: base, sketch, reader))
    }
  }

  /// The rows as a table, whose first cells are links to the notes of the rows.
  private static func text(
    of rows: [[String]],
    at base: String,
    _ sketch: ImportSketch,
    _ reader: ImportReader
  ) -> RichText {
    guard let head = rows.first else { return RichText([]) }
    var next: [String: Int] = [:]
    let body = rows.dropFirst().map { row in
      row.enumerated().map { index, value -> [RichText.Inline] in
        let words = NotionValue.withoutAddresses(value)
        guard index == 0, !words.isEmpty else { return words.isEmpty ? [] : [.text(words)] }
        let pages = reader.programs.notion.pages(of: base, titled: value)
        let number = next[value, default: 0]
        next[value] = number + 1
        let note =
          number < pages.count
          ? reader.directory.note(ofPage: pages[number]) : reader.directory.note(value, in: sketch)
        return [.text(words, RichText.Marks([], link: note.map { .note($0) }))]
      }
    }
    let table = RichText.Table(hasHeader: true, rows: [head.map { [.text($0)] }] + body)
    return RichText([.table(table)])
  }
}
