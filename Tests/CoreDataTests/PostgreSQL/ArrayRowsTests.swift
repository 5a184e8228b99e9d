import CoreDataSQL
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Tests of the server with rows that travel as arrays.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct ArrayRowsTests {
  private let connection: PostgreSQLConnection

  init() throws {
    let address = try PostgreSQLAddress(PostgreSQLServer.shared.address, options: nil)
    connection = PostgreSQLConnection(
      try PostgreSQLShell.connect(address),
      zone: "own",
      namesStatements: false
    )
    try connection.run(
      plain: """
        CREATE TEMPORARY TABLE things (z_zone TEXT, "Z_PK" BIGINT, PRIMARY KEY (z_zone, "Z_PK"));
        INSERT INTO things SELECT 'own', number FROM generate_series(1, 100000) number;
        ANALYZE things
        """
    )
  }

  /// How the server looks for 5,000 rows of 100,000.
  private func plan(readingFrom source: SQLFragment) throws -> String {
    let sql: SQLFragment = """
      EXPLAIN SELECT 1 FROM things \(name: "t"), \(source) \
      WHERE \(name: "t").z_zone = $1 AND \(column: "Z_PK", of: "t") = \(ArrayRows.value(0))
      """
    let keys = PostgreSQLArray((1...5_000).map { Int64($0 * 20) })
    let rows = try connection.run([ArrayRows.request(sql, [keys], zone: "own")])[0]
    let lines = (0..<rows.rowCount).compactMap { rows.bytes($0, 0) }
    return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  @Test func `a save of some thousand rows read the whole table`() throws {
    #expect(try plan(readingFrom: ArrayRows.source(1)).contains("Seq Scan on things"))
    let plan = try plan(readingFrom: ArrayRows.wanted(1, for: 5_000))
    #expect(!plan.contains("Seq Scan on things"))
    #expect(plan.contains("using things_pkey on things"))
  }

  @Test func `what was planned for a small table was run on a large one`() {
    let few = PostgreSQLArray((1..<ArrayRows.many).map(Int64.init))
    let many = PostgreSQLArray((1...ArrayRows.many).map(Int64.init))
    let sql = ArrayRows.wanted(1, for: ArrayRows.many)
    #expect(!ArrayRows.request(sql, [few], zone: "own").isPlannedEachTime)
    #expect(ArrayRows.request(sql, [many], zone: "own").isPlannedEachTime)
  }
}
