import CoreDataWebServer
import Foundation
import TestSupport
import Testing

struct `The model's editor` {
  /// A store with its model as Xcode's source beside it.
  private func edited() async throws -> (store: StudioStore, model: URL) {
    let first = try StudioStore()
    let written = try await first.send(.post, "/api/editor/source")
    #expect(written.status == 200, "\(written.text)")
    let model = first.file.deletingPathExtension().appendingPathExtension("xcdatamodeld")
    return (StudioStore(at: first.file, model: model), model)
  }

  private func contents(_ model: URL, _ version: String = "Notes") throws -> Data {
    try Data(contentsOf: model.appending(path: "\(version).xcdatamodel/contents"))
  }

  private func place(of entity: String, _ answer: Answer, _ path: String = "root") throws -> Int? {
    try answer.list("\(path).children").firstIndex {
      ($0["attributes"] as? [String: String])?["name"] == entity
        && $0["name"] as? String == "entity"
    }
  }

  @Test func `edits, undoes and saves, and touches only the lines of a change`() async throws {
    let (store, model) = try await edited()
    let before = try contents(model)
    let draft = try await store.get("/api/editor/Notes")
    let note = try #require(try place(of: "Note", draft))
    let edit: [String: Any] = [
      "revision": 1, "op": "insert", "place": [note], "element": "attribute",
      "attributes": ["name": "rating", "optional": "YES", "attributeType": "Integer 16"],
    ]
    let answer = try await store.send(.post, "/api/editor/Notes", edit)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try answer.value("draft.isChanged") as? Bool == true)
    #expect(try contents(model) == before)
    // A page that shows an older state is told so.
    #expect(try await store.send(.post, "/api/editor/Notes", edit).status == 409)
    #expect(
      try await store.send(.post, "/api/editor/Notes/undo").value("isChanged") as? Bool == false
    )
    _ = try await store.send(.post, "/api/editor/Notes/redo")
    #expect(try await store.send(.post, "/api/editor/Notes/save").status == 200)
    let after = String(decoding: try contents(model), as: UTF8.self).split(separator: "\n")
    let changes = after.difference(
      from: String(decoding: before, as: UTF8.self).split(separator: "\n")
    )
    #expect(changes.count == 1)
  }

  @Test func `lists problems in the compiler's sentences`() async throws {
    let (store, _) = try await edited()
    let draft = try await store.get("/api/editor/Notes")
    let note = try #require(try place(of: "Note", draft))
    let edit: [String: Any] = [
      "revision": 1, "op": "insert", "place": [note], "element": "relationship",
      "attributes": ["name": "lost", "destinationEntity": "Nowhere"],
    ]
    let answer = try await store.send(.post, "/api/editor/Notes", edit)
    let problem = try answer.list("draft.problems").first { $0["property"] as? String == "lost" }
    #expect((problem?["sentence"] as? String)?.contains("Nowhere") == true, "\(answer.text)")
  }

  @Test func `adds a version, compares it, and tries it on a copy of the store`() async throws {
    let (store, model) = try await edited()
    let added = try await store.send(.post, "/api/editor", ["from": "Notes"])
    #expect(try added.text("added") == "Notes 2")
    #expect(try added.text("current") == "Notes 2")
    #expect(try contents(model, "Notes 2") == contents(model))
    let draft = try await store.get("/api/editor/Notes 2")
    let note = try #require(try place(of: "Note", draft))
    let edit: [String: Any] = [
      "revision": 1, "op": "insert", "place": [note], "element": "attribute",
      "attributes": ["name": "quietness", "optional": "YES", "attributeType": "Integer 16"],
    ]
    _ = try await store.send(.post, "/api/editor/Notes%202", edit)
    let difference = try await store.get("/api/difference", ["from": "Notes", "to": "Notes 2"])
    #expect(try difference.list("changes").count == 1, "\(difference.text)")
    #expect(try difference.text("changes.0.effect")?.contains("at once") == true)
    let size = try Data(contentsOf: store.file).count
    _ = try await store.send(.post, "/api/trial?version=Notes%202")
    let trial = try await store.ended("/api/trial")
    #expect(try trial.value("result.isNeeded") as? Bool == true, "\(trial.text)")
    #expect(try trial.list("result.steps").isEmpty == false)
    #expect(try Data(contentsOf: store.file).count == size)
  }

  @Test func `a trial of a version with an error stopped the program`() async throws {
    let (store, _) = try await edited()
    _ = try await store.send(.post, "/api/editor", ["from": "Notes"])
    let draft = try await store.get("/api/editor/Notes 2")
    let note = try #require(try place(of: "Note", draft))
    // The entity has an attribute of this name.
    let edit: [String: Any] = [
      "revision": 1, "op": "insert", "place": [note], "element": "attribute",
      "attributes": ["name": "rating", "optional": "YES", "attributeType": "Integer 16"],
    ]
    #expect(try await store.send(.post, "/api/editor/Notes%202", edit).status == 200)
    let trial = try await store.send(.post, "/api/trial?version=Notes%202")
    #expect(trial.status == 409 && trial.text.contains("two properties of this name"))
    let difference = try await store.get("/api/difference", ["from": "Notes", "to": "Notes 2"])
    #expect(difference.status == 409)
    #expect(try await store.get("/api/editor/Notes 2").status == 200)
  }

  @Test func `does not write over what another program has saved`() async throws {
    let (store, model) = try await edited()
    let draft = try await store.get("/api/editor/Notes")
    let note = try #require(try place(of: "Note", draft))
    let edit: [String: Any] = [
      "revision": 1, "op": "set", "place": [note], "attributes": ["versionHashModifier": "1"],
    ]
    _ = try await store.send(.post, "/api/editor/Notes", edit)
    let file = model.appending(path: "Notes.xcdatamodel/contents")
    let theirs = try Data(contentsOf: file) + Data("<!-- theirs -->".utf8)
    try theirs.write(to: file)
    #expect(try await store.send(.post, "/api/editor/Notes/save").status == 409)
    #expect(try Data(contentsOf: file) == theirs)
    #expect(try await store.send(.post, "/api/editor/Notes/save?over").status == 200)
  }

  @Test func `refuses what is no edit`() async throws {
    let (store, _) = try await edited()
    let edits: [[String: Any]] = [
      ["revision": 1, "op": "remove", "place": [] as [Int]],
      ["revision": 1, "op": "remove", "place": [999]],
      ["revision": 1, "op": "insert", "place": [0], "element": "script"],
      ["revision": 1, "op": "set", "place": [0], "attributes": ["a b": "c"]],
      ["revision": 1, "op": "explode", "place": [0]],
    ]
    for edit in edits {
      #expect(try await store.send(.post, "/api/editor/Notes", edit).status == 400, "\(edit)")
    }
    #expect(try await store.get("/api/editor/Nothing").status == 404)
    #expect(
      try await store.send(.post, "/api/editor", ["from": "Notes", "name": "../x"]).status == 400
    )
  }
}
