import CoreDataSQL
import CoreDataSQLite
import TestSupport
import Testing

@testable import CoreData

/// Expects that every key in a row or pair is that of a row.
func expectNothingDangles(in stack: NotesStack) throws {
  for store in stack.coordinator.persistentStores {
    guard let rows = store.backend as? SQLiteStore else { continue }
    let relations = BatchRelations(rows.schema)
    let columns =
      relations.keys.map { ($0.root, $0.table, $0.column) }
      + relations.pairs.map { ($0.root, $0.table, $0.column) }
    for (root, table, column) in columns {
      let target = try #require(rows.schema.tables[number: Int(root)]).tableName
      let count = try rows.pool.read { connection in
        try connection.integer(
          """
          SELECT COUNT(*) FROM \(name: table) WHERE \(column: column) IS NOT NULL \
          AND \(column: column) NOT IN (SELECT \(column: "Z_PK") FROM \(name: target))
          """
        )
      }
      #expect(count == 0, "\(table).\(column)")
    }
  }
}
