import CoreDataSQL
import Testing

@Suite struct SQLFragmentTests {
  @Test func `a value never becomes part of the text`() {
    let title = "O'Brien\"; DROP TABLE ZNOTE; --"
    let filter: SQLFragment = "\(column: "ZTITLE") = \(.text(title))"
    #expect(filter.rendered(for: .sqlite).sql == #""ZTITLE" = ?1"#)
    #expect(filter.rendered(for: .sqlite).bindings == [.text(title)])
  }

  @Test func `each spelling numbers the places its own way`() {
    let filter: SQLFragment = """
      \(column: "ZSTARS", of: "t0") > \(.integer(3)) AND \(column: "ZFOLDER", of: "t0") = \(.parameter)
      """
    #expect(filter.rendered(for: .sqlite).sql == #""t0"."ZSTARS" > ?1 AND "t0"."ZFOLDER" = ?2"#)
    // The first place is the zone's.
    #expect(filter.rendered(for: .postgreSQL).sql == #""t0"."ZSTARS" > $2 AND "t0"."ZFOLDER" = $3"#)
    #expect(filter.rendered(for: .sqlite).bindings == [.integer(3), nil])
  }

  @Test(
    arguments: [
      ("ZTITLE", #""ZTITLE""#), ("order", #""order""#), ("a\"b", #""a""b""#), ("\"", #""""""#),
      ("", #""""#), ("Größe", #""Größe""#),
    ]
  )
  func `every name can be quoted`(name: String, quoted: String) {
    let fragment: SQLFragment = "\(name: name)"
    #expect(fragment.rendered(for: .sqlite).sql == quoted)
    #expect(fragment.rendered(for: .postgreSQL).sql == quoted)
  }

  @Test func `places are numbered where a fragment ends up, not where it was made`() {
    let first: SQLFragment = "\(column: "ZTITLE") = \(.text("a"))"
    let second: SQLFragment = "\(column: "ZTEXT") = \(.text("b"))"
    let both = [first, second].joined(separator: " OR ").rendered(for: .sqlite)
    #expect(both.sql == #""ZTITLE" = ?1 OR "ZTEXT" = ?2"#)
    #expect(both.bindings == [.text("a"), .text("b")])
  }

  @Test func `a spelled fragment gives the same statement, and values stay values`() {
    let columns: SQLFragment = "\(column: "Z\"A", of: "t0"), \(column: "ZB")"
    let spelled = columns.spelled(for: .sqlite)
    #expect(spelled.pieces.count == 1)
    #expect(spelled.rendered(for: .sqlite) == columns.rendered(for: .sqlite))
    let filter: SQLFragment = "\(column: "ZA") = \(.text("a"))"
    #expect(filter.spelled(for: .sqlite) == filter)
  }

  @Test func `an empty fragment adds nothing`() {
    #expect(SQLFragment().isEmpty)
    #expect(("" as SQLFragment).isEmpty)
    #expect([SQLFragment]().joined(separator: ", ").isEmpty)
    #expect(SQLFragment().rendered(for: .sqlite).sql.isEmpty)
  }

  @Test(
    arguments: [
      (SQLValue.null, "NULL"), (.integer(-7), "-7"), (.real(0.5), "0.5"),
      (.text("it's"), "'it''s'"), (.blob([0, 10, 255]), "x'000aff'"),
    ]
  )
  func `a value prints as people write it`(value: SQLValue, text: String) {
    #expect(value.description == text)
  }
}
