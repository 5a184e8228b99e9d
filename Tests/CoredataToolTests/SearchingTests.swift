import Foundation
import Testing

/// Conditions with dates, UUIDs and objects as people write them, and as `dump` prints them.
///
/// The note "Shopping" was created at 2023-03-08T20:26:40.5Z.
struct SearchingTests {
  private let store: ToolStore

  init() throws { store = try ToolStore() }

  private func ids(_ condition: String, of entity: String = "Note") throws -> [String] {
    let outcome = try Program.run(
      "dump",
      store.path,
      "--entity",
      entity,
      "--where",
      condition,
      "--format",
      "csv",
      "--columns",
      entity == "Note" ? "title" : "name"
    )
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\r\n").dropFirst()
      .map { String($0.prefix { $0 != "," }) }
  }

  @Test(arguments: [
    "created > \"2023-01-01\"", "created > \"2023-02\"", "created == \"2023-03-08\"",
    "created == \"2023-03-08T20:26:40Z\"", "created == \"2023-03-08T20:26:40.5Z\"",
    "created == \"2023-03-08 21:26:40+01:00\"", "created = '2023-03-08 20:26'",
    "\"2023-03-07\" < created", "created <= \"2023-03-08\"", "created != \"2023-03-09\"",
    "created BETWEEN {\"2023-03-08\", \"2023-03-08\"}", "created IN {\"2021-01-01\", \"2023\"}",
    "created > CAST(\"2023-01-01\", \"NSDate\")", "created < CAST(\"2023-03-09\", \"NSDate\")",
    "uuid == \"6B29FC40-CA47-1067-B31D-00DD010662DA\"", "link == \"https://example.org/list\"",
    "folder == \"Folder/p1\"", "SELF == \"Note/p1\"", "SELF IN {\"Note/p1\", \"Note/p99\"}",
    "objectID == \"Note/p1\"", "NOT folder == \"Folder/p2\" AND folder != nil",
    "ANY folder.notes == \"Note/p1\"", "ANY folder.notes.created == \"2023-03-08\"",
    "SUBQUERY(tags, $t, ANY $t.notes == \"Note/p1\").@count == 2",
    "folder.notes CONTAINS \"Note/p1\"", "\"Note/p1\" IN folder.notes",
    "NOT folder.notes CONTAINS \"Note/p99\"",
  ])
  func `a constant that is written as text finds what it names`(condition: String) throws {
    #expect(
      try ids("(\(condition)) AND title == \"Shopping\"") == ["Note/p1"],
      "\(condition)"
    )
  }

  @Test(arguments: [
    "isFavourite == \"no\"", "isFavourite == 'FALSE'", "\"0\" == isFavourite",
    "isFavourite != \"yes\"", "stars == \"3\"",
    "stars BETWEEN {\"2\", \"4\"}", "stars IN {\"3\", \"9\"}", "price == \"12.5\"",
    "folder.notes CONTAINS \"Note/p1\"", "\"Note/p1\" IN folder.notes",
    "tags CONTAINS \"Tag/p2\"",
  ])
  func `a flag, a number or a member written as text found nothing`(condition: String) throws {
    #expect(try ids(condition).contains("Note/p1"), "\(condition)")
  }

  @Test(arguments: [
    "isFavourite == \"yes\"", "stars == \"4\"", "folder.notes CONTAINS \"Note/p2\"",
  ])
  func `a flag, a number or a member written as text finds nothing else`(
    condition: String
  ) throws {
    #expect(try !ids(condition).contains("Note/p1"), "\(condition)")
  }

  @Test(arguments: [
    "created > \"2023-03-08\"", "created < \"2023-03-08\"", "created == \"2023-03-09\"",
    "created > \"2023-03-08T20:26:40Z\"", "created == \"2023-03-08T20:26:40.4Z\"",
    "created != \"2023-03-08\" AND title == \"Shopping\"", "folder == \"Folder/p3\"",
    "uuid == \"6B29FC40-CA47-1067-B31D-00DD010662DB\"",
  ])
  func `a constant finds nothing else`(condition: String) throws {
    #expect(try !ids(condition).contains("Note/p1"))
  }

  @Test func `a text that is compared with a text stays one`() throws {
    #expect(try ids("name == \"2023-03-08\" OR name == \"Home\"", of: "Folder") == ["Folder/p1"])
  }

  @Test(arguments: [
    ("created > \"yesterday\"", "Note.created is a date; \"yesterday\" is not; write it as"),
    ("created > \"2023-02-30\"", "is not; write it as \"2024-05-10\""),
    ("uuid == \"6B29\"", "Note.uuid is a UUID; \"6B29\" is not"),
    ("folder == \"Home\"", "Note.folder is an object of Folder, and \"Home\" does not name one"),
    ("folder.notes CONTAINS \"x\"", "is an object of Note, and \"x\" does not name one"),
    ("\"Tag/p1\" IN folder.notes", "is an object of Note, and \"Tag/p1\" cannot be one"),
    ("folder == \"Tag/p1\"", "Note.folder is an object of Folder, and \"Tag/p1\" cannot be one"),
    ("SELF == \"x-coredata://ABC/Note/p1\"", "is an object of another store"),
    ("isFavourite == \"often\"", "Note.isFavourite is true or false; \"often\" is neither"),
    ("stars > \"three\"", "Note.stars is a number; \"three\" is not"),
    ("rating > \"0x10\"", "Note.rating is a number; \"0x10\" is not"),
    ("tags CONTAINS \"food\"", "Note.tags is an object of Tag, and \"food\" does not name one"),
    ("created > CAST(\"Monday\", \"NSDate\")", "\"Monday\" is not a valid NSDate; write a date as"),
    ("stars > $least", "the variable $least has no value; write a value in its place"),
  ])
  func `what is no such constant does not find nothing silently`(
    condition: String,
    sentence: String
  ) throws {
    let outcome = try Program.run("dump", store.path, "--entity", "Note", "--where", condition)
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.contains("\n  \(condition)\n"))
  }

  @Test func `explain takes the model of the store, and shows what a date becomes`() throws {
    let outcome = try Program.run(
      "explain",
      "--store",
      store.path,
      "--entity",
      "Note",
      "--predicate",
      "created >= \"2023-03-08\""
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("?1 = 699926400.0"), "\(outcome.output)")
    let neither = try Program.run("explain", "--entity", "Note", "--predicate", "stars > 1")
    #expect(neither.status == 2 && neither.errors.contains("--model is missing"))
  }
}
