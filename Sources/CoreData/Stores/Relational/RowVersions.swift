import CoreDataSQL

/// Compares the versions of rows with those that a save expects, and writes nothing.
///
/// A statement for each row; a save asks this only for rows that it does not write, or if something else already
/// prevents it from writing.
package struct RowVersions<Connection: SQLConnection> {
  private let connection: Connection
  private let schema: StoreSchema

  package init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  package func conflicts(with plan: SavePlan) throws(Connection.Failure) -> [RowConflict] {
    var conflicts = try conflicts(with: plan.expectations)
    for row in plan.deletes {
      try compare(row.primaryKey, row.layout, row.expectedVersion, into: &conflicts)
    }
    conflicts += try self.conflicts(with: plan.updates)
    return conflicts
  }

  func conflicts(with updates: [RowUpdate]) throws(Connection.Failure) -> [RowConflict] {
    var conflicts: [RowConflict] = []
    for row in updates {
      guard let version = row.expectedVersion else { continue }
      try compare(row.primaryKey, row.layout, version, into: &conflicts)
    }
    return conflicts
  }

  func conflicts(with expectations: [RowExpectation]) throws(Connection.Failure) -> [RowConflict] {
    var conflicts: [RowConflict] = []
    for row in expectations {
      try compare(row.primaryKey, row.layout, row.expectedVersion, into: &conflicts)
    }
    return conflicts
  }

  /// The same conflicts, with the rows as they are by now.
  package func readAgain(_ conflicts: [RowConflict]) throws(Connection.Failure) -> [RowConflict] {
    var read: [RowConflict] = []
    for row in conflicts {
      let stored = try schema.row(row.primaryKey, of: row.layout, on: connection)?.snapshot
      read.append(RowConflict(primaryKey: row.primaryKey, layout: row.layout, stored: stored))
    }
    return read
  }

  private func compare(
    _ number: Int64,
    _ layout: EntityLayout,
    _ expected: Int64,
    into conflicts: inout [RowConflict]
  ) throws(Connection.Failure) {
    let stored = try schema.row(number, of: layout, on: connection)?.snapshot
    if stored?.version != expected {
      conflicts.append(RowConflict(primaryKey: number, layout: layout, stored: stored))
    }
  }
}
