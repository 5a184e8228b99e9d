import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// The evidence that a file has for the entity of a table's rows, besides the rows' own `Z_ENT`.
///
/// ```
/// Note 1      Z_ENT 5                   the row itself: Checklist
/// 119 keys    Z4_NOTE 4                 what leads to it: Note
/// 3 pairs     of Note and all below it  fits both
/// ```
///
/// A row is outvoted if more keys and pairs contradict its `Z_ENT` than agree with it, itself included. A
/// repair does not take the one value for the truth: it leaves what leads to the row as it is, or gives the
/// row the entity on which all the others agree.
struct EntityWitnesses {
  private let table: CheckedTable
  private let abstractNumbers: [Int]
  private let claims: [SQLFragment]
  /// How many rows are outvoted although rows of the table may have their `Z_ENT`.
  private let outvotedCount: Int
  private let hasOutvoted: Bool
  /// Whether most rows agree with the keys that lead to them; if not, all keys may be wrong.
  private let areKeysReliable: Bool

  /// Counts once; returns nil for a table whose rows can be of one entity only, or if nothing leads to them.
  init?(
    of table: CheckedTable,
    _ tables: [CheckedTable],
    _ joins: [CheckedJoin],
    _ map: TableMap,
    on connection: Connection
  ) throws(SQLiteError) {
    let root = table.root
    let links = tables.flatMap(\.links).filter { $0.destination.tableName == table.name }
    let ends = joins.flatMap { join in
      [(join, join.table.masterColumn, join.master), (join, join.table.otherColumn, join.other)]
        .filter { $0.2.tableName == table.name }
    }
    claims = links.map(\.claim) + ends.map { $0.0.claim(on: $0.2, in: $0.1) }
    guard root.numbers.count > 1 || root.isAbstract, !claims.isEmpty else { return nil }
    self.table = table
    abstractNumbers = root.numbers.filter { map[number: $0]?.isAbstract ?? true }
    let statement = try connection.statement(
      """
      SELECT COUNT(*) FILTER (WHERE \(Self.isOutvoted)), \
      COUNT(*) FILTER (WHERE \(Self.isOutvoted) AND \(column: "possible")), \
      COUNT(*) FILTER (WHERE \(column: "against") = 0 AND \(column: "favour") > 0) \
      FROM (\(Self.tally(claims, root, abstractNumbers)))
      """
    )
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    hasOutvoted = statement.integer(0) > 0
    outvotedCount = Int(statement.integer(1))
    areKeysReliable = statement.integer(2) > statement.integer(1)
  }
}

// MARK: - Which rows

extension EntityWitnesses {
  private static let isOutvoted: SQLFragment = """
    \(column: "against") > \(column: "favour") + \(column: "possible")
    """

  private var tally: SQLFragment { Self.tally(claims, table.root, abstractNumbers) }

  /// The keys of rows whose `Z_ENT` is outvoted.
  private var outvoted: SQLFragment {
    "SELECT \(column: "k") FROM (\(tally)) WHERE \(Self.isOutvoted)"
  }

  /// Each row to which something leads: how many speak against its `Z_ENT` and for it, and the lowest and
  /// highest entity on which all agree that speak against it.
  ///
  /// A claim that all rows of the table fulfil speaks for no entity.
  private static func tally(
    _ claims: [SQLFragment],
    _ root: EntityMap,
    _ abstractNumbers: [Int]
  ) -> SQLFragment {
    let entity = SQLFragment.column("Z_ENT", of: "d")
    let (low, high) = (SQLFragment.column("low", of: "v"), SQLFragment.column("high", of: "v"))
    let fits: SQLFragment = "IFNULL(\(entity) BETWEEN \(low) AND \(high), 0)"
    let isNarrow: SQLFragment = """
      (\(low) > \(number(root.numbers.lowerBound)) OR \(high) < \(number(root.numbers.upperBound)))
      """
    let key = SQLFragment.column("k", of: "v")
    return """
      SELECT \(key) AS \(column: "k"), SUM(NOT \(fits)) AS \(column: "against"), \
      SUM(\(fits) AND \(isNarrow)) AS \(column: "favour"), \
      MAX(CASE WHEN NOT \(fits) THEN \(low) END) AS \(column: "low"), \
      MIN(CASE WHEN NOT \(fits) THEN \(high) END) AS \(column: "high"), \
      IFNULL(\(root.has("d")) AND \(entity) NOT IN (\(list(abstractNumbers))), 0) \
      AS \(column: "possible") \
      FROM (\(claims.joined(separator: " UNION ALL "))) AS \(name: "v") \
      JOIN \(name: root.tableName) AS \(name: "d") ON \(.column("Z_PK", of: "d")) = \(key) \
      GROUP BY \(key)
      """
  }

  /// Rows that can be mended: only the row itself supports its `Z_ENT`, all other evidence agrees on one entity, and
  /// the row does not have a value to lose.
  private var mendable: SQLFragment {
    let wanted = SQLFragment.column("low", of: "m")
    let losses = table.valuesOfSome.map {
      "(\(owned($0.range, $0.column, unless: wanted)))" as SQLFragment
    }
    let conditions: [SQLFragment] =
      [
        Self.isOutvoted, "\(column: "favour") = 0", "\(wanted) = \(.column("high", of: "m"))",
        "\(wanted) NOT IN (\(Self.list(abstractNumbers)))",
        areKeysReliable ? "1" : "NOT \(column: "possible")",
      ] + losses.map { "NOT \($0)" }
    return """
      SELECT \(.column("k", of: "m")) AS \(column: "k"), \(wanted) AS \(column: "entity") \
      FROM (\(tally)) AS \(name: "m") JOIN \(name: table.name) AS \(name: "t0") \
      ON \(own("Z_PK")) = \(.column("k", of: "m")) WHERE \(conditions.joined(separator: " AND "))
      """
  }

