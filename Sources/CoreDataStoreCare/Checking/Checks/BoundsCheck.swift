import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Keys and versions so large that no other can follow, and negative keys: no program has counted that far.
///
/// ```
/// Z_PRIMARYKEY.Z_MAX   becomes the largest key that the table has
/// Z_OPT                becomes 1
/// Z_PK                 the row gets the next key, and so does whatever leads to it
/// ```
struct BoundsCheck: StoreCheck {
  let name = CheckName.range

  private var greatest: SQLFragment { "\(.integer(StoredNumber.greatest))" }
  private let tooLarge = "larger than \(StoredNumber.greatest)"

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in store.checkedTables {
      findings += try keys(of: table, in: store)
      findings += try versions(of: table.name, at: .table(table.name), in: store)
    }
    for (_, table) in HistoryCheck.tables where store.file.has("Z_PK", in: table) {
      findings += try historyKeys(of: table, in: store)
    }
    return findings + (try lastKeys(in: store))
  }
}

// MARK: - Keys that were given last

extension BoundsCheck {
  private func lastKeys(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    guard store.file.has("Z_MAX", in: "Z_PRIMARYKEY") else { return [] }
    let condition: SQLFragment = "\(own("Z_MAX")) > \(greatest)"
    let fault = RowFault(
      .error,
      .lastKey,
      .table("Z_PRIMARYKEY"),
      where: condition,
      // That it is the largest key of its table then is the work of another check.
      remedy: Remedy(
        "counts on from the largest key of each table",
        .bookkeeping,
        ["UPDATE Z_PRIMARYKEY AS \(name: "t0") SET Z_MAX = 0 WHERE \(condition)"]
      )
    ) {
      "the last key (Z_MAX) of \($0.of("entity", "entities")) is \(tooLarge): no new object can be saved"
    }
    return try TableScan([fault], of: "Z_PRIMARYKEY", in: store).findings {
      condition throws(SQLiteError) in .names(try entities(where: condition, in: store))
    }
  }

  private func entities(
    where condition: SQLFragment,
    in store: CheckedStore
  ) throws(SQLiteError) -> [String] {
    let limit = Int64(Finding.Examples.limit)
    let statement = try store.connection.statement(
      """
      SELECT IFNULL(Z_NAME, Z_ENT) FROM Z_PRIMARYKEY AS \(name: "t0") WHERE \(condition) \
      ORDER BY Z_ENT LIMIT \(.integer(limit))
      """
    )
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }
}

// MARK: - Versions

extension BoundsCheck {
  private func versions(
    of table: String,
    at place: Finding.Place,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    guard store.file.has("Z_OPT", in: table) else { return [] }
    let version = own("Z_OPT")
    let faults = [
      fault(.error, "\(version) > \(greatest)", of: table, at: place) {
        "\($0.rows("has", "have")) a version (Z_OPT) \(tooLarge): changes cannot be saved"
      },
      fault(.error, "\(version) IS NULL", of: table, at: place) {
        "\($0.rows("has", "have")) no version (Z_OPT): changes cannot be saved"
      },
      fault(
        .warning,
        "typeof(\(version)) = 'integer' AND \(version) < 0",
        of: table,
        at: place
      ) { "\($0.rows("has", "have")) a negative version (Z_OPT), which no program writes" },
    ]
    return try findings(faults, of: table, in: store)
  }

  private func fault(
    _ severity: Finding.Severity,
    _ condition: SQLFragment,
    of table: String,
    at place: Finding.Place,
    _ sentence: @escaping @Sendable (Int) -> String
  ) -> RowFault {
    RowFault(
      severity,
      .range,
      place,
      where: condition,
      remedy: Remedy(
        "sets the version to 1",
        .keys,
        ["UPDATE \(name: table) AS \(name: "t0") SET Z_OPT = 1 WHERE \(condition)"]
      ),
      sentence
    )
  }

  private func findings(
    _ faults: [RowFault],
    of table: String,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    try TableScan(faults, of: table, in: store).findings { condition throws(SQLiteError) in
      try store.rows(of: table, where: condition)
    }
  }
}

// MARK: - Keys of rows

extension BoundsCheck {
  private func keys(
    of table: CheckedTable,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    try keys(of: table.name, in: store, references(to: table, in: store))
  }

