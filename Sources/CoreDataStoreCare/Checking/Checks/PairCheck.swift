import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Pairs of many-to-many relationships whose ends are not there, and pairs that occur twice.
///
/// A pair without one of its ends is garbage, but no more: a reader of a relationship reads the rows of its objects,
/// and a pair that leads to none gives none.
///
/// A relationship that is its own inverse may have a pair either way round: readers look both ways, so a missing mirror
/// is not a fault.
struct PairCheck: StoreCheck {
  let name = CheckName.pair

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    try store.each(of: store.checkedJoins, name, at: \.place) { join throws(SQLiteError) in
      let ends = [(join.table.masterColumn, join.master), (join.table.otherColumn, join.other)]
      let faults =
        ends.flatMap { endless(join, $0, $1, store.witnesses(of: $1)) }
        + join.orders.map { placeless(join, $0.column) }
      let scan = TableScan(faults, of: join.table.name, in: store)
      let found = try scan.findings { condition throws(SQLiteError) in
        try store.pairs(of: join, where: condition)
      }
      return try found + doubles(join, in: store)
    }
  }

  static func endless(_ join: CheckedJoin, _ column: String, _ entity: EntityMap) -> RowFault {
    endless(join, entity, where: isEndless(column, entity))
  }

  /// No pair is removed because of a row whose `Z_ENT` is outvoted: the row is there.
  private func endless(
    _ join: CheckedJoin,
    _ column: String,
    _ entity: EntityMap,
    _ witnesses: EntityWitnesses?
  ) -> [RowFault] {
    witnesses.parts(of: Self.isEndless(column, entity), by: own(column)) {
      [Self.endless(join, entity, where: $0)]
    }
  }

  private static func isEndless(_ column: String, _ entity: EntityMap) -> SQLFragment {
    """
    NOT EXISTS (SELECT 1 FROM \(table: entity.tableName, as: "d") \
    WHERE \(.column("Z_PK", of: "d")) = \(own(column)) AND \(entity.has("d")))
    """
  }

  private static func endless(
    _ join: CheckedJoin,
    _ entity: EntityMap,
    where condition: SQLFragment
  ) -> RowFault {
    RowFault(
      .warning,
      .pair,
      join.place,
      where: condition,
      remedy: Remedy(
        "removes them",
        .pairs,
        ["DELETE FROM \(name: join.table.name) AS \(name: "t0") WHERE \(condition)"]
      )
    ) { count in
      "\(count.of("pair names", "pairs name")) a \(entity.name) that is not there"
    }
  }

  private func placeless(_ join: CheckedJoin, _ column: String) -> RowFault {
    RowFault(
      .warning,
      .order,
      join.place,
      where: "\(own(column)) IS NULL",
      remedy: OrderCheck.renumbering(join, column)
    ) { "\($0.of("pair has", "pairs have")) no place in the order" }
  }

  /// The primary key forbids them, where the table has kept it.
  private func doubles(
    _ join: CheckedJoin,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    let columns: SQLFragment = """
      \(column: join.table.masterColumn), \(column: join.table.otherColumn)
      """
    let table = join.table.name
    let count = try store.count(
      """
      SELECT TOTAL(\(column: "n") - 1) FROM (SELECT COUNT(*) AS \(column: "n") \
      FROM \(name: table) GROUP BY \(columns) HAVING COUNT(*) > 1)
      """
    )
    if count == 0 { return [] }
    let rest: SQLFragment = """
      rowid NOT IN (SELECT MIN(rowid) FROM \(name: table) GROUP BY \(columns))
      """
    return [
      Finding(
        .warning,
        .pair,
        join.place,
        count: count,
        try store.pairs(of: join, where: rest),
        "\(count.of("pair stands", "pairs stand")) there more than once",
        remedy: Remedy(
          "removes the repetitions",
          .pairs,
          ["DELETE FROM \(name: table) WHERE \(rest)"]
        )
      )
    ]
  }
}
