import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

// MARK: - One at a time

extension SQLiteStore: StreamingStore {
  func forEachRecord(of plan: RecordPlan, _ body: (Record) throws -> Void) throws {
    let query = try self.query(for: plan)
    try streaming(query.select.fragment) { try body(query.record($0)) }
  }

  func forEachMember(
    of owners: [Int64],
    for plan: MemberPlan,
    _ body: (_ owner: Int64, _ member: StoredKey) throws -> Void
  ) throws {
    guard let end = plan.layout.slots[plan.slot].end,
      let destination = schema.model[number: end.destination]
    else { return }
    let query = schema.queries.members(
      of: owners,
      in: plan.layout,
      at: plan.slot,
      destination: destination,
      columns: [.column("Z_PK", of: "t0"), .column("Z_ENT", of: "t0")]
    )
    guard let query else { return }
    try streaming(query) { statement in
      let entity = schema.model[stored: statement.integer(1)]
      let name = (entity ?? destination).name
      try body(
        statement.integer(2),
        StoredKey(entity: name, primaryKey: statement.integer(0))
      )
    }
  }

  private func streaming(_ query: SQLFragment, _ body: (Statement) throws -> Void) throws {
    try pool.read { connection in
      let statement: Statement
      do throws(SQLiteError) {
        statement = try connection.statement(query)
      } catch {
        throw StoreFailure(.reading(error), path: path).error()
      }
      defer { statement.reset() }
      while try step(statement) { try body(statement) }
    }
  }

  private func step(_ statement: Statement) throws -> Bool {
    do throws(SQLiteError) {
      return try statement.step()
    } catch {
      throw StoreFailure(.reading(error), path: path).error()
    }
  }
}
