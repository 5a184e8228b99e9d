import Archives
import Foundation
import Pictures
import RichText
import Testing

@testable import SlipboxLibrary

/// Works that notes cite, from files in notes.
struct CitingTests {
  private static let bib = """
    @book{doe2020, author = {Doe, Jane}, title = {Slots & seats}, publisher = {P}, year = 2020}
    @book{doe2020b, author = {Doe, Jane}, title = {More}, year = 2020}
    @article{müller, author = {M{\\"u}ller, Eva}, title = {Plätze}, journal = {J}, year = 1999}
    @book{broken, title = {
    """

  private func box() async throws -> (Box, UUID) {
    let box = try Box()
    let id = try await box.note("Sources", "x").id.uuid
    let file = try await box.library.addFile(
      Data(Self.bib.utf8),
      name: "Library.bib",
      to: id,
      by: nil
    )
    try await write([.file(.init(file: try file.id.uuid, name: "Library.bib"))], into: id, of: box)
    return (box, id)
  }

  private func write(_ blocks: [RichText.Block], into id: UUID, of box: Box) async throws {
    var edit = NoteEdit()
    edit.base = try await box.library.note(id).revision
    edit.document = JSONValue(text: RichText(blocks).json)
    _ = try await box.library.edit(id, edit, by: nil)
  }

  @Test func `references are found by the beginnings and middles of their words`() async throws {
    let (box, _) = try await box()
    let all = try await box.library.references(text: "", limit: 10)
    #expect(all.references.map(\.key) == ["doe2020", "doe2020b", "müller"])
    #expect(all.sources.map(\.name) == ["Library.bib"])
    #expect(all.sources.map(\.count) == [3])
    #expect(all.problems.count == 1)
    #expect(all.problems.first?.hasPrefix("Library.bib, line 4: “broken” is left out:") == true)
    for (text, keys) in [
      ("muller", ["müller"]), ("PLATZE 1999", ["müller"]), ("jane more", ["doe2020b"]),
      ("oe2020b", ["doe2020b"]), ("nobody", []), ("doe", ["doe2020", "doe2020b"]),
    ] {
      let found = try await box.library.references(text: text, limit: 10)
      #expect(found.references.map(\.key) == keys, "\(text)")
    }
    #expect(try await box.library.references(text: "doe", limit: 1).references.count == 1)
  }

  @Test func `a file counts while a note that is not in the trash names it`() async throws {
    let (box, id) = try await box()
    func known() async throws -> [String] {
      try await box.library.cited(["doe2020", "nobody"]).works.map(\.key)
    }
    #expect(try await known() == ["doe2020"])
    let token = try await box.library.trash([id], by: nil)
    #expect(try await known() == [])
    _ = try await box.library.undo(token, by: nil)
    #expect(try await known() == ["doe2020"])
    // A version has the file still, and the text does not.
    try await write([.paragraph([.text("Gone")])], into: id, of: box)
    #expect(try await known() == [])
    #expect(try await box.library.cited(["doe2020"]).missing == ["doe2020"])
  }

  @Test func `many keys are refused, and names depend on all of them`() async throws {
    let (box, id) = try await box()
    let both = try await box.library.cited(["doe2020", "doe2020b", "doe2020"])
    #expect(both.works.map(\.year) == ["2020a", "2020b"])
    #expect(both.sources == [id.text])
    #expect(try await box.library.cited(["doe2020"]).works.map(\.year) == ["2020"])
    await #expect(throws: LibraryProblem.self) {
      try await box.library.cited(Array(repeating: "k", count: 2_001))
    }
  }

  @Test func `pages and RTF have short forms and the list, Markdown has what was written`()
    async throws
  {
    let (box, _) = try await box()
    let id = try await box.note("Citing", "So [@doe2020, p. 3; @müller] and @doe2020b, [@nobody].")
      .id.uuid
    func exported(_ form: ExportForm) async throws -> String {
      let file = try await box.library.export(id, as: form)
      return String(decoding: file.data, as: UTF8.self)
    }
    let page = try await exported(.html)
    #expect(page.contains("<p>So (Doe 2020b, p. 3; Müller 1999) and Doe (2020a), [@nobody].</p>"))
    #expect(page.contains("<h2>References</h2>\n<p>Doe, Jane. 2020a. <em>More</em>.</p>"))
    #expect(page.contains("<p>Doe, Jane. 2020b. <em>Slots &amp; seats</em>. P.</p>"))
    let rtf = try RichText(rtf: try await box.library.export(id, as: .rtf).data).plainText
    #expect(rtf.contains("So (Doe 2020b, p. 3; Müller 1999)"))
    #expect(rtf.contains("References\nDoe, Jane. 2020a. More."))
    let markdown = try await exported(.markdown)
    #expect(markdown.contains("So [@doe2020, p. 3; @müller] and @doe2020b, [@nobody]."))
    #expect(!markdown.contains("References"))
  }

  @Test func `a note that cites nothing leaves as before`() async throws {
    let (box, _) = try await box()
    let id = try await box.note("Plain", "Write to jane@doe2020.org.").id.uuid
    let page = try await box.library.export(id, as: .html).data
    #expect(!String(decoding: page, as: UTF8.self).contains("References"))
  }

  @Test(.enabled(if: WordFile.tool != nil, "pandoc is not installed (Debian: pandoc)"))
  func `a document for Word has short forms and the list`() async throws {
    let (box, _) = try await box()
    let id = try await box.note("Citing", "So [@doe2020, p. 3].").id.uuid
    let archive = try ZipReader(try await box.library.export(id, as: .docx).data)
    let entry = try #require(archive.entries.first { $0.path == "word/document.xml" })
    let document = String(decoding: try archive.read(entry, limit: 1_000_000), as: UTF8.self)
    let words = ["(Doe 2020, p. 3)", "References", "Doe, Jane. 2020."]
    #expect(words.filter { !document.contains($0) } == [])
  }

  @Test func `an archive brings the file and the citations back`() async throws {
    let (box, source) = try await box()
    try await write(
      [.paragraph([.text("So [@doe2020].")])]
        + RichText(try await box.library.read { try $0.note(source).formattedBodyText.blocks })
        .blocks,
      into: source,
      of: box
    )
    let archive = try await Archive.everything(in: box.library)
    let other = try Box()
    _ = try await other.library.importNotes(
      try ImportSource(archive: archive),
      into: nil,
      by: nil
    )
    #expect(try await other.text(of: "Sources").plainText.contains("So [@doe2020]."))
    #expect(try await other.library.cited(["doe2020"]).works.map(\.year) == ["2020"])
  }

  @Test func `a published note showed keys instead of short forms`() async throws {
    let (box, _) = try await box()
    let id = try await box.note("Published", "See [@doe2020, p. 2] %%not [@müller]%%").id.uuid
    let link = try await box.library.publish(id, replaces: false)
    let page = String(
      decoding: try await box.library.publishedPage(String(link.path.dropFirst(3))),
      as: UTF8.self
    )
    #expect(page.contains("See (Doe 2020, p. 2)"))
    #expect(page.contains("<em>Slots &amp; seats</em>"))
    #expect(!page.contains("Eva"))
  }
}
