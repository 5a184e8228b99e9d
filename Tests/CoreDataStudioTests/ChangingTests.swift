import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataWebServer
import Foundation
import TestSupport
import Testing

struct `Changes` {
  /// A store whose changes are allowed.
  private func allowed() async throws -> StudioStore {
    let store = try StudioStore()
    let answer = try await store.send(.post, "/api/changes/allow")
    #expect(answer.status == 200, "\(answer.text)")
    return store
  }

  private func set(
    _ store: StudioStore,
    _ key: String,
    _ value: Any,
    of object: String = "Note/p1"
  ) async throws -> Answer {
    try await store.send(
      .post,
      "/api/changes",
      ["op": "set", "object": object, "key": key, "value": value]
    )
  }

  private func title(of number: Int, in store: StudioStore) throws -> String? {
    try Connection(path: store.file.path, mode: .readOnly)
      .text("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = \(.integer(Int64(number)))")
  }

  @Test func `are refused before somebody allows them`() async throws {
    let store = try StudioStore()
    #expect(try await store.get("/api/changes").value("isAllowed") as? Bool == false)
    #expect(try await set(store, "title", "Other").status == 403)
    #expect(try await store.send(.post, "/api/changes/save").status == 403)
    #expect(try title(of: 1, in: store) == "Shopping")
  }

  @Test func `begin with a copy of the store beside it`() async throws {
    let store = try await allowed()
    let name = try await store.get("/api/changes").text("copy") ?? ""
    #expect(name.hasPrefix("Notes-before-studio-"))
    let copy = store.file.deletingLastPathComponent().appending(path: name)
    _ = try await set(store, "title", "Other")
    #expect(try await store.send(.post, "/api/changes/save").value("isSaved") as? Bool == true)
    let old = try Connection(path: copy.path, mode: .readOnly)
    #expect(try old.text("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 1") == "Shopping")
    #expect(try title(of: 1, in: store) == "Other")
  }

  @Test func `wait in a list until they are saved, by an author of their own`() async throws {
    let store = try await allowed()
    let answer = try await set(store, "stars", 5)
    #expect(try answer.text("pending.changes.0.id") == "Note/p1")
    #expect(try answer.text("pending.changes.0.values.0.old.text") == "3")
    #expect(try answer.text("pending.changes.0.values.0.new.text") == "5")
    let before = try await store.get("/api/history").list("changes").count
    #expect(try await store.send(.post, "/api/changes/save").value("isSaved") as? Bool == true)
    let changes = try await store.get("/api/history").list("changes")
    #expect(changes.count == before + 1)
    #expect(changes.first?["author"] as? String == "coredata studio")
    #expect(try await store.get("/api/changes").number("total") == 0)
  }

  @Test func `are undone, redone and discarded`() async throws {
    let store = try await allowed()
    _ = try await set(store, "title", "One")
    _ = try await set(store, "title", "Two")
    let undone = try await store.send(.post, "/api/changes/undo")
    #expect(try undone.text("changes.0.values.0.new.text") == "One")
    let redone = try await store.send(.post, "/api/changes/redo")
    #expect(try redone.text("changes.0.values.0.new.text") == "Two")
    let discarded = try await store.send(.post, "/api/changes/discard")
    #expect(try discarded.number("total") == 0)
    #expect(try discarded.value("canUndo") as? Bool == false)
    #expect(try title(of: 1, in: store) == "Shopping")
  }

  @Test func `insert, relate and delete objects by the rules of the model`() async throws {
    let store = try await allowed()
    let inserted = try await store.send(.post, "/api/changes", ["op": "insert", "entity": "Note"])
    #expect(try inserted.text("object") == "Note/t1")
    _ = try await set(store, "title", "New", of: "Note/t1")
    _ = try await set(store, "folder", "Folder/p1", of: "Note/t1")
    let member = ["op": "add", "object": "Note/t1", "key": "tags", "member": "Tag/p1"]
    let added = try await store.send(.post, "/api/changes", member)
    #expect(added.status == 200, "\(added.text)")
    let form = try await store.get("/api/changes/objects/Note/t1")
    #expect(try form.value("isInserted") as? Bool == true)
    let saved = try await store.send(.post, "/api/changes/save")
    #expect(try saved.value("isSaved") as? Bool == true, "\(saved.text)")
    // The former name leads to the object that was stored.
    #expect(try await store.get("/api/changes/objects/Note/t1").text("id") == "Note/p4")
    let members = try await store.get("/api/objects/Note/p4/members/tags")
    #expect(try members.list("members").map { $0["id"] as? String } == ["Tag/p1"])
    let delete = ["op": "delete", "object": "Note/p4"]
    #expect(try await store.send(.post, "/api/changes", delete).status == 200)
    #expect(try await store.send(.post, "/api/changes/save").value("isSaved") as? Bool == true)
    #expect(try await store.get("/api/objects/Note/p4").status == 404)
  }

