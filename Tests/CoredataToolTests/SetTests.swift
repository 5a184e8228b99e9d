import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata set`, run as a process.
struct SetTests {
  private let store: ToolStore

  init() throws { store = try ToolStore() }

  private func set(
    _ words: String...,
    where condition: String = "title == \"Shopping\""
  ) throws
    -> Program.Outcome
  {
    try Program.run(["set", store.path, "--entity", "Note", "--where", condition] + words)
  }

  private func sql(_ query: String) throws -> String {
    try Program.run("sql", store.path, query, "--csv").output.split(separator: "\r\n")
      .dropFirst().joined(separator: "\n")
  }

  @Test func `a rehearsal shows what would be changed, and changes no byte`() throws {
    let before = try Data(contentsOf: store.file)
    let outcome = try set("title=Groceries", "stars=5", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output
        == """
        Note/p1.title: Shopping → Groceries
          Note/p1.stars: 3 → 5
        1 object found, 1 to change; nothing was changed

        """.replacing("Note/p1.title", with: "  Note/p1.title", maxReplacements: 1)
    )
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `nothing is saved without consent`() throws {
    let outcome = try set("title=Groceries")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "nothing was done: add --yes to save what is shown\n")
    #expect(try sql("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 1") == "Shopping")
  }

  @Test func `values are set as a program sets them`() throws {
    let version = try #require(Int(sql("SELECT Z_OPT FROM ZNOTE WHERE Z_PK = 1")))
    let outcome = try set(
      "title=Groceries",
      "stars=5",
      "created=2024-05-10T18:14:11.5Z",
      "isFavourite=yes",
      "price=0.1",
      "uuid=nil",
      "folder=Folder/p2",
      "--yes"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("1 object found, 1 to change\nSaved.\n"))
    #expect(
      try sql(
        "SELECT ZTITLE, ZSTARS, ZCREATED, ZISFAVOURITE, ZPRICE, ZUUID IS NULL, ZFOLDER, Z_OPT FROM "
          + "ZNOTE WHERE Z_PK = 1"
      ) == "Groceries,5,737057651.5,1,0.1,1,2,\(version + 1)"
    )
    #expect(try Program.run("check", store.path, "--deep").output == "The store is sound.\n")
    let again = try set("stars=5", "--yes", where: "title == \"Groceries\"")
    #expect(again.output == "1 object found, 0 to change\n" && again.status == 0)
  }

  @Test func `a history that the store keeps has the change`() throws {
    let file = ToolStore.temporaryFile("History.sqlite")
    let stack = try NotesStack(file: file, options: [NSPersistentHistoryTrackingKey: true])
    try stack.work { context in
      context.note("one")
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let outcome = try Program.run([
      "set", file.path, "--entity", "Note", "--where", "TRUEPREDICATE", "title=two", "--yes",
      "--author", "me", "--json",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["isSaved"] as? Bool == true)
    let history = try Program.run("inspect", file.path, "--json").json["history"] as? [String: Any]
    #expect(history?["transactions"] as? Int == 2)
    let authors = (history?["authors"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(authors == ["me"])
  }

  @Test(arguments: [
    ("stars=many", "Note.stars is a whole number of the type Integer 16, and 'many' is none"),
    ("stars=99999", "and '99999' is none"), ("created=soon", "Note.created is a date such as"),
    ("image=x", "Note.image is of the type Binary, which no text can say"),
    ("folder=Home", "Note.folder is an object of Folder, and \"Home\" names none"),
    ("folder=Folder/p99", "Folder/p99"), ("tags=Tag/p1", "Note.tags leads to many objects"),
    ("titel=x", "Note has no property 'titel'; did you mean 'title'?"),
  ])
  func `what cannot be set changes nothing`(word: String, sentence: String) throws {
    let before = try sql("SELECT * FROM ZNOTE")
    let outcome = try set("title=Groceries", word, "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try sql("SELECT * FROM ZNOTE") == before)
  }

  @Test(arguments: ["nan", "inf", "-inf"])
  func `a number that is none became no value`(word: String) throws {
    let before = try Data(contentsOf: store.file)
    let outcome = try set("rating=\(word)", "--yes")
    #expect(outcome.status == 1)
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `of two values for one key the last one won`() throws {
    let outcome = try set("title=a", "title=b", "--dry-run")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("title is given twice"))
  }

  @Test func `a rehearsal promised what the save refused`() throws {
    let outcome = try set("stars=-1", "--dry-run", where: "TRUEPREDICATE")
    let save = try set("stars=-1", "--yes", where: "TRUEPREDICATE")
    #expect(outcome.status == save.status)
  }

  @Test func `a value that the model does not allow is refused by the model`() throws {
    let outcome = try Program.run([
      "set", store.path, "--entity", "Tag", "--where", "TRUEPREDICATE", "name=nil", "--yes",
    ])
    #expect(outcome.status == 1 && outcome.errors != "")
    #expect(try sql("SELECT COUNT(*) FROM ZTAG WHERE ZNAME IS NULL") == "0")
  }
}
