import CoreDataModel
import TestSupport
import Testing

@testable import CoreData

/// The names and columns of views, without a database.
struct ViewPlanTests {
  @Test(arguments: [
    ("createdAt", "created_at"), ("URLString", "url_string"), ("name", "name"),
    ("isbn10Code", "isbn10_code"), ("HTML", "html"), ("iPad", "i_pad"), ("Größe", "größe"),
    ("first_name", "first_name"), ("x2", "x2"), ("NoteURL", "note_url"), ("_Key", "_key"),
  ])
  func `a name is spelled as in SQL`(name: String, spelled: String) {
    #expect(SQLName.snake(name) == spelled)
  }

  @Test func `equal names are numbered, within the length that PostgreSQL keeps`() {
    var names = ViewNames(taken: ["ZNOTE"])
    #expect(names.add("createdAt") == "created_at")
    #expect(names.add("created_at") == "created_at_2")
    #expect(names.add("CreatedAT") == "created_at_3")
    #expect(names.add("Znote") == "znote_2")
    let long = String(repeating: "ä", count: 40)
    let first = names.add(long)
    let second = names.add(long)
    #expect(first == String(repeating: "ä", count: 31))
    #expect(second == String(repeating: "ä", count: 30) + "_2")
    #expect(first.utf8.count <= 63 && second.utf8.count <= 63)
  }

  private func statements(_ schema: ModelSchema) -> [String: String] {
    let plan = ViewPlan(schema, TableMap(schema), isZoned: false)
    return Dictionary(
      uniqueKeysWithValues: plan.views.map { ($0.name, $0.statement(.sqlite)) }
    )
  }

  @Test func `friends of friends are pairs in both directions`() throws {
    let schema = ModelSchema.model(
      .entity("Person", [.text("name")], [.many("friends", "Person", back: "friends")])
    )
    let pairs = try #require(statements(schema)["person_friends"])
    #expect(pairs.contains("\"person_id\"") && pairs.contains("\"friends_id\""))
    #expect(pairs.components(separatedBy: " UNION ").count == 2)
  }

  @Test func `the rows of a subentity are those of its own numbers`() throws {
    let schema = ModelSchema.model(
      .entity("Note", [.text("title")], []),
      .entity("Checklist", [.attribute("done", .boolean)], []).with { $0.superentityName = "Note" }
    )
    let views = statements(schema)
    #expect(views["note"]?.contains("WHERE") == false)
    #expect(views["note"]?.contains("CASE \"Z_ENT\"") == true)
    #expect(views["checklist"]?.hasSuffix("FROM main.\"ZNOTE\" WHERE \"Z_ENT\" = 2") == true)
    #expect(views["checklist"]?.contains("\"title\"") == true)
  }
}
