import CoreDataSQL
import Testing

@testable import CoreDataSQLite

@Suite struct ExpandedBindingsTests {
  @Test func `bound values are read back from SQLite's own text`() throws {
    let connection = try Connection(path: ":memory:")
    let reports = Reports()
    connection.follow(with: .bindings) { reports.all.append($0) }
    let statement = try connection.statement(
      "SELECT 'what?', \"a\", `b`, ?1, ?2, ?3, ?4, ?5, ?2 FROM (SELECT 1 AS \"a\", 2 AS b)"
    )
    let values: [SQLValue] = [
      .integer(-7), .text("it's 'quoted'? é"), .real(2.5e300), .blob([0, 255]), .null,
    ]
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    #expect(try statement.step())
    statement.reset()
    #expect(reports.all.map(\.bindings) == [values + [values[1]]])
    #expect(reports.all[0].rowCount == 1)
    #expect(reports.all[0].isQuery)
    #expect(reports.all[0].rows.isEmpty)
    #expect(reports.all[0].time >= reports.all[0].timeToFirstRow)
  }

  @Test func `statements of triggers are part of the one that set them off`() throws {
    let connection = try Connection(path: ":memory:")
    try connection.run("CREATE TABLE note (title)")
    try connection.run("CREATE TABLE log (title)")
    try connection.run(
      "CREATE TRIGGER t AFTER INSERT ON note BEGIN INSERT INTO log VALUES (NEW.title); END"
    )
    let reports = Reports()
    connection.follow(with: [.bindings, .rows, .plan]) { reports.all.append($0) }
    try connection.run("INSERT INTO note VALUES (\(.text("1")))")
    #expect(reports.all.map(\.sql) == ["INSERT INTO note VALUES (?1)"])
    #expect(!reports.all[0].isQuery)
  }

  /// Safety: used by the thread of one test.
  private final class Reports: @unchecked Sendable {
    var all: [StatementReport] = []
  }
}
