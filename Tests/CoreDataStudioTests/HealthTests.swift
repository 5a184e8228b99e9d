import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataWebServer
import Foundation
import TestSupport
import Testing

struct `The health of a store` {
  @Test func `is sound for a store as the framework writes it`() async throws {
    let store = try StudioStore()
    #expect(try await store.get("/api/check").text("state") == "none")
    let first = try await store.send(.post, "/api/check")
    #expect(["running", "done"].contains(try first.text("state")))
    let answer = try await store.ended("/api/check")
    #expect(try answer.text("state") == "done")
    #expect(try answer.value("result.isSound") as? Bool == true)
    #expect(try answer.value("result.hasCheckedRows") as? Bool == true)
  }

  @Test func `names each finding, its remedy and the objects that it is about`() async throws {
    let store = try StudioStore()
    let connection = try Connection(path: store.file.path)
    try connection.run("UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK IN (1, 2)")
    _ = try await store.send(.post, "/api/check?deep")
    let answer = try await store.ended("/api/check")
    #expect(try answer.value("result.isSound") as? Bool == false)
    let finding = try answer.list("result.findings").first { $0["property"] as? String == "folder" }
    #expect(finding?["severity"] as? String == "error")
    #expect(finding?["entity"] as? String == "Note")
    #expect(finding?["objects"] as? [String] == ["Note/p1", "Note/p2"])
    #expect(finding?["count"] as? Int == 2)
    #expect((finding?["repair"] as? String)?.isEmpty == false)
  }

  @Test func `is forgotten when somebody stops the check`() async throws {
    let store = try StudioStore(notes: 2_000)
    _ = try await store.send(.post, "/api/check?deep")
    let stopped = try await store.send(.delete, "/api/check")
    #expect(try stopped.text("state") == "none")
    #expect(try await store.get("/api/check").text("state") == "none")
    _ = try await store.send(.post, "/api/check")
    #expect(try await store.ended("/api/check").text("state") == "done")
  }

  @Test func `is a sentence for a file that is no database any more`() async throws {
    let store = try StudioStore()
    _ = try await store.get("/api/store")
    let handle = try FileHandle(forWritingTo: store.file)
    try handle.write(contentsOf: Data(repeating: 0x41, count: 4096))
    try handle.close()
    try? FileManager.default.removeItem(atPath: store.file.path + "-wal")
    _ = try await store.send(.post, "/api/check")
    let answer = try await store.ended("/api/check")
    let sentence = try answer.text("error") ?? answer.text("result.findings.0.sentence")
    #expect(sentence?.isEmpty == false, "\(answer.text)")
    #expect(try await store.get("/").status == 200)
  }

  @Test func `has the room of each table and the purpose of each index`() async throws {
    let store = try StudioStore(notes: 500)
    _ = try await store.get("/api/entities/Note/rows", ["where": "text CONTAINS 'x'"])
    let answer = try await store.ended("/api/room")
    let tables = try answer.list("result.tables")
    let notes = tables.first { $0["name"] as? String == "ZNOTE" }
    #expect(notes?["kind"] as? String == "objects")
    #expect(notes?["entities"] as? [String] == ["Note", "Checklist"])
    #expect(notes?["bytes"] as? Int ?? 0 > 4_096)
    let pairs = tables.first { $0["kind"] as? String == "pairs" }
    #expect(pairs != nil)
    #expect(tables.contains { $0["kind"] as? String == "history" })
    let indexes = notes?["indexes"] as? [[String: Any]] ?? []
    let folder = indexes.first { ($0["properties"] as? [String])?.first == "folder" }
    #expect((folder?["help"] as? String)?.hasPrefix("Finds by folder") == true)
    #expect(folder?["isOfModel"] as? Bool == true)
    let advice = try answer.list("result.advice")
    #expect(advice.first?["condition"] as? String == "text CONTAINS 'x'")
  }

  @Test func `names an index that the model has and the file lacks`() async throws {
    let store = try StudioStore()
    let connection = try Connection(path: store.file.path)
    try connection.run("DROP INDEX ZNOTE_ZFOLDER_INDEX")
    let answer = try await store.ended("/api/room")
    #expect(
      try answer.list("result.missing").map { $0["name"] as? String } == ["ZNOTE_ZFOLDER_INDEX"]
    )
  }
}

struct `Figures of attributes` {
  @Test func `have the share of nil, the least, the greatest and the most frequent`() async throws {
    let store = try StudioStore(notes: 60)
    let answer = try await store.ended("/api/entities/Note/figures")
    let lines = try answer.list("result")
    let stars = lines.first { $0["key"] as? String == "stars" }
    #expect(stars?["rows"] as? Int == 63)
    #expect(stars?["nils"] as? Int == 0)
    #expect(stars?["different"] as? Int == 6)
    #expect((stars?["least"] as? [String: Any])?["text"] as? String == "0")
    #expect((stars?["greatest"] as? [String: Any])?["text"] as? String == "5")
    let frequent = stars?["frequent"] as? [[String: Any]]
    #expect((frequent?.first?["value"] as? [String: Any])?["text"] as? String == "0")
    #expect(frequent?.first?["count"] as? Int == 12)
    let counts = (stars?["spread"] as? [String: Any])?["counts"] as? [Int]
    #expect(counts?.reduce(0, +) == 63)
    let link = lines.first { $0["key"] as? String == "link" }
    #expect(link?["nils"] as? Int == 62)
    let created = lines.first { $0["key"] as? String == "created" }
    #expect((created?["least"] as? [String: Any])?["kind"] as? String == "date")
    let image = lines.first { $0["key"] as? String == "image" }
    #expect(image?["different"] is NSNull)
  }

  @Test func `are those of an entity and the ones below it`() async throws {
    let store = try StudioStore()
    let all = try await store.ended("/api/entities/Note/figures")
    let below = try await store.ended("/api/entities/Checklist/figures")
    func rows(_ answer: Answer) throws -> Any? {
      try answer.list("result").first { $0["key"] as? String == "title" }?["rows"]
    }
    #expect(try rows(all) as? Int == 3)
    #expect(try rows(below) as? Int == 1)
    #expect(try await store.get("/api/entities/Nothing/figures").status == 404)
  }
}
