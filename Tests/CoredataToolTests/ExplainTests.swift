import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata explain`, run as a process.
struct ExplainTests {
  private func explain(
    _ predicate: String,
    of entity: String = "Note",
    _ more: String...
  ) throws -> Program.Outcome {
    try Program.run(
      ["explain", "--predicate", predicate, "--model", Program.model, "--entity", entity] + more
    )
  }

  @Test func `the statement, its values and the plan are printed`() throws {
    let outcome = try explain("stars > 3 AND title CONTAINS[cd] 'Été'")
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("SELECT \"t0\".\"Z_PK\", "))
    #expect(
      outcome.output.hasSuffix(
        """
         WHERE "t0"."ZSTARS" > ?1 AND COREDATA_CONTAINS("t0"."ZTITLE", ?2, 3) ORDER BY "t0"."Z_PK"

        ?1 = 3
        ?2 = 'ete'

        SCAN t0

        Every row of Note is looked at. A fetch index on stars would find the matching rows directly.

        """
      )
    )
  }

  @Test func `order, limit and indexes show in JSON too`() throws {
    let arguments = ["--sort", "folder.name,-created", "--limit", "20", "--json"]
    let outcome = try Program.run(
      ["explain", "--predicate", "folder.parent == nil", "--model", Program.model] + [
        "--entity", "Note",
      ] + arguments
    )
    let json = try outcome.json
    let sql = try #require(json["sql"] as? String)
    #expect(sql.hasSuffix(#"ORDER BY "t1"."ZNAME", "t0"."ZCREATED" DESC, "t0"."Z_PK" LIMIT ?1"#))
    #expect(json["bindings"] as? [Int] == [20])
    let plan = try #require(json["plan"] as? [[String: Any]])
    #expect(plan.contains { ($0["detail"] as? String)?.hasPrefix("SEARCH t1 USING") == true })
    let advice = try #require(json["advice"] as? [String])
    #expect(advice.contains { $0.hasPrefix("The rows are sorted each time.") })
  }

  @Test func `a limit of none was taken for no limit`() throws {
    let outcome = try explain("stars > 3", of: "Note", "--limit", "0")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("explain: --limit needs a number of 1 or more"))
    #expect(try explain("stars > 3", of: "Note", "--limit", "1").output.contains("LIMIT ?2"))
  }

  @Test func `a store of the model is asked for its plan and stays as it is`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    let before = try Data(contentsOf: file)
    let outcome = try explain("folder != nil", of: "Note", "--store", file.path)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains(#""ZFOLDER" IS NOT NULL"#))
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `of several versions of a model the current one was taken, whatever the store has`()
    throws
  {
    let store = try ToolStore()
    let model = ToolStore.temporaryFile("Notes.xcdatamodeld")
    try FileManager.default.copyItem(atPath: Program.model, toPath: model.path)
    let added = ["model", "add-attribute", model.path, "Note.colour", "String"]
    for words in [["model", "add-version", model.path], added] {
      try #require(try Program.run(words).status == 0)
    }
    let words = ["explain", "--store", store.path, "--entity", "Note", "--model"]
    let outcome = try Program.run(words + [model.path, "--predicate", "stars > 3"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let other = model.appending(path: "Notes 2.xcdatamodel").path
    let refused = try Program.run(words + [other, "--predicate", "colour == nil"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("was not made with the model"), "\(refused.errors)")
  }

  @Test func `a predicate that cannot be parsed is marked at the place`() throws {
    let outcome = try explain("title == )")
    #expect(outcome.status == 1)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("cannot parse \"title == )\": "))
    #expect(lines[1] == "  title == )")
    #expect(lines[2] == "           ^")
  }

  @Test func `what SQLite stores refuse is marked at the place`() throws {
    let outcome = try explain("stars > 1 AND tags.name == \"x\"")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        tags.name == "x": the to-many key path tags.name has several values and cannot be compared \
        as one; write ANY tags.name == "x", or ALL or NONE
          stars > 1 AND tags.name == "x"
                        ^

        """
    )
    #expect(outcome.output == "")
  }

  @Test(arguments: [
    ("stars > 1 AND tags.name = 'x'", 14), ("stars > 1 AND title MATCHES '('", 14),
  ])
  func `the place is found in other spellings too`(predicate: String, place: Int) throws {
    let outcome = try explain(predicate)
    #expect(outcome.status == 1)
    let mark = "\n  \(predicate)\n  \(String(repeating: " ", count: place))^\n"
    #expect(outcome.errors.hasSuffix(mark), "\(outcome.errors)")
  }

  @Test func `an order that SQLite stores refuse is marked in the order`() throws {
    let outcome = try explain("stars > 1", of: "Note", "--sort=title,tags")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("tags: a to-many key path has several values"))
    #expect(outcome.errors.hasSuffix("\n  title,tags\n        ^\n"))
  }

  @Test func `an unknown entity is answered with the names there are`() throws {
    let outcome = try explain("TRUEPREDICATE", of: "Nota")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Bin, Checklist, Folder, Note, Tag"))
  }

  @Test func `a store that is not there is not made`() throws {
    let file = TemporaryFolder.file("missing.sqlite")
    let outcome = try explain("TRUEPREDICATE", of: "Note", "--store", file.path)
    #expect(outcome.status == 1)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
