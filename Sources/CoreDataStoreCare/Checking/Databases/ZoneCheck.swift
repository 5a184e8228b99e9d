import CoreData
import CoreDataModel
import CoreDataSQL

/// Looks at the rows of one zone.
struct ZoneCheck {
  private let schema: ModelSchema
  private let tables: TableMap
  private let file: FileSchema
  private let zone: String
  private let ask: DatabaseChecker.Ask

  /// The checks that look at each row by itself.
  private static let rowChecks: [any ModelCheck] = [
    RowEntityCheck(), KeyCheck(), RequiredValueCheck(),
  ]

  init(
    _ schema: ModelSchema,
    _ tables: TableMap,
    _ file: FileSchema,
    zone: String,
    _ ask: @escaping DatabaseChecker.Ask
  ) {
    self.schema = schema
    self.tables = tables
    self.file = file
    self.zone = zone
    self.ask = ask
  }

  func findings() throws -> [Finding] {
    let checked = CheckedTable.all(in: schema, tables, file)
      .filter { file.has("z_zone", in: $0.name) }
    let joins = CheckedJoin.all(in: schema, tables, file)
      .filter { file.has("z_zone", in: $0.table.name) }
    return try checked.flatMap(rows) + joins.flatMap(pairs)
      + tables.tables.flatMap(\.indexes).compactMap(uniqueness)
      + checked.compactMap(lastKey) + history()
  }

  private func count(_ query: SQLFragment) throws -> Int {
    try ask(query, zone).first?.first?.number ?? 0
  }
}

// MARK: - Rows

extension ZoneCheck {
  private func rows(of table: CheckedTable) throws -> [Finding] {
    let faults = Self.rowChecks.flatMap { $0.faults(in: table, schema, tables) }
    return try faults.compactMap { fault in
      try finding(fault, in: table.name) { condition in
        let keys: SQLFragment = """
          SELECT \(own("Z_PK")) FROM \(table: table.name, as: "t0") \
          WHERE \(condition) ORDER BY 1 LIMIT \(.integer(Int64(Finding.Examples.limit)))
          """
        return .rows(try ask(keys, zone).compactMap { $0[0].number.map(Int64.init) })
      }
    }
  }

  private func pairs(of join: CheckedJoin) throws -> [Finding] {
    let faults = [
      PairCheck.endless(join, join.table.masterColumn, join.master),
      PairCheck.endless(join, join.table.otherColumn, join.other),
    ]
    return try faults.compactMap { fault in
      try finding(fault, in: join.table.name) { condition in
        let ends: SQLFragment = """
          SELECT \(join.pair) FROM \(table: join.table.name, as: "t0") \
          WHERE \(condition) LIMIT \(.integer(Int64(Finding.Examples.limit)))
          """
        return .pairs(
          try ask(ends, zone).compactMap { row in
            guard let master = row[0].number, let other = row[1].number else { return nil }
            return Finding.Examples.Pair(master: Int64(master), other: Int64(other))
          }
        )
      }
    }
  }

  /// A database is not repaired: its owner has backups, and programs may write to it during the check.
  private func finding(
    _ fault: RowFault,
    in table: String,
    examples: (SQLFragment) throws -> Finding.Examples
  ) throws -> Finding? {
    // That a table is missing is a finding of the catalog.
    guard fault.condition.tables.allSatisfy({ file.has("z_zone", in: $0) }) else { return nil }
    let number = try count(
      "SELECT COUNT(*) FROM \(table: table, as: "t0") WHERE \(fault.condition)"
    )
    if number == 0 { return nil }
    var finding = fault.finding(number, try examples(fault.condition))
    finding.remedy = nil
    return finding
  }
}

extension SQLFragment {
  /// The tables that are read.
  fileprivate var tables: [String] {
    pieces.compactMap { piece in if case .table(let name, _) = piece { name } else { nil } }
  }
}

// MARK: - Unique values

