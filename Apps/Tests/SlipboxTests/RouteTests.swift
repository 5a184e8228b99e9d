import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Testing

@testable import Slipbox

/// Each route, as the contract has it.
struct RouteTests {
  @Test func `the overview has places, folders, keywords and a token`() async throws {
    let page = try Page()
    let folder = try await page.folder("Folder")
    _ = try await page.note("one", folder: folder)
    let overview = try await page.ask(.get, "/api/overview")
    #expect(overview.status == 200)
    let row = try #require(overview.list("folders").first)
    #expect(row["id"] as? String == folder)
    #expect(row["parent"] is NSNull)
    #expect(row["sort"] is NSNull)
    #expect((row["count"] as? NSNumber)?.intValue == 1)
    #expect((overview.object("places")["all"] as? NSNumber)?.intValue == 1)
    #expect((overview.object("keywords")["total"] as? NSNumber)?.intValue == 0)
    #expect(overview.text("token")?.isEmpty == false)
    #expect(overview.list("trashedFolders").isEmpty)
  }

  @Test func `a note has every field of the contract`() async throws {
    let page = try Page()
    let id = try await page.note("Title", "some text")
    let note = try await page.ask(.get, "/api/notes/\(id)")
    let keys: Set = [
      "id", "title", "status", "favourite", "created", "modified", "folder", "keywords", "trashed",
      "document", "revision", "order", "links", "backlinks", "attachment",
      "aliases", "files", "template", "pinned", "dead", "wordings", "properties",
    ]
    #expect(Set((note.json as? [String: Any] ?? [:]).keys) == keys)
    #expect(note.text("status") == "draft")
    #expect(note["folder"] is NSNull)
    #expect(note["attachment"] is NSNull)
    #expect(note.object("document")["type"] as? String == "doc")
    #expect(id == id.lowercased())
    let created = try #require(note.text("created"))
    #expect(JSON.date(from: created) != nil)
    #expect(created.hasSuffix("Z") && created.contains("."))
  }

  @Test func `a list has rows with every field of the contract`() async throws {
    let page = try Page()
    _ = try await page.note("Title", "some text")
    let list = try await page.ask(
      .get,
      "/api/notes?in=all&text=some&token=draft,last7Days&scope=all"
    )
    let row = try #require(list.list("rows").first)
    let keys: Set = [
      "id", "title", "excerpt", "status", "favourite", "created", "modified", "folder", "keywords",
      "attachment", "trashed", "hits", "pinned", "property", "file",
    ]
    #expect(Set(row.keys) == keys)
    #expect((row["hits"] as? [String: [[Int]]])?["excerpt"] == [[0, 4]])
    #expect(list.number("total") == 1)
    #expect(list.list("sections").map { $0["name"] as? String } == [""])
    #expect(list.text("version")?.isEmpty == false)
  }

  @Test func `lists come in all orders, with an offset and a limit`() async throws {
    let page = try Page()
    for title in ["b", "a", "c"] { _ = try await page.note(title) }
    let expected = [
      "titleAscending": ["a", "b", "c"], "titleDescending": ["c", "b", "a"],
      "dateAscending": ["b", "a", "c"], "dateDescending": ["c", "a", "b"], "day": ["c", "a", "b"],
      "status": ["c", "a", "b"],
    ]
    for (sort, titles) in expected {
      let list = try await page.ask(.get, "/api/notes?sort=\(sort)")
      #expect(list.list("rows").map { $0["title"] as? String } == titles)
    }
    let part = try await page.ask(.get, "/api/notes?sort=titleAscending&offset=1&limit=1")
    #expect(part.list("rows").map { $0["title"] as? String } == ["b"])
    #expect(part.number("offset") == 1)
    #expect(part.number("total") == 3)
  }

  @Test func `a queued note that is sent twice is made once`() async throws {
    let page = try Page()
    let id = UUID().uuidString.lowercased()
    let first = try await page.ask(.post, "/api/notes", ["id": id, "title": "queued"])
    let second = try await page.ask(.post, "/api/notes", ["id": id, "title": "queued"])
    #expect(first.status == 201)
    #expect(second.status == 200)
    #expect(first.text("id") == id)
    #expect(second.text("id") == id)
  }

