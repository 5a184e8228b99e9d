import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Properties in files: Obsidian's and Bear's front matter comes in, and goes out again.
@Suite(.serialized) struct PropertyFileTests {
  @Test("Obsidian's front matter comes in as properties, with links between the notes")
  func obsidian() async throws {
    let box = try Box()
    let source = try Archive.of([
      "V/Plan.md": """
      ---
      tags: [work]
      status: in progress
      due: 2026-12-01
      rating: 4
      done: false
      genre:
        - myth
        - epic
      parent: "[[Garden]]"
      meta: {a: 1}
      empty:
      ---
      Text
      """,
      "V/Garden.md": "A garden",
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.changes.isEmpty)
    let plan = try await box.library.read { try Note.titled("Plan", in: $0).uuid }
    #expect(
      try await box.properties(of: plan)
        == [
          "status text in progress", "due date 2026-12-01", "rating number 4",
          "done checkbox false",
          "genre list myth, epic", "parent link Garden", "meta other  {a: 1}", "empty text ",
        ].sortedAs(try await box.properties(of: plan))
    )
    let content = try await box.library.note(plan)
    #expect(content.links.map(\.title) == ["Garden"] && content.keywords.map(\.name) == ["work"])
    #expect(try await box.text(of: "Plan").plainText == "Text")
    #expect(try await box.found("parent:garden") == ["Plan"])
    let file = try await box.library.export(plan, as: .markdown)
    let text = String(decoding: file.data, as: UTF8.self)
    for line in [
      "slipbox-status: draft", "status: in progress", "due: 2026-12-01", "rating: 4", "done: false",
      "genre: [myth, epic]", "parent: \"[[Garden]]\"", "meta: {a: 1}", "empty:",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line) is missing in \(text)")
    }
  }

  @Test("A remark that no property holds stays in the text, and the report says so")
  func remarks() async throws {
    let box = try Box()
    let source = try Archive.of(["V/A.md": "---\ndue: 2026-12-01 # soon\n---\nx", "V/B.md": "b"])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.changes.map(\.kind) == ["frontMatter"])
    #expect(
      try await box.text(of: "A").blocks.first == .codeBlock(language: "yaml", "# due: soon")
    )
  }

  @Test("An import that is undone takes its properties along")
  func undoing() async throws {
    let box = try Box()
    let source = try Archive.of(["V/A.md": "---\ndue: 2026-12-01\n---\nx", "V/B.md": "b"])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(try await box.found("due:any") == ["A"])
    _ = try await box.library.undo(try #require(report.undo), by: nil)
    #expect(try await box.library.notes(NoteQuery()).total == 0)
  }
}

extension [String] {
  /// The same lines in the order of others, as far as these have them.
  fileprivate func sortedAs(_ others: [String]) -> [String] {
    sorted { (others.firstIndex(of: $0) ?? .max) < (others.firstIndex(of: $1) ?? .max) }
  }
}