  private func owned(
    _ range: ClosedRange<Int>,
    _ column: String,
    unless entity: SQLFragment
  ) -> SQLFragment {
    let (low, high) = (Self.number(range.lowerBound), Self.number(range.upperBound))
    return """
      \(own(column)) IS NOT NULL AND IFNULL(\(own("Z_ENT")) BETWEEN \(low) AND \(high), 0) \
      AND \(entity) NOT BETWEEN \(low) AND \(high)
      """
  }

  /// A number that is spelled and not bound, for these conditions are repeated in many places.
  fileprivate static func number(_ number: Int) -> SQLFragment {
    SQLFragment(stringLiteral: "\(number)")
  }

  private static func list(_ numbers: [Int]) -> SQLFragment {
    numbers.map(number).joined(separator: ", ")
  }
}

// MARK: - What it means for findings

extension EntityWitnesses {
  private var remedy: Remedy {
    Remedy(
      "writes the Z_ENT on which all keys and pairs that lead to the row agree",
      .entities,
      [
        """
        UPDATE \(name: table.name) SET \(column: "Z_ENT") = \(.column("entity", of: "w")) \
        FROM (\(mendable)) AS \(name: "w") \
        WHERE \(.column("Z_PK", of: table.name)) = \(.column("k", of: "w"))
        """
      ]
    )
  }

  private static let advice = """
    the Z_ENT of the row contradicts what leads to it, and a repair leaves both as they are: look at them with \
    coredata sql, and correct the wrong side with coredata sql --write
    """

  /// The parts of a fault that depends on the `Z_ENT` of the row with a key: of rows that can be believed,
  /// of those that can be mended, and of those about which nobody knows.
  func parts(
    of condition: SQLFragment,
    by key: SQLFragment,
    _ faults: (SQLFragment) -> [RowFault]
  ) -> [RowFault] {
    guard hasOutvoted else { return faults(condition) }
    let isOutvoted: SQLFragment = "IFNULL(\(key) IN (\(outvoted)), 0)"
    let isMendable: SQLFragment = """
      IFNULL(\(key) IN (SELECT \(column: "k") FROM (\(mendable))), 0)
      """
    return faults("(\(condition)) AND NOT \(isOutvoted)")
      + faults("(\(condition)) AND \(isMendable)").map { $0.with(remedy) }
      + faults("(\(condition)) AND \(isOutvoted) AND NOT \(isMendable)")
      .map { $0.with(nil, advice: Self.advice) }
  }

  /// The rows that are outvoted, although rows of the table may have the entity that they say.
  var fault: [RowFault] {
    guard outvotedCount > 0 else { return [] }
    let isPossible: SQLFragment = """
      \(table.root.has("t0")) AND \(own("Z_ENT")) NOT IN (\(Self.list(abstractNumbers)))
      """
    let parts = parts(of: isPossible, by: own("Z_PK")) { condition in
      [
        RowFault(.warning, .rowEntity, .table(table.name), where: condition) { count in
          "\(count.rows("has", "have")) a Z_ENT that more keys and pairs contradict than confirm"
        }
      ]
    }
    return Array(parts.dropFirst())
  }

  /// Leaves rows out of a statement that are outvoted.
  func sparing(_ key: SQLFragment) -> SQLFragment {
    hasOutvoted ? " AND NOT IFNULL(\(key) IN (\(outvoted)), 0)" : ""
  }
}

extension EntityWitnesses? {
  /// The parts of a fault, which is whole where nothing is known of the rows.
  func parts(
    of condition: SQLFragment,
    by key: SQLFragment,
    _ faults: (SQLFragment) -> [RowFault]
  ) -> [RowFault] {
    self?.parts(of: condition, by: key, faults) ?? faults(condition)
  }
}

// MARK: - What leads to rows

extension CheckedLink {
  /// The keys `k` that rows have, with the lowest and highest entity of which the other row may be.
  fileprivate var claim: SQLFragment {
    let low = EntityWitnesses.number(destination.numbers.lowerBound)
    let high = EntityWitnesses.number(destination.numbers.upperBound)
    let entity = { (otherwise: SQLFragment) -> SQLFragment in
      guard let entityColumn else { return otherwise }
      return """
        CASE WHEN \(own(entityColumn)) BETWEEN \(low) AND \(high) THEN \(own(entityColumn)) \
        ELSE \(otherwise) END
        """
    }
    return """
      SELECT \(own(column)) AS \(column: "k"), \(entity(low)) AS \(column: "low"), \
      \(entity(high)) AS \(column: "high") FROM \(name: holder.tableName) AS \(name: "t0") \
      WHERE \(isSet)
      """
  }
}

extension CheckedJoin {
  fileprivate func claim(on end: EntityMap, in column: String) -> SQLFragment {
    """
    SELECT \(column: column) AS \(column: "k"), \
    \(EntityWitnesses.number(end.numbers.lowerBound)) AS \(column: "low"), \
    \(EntityWitnesses.number(end.numbers.upperBound)) AS \(column: "high") \
    FROM \(name: table.name) WHERE \(column: column) IS NOT NULL
    """
  }
}

extension CheckedTable {
  /// The columns that only rows of some entities use, with those entities.
  fileprivate var valuesOfSome: [(range: ClosedRange<Int>, column: String)] {
    (values.filter { $0.attribute.derivationExpression == nil }.map {
      ($0.entity.numbers, $0.column)
    }
      + links.map { ($0.holder.numbers, $0.column) })
      .filter { $0.0 != root.numbers }
  }
}