  @Test func `notes that a text shows are read together, with those that are gone`() async throws {
    let page = try Page()
    let (first, gone) = (try await page.note("Title", "some text"), UUID().uuidString.lowercased())
    let answer = try await page.ask(.get, "/api/embeds?notes=\(first),\(gone)")
    #expect(answer.status == 200)
    let note = try #require(answer.list("notes").first)
    #expect(answer.list("notes").count == 1)
    #expect(note["id"] as? String == first)
    #expect(note["title"] as? String == "Title")
    #expect((note["document"] as? [String: Any])?["type"] as? String == "doc")
    #expect(answer["missing"] as? [String] == [gone])
    let many = Array(repeating: gone, count: 51).joined(separator: ",")
    let refused = try await page.ask(.get, "/api/embeds?notes=\(many)")
    #expect(refused.status == 400)
    let wrong = try await page.ask(.get, "/api/embeds?notes=\(first),x")
    #expect(wrong.status == 400)
  }

  @Test func `an edit is answered with the note, and a change with a way back`() async throws {
    let page = try Page()
    let id = try await page.note("old")
    let folder = try await page.folder("F")
    let text = try await page.ask(.patch, "/api/notes/\(id)", ["base": 1, "title": "new"])
    #expect(text.object("note")["title"] as? String == "new")
    #expect((text.object("note")["revision"] as? NSNumber)?.intValue == 2)
    #expect(text["undo"] is NSNull)
    let change = try await page.ask(
      .patch,
      "/api/notes/\(id)",
      [
        "status": "archived", "favourite": true, "folder": folder,
        "addKeywords": [["name": "word", "color": "#123456"]],
      ]
    )
    let note = change.object("note")
    #expect(note["status"] as? String == "archived")
    #expect((note["folder"] as? [String: Any])?["name"] as? String == "F")
    #expect((note["keywords"] as? [[String: Any]])?.first?["color"] as? String == "#123456")
    let unfiled = try await page.ask(.patch, "/api/notes/\(id)", ["folder": NSNull()])
    #expect(unfiled.object("note")["folder"] is NSNull)
    let undo = try #require(change.text("undo"))
    let undone = try await page.ask(.post, "/api/undo/\(undo)")
    let redo = try #require(undone.text("redo"))
    #expect(try await page.ask(.get, "/api/notes/\(id)").text("status") == "draft")
    _ = try await page.ask(.post, "/api/undo/\(redo)")
    #expect(try await page.ask(.get, "/api/notes/\(id)").text("status") == "archived")
    let gone = try await page.ask(.post, "/api/undo/\(undo)")
    #expect(gone.status == 410)
    #expect(gone.text("error")?.isEmpty == false)
  }

  @Test func `a stale edit is answered with both texts`() async throws {
    let page = try Page()
    let id = try await page.note("title", "first")
    let edit: [String: Any] = ["base": 1, "document": Page.document("hers")]
    _ = try await page.ask(.patch, "/api/notes/\(id)", edit)
    let late = try await page.ask(
      .patch,
      "/api/notes/\(id)",
      ["base": 1, "document": Page.document("his")]
    )
    #expect(late.status == 409)
    #expect(late.text("error")?.contains("Both texts are kept") == true)
    #expect(late.object("newer")["id"] as? String == id)
    #expect(late.object("copy")["excerpt"] as? String == "his")
  }

