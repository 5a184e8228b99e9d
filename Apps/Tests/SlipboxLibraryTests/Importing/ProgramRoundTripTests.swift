import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// A thousand random notes, written as other programs write them, are read as they were.
struct ProgramRoundTripTests {
  /// A random note with a title that other programs can have.
  private struct Sample {
    let title: String
    let text: RichText
    let markdown: String
  }

  private static func samples(_ seed: UInt64, _ body: (Sample) throws -> Void) rethrows {
    var random = SeededNumbers(seed)
    let notes = (0..<5).map { _ in UUID() }
    for number in 0..<1_000 {
      var writer = RandomWriter(&random, notes: notes, files: notes)
      let title = writer.title().trimmingCharacters(in: .whitespaces)
      let text = writer.text()
      try body(
        Sample(title: title.isEmpty ? "Note \(number)" : title, text: text, markdown: text.markdown)
      )
    }
  }

  private static var surroundings: MarkdownSurroundings { MarkdownSurroundings(breaksLines: true) }

  private func expect(_ file: MarkdownFile, is sample: Sample) {
    #expect(file.title == sample.title)
    #expect(file.text == sample.text, "\(sample.markdown)")
  }

  @Test func `notes of Joplin`() throws {
    try Self.samples(1) { sample in
      let text = "\(sample.title)\n\n\(sample.markdown)\n\nid: \(JoplinTests.walk)\ntype_: 1"
      let item = try #require(JoplinItem(text))
      let file = item.properties.file(markdown: item.body, in: Self.surroundings)
      expect(file, is: sample)
    }
  }

  @Test func `notes of Simplenote and Standard Notes`() throws {
    try Self.samples(2) { sample in
      let content = JSONValue.text("# \(sample.title)\n\n\(sample.markdown)").json
      let list = try SimplenoteList(
        Data("{\"activeNotes\": [{\"content\": \(content), \"markdown\": true}]}".utf8)
      )
      let simple = try #require(list.notes.first)
      if !sample.title.hasPrefix("#") {
        expect(simple.properties.file(markdown: simple.body, in: Self.surroundings), is: sample)
      }
      let words = JSONMembers(
        dictionaryLiteral: ("text", .text(sample.markdown)),
        ("title", .text(sample.title))
      )
      let backup = try StandardNotesBackup(
        Data(
          "{\"items\": [{\"content_type\": \"Note\", \"content\": \(JSONValue.object(words).json)}]}"
            .utf8
        )
      )
      let note = try #require(backup.notes.first)
      expect(note.properties.file(markdown: note.text, in: Self.surroundings), is: sample)
    }
  }

  @Test func `pages of Notion, and cards of canvases`() throws {
    try Self.samples(3) { sample in
      let page = NotionPage("# \(sample.title)\n\n\(sample.markdown)", title: "", columns: [])
      expect(page.properties.file(markdown: page.body, in: Self.surroundings), is: sample)
      let card = JSONMembers(
        dictionaryLiteral: ("type", .text("text")),
        ("text", .text(sample.markdown))
      )
      let canvas = try Canvas(Data("{\"nodes\": [\(JSONValue.object(card).json)]}".utf8))
      let file = NoteFacts(title: sample.title).file(
        markdown: canvas.markdown,
        in: Self.surroundings
      )
      expect(file, is: sample)
    }
  }

  @Test func `properties, whatever signs they have`() {
    var random = SeededNumbers(4)
    let parts = [
      "a", "Ü", ":", "#", "\"", "'", "[", "]", "{", ",", " ", "5", "-", "~", "null", "\\", "|", ">",
      "&", "*",
    ]
    for _ in 0..<1_000 {
      let values = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 1...6, using: &random))
          .map { _ in parts.randomElement(using: &random) ?? "a" }.joined()
          .trimmingCharacters(in: .whitespaces)
      }.filter { !$0.isEmpty && $0 != "~" && $0 != "null" }
      if values.isEmpty { continue }
      var seen: Set<String> = []
      let unique = values.filter { seen.insert($0.lowercased()).inserted }
      let file = MarkdownFile("---\n\(MarkdownFile.property("aliases", unique))\n---\n")
      // One value with commas may be a list.
      #expect(unique.count == 1 && unique[0].contains(",") || file.aliases == unique)
    }
  }

  @Test func `plain notes, line by line`() {
    var random = SeededNumbers(5)
    let lines = [
      "", "", "words", "- item", "* 2 * 3", "# no heading", "[a](b)", "  indented", "1. one",
    ]
    for _ in 0..<1_000 {
      let text = (0..<Int.random(in: 1...8, using: &random))
        .map { _ in lines.randomElement(using: &random) ?? "" }.joined(separator: "\n")
      let words = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
      let read = RichText(PlainNote(text).blocks).plainText.split(separator: "\n")
      #expect(read == words)
    }
  }
}
