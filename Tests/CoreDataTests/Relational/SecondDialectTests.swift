import CoreDataPredicates
import CoreDataSQL
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// The code in `Stores/Relational/` belongs to no one database: a second dialect and a second driver replace SQLite's.
struct SecondDialectTests {
  private static let predicates: [(String, String)] = [
    ("stars == 3", #""t0"."ZSTARS" = $2"#),
    ("stars != 3", #""t0"."ZSTARS" IS DISTINCT FROM $2"#),
    ("title == body", #""t0"."ZTITLE" IS NOT DISTINCT FROM "t0"."ZBODY""#),
    ("NOT stars < 3", #"("t0"."ZSTARS" < $2) IS NOT TRUE"#),
    ("title ==[c] \"Ä\"", #"coredata_folded_c("t0"."ZTITLE") = $2"#),
    ("title CONTAINS \"a\"", #"position($2 IN "t0"."ZTITLE") > 0"#),
    ("title BEGINSWITH[cd] \"É\"", #"starts_with(coredata_folded_cd("t0"."ZTITLE"), $2)"#),
    (
      "title ENDSWITH[c] body",
      #"right(coredata_folded_c("t0"."ZTITLE"), char_length(coredata_folded_c("t0"."ZBODY")))"#
    ),
    ("title LIKE[c] \"a*\"", #"coredata_like(coredata_folded_c("t0"."ZTITLE"), $2, $3, $4)"#),
    ("title LIKE \"a*\"", #"("t0"."ZTITLE" LIKE $2 AND CASE WHEN octet_length("t0"."ZTITLE") = "#),
    ("title MATCHES \"a.\"", #""t0"."ZTITLE" COLLATE "und-x-icu" ~ $2"#),
    ("length:(title) > 3", #"CAST(char_length("t0"."ZTITLE") + "#),
    ("noindex:(stars) > 1", #""t0"."ZSTARS" > $2"#),
    ("stars + 1 > 3", #"("t0"."ZSTARS" + $2) > $3"#),
    ("CAST(createdAt, \"NSNumber\") > 1", #"CAST("t0"."ZCREATEDAT" AS DOUBLE PRECISION) > $2"#),
    ("tags.@count > 1", #"(SELECT COUNT(*) FROM (SELECT * FROM "Z_2TAGS" WHERE z_zone = $1) "t1""#),
  ]

  @Test(arguments: predicates)
  func `a predicate in the words of another database`(format: String, expected: String) throws {
    let sql = try rendered(format).sql
    #expect(sql.hasPrefix(expected), "\(sql)")
  }

  @Test func `many constants travel as one value there too`() throws {
    let numbers = try rendered("stars IN %@", Array(1...20))
    #expect(numbers.sql == #""t0"."ZSTARS" IN (SELECT unnest(CAST($2 AS BIGINT[])))"#)
    #expect(numbers.bindings == [.text("{\((1...20).map(String.init).joined(separator: ","))}")])
    let texts = try rendered("title IN %@", (1...17).map { #"\#($0) "\"# })
    #expect(texts.sql == #""t0"."ZTITLE" IN (SELECT unnest(CAST($2 AS TEXT[])))"#)
  }

  @Test func `many keys of rows were joined there instead of looked up`() throws {
    var list = ConstantList()
    for number in 1...20 { list.append(.integer(Int64(number))) }
    let dialect = PostgreSQLDialect()
    let conditions = list.conditions(
      for: .column("Z_PK", of: "t0"),
      isCertain: true,
      in: dialect
    )
    let sql = conditions.map { $0.sql.rendered(for: dialect.spelling).sql }
    #expect(sql == [#""t0"."Z_PK" = ANY(CAST($2 AS BIGINT[]))"#])
  }

  @Test func `keys of any size are written as they are`() {
    let keys: [Int64] = [0, 7, -1, 10, 123_456_789_012, .max, .min]
    let written = keys.map(\.description).joined(separator: ",")
    #expect(PostgreSQLDialect().bound(keys) == .text("{\(written)}"))
    #expect(PostgreSQLDialect().bound([]) == .text("{}"))
  }

  @Test func `what the other database cannot compute is refused with a sentence`() throws {
    #expect(throws: PredicateCompilationError.self) { try rendered("stars ** 2 > 3") }
    #expect(throws: PredicateCompilationError.self) { try rendered("stars << 2 > 3") }
    #expect(throws: PredicateCompilationError.self) { try rendered("title CONTAINS[cdw] body") }
    #expect(throws: PredicateCompilationError.self) { try rendered("title LIKE body") }
    #expect(throws: PredicateCompilationError.self) { try rendered("title MATCHES '(a)\\\\1'") }
  }

  @Test func `an order says where nil stands`() throws {
    var compiler = try PredicateCompiler.desk(dialect: PostgreSQLDialect())
    let order = try compiler.order([
      SortTerm(keyPath: ["stars"], ascending: false),
      SortTerm(keyPath: ["title"], ascending: true, order: .localized),
    ])
    #expect(
      order.map { $0.rendered(for: .postgreSQL).sql } == [
        #""t0"."ZSTARS" DESC NULLS LAST"#,
        #""t0"."ZTITLE" COLLATE "coredata_localized" NULLS FIRST"#, #""t0"."Z_PK""#,
      ]
    )
  }

  private func rendered(_ format: String, _ arguments: Any?...) throws -> RenderedSQL {
    var compiler = try PredicateCompiler.desk(dialect: PostgreSQLDialect())
    let tree = try PredicateFormat.predicate(format, arguments: arguments)
    return try compiler.condition(tree).rendered(for: .postgreSQL)
  }
}

/// The writers and readers of rows with a driver that is not SQLite's.
struct SecondDriverTests {
  private let layout: EntityLayout
  private let schema: StoreSchema

  init() throws {
    let model = try NotesStack().coordinator.layout
    layout = try #require(model["Folder"])
    schema = try StoreSchema(
      model,
      tables: TableMap(model.schema),
      dialect: PostgreSQLDialect(),
      keyOf: { _ in nil }
    )
  }

  private func snapshot(_ name: String, version: Int64) throws -> Snapshot {
    var writer = SnapshotWriter()
    writer.begin(slotCount: layout.slots.count, version: version)
    writer.set(try #require(layout.slot(named: "name")), to: name)
    return writer.finish()
  }

  private func plan() throws -> SavePlan {
    var plan = SavePlan()
    plan.inserts = [
      RowInsert(primaryKey: 7, layout: layout, snapshot: try snapshot("Ideas", version: 1))
    ]
    plan.updates = [
      RowUpdate(
        primaryKey: 8,
        layout: layout,
        snapshot: try snapshot("Inbox", version: 3),
        changed: SlotSet([try #require(layout.slot(named: "name"))]),
        expectedVersion: 2
      )
    ]
    plan.deletes = [RowDelete(primaryKey: 9, layout: layout, expectedVersion: 1)]
    return plan
  }

  @Test func `a save is written with the statements of another database`() throws {
    let connection = ListedConnection()
    try PlanWriter(connection, schema).write(try plan())
    #expect(
      connection.log.prefix(2) == [
        #"DELETE FROM "ZFOLDER" WHERE z_zone = $1 AND "Z_PK" = $2 AND COALESCE("Z_OPT", 0) = $3  [9, 1]"#,
        #"UPDATE "ZFOLDER" SET "ZNAME" = $2, "Z_OPT" = $3 WHERE z_zone = $1 AND "Z_PK" = $4 AND COALESCE("Z_OPT", 0) = $5"#
          + "  ['Inbox', 3, 8, 2]",
      ]
    )
    let insert = try #require(connection.log.last)
    #expect(insert.hasPrefix(#"INSERT INTO "ZFOLDER" ("Z_PK", "Z_ENT", "Z_OPT", "#))
    #expect(insert.contains("'Ideas'") && insert.contains("[7, "))
  }

  @Test func `a row that was not there in its version is a conflict`() throws {
    let connection = ListedConnection()
    connection.changeCount = 0
    let error = try #require(throws: SaveConflicts.self) {
      try PlanWriter(connection, schema).write(try plan())
    }
    #expect(error.conflicts.map(\.primaryKey) == [9, 8])
  }

  @Test func `a row is read from what another database gives`() throws {
    let connection = ListedConnection()
    let columns = schema.decoder(for: layout).columnNames
    let name = try #require(columns.firstIndex(of: "ZNAME"))
    var values = [SQLValue](repeating: .null, count: columns.count)
    values[0] = .integer(7)
    values[1] = .integer(Int64(layout.number))
    values[2] = .integer(4)
    values[name] = .text("Ideas")
    connection.answer = [values]
    let row = try #require(try schema.row(7, of: layout, on: connection))
    #expect(row.primaryKey == 7 && row.snapshot?.version == 4)
    #expect(row.snapshot?.text(try #require(layout.slot(named: "name"))) == "Ideas")
    #expect(connection.log.first?.hasSuffix(#"WHERE "t0"."Z_PK" = $2  [7]"#) == true)
  }

  @Test func `a number that nothing can follow is that driver's own error`() throws {
    let connection = ListedConnection()
    connection.answer = [[.integer(.max), .integer(1)]]
    #expect(throws: ListedConnection.Refusal.self) {
      try StoredNumber.lastKey(
        of: 1,
        named: "Folder",
        in: "ZFOLDER",
        leavingRoomFor: 1,
        on: connection
      )
    }
  }
}
