import Archives
import Foundation
import Pictures
import RichText
import Testing

@testable import SlipboxLibrary

/// Notes leave as documents for Word, made by pandoc in a process with limits.
struct WordFileTests {
  private static let isInstalled = WordFile.tool != nil
  private static let reason: Comment = "pandoc is not installed (Debian: pandoc)"

  @Test(.enabled(if: isInstalled, reason))
  func `a note leaves as a document with its pictures, formulas and language`() async throws {
    let box = try Box()
    let note = try await box.note("Slots & seats", "x")
    let id = try note.id.uuid
    let file = try await box.library.addFile(SamplePicture.png, name: "p.png", to: id, by: nil)
    let text = RichText([
      .paragraph([.text("A "), .text("fault", [.bold]), .text(" of $x^2$ "), .footnoteMark("1")]),
      .picture(RichText.Picture(file: try file.id.uuid, caption: "Tree")),
      .taskList([.init(isDone: true, [.paragraph([.text("done")])])]),
      .footnote(label: "1", [.paragraph([.text("Often.")])]),
    ])
    var edit = NoteEdit()
    edit.base = try await box.library.note(id).revision
    edit.document = JSONValue(text: text.json)
    edit.properties = [PropertyEdit("lang", kind: "text", value: "de_AT")]
    _ = try await box.library.edit(id, edit, by: nil)
    let exported = try await box.library.export(id, as: .docx)
    #expect(exported.name == "Slots & seats.docx")
    #expect(exported.contentType.hasSuffix("wordprocessingml.document"))
    let archive = try ZipReader(exported.data)
    func part(_ path: String) throws -> String {
      let entry = try #require(archive.entries.first { $0.path == path })
      return String(decoding: try archive.read(entry, limit: 1_000_000), as: UTF8.self)
    }
    let document = try part("word/document.xml")
    // The title is there once.
    let titles = document.components(separatedBy: "Slots &amp; seats").count - 1
    #expect(titles == 1)
    let words = ["fault", "Tree", "done", "☒", "Often.", "<m:oMath>"]
    #expect(words.filter { !document.contains($0) } == [])
    let hasWayBack = document.contains("↩")
    #expect(!hasWayBack)
    #expect(archive.entries.contains { $0.path.hasPrefix("word/media/") })
    #expect(try part("word/styles.xml").contains("de-AT"))
  }

  @Test func `without pandoc, or with a tool that fails, a sentence says so`() async throws {
    let page = Data("<p>x</p>".utf8)
    for (tool, error) in [
      (nil, WordError.noTool), ("/nowhere/pandoc", .noTool), ("/bin/false", .refused),
      ("/bin/true", .refused),
    ] {
      await #expect(throws: error) { try await WordFile.made(of: page, tool: tool) }
      #expect(error.localizedDescription.contains("ocument"))
    }
    await #expect(throws: WordError.tooDear) {
      try await WordFile.made(of: Data(count: WordFile.byteLimit + 1), tool: "/bin/cat")
    }
  }

  @Test(.enabled(if: isInstalled, reason))
  func `a page that takes too much memory ends with its process`() async throws {
    // Pandoc keeps each element in memory, hundreds of bytes for each of these.
    let page = Data(String(repeating: "<p><b>a</b> <i>b</i></p>", count: 2_000_000).utf8)
    await #expect(throws: WordError.self) { try await WordFile.made(of: page) }
  }

  @Test func `the language of a note is that of its property`() async throws {
    let box = try Box()
    let id = try await box.note("Sprache", "x").id.uuid
    for (value, language) in [
      ("de", "de"), ("de_CH", "de-CH"), ("zh-Hant-TW", "zh-Hant-TW"), ("German", nil), ("", nil),
      ("de<script>", nil), ("d", nil),
    ] {
      var edit = NoteEdit()
      edit.properties = [PropertyEdit("Language", kind: "text", value: value)]
      _ = try await box.library.edit(id, edit, by: nil)
      #expect(try await box.library.read { try $0.note(id).language } == language)
      let page = String(decoding: try await box.library.export(id, as: .html).data, as: UTF8.self)
      #expect(page.contains(language.map { "<html lang=\"\($0)\">" } ?? "<html>\n"))
    }
  }
}
