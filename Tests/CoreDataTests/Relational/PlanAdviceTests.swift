import CoreDataModel
import Testing

@testable import CoreData

/// Tests of the advice of `coredata explain` about SQLite's plans.
@Suite struct PlanAdviceTests {
  /// The advice about a list of notes that is sorted, if one index has some of them in order.
  private func advice(order: String, plan: String) -> [String] {
    let schema = ModelSchema.model(
      .entity("Folder", [.text("name")], [.many("notes", "Note", back: "folder")]),
      .entity("Note", [.text("title"), .text("text")], [.one("folder", "Folder", back: "notes")])
    )
    let join = #"LEFT OUTER JOIN "ZFOLDER" "t1" ON "t1"."Z_PK" = "t0"."ZFOLDER""#
    return PlanAdvice.sentences(
      on: #"SELECT "t0"."Z_PK" FROM "ZNOTE" "t0" \#(join) ORDER BY \#(order), "t0"."Z_PK""#,
      plan: ["SCAN t0 USING INDEX Z_Note_byTitle", plan],
      tables: TableMap(schema)
    )
  }

  private let whole = "USE TEMP B-TREE FOR ORDER BY"
  private let part = "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"

  @Test func `an index with the direction of the list is proposed`() {
    #expect(
      advice(order: #""t0"."ZTITLE" DESC"#, plan: whole) == [
        "The rows are sorted each time. A fetch index on title (descending) would have them in order."
      ]
    )
  }

  @Test func `an index in the other direction was proposed once more`() {
    for (order, direction) in [
      (#""t0"."ZTITLE" DESC"#, "descending"), (#""t0"."ZTITLE""#, "ascending"),
    ] {
      #expect(
        advice(order: order, plan: part) == [
          "An index gives the first part of the order; rows that are equal in it are sorted each time."
            + " A fetch index on title (\(direction)) would have them in order."
        ]
      )
    }
  }

  @Test func `one of two properties was said to be enough for an index`() {
    #expect(
      advice(order: #""t0"."ZTITLE", "t0"."ZTEXT" DESC"#, plan: whole) == [
        "The rows are sorted each time."
          + " A fetch index on title and text (descending) would have them in order."
      ]
    )
    // The direction after the object itself is not a property's.
    #expect(
      advice(order: #""t0"."ZTITLE", "t0"."Z_PK" DESC"#, plan: whole) == [
        "The rows are sorted each time. A fetch index on title would have them in order."
      ]
    )
  }

  @Test func `an index was proposed for an order that none can have`() {
    #expect(
      advice(order: #""t1"."ZNAME", "t0"."ZTITLE""#, plan: whole) == [
        "The rows are sorted each time. No index has an order by properties of several entities."
      ]
    )
    let orders = [
      #""t0"."ZTITLE" COLLATE "COREDATA_STANDARD" DESC"#, #"COREDATA_CALL('x', "t0"."ZTITLE")"#,
    ]
    for order in orders {
      #expect(
        advice(order: order, plan: whole) == [
          "The rows are sorted each time. No index has the order of a collation or a function;"
            + " a derived attribute, such as canonical:(title), can have an index."
        ]
      )
    }
  }
}