extension ZoneCheck {
  /// If the unique index is there, no two rows of a zone have the same values.
  private func uniqueness(of index: TableIndex) throws -> Finding? {
    let columns = index.elements.map(\.column)
    guard index.isUnique, file.index(like: index) == nil,
      columns.allSatisfy({ file.has($0, in: index.table) })
    else { return nil }
    let values = columns.map { SQLFragment.column($0, of: "t0") }
    let areSet = values.map { "\($0) IS NOT NULL" as SQLFragment }.joined(separator: " AND ")
    let groups: SQLFragment = """
      SELECT MIN(\(own("Z_PK"))) AS k, COUNT(*) AS n FROM \(table: index.table, as: "t0") \
      WHERE \(areSet) GROUP BY \(values.joined(separator: ", ")) HAVING COUNT(*) > 1
      """
    let number = try count("SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM (\(groups)) g")
    if number == 0 { return nil }
    let limit = SQLValue.integer(Int64(Finding.Examples.limit))
    let keys = try ask("SELECT k FROM (\(groups)) g ORDER BY 1 LIMIT \(limit)", zone)
    return Finding(
      .error,
      .uniqueness,
      .table(index.table),
      count: number,
      .rows(keys.compactMap { $0[0].number.map(Int64.init) }),
      "\(number.rows("shares", "share")) values of \(columns.joined(separator: ", ")) that should be unique"
    )
  }
}

// MARK: - Keys

extension ZoneCheck {
  /// Keys are handed out in blocks: the last of them is never smaller than the largest that a row has.
  private func lastKey(of table: CheckedTable) throws -> Finding? {
    let largest = try count("SELECT MAX(\(own("Z_PK"))) FROM \(table: table.name, as: "t0")")
    guard file.has("z_last", in: "z_keys"), largest > 0 else { return nil }
    let root = SQLValue.integer(Int64(table.root.number))
    let last = try count("SELECT z_last FROM z_keys WHERE z_zone = $1 AND z_ent = \(root)")
    if last >= largest { return nil }
    var finding = Finding(
      .error,
      .lastKey,
      .entity(table.root.name),
      .rows([Int64(largest)]),
      "the last key in z_keys is \(last), and there is a row with the key \(largest): programs that "
        + "are open would give new objects keys that are taken"
    )
    finding.advice = "raise z_keys.z_last of \(table.root.number) to \(largest)"
    return finding
  }
}

// MARK: - History

extension ZoneCheck {
  /// Numbers of transactions go on from the zone's row, and each change belongs to a transaction.
  private func history() throws -> [Finding] {
    guard ["z_history", "ATRANSACTION", "ACHANGE"].allSatisfy({ file.has("z_zone", in: $0) })
    else { return [] }
    let numbers = try ask("SELECT z_last, z_last_change FROM z_history WHERE z_zone = $1", zone)
    let last = numbers.first?[0].number ?? 0
    let lastChange = numbers.first?[1].number ?? 0
    let homeless: SQLFragment = """
      SELECT COUNT(*) FROM \(table: "ACHANGE", as: "t0") WHERE NOT EXISTS (SELECT 1 FROM \
      \(table: "ATRANSACTION", as: "d") WHERE \(.column("Z_PK", of: "d")) = \(own("ZTRANSACTIONID")))
      """
    let lost = try count(homeless)
    let words = "\(lost.rows("belongs", "belong")) to a transaction that is not there"
    let note = Finding(.note, .history, .table("ACHANGE"), count: lost, .none, words)
    return [
      try overtaken("ATRANSACTION", last, "z_last"),
      try overtaken("ACHANGE", lastChange, "z_last_change"),
      lost == 0 ? nil : note,
    ].compactMap(\.self)
  }

  private func overtaken(_ table: String, _ last: Int, _ column: String) throws -> Finding? {
    let largest = try count("SELECT MAX(\(own("Z_PK"))) FROM \(table: table, as: "t0")")
    if largest <= last { return nil }
    var finding = Finding(
      .error,
      .history,
      .table(table),
      .rows([Int64(largest)]),
      "z_history.\(column) is \(last), and there is a row with the number \(largest): the next save "
        + "would fail"
    )
    finding.advice = "raise z_history.\(column) to \(largest)"
    return finding
  }
}
