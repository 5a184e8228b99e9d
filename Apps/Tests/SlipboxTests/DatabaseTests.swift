import ChildPrograms
import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Testing

@testable import Slipbox

/// A slip box whose notes are in a PostgreSQL database.
@Suite(.enabled(if: DatabaseServer.isInstalled))
struct DatabaseTests {
  /// All tests share the tables; each page has a zone of its own.
  private static let address: String = {
    do {
      return try DatabaseServer.shared.makeDatabase()
    } catch {
      fatalError("the tests have no database: \(error)")
    }
  }()

  private func page(zone: String = UUID().uuidString) throws -> Page {
    try Page(#require(DatabasePlace(Self.address, zone: zone)))
  }

  @Test func `notes in a database are written, linked, changed back, and go to the trash`()
    async throws
  {
    let page = try page()
    let folder = try await page.folder("Plants")
    let (moss, fern) = (try await page.note("Moss", folder: folder), try await page.note("Fern"))
    let link: [String: Any] = [
      "type": "text", "text": "Moss",
      "marks": [["type": "link", "attrs": ["href": "note:\(moss)"]]],
    ]
    let text: [String: Any] = [
      "version": 1, "type": "doc", "content": [["type": "paragraph", "content": [link]]],
    ]
    let edited = try await page.ask(.patch, "/api/notes/\(fern)", ["base": 1, "document": text])
    #expect((edited.object("note")["revision"] as? NSNumber)?.intValue == 2)
    let linked = try await page.ask(.get, "/api/notes/\(moss)")
    #expect(linked.list("backlinks").map { $0["title"] as? String } == ["Fern"])
    let versions = try await page.ask(.get, "/api/notes/\(fern)/versions").json as? [Any]
    #expect(versions?.isEmpty == false)

    let change: [String: Any] = ["favourite": true, "addKeywords": [["name": "green"]]]
    let changed = try await page.ask(.patch, "/api/notes/\(moss)", change)
    let undo = try #require(changed.text("undo"))
    #expect(try await page.ask(.post, "/api/undo/\(undo)").status == 200)
    #expect(try await page.ask(.get, "/api/notes/\(moss)")["favourite"] as? Bool == false)

    #expect(try await page.ask(.delete, "/api/notes/\(fern)").text("undo") != nil)
    #expect(try await page.ask(.delete, "/api/notes/\(fern)?forever=true").status == 200)
    #expect(try await page.ask(.get, "/api/notes/\(fern)").status == 404)
    #expect(try await page.ask(.get, "/api/notes").number("total") == 1)
  }

  @Test func `notes in a database cite works of their files`() async throws {
    try await ReferenceRouteTests.check(try page())
  }

  @Test func `notes in a database are found by their words`() async throws {
    let page = try page()
    _ = try await page.note("Moss", "grows on stones")
    _ = try await page.note("Fern", "grows in woods")
    let found = try await page.ask(.get, "/api/notes?text=stone&scope=all")
    #expect(
      found.list("rows").map { $0["title"] as? String } == ["Moss"],
      "\(found.text("error") ?? "")"
    )
  }

  @Test func `a map shows the notes of a database and no others`() async throws {
    let (page, other) = (try page(), try self.page())
    _ = try await other.note("Elsewhere")
    let (moss, fern) = (try await page.note("Moss"), try await page.note("Fern", "[[Moss]]"))
    let map = try await page.ask(.get, "/api/map")
    #expect(map.status == 200, "\(map.text("error") ?? "")")
    #expect(Set(map.list("notes").compactMap { $0["id"] as? String }) == [moss, fern])
  }

  @Test func `a note in a database is published by one machine, and not by another`() async throws {
    let zone = UUID().uuidString
    let (mine, theirs) = (try page(zone: zone), try page(zone: zone))
    let note = try await mine.note("Moss", "green")
    let answer = try await mine.ask(.put, "/api/notes/\(note)/publication")
    let path = try #require(answer.text("path"))
    let read = try await mine.ask(.get, path)
    #expect(read.status == 200 && String(decoding: read.data, as: UTF8.self).contains("green"))
    #expect(try await theirs.ask(.get, path).status == 404)
    #expect(try await theirs.ask(.get, "/api/published").list("notes").isEmpty)
    // The note goes to the trash on the other machine.
    #expect(try await theirs.ask(.delete, "/api/notes/\(note)").status == 200)
    #expect(try await mine.ask(.get, path).status == 404)
    #expect(try await theirs.ask(.delete, "/api/notes/\(note)?forever=true").status == 200)
    try await mine.library.purge()
    let file = mine.folder.appending(component: "published")
    #expect(try String(contentsOf: file, encoding: .utf8) == #"{"links":[]}"#)
  }

