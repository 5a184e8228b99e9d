import CoreData
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

/// `coredata check` and `coredata repair`, as people run them.
@Suite struct CheckRepairTests {
  /// Every key of a table was tried one by one, for minutes.
  @Test func `a history whose first pages are gone held a salvage up`() throws {
    let file = ToolStore.temporaryFile("History.sqlite")
    let stack = try NotesStack(file: file, options: [NSPersistentHistoryTrackingKey: true])
    try stack.work { context in
      for number in 1...20 {
        context.note("\(number)")
        try context.save()
      }
    }
    try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    let connection = try Connection(path: file.path)
    var pages: [Int] = []
    for table in ["ACHANGE", "ATRANSACTION"] {
      let page = try connection.integer(
        "SELECT rootpage FROM sqlite_master WHERE name = \(.text(table))"
      )
      pages.append(Int(try #require(page)))
    }
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    var bytes = try Data(contentsOf: file)
    for page in pages { bytes.resetBytes(in: (page - 1) * 4096..<page * 4096) }
    try bytes.write(to: file)
    let salvaged = ToolStore.temporaryFile("Salvaged.sqlite")
    let start = ContinuousClock.now
    let outcome = try Program.run("repair", file.path, "--salvage", salvaged.path)
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(outcome.output.contains("ACHANGE: nothing could be read"), "\(outcome.output)")
    let rescued = try Connection(path: salvaged.path)
    #expect(try rescued.integer("SELECT COUNT(*) FROM ZNOTE") == 20)
  }

  /// A store with two notes in a folder, whose path the tool gets.
  private func store() throws -> URL {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      let folder = context.folder("Home")
      context.note("First", in: folder)
      context.note("Second", in: folder)
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    return file
  }

  /// The same, of a program that has lost the folder.
  private func broken() throws -> URL {
    let file = try store()
    try Connection(path: file.path).run("DELETE FROM ZFOLDER" as String)
    return file
  }

  @Test func `a repair that would take readable values away says which, and changes nothing`()
    throws
  {
    let file = try broken()
    try Connection(path: file.path)
      .run(
        """
        CREATE TRIGGER forgetful AFTER UPDATE OF ZFOLDER ON ZNOTE \
        BEGIN UPDATE ZNOTE SET ZTITLE = NULL; END
        """ as String
      )
    let outcome = try Program.run("repair", file.path, "--yes", "--run-triggers")
    #expect(
      outcome.output.contains(
        "Nothing was changed: the repair would have taken away what can be read now:"
          + " 2 values of Note.title."
      ),
      "\(outcome.output)"
    )
    #expect(outcome.status == 1)
    let titles = try Connection(path: file.path).integer("SELECT COUNT(ZTITLE) FROM ZNOTE")
    #expect(titles == 2)
  }

  @Test func `a sound store is status 0`() throws {
    let file = try store()
    let outcome = try Program.run("check", file.path)
    #expect(outcome.output == "The store is sound.\n")
    #expect(outcome.status == 0 && outcome.errors == "")
    let json = try Program.run("check", file.path, "--json", "--deep").json
    #expect(json["isSound"] as? Bool == true)
  }

  @Test func `findings are printed with what a repair would do, and are status 1`() throws {
    let file = try broken()
    let outcome = try Program.run("check", file.path)
    #expect(
      outcome.output == """
        errors
          Note.folder: 2 rows lead to a Folder that is not there (Z_PK 1, 2)
            repair takes the key out of them

        The store is not sound: 1 error.

        """
    )
    #expect(outcome.status == 1 && outcome.errors == "")
    let json = try Program.run("check", file.path, "--json").json
    let finding = try #require((json["findings"] as? [[String: Any]])?.first)
    #expect(finding["entity"] as? String == "Note" && finding["property"] as? String == "folder")
    #expect(finding["rows"] as? [String] == ["1", "2"] && finding["count"] as? Int == 2)
  }

  @Test func `warnings alone were status 1`() throws {
    let file = try store()
    try Connection(path: file.path).run("UPDATE ZNOTE SET ZSTARS = 99999 WHERE Z_PK = 1" as String)
    let outcome = try Program.run("check", file.path)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(
      outcome.output.hasPrefix("warnings\n  Note.stars: 1 row has a number that is no Integer")
    )
    #expect(outcome.output.hasSuffix("\nThe store is sound, with 1 warning.\n"))
    #expect(try Program.run("check", file.path, "--json").json["isSound"] as? Bool == true)
  }

