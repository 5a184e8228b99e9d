import CoreDataModel
import Testing

struct FormatTests {
  @Test(arguments: [
    ("title = 'a'", "title == \"a\""),
    ("stars>=3&&stars<=50", "stars >= 3 AND stars <= 50"),
    ("a == 1 and (b == 2 or c == nil)", "a == 1 AND (b == 2 OR c == nil)"),
    ("not (a == 1 or b == 2)", "NOT (a == 1 OR b == 2)"),
    ("NOT a != YES", "NOT a != 1"),
    ("SELF MATCHES \"[a-z]\\\\d\\\"+\"", "SELF MATCHES \"[a-z]\\\\d\\\"+\""),
    (
      "comment contains[cd] $FETCHED_PROPERTY.userInfo.search",
      "comment CONTAINS[cd] $FETCHED_PROPERTY.userInfo.search"
    ),
    ("NONE tags.name IN {'a', 'b'}", "NOT ANY tags.name IN {\"a\", \"b\"}"),
    ("folder.#size > -1.5", "folder.size > -1.5"),
    ("#in == 1", "#in == 1"),
    ("notes.@count > 3", "notes.@count > 3"),
    ("(a + 1) * 2 < b", "(a + 1) * 2 < b"),
    ("(a + 1) < b", "a + 1 < b"),
    (
      "SUBQUERY(notes, $n, $n.stars > 2).@count > 0", "SUBQUERY(notes, $n, $n.stars > 2).@count > 0"
    ),
    ("TRUEPREDICATE", "TRUEPREDICATE"),
    ("created >= CAST(12, \"NSDate\")", "created >= CAST(12.000000, \"NSDate\")"),
    ("stars BETWEEN {1, 3}", "stars BETWEEN {1, 3}"),
  ])
  func `a predicate prints as Apple's predicateFormat`(text: String, printed: String) throws {
    let tree = try #require(CommonFormats().predicate(text))
    #expect(tree.format == printed)
    #expect(CommonFormats().predicate(tree.format)?.format == printed)
  }

  @Test(arguments: [
    "", "title ==", "title == 'a", "(((", "title ~ 3", "a == 1 AND", "x IN {1,",
    "title CONTAINS[q] 'a'", "SUBQUERY(a, b, c)",
  ])
  func `text that is no predicate is not understood`(text: String) {
    #expect(CommonFormats().predicate(text) == nil)
  }

  @Test func `a hostile nest of parentheses is refused, not followed`() {
    let nest = String(repeating: "(", count: 100_000)
    #expect(CommonFormats().predicate(nest + "a == 1") == nil)
    #expect(CommonFormats().predicate(String(repeating: "NOT ", count: 100_000)) == nil)
  }

  @Test(arguments: [
    ("pages.@count", "count:(pages)"), ("count:(pages)", "count:(pages)"), ("now()", "now()"),
    ("primaryLabel.code", "primaryLabel.code"), ("canonical:(title)", "canonical:(title)"),
    ("entries.@sum.amount", "sum:(entries.amount)"), ("<what>", "<what>"),
  ])
  func `a derivation has a canonical text`(text: String, canonical: String) {
    #expect(DerivationFormat.canonical(text) == canonical)
  }
}
