import CoreData
import CoreDataWebServer
import Foundation
import TestSupport
import Testing

struct `An object as it was` {
  /// A store in which somebody has given the note “Shopping” another number of stars, and deleted “Garden”.
  private func changed() throws -> StudioStore {
    let store = try StudioStore()
    let other = try NotesStack(file: store.file, options: [NSPersistentHistoryTrackingKey: true])
    try other.work { context in
      let notes = try context.fetch(Note.fetchRequest())
      notes.first { $0.title == "Shopping" }?.stars = 5
      try context.save()
      notes.first { $0.title == "Garden" }.map(context.delete)
      try context.save()
    }
    return store
  }

  private func line(_ answer: Answer, _ key: String) throws -> [String: Any]? {
    try answer.list("values").first { ($0["column"] as? [String: Any])?["key"] as? String == key }
  }

  @Test func `has the values that no later change has touched`() async throws {
    let store = try changed()
    let changes = try await store.get("/api/objects/Note/p1/history").list("changes")
    let first = changes.compactMap { $0["number"] as? Int }.min() ?? 0
    let past = try await store.get("/api/objects/Note/p1/past", ["change": "\(first)"])
    #expect(past.status == 200, "\(past.text)")
    #expect((try line(past, "title")?["cell"] as? [String: Any])?["text"] as? String == "Shopping")
    #expect(try line(past, "stars")?["cell"] == nil)
    #expect(try line(past, "stars")?["reason"] as? String == "changed")
    #expect(try line(past, "tags")?["reason"] as? String == "members")
    let last = changes.compactMap { $0["number"] as? Int }.max() ?? 0
    let now = try await store.get("/api/objects/Note/p1/past", ["change": "\(last)"])
    #expect((try line(now, "stars")?["cell"] as? [String: Any])?["text"] as? String == "5")
  }

  @Test func `says what a history does not have of a deleted object`() async throws {
    let store = try changed()
    let changes = try await store.get("/api/history", ["entity": "Note"]).list("changes")
    let inserted = changes.first {
      $0["id"] as? String == "Note/p2" && $0["kind"] as? String == "inserted"
    }
    let number = inserted?["number"] as? Int ?? 0
    let past = try await store.get("/api/objects/Note/p2/past", ["change": "\(number)"])
    #expect(past.status == 200, "\(past.text)")
    #expect(try past.value("isDeleted") as? Bool == true)
    #expect(try line(past, "stars")?["reason"] as? String == "deleted")
  }

  @Test func `is a sentence for a change of something else`() async throws {
    let store = try changed()
    #expect(try await store.get("/api/objects/Note/p1/past", ["change": "100000"]).status == 404)
    #expect(try await store.get("/api/objects/Note/p1/past", ["change": "many"]).status == 400)
  }
}

struct `An object graph` {
  @Test func `has the objects that relationships lead to, up to a depth`() async throws {
    let store = try StudioStore(notes: 5)
    let alone = try await store.get("/api/objects/Note/p1/graph", ["depth": "0"])
    #expect(try alone.list("objects").map { $0["id"] as? String } == ["Note/p1"])
    let near = try await store.get("/api/objects/Note/p1/graph", ["depth": "1"])
    let ids = Set(try near.list("objects").compactMap { $0["id"] as? String })
    #expect(ids.isSuperset(of: ["Note/p1", "Folder/p1", "Tag/p1", "Tag/p2"]))
    #expect(try near.value("objects.0.one.folder") as? String == "Folder/p1")
    #expect(near.headers["Content-Disposition"]?.contains("Note-1.json") == true)
    let far = try await store.get("/api/objects/Note/p1/graph", ["depth": "2"])
    #expect(try far.list("objects").count > ids.count)
    #expect(try await store.get("/api/objects/Note/p99/graph").status == 404)
    #expect(try await store.get("/api/objects/Note/p1/graph", ["depth": "9"]).status == 400)
  }
}

struct `Notes beside a store` {
  @Test func `keep questions and the places of entities`() async throws {
    let store = try StudioStore()
    let question = ["name": "Starred", "entity": "Note", "condition": "stars > 2"]
    #expect(try await store.send(.post, "/api/questions", question).status == 200)
    let moved = try await store.send(.post, "/api/layout", ["entity": "Note", "x": 1234, "y": 40])
    #expect(moved.status == 200)
    let again = StudioStore(at: store.file)
    #expect(
      try await again.get("/api/questions").list("questions").first?["name"] as? String == "Starred"
    )
    #expect(try await again.get("/api/model.svg").text.contains("translate(1234 40)"))
    #expect(try await again.send(.delete, "/api/questions?name=Starred&entity=Note").status == 200)
    #expect(try await again.get("/api/questions").list("questions").isEmpty)
    #expect(try await again.send(.delete, "/api/layout").status == 200)
    #expect(try await !again.get("/api/model.svg").text.contains("translate(1234 40)"))
  }

  @Test func `are not written over a file of somebody else`() async throws {
    let store = try StudioStore()
    let file = URL(filePath: store.file.path + ".studio.json")
    try Data("mine".utf8).write(to: file)
    let question = ["name": "Starred", "entity": "Note"]
    let answer = try await store.send(.post, "/api/questions", question)
    #expect(answer.status == 409)
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
  }

  @Test func `refuse places and names that are none`() async throws {
    let store = try StudioStore()
    let nowhere = ["entity": "Note", "x": 1e300, "y": 0] as [String: Any]
    #expect(try await store.send(.post, "/api/layout", nowhere).status == 400)
    let nobody = ["entity": "Nothing", "x": 1, "y": 0] as [String: Any]
    #expect(try await store.send(.post, "/api/layout", nobody).status == 404)
    let nameless = ["name": "", "entity": "Note"]
    #expect(try await store.send(.post, "/api/questions", nameless).status == 400)
  }
}
