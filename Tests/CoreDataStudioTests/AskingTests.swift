import CoreData
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

struct `Questions` {
  @Test(arguments: [
    ("title CONTAINS[cd] 'SHOP'", ["Note/p1"]),
    ("folder.name == 'Home' AND stars > 2", ["Note/p1"]),
    ("created > '2023-03-08' AND created < '2023-03-10'", []),
    ("created == '2023-03-08'", ["Note/p1"]),
    ("uuid == '6B29FC40-CA47-1067-B31D-00DD010662DA'", ["Note/p1"]),
    ("tags.@count == 0", ["Note/p2", "Checklist/p3"]),
  ])
  func `in Core Data's language find objects`(condition: String, ids: [String]) async throws {
    let answer = try await StudioStore().get("/api/entities/Note/rows", ["where": condition])
    #expect(answer.status == 200, "\(String(decoding: answer.data, as: UTF8.self))")
    #expect(try answer.list("rows").compactMap { $0["id"] as? String } == ids)
  }

  @Test(arguments: [
    ("title ==", 8, "expected a value"), ("stars > 'many'", 8, "is a number"),
    ("stars > 1 AND titel == 'x'", 14, "titel"),
  ])
  func `that are wrong are explained at the place`(
    condition: String,
    place: Int,
    words: String
  ) async throws {
    for path in ["rows", "explanation"] {
      let answer = try await StudioStore().get("/api/entities/Note/\(path)", ["where": condition])
      #expect(answer.status == 400)
      #expect(try answer.number("place") == place)
      #expect(try answer.text("error")?.contains(words) == true)
    }
  }

  @Test func `are explained with their SQL and plan`() async throws {
    let answer = try await StudioStore().get(
      "/api/entities/Note/explanation",
      ["where": "stars > 3", "sort": "-created"]
    )
    #expect(try answer.text("sql")?.contains("ZSTARS") == true)
    #expect(
      try answer.value("bindings") as? [String] == ["3", "200"]
        || answer.value("bindings") as? [String] == ["3"]
    )
    #expect(try answer.list("plan").first?["text"] as? String != nil)
  }

  @Test func `in SQL read rows, with the place of a mistake`() async throws {
    let store = try StudioStore()
    let answer = try await store.ask("SELECT Z_PK, ZTITLE, ZIMAGE FROM ZNOTE ORDER BY Z_PK;")
    #expect(try answer.value("columns") as? [String] == ["Z_PK", "ZTITLE", "ZIMAGE"])
    #expect(try answer.value("rows.0.1") as? String == "Shopping")
    let wrong = try await store.ask("SELECT Z_PK, ZTITEL FROM ZNOTE")
    #expect(wrong.status == 400)
    #expect(try wrong.number("place") == 13)
  }

  @Test(arguments: [
    "DELETE FROM ZNOTE", "PRAGMA user_version = 7", "ATTACH 'other.sqlite' AS other",
    "VACUUM INTO 'copy.sqlite'", "SELECT 1; SELECT 2", "", "-- nothing",
  ])
  func `in SQL that would write, or are none, are refused`(sql: String) async throws {
    let store = try StudioStore()
    let before = try Data(contentsOf: store.file)
    let answer = try await store.ask(sql)
    // A connection that only reads ignores a pragma that writes.
    #expect(answer.status == 400 || sql.hasPrefix("PRAGMA") || sql.hasPrefix("ATTACH"))
    #expect(try Data(contentsOf: store.file) == before)
    #expect(!FileManager.default.fileExists(atPath: "copy.sqlite"))
  }

  @Test func `in SQL end after a thousand rows`() async throws {
    let answer = try await StudioStore().ask(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    )
    #expect(try (answer.value("rows") as? [Any])?.count == 1000)
    #expect(try answer.value("hasMore") as? Bool == true)
  }
}

struct `A store that is in trouble` {
  @Test func `is told of while it is gone, and shown when it is back`() async throws {
    let store = try StudioStore()
    #expect(try await store.get("/api/store").status == 200)
    let aside = store.file.appendingPathExtension("aside")
    try FileManager.default.moveItem(at: store.file, to: aside)
    let gone = try await store.get("/api/entities/Note/rows")
    #expect(gone.status == 503)
    #expect(try gone.text("error")?.contains("is not there any more") == true)
    try FileManager.default.moveItem(at: aside, to: store.file)
    #expect(try await store.get("/api/entities/Note/rows").status == 200)
  }

