import CoreDataModel
import CoreDataPredicates
import Foundation
import Testing

struct FormatTests {
  @Test(arguments: [
    ("title = 'a'", "title == \"a\""),
    ("stars>=3&&stars<=50", "stars >= 3 AND stars <= 50"),
    ("not (a == 1 or b == 2)", "NOT (a == 1 OR b == 2)"),
    ("NOT a != YES", "NOT a != 1"),
    ("SELF MATCHES \"[a-z]\\\\d\\\"+\"", "SELF MATCHES \"[a-z]\\\\d\\\"+\""),
    (
      "comment contains[cd] $FETCHED_PROPERTY.userInfo.search",
      "comment CONTAINS[cd] $FETCHED_PROPERTY.userInfo.search"
    ),
    ("created >= CAST(12, \"NSDate\")", "created >= CAST(12.000000, \"NSDate\")"),
    (
      "id=CAST(\"6f9619ff-8b86-d011-b42d-00c04fc964ff\",\"NSUUID\")",
      "id == CAST(\"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"NSUUID\")"
    ),
    (
      "SUBQUERY(notes,$n,$n.link=CAST('a:b','NSURL')).@count>0",
      "SUBQUERY(notes, $n, $n.link == CAST(\"a:b\", \"NSURL\")).@count > 0"
    ),
    ("title ~ 3", "title ~ 3"),
  ])
  func `a compiled model has predicates as they are printed`(text: String, printed: String) {
    let schema = ModelSchema.notes.changing("Note") {
      $0.indexes = [
        FetchIndexSchema(name: "i", elements: [], partialPredicateFormat: text)
      ]
    }
    let compiled = schema.compiled()
    #expect(
      compiled.entity(named: "Note")?.indexes.map(\.partialPredicateFormat) == [printed]
    )
    #expect(compiled.compiled() == compiled)
  }

  @Test func `a value that came as an argument can be read again`() throws {
    let id = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
    let link = try #require(URL(string: "https://example.com"))
    let tree = try PredicateFormat.predicate(
      "id IN %@ OR link == %@",
      arguments: [[id], link]
    )
    #expect(
      tree.format == """
        id IN {CAST("6F9619FF-8B86-D011-B42D-00C04FC964FF", "NSUUID")} \
        OR link == CAST("https://example.com", "NSURL")
        """
    )
    #expect(try PredicateFormat.predicate(tree.format).format == tree.format)
  }

  @Test func `a text that is no predicate is a problem of files alone`() {
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes[0].validations = [
        .init(predicateFormat: "BLOCKPREDICATE(7)", warning: .code(1))
      ]
    }
    #expect(schema.problems.isEmpty)
    #expect(
      schema.formatProblems.map(\.description) == [
        """
        error: Note.stars: cannot parse "BLOCKPREDICATE(7)": there is no function \
        "BLOCKPREDICATE" at position 0; correct the validation predicate
        """
      ]
    )
  }

  @Test(arguments: [
    ("pages.@count", "count:(pages)"), ("count:(pages)", "count:(pages)"), ("now()", "now()"),
    ("primaryLabel.code", "primaryLabel.code"), ("canonical:(title)", "canonical:(title)"),
    ("entries.@sum.amount", "sum:(entries.amount)"), ("<what>", "<what>"),
    ("folder.notes.@max.stars", "max:(folder.notes.stars)"),
    ("lowercase(title)", "lowercase:(title)"),
  ])
  func `a derivation has a canonical text`(text: String, canonical: String) {
    #expect(DerivationFormat.canonical(text) == canonical)
  }
}