  @Test(
    arguments: [
      ("stars", "many", "whole number"), ("stars", 1.5, "whole number"), ("title", 3, "a text"),
      ("created", "yesterday", "a date"), ("uuid", "x", "a UUID"), ("folder", "Tag/p1", "leads to"),
      ("folder", "Folder/p99", "no object"), ("tags", "Tag/p1", "to-many"), ("titel", "x", "title"),
    ] as [(String, any Sendable, String)]
  )
  func `with a wrong value are refused with a sentence`(
    key: String,
    value: any Sendable,
    words: String
  ) async throws {
    let store = try await allowed()
    let answer = try await set(store, key, value)
    #expect([400, 404].contains(answer.status))
    #expect(answer.text.contains(words), "\(answer.text)")
    #expect(try await store.get("/api/changes").number("total") == 0)
  }

  @Test func `that break a rule are told at their property, and not saved`() async throws {
    let store = try await allowed()
    let answer = try await set(store, "stars", 9)
    let problems = try answer.list("pending.problems")
    #expect(problems.first?["key"] as? String == "stars", "\(answer.text)")
    #expect(problems.first?["object"] as? String == "Note/p1")
    let saved = try await store.send(.post, "/api/changes/save")
    #expect(try saved.value("isSaved") as? Bool == false)
    #expect(try title(of: 1, in: store) == "Shopping")
    #expect(try await store.get("/api/changes").number("total") == 1)
  }

  @Test(arguments: [("mine", "Mine"), ("theirs", "Theirs")])
  func `of another program are shown and not lost`(winner: String, title: String) async throws {
    let store = try await allowed()
    _ = try await set(store, "title", "Mine")
    let other = try NotesStack(file: store.file, options: [NSPersistentHistoryTrackingKey: true])
    try other.work { context in
      let note = try context.fetch(Note.fetchRequest()).first { $0.title == "Shopping" }
      note?.title = "Theirs"
      note?.stars = 1
      try context.save()
    }
    let refused = try await store.send(.post, "/api/changes/save")
    #expect(try refused.value("isSaved") as? Bool == false)
    #expect(try refused.text("conflicts.0.id") == "Note/p1")
    #expect(try refused.text("conflicts.0.values.0.mine.text") == "Mine")
    #expect(try refused.text("conflicts.0.values.0.theirs.text") == "Theirs")
    #expect(try refused.number("pending.total") == 1)
    let saved = try await store.send(.post, "/api/changes/save?winner=\(winner)")
    #expect(try saved.value("isSaved") as? Bool == true, "\(saved.text)")
    #expect(try self.title(of: 1, in: store) == title)
    let stars = try Connection(path: store.file.path, mode: .readOnly)
      .integer("SELECT ZSTARS FROM ZNOTE WHERE Z_PK = 1")
    #expect(stars == 1)
  }

  @Test func `leave the metadata and the tables of the store as they are`() async throws {
    let store = try StudioStore()
    func facts() throws -> [String?] {
      let connection = try Connection(path: store.file.path, mode: .readOnly)
      return [
        try connection.text("SELECT hex(Z_PLIST) || Z_UUID || Z_VERSION FROM Z_METADATA"),
        try connection.text("SELECT group_concat(sql) FROM sqlite_master"),
        try connection.text("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE"),
      ]
    }
    let before = try facts()
    _ = try await store.send(.post, "/api/changes/allow")
    _ = try await set(store, "title", "Other")
    #expect(try await store.send(.post, "/api/changes/save").value("isSaved") as? Bool == true)
    #expect(try facts() == before)
  }

  @Test func `do not go into another file that has taken the place of the store`() async throws {
    let store = try await allowed()
    _ = try await set(store, "title", "Other")
    let away = store.file.deletingLastPathComponent().appending(path: "Away.sqlite")
    try FileManager.default.moveItem(at: store.file, to: away)
    try FileManager.default.copyItem(at: away, to: store.file)
    let answer = try await store.send(.post, "/api/changes/save")
    #expect(answer.status == 409, "\(answer.text)")
    #expect(try await store.send(.post, "/api/changes/discard").status == 200)
  }
}