  /// Only these columns of the history refer to transactions and texts.
  private func historyKeys(
    of table: String,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    let columns =
      table == "ATRANSACTION"
      ? [("ACHANGE", "ZTRANSACTIONID")]
      : table == "ATRANSACTIONSTRING"
        ? HistoryCheck.texts.map { ("ATRANSACTION", $0) } : []
    let references = columns.filter { store.file.has($0.1, in: $0.0) }
      .map { Reference(table: $0.0, column: $0.1) }
    return try keys(of: table, in: store, references)
  }

  private struct Reference: Hashable {
    let table: String
    let column: String
    /// The rows of the table that speak of the other's; `nil` for all of them.
    var condition: SQLFragment?
  }

  private func keys(
    of table: String,
    in store: CheckedStore,
    _ references: [Reference]
  ) throws(SQLiteError) -> [Finding] {
    let remedy = Remedy(
      "gives such rows the next free keys, and leads to them whatever led to them before",
      .keys,
      renumbering(table, references)
    )
    let large = RowFault(
      .error,
      .range,
      .table(table),
      where: "\(own("Z_PK")) > \(greatest)",
      remedy: remedy
    ) {
      "\($0.rows("has", "have")) a key (Z_PK) \(tooLarge): nothing new can be saved in the table"
    }
    let negative = RowFault(
      .error,
      .range,
      .table(table),
      where: "\(own("Z_PK")) < 0",
      remedy: remedy
    ) { "\($0.rows("has", "have")) a negative key (Z_PK), to which no relationship leads" }
    return try findings([large, negative], of: table, in: store)
  }

  private func renumbering(_ table: String, _ references: [Reference]) -> [SQLFragment] {
    let moved: SQLFragment = "\(name: "COREDATA_MOVED_KEYS")"
    let new = { (key: SQLFragment) -> SQLFragment in
      "(SELECT \(column: "new") FROM temp.\(moved) WHERE \(column: "old") = \(key))"
    }
    let isMoved = { (key: SQLFragment) -> SQLFragment in
      "\(key) IN (SELECT \(column: "old") FROM temp.\(moved))"
    }
    return [
      "DROP TABLE IF EXISTS temp.\(moved)",
      """
      CREATE TEMP TABLE \(moved) AS SELECT Z_PK AS \(column: "old"), \
      (SELECT IFNULL(MAX(Z_PK), 0) FROM \(name: table) WHERE Z_PK BETWEEN 0 AND \(greatest)) \
      + ROW_NUMBER() OVER (ORDER BY Z_PK) AS \(column: "new") \
      FROM \(name: table) WHERE NOT Z_PK BETWEEN 0 AND \(greatest)
      """,
    ]
      + references.map { reference in
        let key = SQLFragment.column(reference.column)
        let condition = reference.condition.map { "\($0) AND " as SQLFragment } ?? ""
        return """
          UPDATE \(name: reference.table) SET \(key) = \(new(key)) \
          WHERE \(condition)\(isMoved(key))
          """
      }
      + [
        "UPDATE \(name: table) SET Z_PK = \(new("Z_PK")) WHERE \(isMoved("Z_PK"))",
        "DROP TABLE temp.\(moved)",
      ]
  }

  /// The columns that lead to rows of a table: those of other tables, of pairs, and of the history.
  private func references(to table: CheckedTable, in store: CheckedStore) -> [Reference] {
    let links = store.checkedTables.flatMap(\.links)
      .filter { $0.destination.tableName == table.name }
      .map { Reference(table: $0.holder.tableName, column: $0.column) }
    let pairs = store.checkedJoins.flatMap { join in
      [(join.master, join.table.masterColumn), (join.other, join.table.otherColumn)]
        .filter { $0.0.tableName == table.name }
        .map { Reference(table: join.table.name, column: $0.1) }
    }
    let numbers = table.root.numbers.map { SQLFragment.value(.integer(Int64($0))) }
    let history =
      store.file.has("ZENTITYPK", in: "ACHANGE")
      ? [
        Reference(
          table: "ACHANGE",
          column: "ZENTITYPK",
          condition: "ZENTITY IN (\(numbers.joined(separator: ", ")))"
        )
      ] : []
    return Array(Set(links + pairs + history))
      .sorted { ($0.table, $0.column) < ($1.table, $1.column) }
  }
}
