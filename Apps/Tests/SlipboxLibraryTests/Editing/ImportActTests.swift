import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// An import is one act: it comes in as a whole, tells what it has left out, is undone and can be stopped.
struct ImportActTests {
  @Test func `an import is undone as a whole, and done again`() async throws {
    let box = try Box()
    let old = try await box.note("Old")
    let source = try Archive.of(["A/One.md": "#new [[Old]]", "A/B/Two.md": "[[One]]"])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    let undo = try #require(report.undo)
    #expect(try await box.library.overview().places.all == 3)
    let redo = try await box.library.undo(undo, by: nil)
    var overview = try await box.library.overview()
    #expect(overview.places.all == 1 && overview.places.trash == 0)
    #expect(overview.folders.isEmpty && overview.keywords.total == 0)
    #expect(try await box.library.note(old.id.uuid).backlinks.isEmpty)
    _ = try await box.library.undo(redo, by: nil)
    overview = try await box.library.overview()
    #expect(overview.places.all == 3 && overview.folders.count == 2 && overview.keywords.total == 1)
    #expect(try await box.library.note(old.id.uuid).backlinks.map(\.title) == ["One"])
  }

  @Test func `links of others to an import wait again when it is undone`()
    async throws
  {
    let box = try Box()
    let mine = try await box.note("Mine", "See [[Slots]], [[Slots|those]] and [[Slots#Size]].")
    let source = try Archive.of([("Slots.md", Data("Places".utf8))])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    let words = "See Slots, those and Slots#Size."
    let id = try mine.id.uuid
    #expect(try await box.text(of: "Mine").plainText == words)
    #expect(try await box.library.note(id).dead == [])
    let undo = try #require(report.undo)
    let redo = try await box.library.undo(undo, by: nil)
    #expect(
      try await box.text(of: "Mine").plainText
        == "See [[Slots]], [[Slots|those]] and [[Slots#Size]]."
    )
    #expect(try await box.text(of: "Mine").links == [])
    _ = try await box.library.undo(redo, by: nil)
    #expect(try await box.text(of: "Mine").plainText == words)
    #expect(try await box.text(of: "Mine").links.count == 1)
  }

  @Test func `an import that was edited since is not undone`() async throws {
    let box = try Box()
    let report = try await box.library.importNotes(
      try Archive.of(["One.md": "a"]),
      into: nil,
      by: nil
    )
    let id = try #require(report.first).uuid
    box.clock.wait(10)
    var edit = NoteEdit()
    (edit.base, edit.title) = (try await box.library.note(id).revision, "Mine")
    _ = try await box.library.edit(id, edit, by: nil)
    let undo = try #require(report.undo)
    await #expect(throws: LibraryProblem.self) { _ = try await box.library.undo(undo, by: nil) }
    #expect(try await box.library.note(id).title == "Mine")
  }

  @Test func `what cannot come in is told, and the rest comes`() async throws {
    let box = try Box()
    let source = try Archive.of([
      ("../../climbs.md", Data("up".utf8)), ("broken.md", Data([0xFF, 0xC0, 0x80])),
      ("long.md", Data(count: 5 << 20)), ("good.md", Data("![](no.png) ![](bad.png)".utf8)),
      ("bad.png", Data("no picture".utf8)),
      ("deep/" + String(repeating: "a/", count: 60) + "x.md", Data("d".utf8)),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.notes == 3)
    #expect(Set(report.refused.map(\.name)) == ["broken.md", "long.md"])
    // A file that is named like a picture and is not one is a file.
    #expect(try await box.text(of: "good").plainText == "![](no.png)\nbad.png")
    #expect(try await box.text(of: "climbs").plainText == "up")
  }

  @Test func `an import that is stopped leaves nothing`() async throws {
    let box = try Box()
    let source = try Archive.of((0..<2_000).map { ("Folder/\($0).md", Data("#tag [[1]]".utf8)) })
    let job = Job()
    let task = Task { try await box.library.importNotes(source, into: nil, by: nil, job: job) }
    while job.progress.what != "Bringing in notes" { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    let overview = try await box.library.overview()
    #expect(overview.places.all == 0 && overview.folders.isEmpty && overview.keywords.total == 0)
    box.clock.wait(7_200)
    // Nobody waits until all objects are marked.
    for _ in 0..<6_000 {
      try await box.library.purge()
      if try await box.library.read({ try $0.count(for: Note.fetch()) }) == 0 { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    let left = try await box.library.read { try $0.count(for: Note.fetch()) }
    #expect(left == 0)
  }
}
