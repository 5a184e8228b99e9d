import CoreData
import CoreDataWebServer
import Foundation
import TestSupport
import Testing

struct `Tables of objects` {
  @Test func `count the objects of each entity`() async throws {
    let answer = try await StudioStore(notes: 5).get("/api/store")
    let entities = try answer.list("entities")
    let counts = Dictionary(
      uniqueKeysWithValues: entities.map { ($0["name"] as? String ?? "", $0["count"] as? Int) }
    )
    #expect(counts["Note"] == 7)
    #expect(counts["Checklist"] == 1)
    #expect(counts["Tag"] == 2)
    let checklist = entities.first { $0["name"] as? String == "Checklist" }
    #expect(checklist?["parent"] as? String == "Note")
  }

  @Test func `show each value as what it is`() async throws {
    let answer = try await StudioStore().get(
      "/api/entities/Note/rows",
      [
        "where": "title == 'Shopping'",
        "columns": "created,price,isFavourite,uuid,link,keywords,image,folder,tags,text",
      ]
    )
    let cells = try answer.list("rows").first?["cells"] as? [Any] ?? []
    let kinds = cells.map { ($0 as? [String: Any])?["kind"] as? String }
    #expect(
      kinds == [
        "date", "number", "boolean", "text", "text", "archived", "data", "object", "number", nil,
      ]
    )
    #expect((cells[0] as? [String: Any])?["text"] as? String == "2023-03-08T20:26:40Z")
    #expect((cells[5] as? [String: Any])?["text"] as? String == #"["a",["b","c"]]"#)
    #expect((cells[6] as? [String: Any])?["type"] as? String == "image/png")
    #expect((cells[7] as? [String: Any])?["name"] as? String == "Home")
    #expect((cells[8] as? [String: Any])?["text"] as? String == "2")
  }

  @Test func `lead to any place, whatever the order is`() async throws {
    let store = try StudioStore(notes: 1000)
    let query = ["sort": "-stars,title", "columns": "title,stars"]
    var found: [String] = []
    for first in [900, 0, 300, 600, 1000] {
      let answer = try await store.get(
        "/api/entities/Note/rows",
        query.merging(["from": "\(first)", "count": "150"]) { $1 }
      )
      #expect(try answer.number("total") == 1003)
      let rows = try answer.list("rows")
      #expect(rows.count == min(150, 1003 - first))
      if first == 300 { found = rows.compactMap { $0["id"] as? String } }
    }
    let again = try await store.get(
      "/api/entities/Note/rows",
      query.merging(["from": "310", "count": "5"]) { $1 }
    )
    #expect(try again.list("rows").compactMap { $0["id"] as? String } == Array(found[10..<15]))
  }

  @Test func `cut a long text, of which a card shows all`() async throws {
    let store = try StudioStore()
    let row = try await store.get(
      "/api/entities/Note/rows",
      ["where": "title == 'Garden'", "columns": "text"]
    )
    #expect(try row.text("rows.0.cells.0.text")?.count == 240)
    #expect(try row.value("rows.0.cells.0.isCut") as? Bool == true)
    let card = try await store.get("/api/objects/Note/p2")
    let values = try card.list("values")
    let text = values.first { ($0["column"] as? [String: Any])?["key"] as? String == "text" }
    #expect(((text?["cell"] as? [String: Any])?["text"] as? String)?.count == 1000)
  }

  @Test func `have another version after another program has written`() async throws {
    let store = try StudioStore()
    let before = try await store.get("/api/version").text("version")
    #expect(try await store.get("/api/version").text("version") == before)
    let other = try NotesStack(file: store.file, options: [NSPersistentHistoryTrackingKey: true])
    try other.work { context in
      context.tag("later")
      try context.save()
    }
    #expect(try await store.get("/api/version").text("version") != before)
  }

  @Test func `say that a row was deleted by another program`() async throws {
    let store = try StudioStore(notes: 20)
    _ = try await store.get("/api/entities/Tag/rows")
    let other = try NotesStack(file: store.file, options: [NSPersistentHistoryTrackingKey: true])
    try other.work { context in
      let tag = try context.fetch(Tag.fetchRequest()).first { $0.name == "urgent" }
      tag?.notes = nil
      if let tag { context.delete(tag) }
      context.tag("new")
      try context.save()
    }
    let before = try await store.get("/api/entities/Tag/rows")
    #expect(try before.list("rows").contains { $0["isGone"] as? Bool == true })
    let after = try await store.get("/api/entities/Tag/rows", ["fresh": "", "columns": "name"])
    #expect(try after.list("rows").count == 2)
    #expect(try !after.list("rows").contains { $0["isGone"] != nil })
  }

  @Test(arguments: [
    ("csv", "object,title,stars\r\nNote/p1,Shopping,3\r\n"),
    ("json", "[\n{\"object\":\"Note/p1\",\"title\":\"Shopping\",\"stars\":3}\n]\n"),
    ("md", "| object | title | stars |\n| --- | --- | --- |\n| Note/p1 | Shopping | 3 |\n"),
  ])
  func `are taken away as they are shown`(format: String, text: String) async throws {
    let store = try StudioStore()
    let answer = try await store.get(
      "/api/entities/Note/file",
      ["format": format, "where": "stars > 2", "columns": "title,stars"]
    )
    #expect(answer.text == text)
    #expect(answer.headers["Content-Disposition"]?.contains("Note.\(format)") == true)
  }

  @Test func `do not become formulas in a spreadsheet`() async throws {
    let store = try StudioStore()
    let other = try NotesStack(file: store.file, options: [NSPersistentHistoryTrackingKey: true])
    try other.work { context in
      context.note("=HYPERLINK(\"x\"), a | b")
      try context.save()
    }
    let query = ["where": "title BEGINSWITH '='", "columns": "title"]
    let csv = try await store.get("/api/entities/Note/file", query)
    #expect(csv.text.hasSuffix("\"'=HYPERLINK(\"\"x\"\"), a | b\"\r\n"))
    let table = try await store.get(
      "/api/entities/Note/file",
      query.merging(["format": "md"]) { $1 }
    )
    #expect(table.text.hasSuffix("a \\| b |\n"))
  }

  @Test(arguments: [
    ("/api/entities/Note/file", ["format": "pdf"], 400, "csv, json or md"),
    ("/api/history", ["since": "soon"], 400, "is a date"),
    ("/api/entities/Nota/rows", [:], 404, "did you mean 'Note'"),
    ("/api/entities/Note/rows", ["from": "-1"], 400, "from is a number"),
    ("/api/entities/Note/rows", ["count": "100000"], 400, "count is a number"),
    ("/api/entities/Note/rows", ["columns": "titel"], 400, "did you mean 'title'"),
    ("/api/entities/Note/rows", ["sort": "titel"], 400, "did you mean 'title'"),
    ("/api/objects/Note/p99", [:], 404, "no object Note/p99"),
    ("/api/objects/Note/3", [:], 404, "no object"),
    ("/api/objects/Note/p1/members/title", [:], 404, "no to-many relationship"),
    ("/api/objects/Note/p1/values/title2", [:], 400, "no property"),
  ])
  func `answer bad addresses with a sentence`(
    path: String,
    query: [String: String],
    status: Int,
    words: String
  ) async throws {
    let answer = try await StudioStore().get(path, query)
    #expect(answer.status == status)
    #expect(
      try answer.text("error")?.contains(words) == true,
      "\(String(decoding: answer.data, as: UTF8.self))"
    )
  }
}
