import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Testing

@testable import Slipbox

/// Works that can be cited, over HTTP.
struct ReferenceRouteTests {
  @Test func `works are looked for, and those of a text are read together`() async throws {
    try await Self.check(try Page())
  }

  @Test func `what makes no sense is refused with a sentence`() async throws {
    let page = try Page()
    let long = String(repeating: "x", count: 1_001)
    for target in ["/api/references?text=\(long)", "/api/references?limit=501"] {
      #expect(try await page.ask(.get, target).status == 400)
    }
    let many = ["keys": (0...2_000).map { "k\($0)" }]
    let refused = try await page.ask(.post, "/api/references/cited", many)
    #expect(refused.status == 400)
    #expect(refused.text("error")?.contains("At most 2000 works") == true)
    let none = try await page.ask(.get, "/api/references/cited")
    #expect(none.status == 200)
    #expect(none.list("works").isEmpty)
  }

  /// Puts a file into a note, and cites works of it.
  static func check(_ page: Page) async throws {
    let note = try await page.note("Sources")
    let bib = """
      @book{doe2020, author = {Doe, J.}, title = {Slots}, year = 2020, url = {https://example.org/?a=1}}
      @book{"bad key, title = {
      """
    let file = try await page.ask(
      .put,
      "/api/notes/\(note)/files",
      headers: ["X-File-Name": "Library.bib"],
      upload: Data(bib.utf8)
    )
    let id = try #require(file.text("id"))
    #expect(try await page.ask(.get, "/api/references").list("references").isEmpty)
    let block: [String: Any] = ["type": "file", "attrs": ["file": id, "name": "Library.bib"]]
    let text: [String: Any] = ["version": 1, "type": "doc", "content": [block]]
    let edited = try await page.ask(.patch, "/api/notes/\(note)", ["base": 1, "document": text])
    #expect(edited.status == 200)

    let found = try await page.ask(.get, "/api/references?text=slots&limit=5")
    #expect(found.list("references").map { $0["key"] as? String } == ["doe2020"])
    #expect(found.list("sources").map { $0["note"] as? String } == [note])
    #expect((found["problems"] as? [String])?.first?.hasPrefix("Library.bib, line 2: ") == true)

    for answer in [
      try await page.ask(.get, "/api/references/cited?key=doe2020&key=a%20b"),
      try await page.ask(.post, "/api/references/cited", ["keys": ["doe2020", "a b"]]),
    ] {
      let work = try #require(answer.list("works").first)
      #expect(work["authors"] as? String == "Doe")
      #expect(work["year"] as? String == "2020")
      let pieces = work["line"] as? [[String: Any]] ?? []
      #expect(pieces.contains { $0["href"] as? String == "https://example.org/?a=1" })
      #expect(
        pieces.contains { $0["text"] as? String == "Slots" && $0["isItalic"] as? Bool == true }
      )
      #expect(answer["missing"] as? [String] == ["a b"])
      #expect(answer["sources"] as? [String] == [note])
    }
    #expect(try await page.ask(.delete, "/api/notes/\(note)").status == 200)
    let gone = try await page.ask(.get, "/api/references/cited?key=doe2020")
    #expect(gone["missing"] as? [String] == ["doe2020"])
  }
}
