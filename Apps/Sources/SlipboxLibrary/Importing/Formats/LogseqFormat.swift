import Foundation
import RichText

/// Pages of Logseq: the files of a graph, or of its export as Markdown.
///
/// ```
/// Graph/logseq/config.edn      Graph/pages/Travel___Italy.md      Graph/journals/2026_11_21.md      Graph/assets/tree.png
/// ```
struct LogseqFormat: NoteFormat {
  let name = "Logseq"
  let endings = ["md"]
  let isKnownByEnding = false

  private static let folders = ["pages/", "journals/", "logseq/bak/"]

  func recognizes(_ file: ImportCandidate) -> Bool {
    Self.root(of: file.entry.path, file.exports) != nil
  }

  /// The folder of the graph of a page, with the sign behind it.
  fileprivate static func root(of path: String, _ exports: ProgramExports) -> String? {
    exports.logseq.first { root in
      path.hasPrefix(root) && folders.contains { path.dropFirst(root.count).hasPrefix($0) }
    }
  }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let entry = survey.source.entries[index]
    let root = Self.root(of: entry.path, survey.exports) ?? ""
    if entry.path.dropFirst(root.count).hasPrefix("logseq/bak/") {
      survey.programs.logseq.copies += 1
      return
    }
    let text = try ImportedText.text(try entry.read(ImportedFile.limitWithFiles))
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    let properties = LogseqProperties(&lines).values
    let title = properties.first { $0.name.lowercased() == "title" }?.value
    let page = LogseqPage(entry.path, in: root, titled: title, isTree: survey.source.isTree)
    var sketch = survey.sketch(of: index, self)
    sketch.folder = page.folder
    sketch.names = page.names
    for (name, value) in properties where ["alias", "aliases"].contains(name.lowercased()) {
      sketch.names += LogseqProperties.list(value)
    }
    for (id, block) in LogseqMarkdown.blocks(in: text, at: entry.path) {
      survey.programs.logseq.add(id, block)
    }
    survey.programs.logseq.want(LogseqBlocks.references(in: text))
    survey.want(MarkdownOutline.linked(by: text))
    try survey.add(sketch)
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let text = try reader.text(of: sketch, upTo: ImportedFile.limitWithFiles)
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    let title = LogseqProperties(&lines).values.first { $0.name.lowercased() == "title" }?.value
    let page = LogseqPage(sketch.path, in: reader.logseqRoot(of: sketch.path), titled: title)
    let logseq = LogseqMarkdown(text, page, reader.programs.logseq)
    return try await reader.draft(sketch) { reader, mentions in
      let around = reader.surroundings(sketch, isOfBear: false, mentions)
      for (change, line) in logseq.changes { around.changed?(change, line) }
      return logseq.properties.file(markdown: logseq.body, firstLine: logseq.firstLine, in: around)
    }
  }
}

extension ImportReader {
  fileprivate func logseqRoot(of path: String) -> String {
    LogseqFormat.root(of: path, exports) ?? ""
  }
}

extension ImportSurvey {
  /// Reports the files of a graph that do not become notes.
  mutating func finishLogseq() {
    if programs.logseq.copies > 0 {
      leaveOut(
        "logseq/bak",
        "Its \(programs.logseq.copies) earlier versions of pages are not imported."
      )
    }
    let roots = exports.logseq
    if roots.isEmpty { return }
    removeAttachments { path in roots.contains { path == "\($0)logseq/config.edn" } }
    let pages = attachments.map { source.entries[$0].path }.filter { path in
      ImportPath.ending(of: path) == "org" && roots.contains { path.hasPrefix($0) }
    }
    for path in pages { leaveOut(path, "Pages in Org mode are not imported.") }
    let left = Set(pages)
    removeAttachments(left.contains)
  }
}
