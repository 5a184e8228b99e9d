import CoreData
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

/// `coredata dump` of stores of which a part cannot be read.
struct DumpGapTests {
  private let store: ToolStore

  init() throws { store = try ToolStore() }

  /// Takes a table or column away, with everything that depends on it, as a damaged or foreign file
  /// lacks it.
  private func lose(_ statements: String...) throws {
    let connection = try Connection(path: store.path)
    for statement in statements { try connection.run(statement) }
  }

  @Test func `one entity that cannot be read ended the dump of all others`() throws {
    try lose("ALTER TABLE ZFOLDER RENAME TO elsewhere")
    let outcome = try Program.run("dump", store.path)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("Shopping") && outcome.output.contains("urgent"))
    #expect(!outcome.output.contains("no rows: Bin, Folder"))
    #expect(
      outcome.errors.contains("Folder cannot be read, and was left out: SQLite error 1: no such"),
      "\(outcome.errors)"
    )
    #expect(outcome.errors.contains("Everything else was printed."))
    #expect(!outcome.errors.contains("SELECT"))
  }

  @Test func `JSON was cut off where an entity could not be read`() throws {
    try lose("ALTER TABLE ZFOLDER RENAME TO elsewhere")
    let outcome = try Program.run("dump", store.path, "--json")
    #expect(outcome.status == 1)
    #expect(try outcome.json.keys.sorted() == ["Bin", "Checklist", "Note", "Tag"])
    #expect((try outcome.json["Note"] as? [Any])?.count == 2)
    let alone = try Program.run("dump", store.path, "--entity", "Folder", "--json")
    #expect(alone.status == 1 && alone.output == "[]\n")
    #expect(!alone.errors.contains("Everything else"))
  }

  @Test(arguments: ["table", "json", "jsonl", "csv"])
  func `one property that cannot be read took its entity away`(format: String) throws {
    try lose(
      "ALTER TABLE ZNOTE RENAME COLUMN ZSTARS TO ZELSEWHERE",
      "ALTER TABLE Z_3TAGS RENAME TO elsewhere"
    )
    let outcome = try Program.run(
      "dump",
      store.path,
      "--entity",
      "Note",
      "--sort",
      "title",
      "--format",
      format
    )
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("Shopping") && !outcome.output.contains("stars"))
    #expect(
      outcome.errors.contains("Note.stars cannot be read, and was left out: SQLite error 1: no"),
      "\(outcome.errors)"
    )
    #expect(outcome.errors.contains("Note.tags cannot be read, and was left out:"))
    if format == "json" {
      let list = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      #expect((list as? [Any])?.count == 3)
    }
  }

  @Test func `an object whose name cannot be read is shown by its key`() throws {
    try lose("ALTER TABLE ZFOLDER RENAME COLUMN ZNAME TO ZELSEWHERE")
    let outcome = try Program.run("dump", store.path, "--entity", "Note", "--format", "jsonl")
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    #expect(outcome.output.contains("\"folder\":{\"id\":\"Folder/p1\"}"), "\(outcome.output)")
  }

  @Test(arguments: ["json", "jsonl", "csv", "table"])
  func `rows around a damaged page are printed, and the output is whole`(format: String) throws {
    let many = try ToolStore(notes: 3000)
    let connection = try Connection(path: many.path)
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    let page = try connection.integer(
      "SELECT MAX(pageno) FROM dbstat WHERE name = 'ZNOTE' AND pagetype = 'leaf'"
    )
    var bytes = try Data(contentsOf: many.file)
    let start = (Int(try #require(page)) - 1) * 4096
    bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xFF, count: 4096))
    try bytes.write(to: many.file)
    let outcome = try Program.run(
      "dump",
      many.path,
      "--entity",
      "Note",
      "--columns",
      "title",
      "--format",
      format
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Note is on damaged pages in part; "), "\(outcome.errors)")
    #expect(outcome.output.last?.isNewline == true)
    if format == "json" {
      let list = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [Any]
      #expect(try #require(list).count > 1000)
    }
  }

  @Test(arguments: ["table", "csv", "json", "jsonl"])
  func `a dump without large data that was not copied was told as whole`(format: String) throws {
    let file = ToolStore.temporaryFile("Large.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      for number in 1...2 {
        context.note("large").image = Data(repeating: UInt8(number), count: 150_000)
      }
      context.note("small").image = Data([1])
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let folder = file.deletingLastPathComponent().appending(path: ".Large_SUPPORT")
    let words = ["dump", file.path, "--entity", "Note", "--columns", "title,image", "--format"]
    #expect(try Program.run(words + [format]).status == 0)
    try FileManager.default.removeItem(at: folder)
    let outcome = try Program.run(words + [format])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("small"))
    let sentence = "Note.image: 2 values were left out, because the files of them are not there"
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.contains("Large data belong into the folder .Large_SUPPORT beside"))
    let titles = ["dump", file.path, "--entity", "Note", "--columns", "title", "--format", format]
    #expect(try Program.run(titles).status == 0)
  }
}