  @Test func `a store whose rows were not checked passed for sound`() throws {
    let file = try store()
    try Connection(path: file.path).run("DROP TABLE Z_MODELCACHE" as String)
    let outcome = try Program.run("check", file.path)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("confirm 2 of 5 entities"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("without the application's model.\n"), "\(outcome.output)")
    let json = try Program.run("check", file.path, "--json")
    #expect(try json.status == 1 && json.json["isSound"] as? Bool == false)
    let repair = try Program.run("repair", file.path, "--dry-run")
    #expect(repair.status == 1)
    #expect(repair.output.contains("give it with --model"), "\(repair.output)")
    #expect(try Program.run("check", file.path, "--model", Program.model).status == 0)
  }

  @Test(arguments: [
    ["check"], ["check", "--json"], ["repair", "--dry-run"], ["repair", "--yes"],
  ])
  func `a sound store was called damaged where another model was given`(words: [String]) throws {
    let file = try store()
    let outcome = try Program.run(words + [file.path, "--model", BookShelf().path])
    #expect(outcome.status == 1 && outcome.output == "", "\(outcome.output)")
    #expect(outcome.errors.hasPrefix("\(file.path) was not made with the model "))
    #expect(outcome.errors.contains("or leave --model out to use the model inside the store"))
  }

