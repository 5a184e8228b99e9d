import Foundation
import Testing

// MARK: - SQL

extension DatabaseTests {
  @Test(arguments: [
    "DELETE FROM \"ZTAG\"", "COMMIT; DELETE FROM \"ZTAG\"",
    "SET TRANSACTION READ WRITE; DELETE FROM \"ZTAG\"",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; DROP TABLE \"ZTAG\"",
  ])
  func `a database cannot be changed unless it shall be`(text: String) throws {
    _ = try filled()
    let outcome = try Program.run("sql", place, text)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("use --write to change it"), "\(outcome.errors)")
    let count = "SELECT COUNT(*) AS tags FROM \"ZTAG\""
    #expect(try Program.run("sql", "--csv", place, count).output == "tags\r\n2\r\n")
  }

  @Test func `a database is written where that is wanted, and what is not committed is told`()
    throws
  {
    _ = try filled()
    let written = try Program.run("sql", "--write", place, "DELETE FROM \"ZTAG\"")
    #expect(written.output == "2 rows changed\n", "\(written.errors)")
    let open = try Program.run("sql", "--write", place, "BEGIN; DELETE FROM \"ZNOTE\"")
    #expect(open.status == 1)
    #expect(open.errors.contains("it has no COMMIT"))
  }
}

// MARK: - Imports

extension DatabaseTests {
  /// A zone with two authors and no book, and a file of books of which two have another's number.
  private func shelf(_ name: String) throws -> String {
    let copied = try Program.run("copy", BookShelf().path, place, "--zone", "shop")
    #expect(copied.errors == "")
    let file = ToolStore.temporaryFile(name)
    let books =
      "isbn,title,author\n1,Emma,Austen\n\"2\",\"Orlando\na novel\",Woolf\n1,Persuasion,\n,Flush,Woolf\n"
      + "2,Jacob,\n"
    try Data(books.utf8).write(to: file)
    return file.path
  }

  private func titles() throws -> [Substring] {
    let words = ["dump", place, "--zone", "shop", "--entity", "Book", "--columns", "title"]
    return try Program.run(words + ["--format", "csv"]).output.split(whereSeparator: \.isNewline)
      .dropFirst().sorted()
  }

  @Test func `values that are twice in a file were named by no line where a server refused them`()
    throws
  {
    let words = [
      "import", place, try shelf("books.csv"), "--zone", "shop", "--entity", "Book", "--yes",
    ]
    let outcome = try Program.run(words)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("  line 5: line 2 has the same isbn, which must be unique\n"),
      "\(outcome.output)\(outcome.errors)"
    )
    #expect(outcome.output.contains("  line 7: line 3 has the same isbn, which must be unique\n"))
    #expect(outcome.output.contains("2 cannot be imported; nothing was imported"))
    #expect(try titles() == [])
    let kept = try Program.run(words + ["--duplicates", "keep"])
    #expect(kept.status == 0, "\(kept.errors)")
    let imported = try titles()
    #expect(imported.contains { $0.hasSuffix(",Emma") }, "\(imported)")
    let again = try Program.run(words)
    #expect(again.output.contains("  line 2: Book/p"), "\(again.output)")
    #expect(try Program.run("check", place).status == 0)
  }

  @Test(arguments: ["--dry-run", "--yes"])
  func `a rehearsal takes the archives that an import takes`(option: String) throws {
    let dump = try Program.run([
      "dump", filled().path, "--entity", "Note", "--columns", "title,keywords", "--where",
      "title == \"Shopping\"", "--format", "csv",
    ])
    let file = ToolStore.temporaryFile("keywords.csv")
    try Data(dump.output.utf8).write(to: file)
    let outcome = try Program.run([
      "import", place, file.path, "--zone", "home", "--entity", "Note", "--map", "id=", option,
    ])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `an import into a database checks first, and makes no zone`() throws {
    let file = try shelf("books.csv")
    let words = ["import", place, file, "--entity", "Book"]
    let rehearsal = try Program.run(words + ["--zone", "shop", "--dry-run"])
    #expect(rehearsal.status == 0, "\(rehearsal.errors)")
    #expect(rehearsal.output.contains("5 records read"), "\(rehearsal.output)")
    #expect(try titles() == [])
    let nowhere = try Program.run(words + ["--zone", "nowhere", "--yes"])
    #expect(nowhere.status == 1)
    #expect(nowhere.errors.contains("has no zone “nowhere”, but “shop”"), "\(nowhere.errors)")
    let model = try Program.run(words + ["--model", Program.model, "--yes"])
    #expect(model.status == 2)
    #expect(model.errors.contains("--model is for files"), "\(model.errors)")
  }
}

// MARK: - Migrations

extension DatabaseTests {
  /// A version of the model with another attribute and without the texts.
  private func secondModel() throws -> String {
    let contents = URL(filePath: Program.model).appending(path: "Notes.xcdatamodel/contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    let model = ToolStore.temporaryFile("Notes 2.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let second = text.replacing(/<entity name="Tag"[^>]*>/) {
      "\($0.output)<attribute name=\"colour\" optional=\"YES\" attributeType=\"String\"/>"
    }
    .replacing(/<attribute name="text"[^>]*\/>/, with: "")
    try second.write(to: model.appending(path: "contents"), atomically: true, encoding: .utf8)
    return model.path
  }

  @Test func `a database is rehearsed, migrated with all zones, and there is nothing more to do`()
    throws
  {
    _ = try filled()
    _ = try filled(zone: "work")
    let model = try secondModel()
    let rehearsal = try Program.run("migrate", place, "--to", model, "--dry-run")
    #expect(rehearsal.errors == "")
    #expect(rehearsal.output.contains("would be migrated in"), "\(rehearsal.output)")
    #expect(rehearsal.output.contains("The store itself was not changed."))
    let asked = try Program.run("migrate", place, "--to", model)
    #expect(asked.status == 1)
    #expect(asked.errors.contains("Would be lost:"), "\(asked.errors)")
    #expect(try Program.run("check", place).status == 0)

    let outcome = try Program.run("migrate", place, "--to", model, "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("has been migrated in"), "\(outcome.output)")
    #expect(outcome.output.contains("Lost:"), "\(outcome.output)")
    let again = try Program.run("migrate", place, "--to", model)
    #expect(again.output.contains("nothing to do"), "\(again.output)\(again.errors)")
    for zone in ["home", "work"] {
      let dump = try Program.run(
        "dump",
        place,
        "--zone",
        zone,
        "--entity",
        "Tag",
        "--format",
        "csv"
      )
      #expect(dump.output.contains("colour"), "\(dump.output)\(dump.errors)")
    }
    #expect(try Program.run("check", place).status == 0)
  }
}
