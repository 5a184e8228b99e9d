import CoreDataSQL
import Testing

@Suite struct StatementTextTests {
  @Test func `a select with everything`() {
    var select = Select(
      [.column("Z_PK", of: "t0"), .column("ZTITLE", of: "t0")],
      from: "ZNOTE",
      as: "t0"
    )
    select.isDistinct = true
    select.joins = [
      """
      JOIN \(name: "ZFOLDER") \(name: "t1") \
      ON \(column: "Z_PK", of: "t1") = \(column: "ZFOLDER", of: "t0")
      """
    ]
    select.filter = "\(column: "ZNAME", of: "t1") = \(.text("Ideas"))"
    select.order = ["\(column: "ZTITLE", of: "t0") DESC", .column("Z_PK", of: "t0")]
    select.limit = 10
    select.offset = 20
    let rendered = select.fragment.rendered(for: .sqlite)
    #expect(
      rendered.sql == """
        SELECT DISTINCT "t0"."Z_PK", "t0"."ZTITLE" FROM "ZNOTE" "t0" \
        JOIN "ZFOLDER" "t1" ON "t1"."Z_PK" = "t0"."ZFOLDER" \
        WHERE "t1"."ZNAME" = ?1 \
        ORDER BY "t0"."ZTITLE" DESC, "t0"."Z_PK" LIMIT ?2 OFFSET ?3
        """
    )
    #expect(rendered.bindings == [.text("Ideas"), .integer(10), .integer(20)])
  }

  @Test func `a bare select says no more than it must`() {
    let select = Select(["COUNT(*)"], from: "ZNOTE", as: "t0")
    #expect(select.fragment.rendered(for: .sqlite).sql == #"SELECT COUNT(*) FROM "ZNOTE" "t0""#)
  }

  @Test func `an offset alone has a limit that does not limit`() {
    var select = Select([.column("Z_PK")], from: "ZNOTE", as: "t0")
    select.offset = 5
    let rendered = select.fragment.rendered(for: .sqlite)
    #expect(rendered.sql == #"SELECT "Z_PK" FROM "ZNOTE" "t0" LIMIT ?1 OFFSET ?2"#)
    #expect(rendered.bindings == [.integer(-1), .integer(5)])
    #expect(select.fragment.rendered(for: .postgreSQL).bindings == [.null, .integer(5)])
  }

  @Test func `an insert has a place for each column`() {
    let insert = Insert(into: "ZNOTE", columns: ["Z_PK", "ZTITLE"])
    let rendered = insert.fragment.rendered(for: .postgreSQL)
    #expect(rendered.sql == #"INSERT INTO "ZNOTE" ("Z_PK", "ZTITLE") VALUES ($2, $3)"#)
    #expect(rendered.bindings == [nil, nil])
  }

  @Test func `an update numbers its condition after its values`() {
    let update = Update(
      "ZNOTE",
      set: ["Z_OPT", "ZTITLE"],
      where: "\(column: "Z_PK") = \(.parameter) AND \(column: "Z_OPT") = \(.parameter)"
    )
    #expect(
      update.fragment.rendered(for: .sqlite).sql
        == #"UPDATE "ZNOTE" SET "Z_OPT" = ?1, "ZTITLE" = ?2 WHERE "Z_PK" = ?3 AND "Z_OPT" = ?4"#
    )
  }

  @Test func `a delete`() {
    let delete = Delete(from: "Z_4TAGS", where: "\(column: "Z_4NOTES1") = \(.integer(7))")
    let rendered = delete.fragment.rendered(for: .sqlite)
    #expect(rendered.sql == #"DELETE FROM "Z_4TAGS" WHERE "Z_4NOTES1" = ?1"#)
    #expect(rendered.bindings == [.integer(7)])
  }
}