  /// A store whose app ended in the middle of a save: pages are written, and the journal has their
  /// former content.
  private func interrupted() throws -> URL {
    let file = try store()
    let connection = try Connection(path: file.path)
    let statements = [
      "PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 2", "BEGIN",
      "UPDATE ZNOTE SET ZSTARS = 5", "CREATE TABLE large (bytes)",
      "INSERT INTO large VALUES (zeroblob(1000000))",
    ]
    for statement in statements { try connection.run(statement) }
    let copy = TestSupport.TemporaryFolder.file("Interrupted.sqlite")
    for ending in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: file.path + ending, toPath: copy.path + ending)
    }
    try connection.run("ROLLBACK" as String)
    return copy
  }

  @Test(arguments: [["inspect"], ["dump"], ["check"], ["repair", "--dry-run"]])
  func `a store whose app ended in the middle of a save was said to be in a wrong place`(
    words: [String]
  ) throws {
    let file = try interrupted()
    let outcome = try Program.run(words + [file.path])
    #expect(outcome.status == 1)
    for part in [
      "a program ended in the middle of a save", "Interrupted.sqlite-journal",
      "sqlite3 '\(file.path)' .schema",
      "coredata repair '\(file.path)' --salvage NEWFILE",
    ] {
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }
    #expect(FileManager.default.fileExists(atPath: file.path + "-journal"))
    let target = file.deletingLastPathComponent().appending(path: "Saved.sqlite")
    let salvage = try Program.run("repair", file.path, "--salvage", target.path)
    #expect(salvage.status == 0, "\(salvage.output)\(salvage.errors)")
  }

  @Test(arguments: [
    ["repair", "--yes"],
    ["set", "--entity", "Note", "--where", "title == \"First\"", "--yes"],
    ["migrate", "--to", Program.model, "--yes"],
  ])
  func `a command that writes did not undo what an app had half saved`(words: [String]) throws {
    let file = try interrupted()
    let last = words[0] == "set" ? ["title=Changed"] : []
    let outcome = try Program.run(words + [file.path] + last)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: file.path + "-journal"))
    let connection = try Connection(path: file.path)
    #expect(try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'large'") == 0)
    #expect(try connection.integer("SELECT COUNT(*) FROM ZNOTE WHERE ZSTARS = 5") == 0)
  }

  @Test func `a dry run shows what would be done, and does nothing`() throws {
    let file = try broken()
    let bytes = try Data(contentsOf: file)
    let outcome = try Program.run("repair", file.path, "--dry-run")
    #expect(outcome.output.contains("to do\n  1  Note.folder: 2 rows lead to a Folder"))
    #expect(outcome.status == 1)
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `without consent nothing is done`() throws {
    let file = try broken()
    let bytes = try Data(contentsOf: file)
    let outcome = try Program.run("repair", file.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("nothing was done"))
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `a repair names the copy, and the store is sound afterwards`() throws {
    let file = try broken()
    let outcome = try Program.run("repair", file.path, "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("A copy of the store before the repair is at "))
    #expect(outcome.output.hasSuffix("The store is sound.\n"))
    #expect(try Program.run("check", file.path).status == 0)
    let again = try Program.run("repair", file.path, "--yes")
    #expect(again.status == 0 && again.output == "The store is sound.\n")
  }

  @Test func `a repair tells in JSON what it did`() throws {
    let outcome = try Program.run("repair", broken().path, "--yes", "--json", "--no-backup")
    let json = try outcome.json
    #expect(json["isSound"] as? Bool == true && json["backup"] == nil)
    #expect((json["performed"] as? [Any])?.count == 1)
  }

  @Test func `what can be read is copied into a new store`() throws {
    let file = try store()
    let target = file.deletingLastPathComponent().appending(path: "Saved.sqlite")
    let outcome = try Program.run("repair", file.path, "--salvage", target.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("  ZNOTE: 2 rows\n"))
    #expect(outcome.output.contains("Every row was read, with every column that the file has."))
    #expect(try Program.run("check", target.path).status == 0)
  }

  @Test func `a damaged file is told of --salvage, in words and in JSON`() throws {
    let file = try store()
    try Connection(path: file.path).run("PRAGMA wal_checkpoint(TRUNCATE)" as String)
    let root = try #require(
      try Connection(path: file.path)
        .integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG'")
    )
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(root - 1) * 4096)
    try handle.write(contentsOf: Data(count: 4096))
    try handle.close()
    for words in [["check"], ["repair", "--dry-run"]] {
      let outcome = try Program.run(words + [file.path])
      #expect(outcome.output.contains("--salvage NEWFILE copies what can be read"))
      let json = try Program.run(words + [file.path, "--json"]).json
      let findings = try #require((json["findings"] ?? json["left"]) as? [[String: Any]])
      #expect(findings.contains { ($0["advice"] as? String)?.contains("--salvage") == true })
    }
  }

  @Test func `a salvaged store whose rows were not checked was status 0`() throws {
    let file = try store()
    try Connection(path: file.path).run("DROP TABLE Z_MODELCACHE" as String)
    let target = file.deletingLastPathComponent().appending(path: "Saved.sqlite")
    let outcome = try Program.run("repair", file.path, "--salvage", target.path)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("  ZNOTE: 2 rows\n"), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.hasSuffix("but the rows were not checked.\n"), "\(outcome.output)")
  }

  @Test func `of a file without metadata the salvage named its own copy`() throws {
    let file = try store()
    for statement in ["DELETE FROM Z_METADATA", "DROP TABLE Z_MODELCACHE"] {
      try Connection(path: file.path).run(statement)
    }
    let target = file.deletingLastPathComponent().appending(path: "Saved.sqlite")
    let outcome = try Program.run("repair", file.path, "--salvage", target.path)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("\(file.path): neither its metadata nor a model in it can be read."),
      "\(outcome.errors)"
    )
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test func `of a file that is no database the salvage advised to salvage it`() throws {
    let file = TestSupport.TemporaryFolder.file("Letter.sqlite")
    try Data("This is a letter, and no store at all.".utf8).write(to: file)
    let target = file.deletingLastPathComponent().appending(path: "Saved.sqlite")
    let outcome = try Program.run("repair", file.path, "--salvage", target.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("The file is not a database."), "\(outcome.errors)")
    #expect(!outcome.errors.contains("--salvage"), "\(outcome.errors)")
  }

  @Test(arguments: ["check", "repair"])
  func `another program's database is said to be no store`(command: String) throws {
    let file = TestSupport.TemporaryFolder.file("People.sqlite")
    try Connection(path: file.path).run("CREATE TABLE people(name)" as String)
    let before = try Data(contentsOf: file)
    let options = command == "repair" ? ["--yes"] : []
    let outcome = try Program.run([command, file.path] + options)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("The file is not a Core Data store."), "\(outcome.errors)")
    #expect(try Data(contentsOf: file) == before)
  }

  @Test(arguments: [
    (["check"], "check: the path of a store is missing"),
    (["repair", "x", "--json"], "repair: --json does not ask; add --yes or --dry-run"),
    (["repair", "x", "--salvage", "y", "--dry-run"], "repair: --salvage can be combined with"),
    (["repair", "x", "--salvage", "y", "--run-triggers"], "repair: --salvage can be combined"),
  ])
  func `a wrong command line is told`(words: [String], sentence: String) throws {
    let outcome = try Program.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("coredata: \(sentence)"), "\(outcome.errors)")
  }

  @Test func `a store that is not there is status 1`() throws {
    #expect(try Program.run("check", "nowhere.sqlite").status == 1)
    #expect(try Program.run("repair", "nowhere.sqlite", "--yes").status == 1)
  }
}