  @Test func `a stale edit of another paragraph is answered with the merged note`() async throws {
    let page = try Page()
    let id = try await page.note("title", "first\nsecond")
    func edit(_ lines: [String], base: Int) async throws -> Page.Answer {
      let paragraphs = lines.map {
        ["type": "paragraph", "content": [["type": "text", "text": $0]]] as [String: Any]
      }
      let document: [String: Any] = ["version": 1, "type": "doc", "content": paragraphs]
      return try await page.ask(.patch, "/api/notes/\(id)", ["base": base, "document": document])
    }
    #expect(try await edit(["one", "two"], base: 1).status == 200)
    let hers = try await edit(["one, she says", "two"], base: 2)
    #expect(hers["merged"] as? Bool == false)
    let his = try await edit(["one", "two, he says"], base: 2)
    #expect(his.status == 200)
    #expect(his["merged"] as? Bool == true)
    #expect((his.object("note")["revision"] as? NSNumber)?.intValue == 4)
    let file = try await page.ask(.get, "/api/notes/\(id)/export?as=markdown")
    let text = String(decoding: file.data, as: UTF8.self)
    #expect(text.contains("one, she says") && text.contains("two, he says"))
    #expect(try await page.ask(.get, "/api/notes").number("total") == 1)
  }

  @Test func `notes go to the trash, come back, and go for good`() async throws {
    let page = try Page()
    let ids = [try await page.note("a"), try await page.note("b"), try await page.note("c")]
    let refused = try await page.ask(.delete, "/api/notes/\(ids[0])?forever=true")
    #expect(refused.status == 400)
    #expect(try await page.ask(.delete, "/api/notes/\(ids[0])").text("undo") != nil)
    #expect(
      try await page.ask(.post, "/api/notes/trash", ["notes": [ids[1], ids[2]]]).status == 200
    )
    let back = try await page.ask(.post, "/api/notes/\(ids[0])/restore")
    #expect(back.object("note")["trashed"] is NSNull)
    let forever = try await page.ask(.delete, "/api/notes/\(ids[1])?forever=true")
    #expect(try await page.ask(.get, "/api/notes/\(ids[1])").status == 404)
    let emptied = try await page.ask(.post, "/api/trash/empty")
    #expect(emptied.number("count") == 1)
    for undo in [emptied.text("undo"), forever.text("undo")] {
      #expect(try await page.ask(.post, "/api/undo/\(try #require(undo))").status == 200)
    }
    #expect(try await page.ask(.get, "/api/notes?in=trash").number("total") == 2)
  }

  @Test func `many notes are moved at once`() async throws {
    let page = try Page()
    let folder = try await page.folder("F")
    let ids = [try await page.note("a"), try await page.note("b")]
    let moved = try await page.ask(.post, "/api/notes/move", ["notes": ids, "folder": folder])
    #expect(moved.text("undo") != nil)
    #expect(try await page.ask(.get, "/api/notes?in=folder:\(folder)").number("total") == 2)
    _ = try await page.ask(.post, "/api/notes/move", ["notes": [ids[0]], "folder": NSNull()])
    #expect(try await page.ask(.get, "/api/notes?in=unfiled").number("total") == 1)
  }

  @Test func `folders are renamed, moved, ordered, trashed and restored`() async throws {
    let page = try Page()
    let top = try await page.folder("top")
    let sub = try await page.folder("sub", in: top)
    _ = try await page.note("in sub", folder: sub)
    let renamed = try await page.ask(
      .patch,
      "/api/folders/\(sub)",
      ["name": "new", "sort": "titleAscending"]
    )
    #expect(renamed.object("folder")["name"] as? String == "new")
    #expect(renamed.object("folder")["sort"] as? String == "titleAscending")
    #expect(renamed.text("undo") != nil)
    let circle = try await page.ask(.patch, "/api/folders/\(top)", ["parent": sub])
    #expect(circle.status == 400)
    #expect(circle.text("error")?.contains("lies in it") == true)
    let moved = try await page.ask(.patch, "/api/folders/\(sub)", ["parent": NSNull(), "order": 0])
    #expect(moved.object("folder")["parent"] is NSNull)
    let trashed = try await page.ask(.delete, "/api/folders/\(sub)")
    #expect(trashed.number("notes") == 1)
    let overview = try await page.ask(.get, "/api/overview")
    #expect(overview.list("trashedFolders").count == 1)
    let restored = try await page.ask(.post, "/api/folders/\(sub)/restore")
    #expect((restored.object("folder")["count"] as? NSNumber)?.intValue == 1)
  }

  @Test func `keywords are made, found, changed and deleted`() async throws {
    let page = try Page()
    let made = try await page.ask(.post, "/api/keywords", ["name": "Word", "color": "#00ff00"])
    #expect(made.status == 201)
    let id = try #require(made.text("id"))
    let same = try await page.ask(.post, "/api/keywords", ["name": "word"])
    #expect(same.text("id") == id)
    let found = try await page.ask(.get, "/api/keywords?text=wor&limit=5")
    #expect((found.json as? [[String: Any]])?.count == 1)
    let changed = try await page.ask(.patch, "/api/keywords/\(id)", ["name": "Sentence"])
    #expect(changed.object("keyword")["name"] as? String == "Sentence")
    let deleted = try await page.ask(.delete, "/api/keywords/\(id)")
    #expect(deleted.text("undo") != nil)
    #expect((try await page.ask(.get, "/api/keywords").json as? [Any])?.isEmpty == true)
  }

  @Test func `versions are listed, read and restored`() async throws {
    let page = try Page()
    let id = try await page.note("title", "first")
    _ = try await page.ask(
      .patch,
      "/api/notes/\(id)",
      ["base": 1, "document": Page.document("second")]
    )
    let versions = try await page.ask(.get, "/api/notes/\(id)/versions").json as? [[String: Any]]
    let version = try #require(versions?.first?["id"] as? String)
    let content = try await page.ask(.get, "/api/notes/\(id)/versions/\(version)")
    #expect(content.object("document")["type"] as? String == "doc")
    let restored = try await page.ask(.post, "/api/notes/\(id)/versions/\(version)/restore")
    #expect(restored.text("undo") != nil)
    #expect((restored.object("note")["revision"] as? NSNumber)?.intValue == 3)
  }

  @Test func `a map of many notes is made while one asks how far it is`() async throws {
    let page = try Page()
    _ = try await page.note("A note", "hello")
    let done = try await page.end(of: page.ask(.post, "/api/maps"))
    #expect(done.text("state") == "done" && done.number("done") == done.number("total"))
    let map = try await page.ask(.get, "/api/maps/\(try #require(done.text("id")))")
    #expect(map.status == 200 && map.headers["Content-Type"] == "application/json")
    let whole = try await page.ask(.get, "/api/map")
    #expect(whole.list("notes").contains { $0["title"] as? String == "A note" })
    #expect(try await page.ask(.get, "/api/maps/\(UUID())").status == 404)
  }

  @Test func `texts that nobody waits for can be asked to follow, and to be left`() async throws {
    let page = try Page()
    let id = try await page.note("Seats")
    #expect(try await page.ask(.post, "/api/notes/\(id)/follow").status == 204)
    #expect(try await page.ask(.delete, "/api/notes/\(id)/follow").status == 204)
  }

  @Test func `suggestions are notes, folders and keywords`() async throws {
    let page = try Page()
    _ = try await page.note("slips")
    _ = try await page.folder("slip folder")
    _ = try await page.ask(.post, "/api/keywords", ["name": "slip"])
    let found = try await page.ask(.get, "/api/suggest?text=sli&limit=5")
    for key in ["notes", "folders", "keywords"] { #expect(found.list(key).count == 1) }
    #expect(found.list("notes").first?["folder"] is NSNull)
  }

  @Test func `arguments are read, and what is none is told`() throws {
    let options = try Options(["--port", "0", "--host", "::1", "--store", "/x", "--no-samples"])
    #expect(options.port == 0)
    #expect(options.host == "::1")
    #expect(options.store?.path == "/x")
    #expect(!options.hasSamples)
    #expect(try Options([]).port == 8080)
    #expect(try Options(["--help"]).wantsHelp)
    for wrong in [["--port"], ["--port", "x"], ["--port", "70000"], ["--what"], ["--store", ""]] {
      #expect(throws: OptionsError.self) { _ = try Options(wrong) }
    }
  }
}
