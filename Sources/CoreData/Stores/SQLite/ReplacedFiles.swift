import CoreDataSQL
import CoreDataSQLite

/// The files that rows name before a save and not any more after it.
///
/// The rows themselves are asked: an object's knowledge of its row may be older.
struct ReplacedFiles {
  private let connection: Connection
  private let schema: StoreSchema

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  func names(in plan: SavePlan) throws(SQLiteError) -> [String] {
    var names: [String] = []
    for row in plan.deletes where !row.layout.externalSlots.isEmpty {
      names += try self.names(in: row.primaryKey, row.layout, row.layout.externalSlots)
    }
    for row in plan.updates where !row.changed.isDisjoint(with: row.layout.externalSlots) {
      let slots = SlotSet(row.layout.externalSlots.filter { row.changed.contains($0) })
      let kept = slots.filter { row.snapshot.hasValue($0) }
        .compactMap { ExternalData.fileName(row.snapshot.bytes($0)) }
      names += try self.names(in: row.primaryKey, row.layout, slots).filter { !kept.contains($0) }
    }
    return names
  }

  private func names(
    in number: Int64,
    _ layout: EntityLayout,
    _ slots: SlotSet
  ) throws(SQLiteError) -> [String] {
    let columns = schema.columns(of: layout).columns.filter { slots.contains($0.slot) }
    if columns.isEmpty { return [] }
    var select = Select(
      columns.map { .column($0.name, of: "t0") },
      from: schema.queries.map(layout).tableName,
      as: "t0"
    )
    select.filter = "\(column: "Z_PK", of: "t0") = \(.parameter)"
    let statement = try connection.statement(select.fragment)
    defer { statement.reset() }
    statement.bind(number, at: 1)
    guard try statement.step() else { return [] }
    return (0..<Int32(columns.count)).compactMap { ExternalData.fileName(statement.blobBytes($0)) }
  }
}
