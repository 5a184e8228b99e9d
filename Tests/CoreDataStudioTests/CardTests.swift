import CoreData
import CoreDataWebServer
import Foundation
import TestSupport
import Testing

struct `Cards of objects` {
  @Test func `have the values, the tree of an archive and the row as SQL`() async throws {
    let card = try await StudioStore().get("/api/objects/Note/p1")
    #expect(try card.text("title") == "Shopping")
    #expect(try card.text("sql") == #"SELECT * FROM "ZNOTE" WHERE "Z_PK" = 1"#)
    let values = try card.list("values")
    func cell(_ key: String) -> [String: Any]? {
      let value = values.first { ($0["column"] as? [String: Any])?["key"] as? String == key }
      return value?["cell"] as? [String: Any]
    }
    #expect((cell("keywords")?["tree"] as? [Any])?.first as? String == "a")
    #expect((cell("keywords")?["tree"] as? [Any])?.last as? [String] == ["b", "c"])
    #expect(cell("folder")?["id"] as? String == "Folder/p1")
    #expect(cell("tags")?["text"] as? String == "2")
  }

  @Test func `show a value that a program has encoded as JSON`() async throws {
    let card = try await StudioStore().get("/api/objects/Note/p2")
    let image = try card.list("values").first {
      ($0["column"] as? [String: Any])?["key"] as? String == "image"
    }
    let tree = (image?["cell"] as? [String: Any])?["tree"] as? [[String: Any]]
    #expect(tree?.first?["name"] as? String == "salt")
    #expect(tree?.first?["grams"] as? Int == 2)
  }

  @Test func `know the entity of an object that is below the one in the address`() async throws {
    let card = try await StudioStore().get("/api/objects/Note/p3")
    #expect(try card.text("id") == "Checklist/p3")
    #expect(try card.value("chain") as? [String] == ["Checklist", "Note"])
  }

  @Test func `list the members of a relationship in portions`() async throws {
    let store = try StudioStore(notes: 50)
    let first = try await store.get("/api/objects/Folder/p1/members/notes", ["count": "20"])
    #expect(try first.number("total") == 51)
    #expect(try first.list("members").first?["name"] as? String == "Shopping")
    let last = try await store.get(
      "/api/objects/Folder/p1/members/notes",
      ["from": "40", "count": "20"]
    )
    #expect(try last.list("members").count == 11)
  }

  @Test func `find who points here without an inverse`() async throws {
    let answer = try await StudioStore().get("/api/objects/Note/p1/pointers")
    let pointers = try answer.list("pointers")
    #expect(
      pointers.map { "\($0["entity"] ?? "").\($0["relationship"] ?? "")" } == [
        "Bin.kept", "Bin.queue",
      ]
    )
    #expect(pointers.map { $0["total"] as? Int } == [1, 0])
    #expect(pointers.first?["condition"] as? String == #"ANY kept == "Note/p1""#)
  }

  @Test func `tell who changed an object, and what`() async throws {
    let store = try StudioStore()
    let other = try NotesStack(file: store.file, options: [NSPersistentHistoryTrackingKey: true])
    try other.work { context in
      context.transactionAuthor = "somebody else"
      let note = try context.fetch(Note.fetchRequest()).first { $0.title == "Garden" }
      note?.stars = 5
      try context.save()
    }
    let answer = try await store.get("/api/objects/Note/p2/history")
    let changes = try answer.list("changes")
    #expect(changes.map { $0["kind"] as? String } == ["updated", "inserted"])
    #expect(changes.map { $0["author"] as? String } == ["somebody else", "the test"])
    #expect(changes.first?["properties"] as? [String] == ["stars"])
  }

  @Test func `stand in a timeline by author, entity and time`() async throws {
    let store = try StudioStore()
    let all = try await store.get("/api/history").list("changes")
    #expect(all.count > 6)
    let numbers = all.compactMap { $0["number"] as? Int }
    #expect(numbers == numbers.sorted(by: >))
    let notes = try await store.get("/api/history", ["entity": "Note", "author": "the test"])
    let ids = Set(try notes.list("changes").compactMap { $0["id"] as? String })
    #expect(ids == ["Note/p1", "Note/p2", "Checklist/p3"])
    let nobody = try await store.get("/api/history", ["author": "nobody"])
    #expect(try nobody.list("changes").isEmpty)
    let earlier = try await store.get("/api/history", ["before": "\(numbers[2])"])
    #expect(try earlier.number("changes.0.number") == numbers[3])
    let old = try await store.get("/api/history", ["until": "2001-01-01"])
    #expect(try old.list("changes").isEmpty)
    let new = try await store.get("/api/history", ["since": "2001-01-01"])
    #expect(try new.list("changes").count == all.count)
  }

  @Test func `say that a store keeps no history`() async throws {
    let answer = try await StudioStore(keepsHistory: false).get("/api/objects/Note/p1/history")
    #expect(answer.status == 200)
    #expect(try answer.value("isKept") as? Bool == false)
  }

  @Test func `hand over data as a picture, and other data as a file only`() async throws {
    let store = try StudioStore()
    let picture = try await store.get("/api/objects/Note/p1/values/image", ["as": "picture"])
    #expect(picture.data == StudioStore.picture)
    #expect(picture.headers["Content-Type"] == "image/png")
    let file = try await store.get("/api/objects/Note/p1/values/image")
    #expect(file.headers["Content-Type"] == "application/octet-stream")
    #expect(file.headers["Content-Disposition"]?.contains("Note-1-image.png") == true)
    let text = try await store.get("/api/objects/Note/p1/values/keywords", ["as": "picture"])
    #expect(text.status == 404)
    let nothing = try await store.get("/api/objects/Note/p3/values/image")
    #expect(nothing.status == 404)
  }
}