  @Test func `is told of while another program keeps it locked`() async throws {
    let store = try StudioStore()
    let writer = try SQLSession(at: store.file, isWritable: true, patience: 1)
    // Beside a write-ahead log, readers do not wait.
    try writer.connection.run("PRAGMA journal_mode = DELETE" as String)
    #expect(try await store.get("/api/store").status == 200)
    try writer.connection.run("BEGIN EXCLUSIVE" as String)
    for path in ["/api/store", "/api/objects/Note/p1/history", "/api/objects/Note/p1"] {
      let locked = try await store.get(path)
      #expect(locked.status == 503, "\(path): \(locked.text)")
    }
    try writer.connection.run("ROLLBACK" as String)
    #expect(try await store.get("/api/store").status == 200)
  }

  @Test func `is another one at the same path`() async throws {
    let (store, other) = (try StudioStore(notes: 3), try StudioStore(notes: 9))
    #expect(try await store.get("/api/entities/Note/rows").number("total") == 6)
    for end in ["", "-wal", "-shm"] {
      // The log may not be there.
      try? FileManager.default.removeItem(atPath: store.file.path + end)
    }
    try FileManager.default.moveItem(at: other.file, to: store.file)
    #expect(try await store.get("/api/entities/Note/rows").number("total") == 12)
  }

  @Test func `answers with a sentence where its pages are damaged, and goes on`() async throws {
    let store = try StudioStore(notes: 400)
    var bytes = try Data(contentsOf: store.file)
    for place in stride(from: 8 * 4096, to: bytes.count, by: 64) { bytes[place] ^= 0x5A }
    let file = TemporaryFolder.file("Damaged.sqlite")
    try bytes.write(to: file)
    let damaged = StudioStore(at: file)
    for entity in ["Note", "Folder", "Tag", "Bin"] {
      let answer = try await damaged.get("/api/entities/\(entity)/rows")
      #expect([200, 400, 500, 503].contains(answer.status))
      if answer.status != 200 { #expect(try answer.text("error")?.isEmpty == false) }
    }
    #expect(try await damaged.get("/api/model.svg").status < 600)
  }

  @Test func `of Apple's opens with its tables, cards and model`() async throws {
    for original in Fixtures.stores {
      let file = try Fixtures.copy(original)
      let store = StudioStore(at: file)
      let summary = try await store.get("/api/store")
      #expect(
        summary.status == 200,
        "\(original.lastPathComponent): \(String(decoding: summary.data, as: UTF8.self))"
      )
      for entity in try summary.list("entities") {
        let name = entity["name"] as? String ?? ""
        let rows = try await store.get("/api/entities/\(name)/rows", ["count": "3"])
        #expect(rows.status == 200, "\(original.lastPathComponent) \(name)")
        guard let id = try rows.text("rows.0.id") else { continue }
        for more in ["", "/pointers", "/history"] {
          let card = try await store.get("/api/objects/\(id)\(more)")
          #expect(card.status == 200, "\(original.lastPathComponent) \(id)\(more)")
        }
      }
      let model = try await store.get("/api/model.svg")
      #expect(String(decoding: model.data, as: UTF8.self).contains("<svg"))
    }
  }
}

enum Fixtures {
  /// The stores that were handed out beside the package; none elsewhere.
  static let stores: [URL] = {
    let shared = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../shared/fixtures").standardizedFileURL
    return ["stores", "swiftdata"].flatMap { name in
      let folder = shared.appending(path: name)
      // The folder does not exist elsewhere.
      let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
      return (files ?? []).filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".store") }.sorted()
        .map { folder.appending(path: $0) }
    }
  }()

  /// Bytes, not permissions: the originals may not be written.
  static func copy(_ file: URL) throws -> URL {
    let copy = TemporaryFolder.file(file.lastPathComponent)
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + end) {
      try Data(contentsOf: URL(filePath: file.path + end)).write(to: URL(filePath: copy.path + end))
    }
    return copy
  }
}