  @Test func `two programs with one database hear what the other writes`() async throws {
    let zone = UUID().uuidString
    let (mine, theirs) = (try page(zone: zone), try page(zone: zone))
    let heard = try await theirs.library.changes.events()
    let note = try await mine.note("Moss")
    for await case .changed(let change) in heard where change.notes.contains(note) { break }
    #expect(try await theirs.ask(.get, "/api/notes/\(note)").text("title") == "Moss")
    let edit: [String: Any] = ["base": 1, "title": "Peat moss"]
    #expect(try await theirs.ask(.patch, "/api/notes/\(note)", edit).status == 200)
    #expect(
      try await mine.ask(.patch, "/api/notes/\(note)", ["base": 1, "title": "x"]).status == 409
    )
  }

  @Test func `a picture is kept in the database`() async throws {
    let zone = UUID().uuidString
    let first = try page(zone: zone)
    try await first.library.addSamplesIfNew()
    let list = try await first.ask(.get, "/api/notes?token=withAttachment")
    let note = try #require(list.list("rows").first?["id"] as? String)
    let picture = try await first.ask(.get, "/api/notes/\(note)/attachment")
    #expect(picture.status == 200 && !picture.data.isEmpty)
    let again = try page(zone: zone)
    #expect(try await again.ask(.get, "/api/notes/\(note)/attachment").data == picture.data)
    #expect(try await again.ask(.get, "/api/notes/\(note)/thumbnail?size=200").status == 200)
  }

  @Test func `notes in a database are not kept in step with a server, and why is told`()
    async throws
  {
    let page = try page()
    let answer = try await page.ask(.post, "/api/sync", ["address": "http://127.0.0.1:1/x"])
    #expect(answer.status == 400)
    #expect(answer.text("error")?.contains("database") == true)
  }
}

/// Tests of the options for a database.
struct DatabaseOptionsTests {
  private let plain = "postgresql://ada@db.example.org/notes"

  @Test func `the address of a database is read, and what belongs to this machine has a folder`()
    throws
  {
    let options = try Options(["--store", plain, "--zone", "work", "--folder", "/x"])
    #expect(options.database == DatabasePlace(plain, zone: "work"))
    #expect(options.store?.path == "/x")
    let hidden = try Options([], environment: ["SLIPBOX_STORE": plain + "?password=swordfish"])
    #expect(hidden.database?.hasSecret == true)
    #expect(try Options(["--store", "/y"], environment: ["SLIPBOX_STORE": plain]).database == nil)
  }

  @Test(arguments: [
    "postgresql://ada:swordfish@db.example.org/notes",
    "postgresql://db.example.org/notes?user=ada&password=swordfish",
  ])
  func `a password that everybody could read is refused, and not repeated`(address: String) throws {
    let error = try #require(throws: OptionsError.self) { try Options(["--store", address]) }
    #expect(error.sentence.contains("SLIPBOX_STORE"))
    #expect(!error.sentence.contains("swordfish"))
  }

  @Test func `several hosts with ports were said to be no address, without what helps`() throws {
    let hosts = "postgresql://one.example:1,two.example:2/notes"
    let error = try #require(throws: OptionsError.self) { try Options(["--store", hosts]) }
    #expect(error.sentence.contains("postgresql:///DATABASE?host=HOST,HOST&port=PORT,PORT"))
    let read = try Options(["--store", "postgresql:///notes?host=a,b&port=1,2"])
    #expect(read.database?.address.query == "host=a,b&port=1,2")
  }

  @Test func `a zone without a database is refused`() throws {
    for words in [["--zone", "work"], ["--store", "/x", "--folder", "/y"]] {
      #expect(throws: OptionsError.self) { try Options(words) }
    }
  }

  @Test func `a database that cannot be reached is told without its password`() throws {
    let folder = URL.temporaryDirectory.appending(component: "slipbox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try ChildProgram.run(
      .built("slipbox"),
      ["--port", "0", "--folder", folder.path],
      environment: ProcessInfo.processInfo.environment.merging(
        ["SLIPBOX_STORE": "postgresql://ada:swordfish@127.0.0.1:1/notes?connect_timeout=2"]
      ) { $1 }
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("The notes in the database cannot be opened"))
    #expect(!outcome.errors.contains("swordfish"), "\(outcome.errors)")
  }
}
