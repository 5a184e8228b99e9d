import Foundation
import TestSupport
import Testing

/// The tool on PostgreSQL databases, run as a process.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct DatabaseTests {
  private let place = PostgreSQLServer.shared.place().absoluteString

  /// A database with the objects of a tool's store, in a zone.
  private func filled(zone: String = "home") throws -> ToolStore {
    let store = try ToolStore()
    let outcome = try Program.run("copy", store.path, place, "--zone", zone)
    #expect(outcome.errors == "")
    #expect(outcome.output.hasPrefix("copied to postgresql://"))
    #expect(outcome.output.contains("(zone \(zone))"))
    return store
  }

  @Test func `a database is described with its zones and rows`() throws {
    _ = try filled()
    let outcome = try Program.run("inspect", place, "--zone", "home", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try outcome.json
    #expect(report["zones"] as? [String] == ["home"])
    let entities = try #require(report["entities"] as? [[String: Any]])
    let rows = entities.compactMap { entity -> String? in
      guard let name = entity["name"] as? String, let count = entity["rows"] as? Int else {
        return nil
      }
      return "\(name) \(count)"
    }
    #expect(rows.contains("Folder 2") && rows.contains("Note 2") && rows.contains("Checklist 1"))
    let text = try Program.run("inspect", place, "--zone", "home")
    #expect(text.output.contains("PostgreSQL ") && text.output.contains("Checklist"))
  }

  @Test func `the objects of a database are printed as those of the file they came from`() throws {
    let store = try filled()
    let lines = { (output: String) in output.split(separator: "\n").sorted() }
    for entity in ["Note", "Folder", "Tag"] {
      let options = ["--entity", entity, "--format", "csv"]
      let found = try Program.run(["dump", place, "--zone", "home"] + options)
      let wanted = try Program.run(["dump", store.path] + options)
      #expect(found.errors == "", "\(entity)")
      #expect(lines(found.output) == lines(wanted.output), "\(entity)")
    }
    let searched = try Program.run(
      "dump",
      place,
      "--zone",
      "home",
      "--entity",
      "Note",
      "--where",
      "stars == 3",
      "--columns",
      "title,folder.name",
      "--format",
      "csv"
    )
    #expect(searched.output.contains("Shopping,Home"))
  }

  @Test func `a database becomes a file again, with the same objects and keys`() throws {
    let store = try filled()
    let copy = ToolStore.temporaryFile("Back.sqlite")
    let outcome = try Program.run("copy", place, copy.path, "--zone", "home")
    #expect(outcome.errors == "")
    let dumps = try [store.path, copy.path].map { path in
      try Program.run("dump", path, "--format", "jsonl").output
    }
    let plain = dumps.map { dump in
      dump.replacing(/x-coredata:\/\/[^\/]*/) { _ in "" }.split(separator: "\n").sorted()
    }
    #expect(plain[0] == plain[1])
    #expect(plain[0].count > 5)
  }

  @Test func `a zone that is there is not copied into`() throws {
    let store = try filled()
    let outcome = try Program.run("copy", store.path, place, "--zone", "home")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("already"))
    let report = try Program.run("inspect", place, "--zone", "home", "--json").json
    let entities = try #require(report["entities"] as? [[String: Any]])
    #expect(entities.contains { $0["name"] as? String == "Note" && $0["rows"] as? Int == 2 })
  }

  @Test func `a zone that is not there is told, and none is made`() throws {
    _ = try filled()
    let outcome = try Program.run("inspect", place, "--zone", "work")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("no store in it"))
    let report = try Program.run("inspect", place, "--zone", "home", "--json").json
    #expect(report["zones"] as? [String] == ["home"])
  }

  @Test(arguments: [
    ["inspect"], ["dump"], ["check"], ["sql", "SELECT 1"], ["dump", "Notes.sqlite"],
    ["copy", "/nowhere/Notes.sqlite"],
  ])
  func `no command prints a password`(words: [String]) throws {
    let address = "postgresql://ada:swordfish@localhost:1/notes?password=mackerel&connect_timeout=2"
    let outcome = try Program.run(words + [address])
    #expect(outcome.status != 0)
    let text = outcome.output + outcome.errors
    #expect(!text.contains("swordfish") && !text.contains("mackerel"))
    #expect(outcome.errors != "")
  }

  @Test func `commands for files say which take databases`() throws {
    let outcome = try Program.run("check", "postgresql://localhost/notes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("inspect, dump, copy"))
  }
}
