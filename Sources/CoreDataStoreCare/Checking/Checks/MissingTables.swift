import CoreData
import CoreDataSQL
import CoreDataSQLite

/// The tables that the model wants and the file lacks.
///
/// A repair makes a table, empty, only if nothing in the file could be the table under another
/// name: otherwise the old rows would no longer be read, and new ones would be in a second table.
struct MissingTables {
  private let wanted: [WantedTable]
  private let store: CheckedStore

  init(_ wanted: [WantedTable], in store: CheckedStore) {
    self.wanted = wanted
    self.store = store
  }

  func findings() throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in wanted {
      guard store.file.tables[table.name] != nil else {
        findings.append(try missing(table))
        continue
      }
      let lacking = table.columns.filter { !store.file.has($0.name, in: table.name) }
      if !lacking.isEmpty { findings.append(try missing(lacking, in: table)) }
    }
    return findings
  }
}

// MARK: - Tables

extension MissingTables {
  private func missing(_ table: WantedTable) throws(SQLiteError) -> Finding {
    var finding = Finding(.error, .table, .table(table.name), "the table is missing")
    let others = try strangers(of: table.kind)
    if others.isEmpty {
      finding.remedy = Remedy("makes it anew, empty", .tables, [table.statement])
    } else {
      finding.advice = advice("its rows may stand in the table", others)
    }
    return finding
  }

  /// Tables with rows of the same kind that the model does not speak of.
  private func strangers(of kind: WantedTable.Kind) throws(SQLiteError) -> [String] {
    let known = Set(wanted.map(\.name))
    var strangers: [String] = []
    for (table, columns) in store.file.tables.sorted(by: { $0.key < $1.key }) {
      guard !known.contains(table), !SchemaCheck.isKnown(table) else { continue }
      let isAlike =
        switch kind {
        case .objects: columns.isSuperset(of: ["Z_PK", "Z_ENT"])
        case .pairs: FileTables.mayHoldPairs(table)
        }
      if isAlike, try has("SELECT 1 FROM \(name: table)") { strangers.append(table) }
    }
    return strangers
  }
}

// MARK: - Columns

extension MissingTables {
  private func missing(
    _ columns: [WantedTable.Column],
    in table: WantedTable
  ) throws(SQLiteError) -> Finding {
    var finding = Finding(
      .error,
      .column,
      .table(table.name),
      count: columns.count,
      .names(columns.map(\.name)),
      "\(columns.count.of("column is", "columns are")) missing"
    )
    let others = try strangers(in: table)
    if !others.isEmpty {
      finding.advice = advice("the values may stand in the column", others)
    } else if !columns.contains(where: \.isKey) {
      finding.remedy = Remedy(
        "adds what is missing, empty",
        .tables,
        columns.map { column in
          let type = SQLFragment(stringLiteral: column.type)
          return "ALTER TABLE \(name: table.name) ADD COLUMN \(name: column.name) \(type)"
        }
      )
    } else if table.kind == .pairs, try !has("SELECT 1 FROM \(name: table.name)") {
      finding.remedy = Remedy(
        "makes the table anew, empty as it is",
        .tables,
        ["DROP TABLE \(name: table.name)", table.statement]
      )
    }
    return finding
  }

  /// Columns with values that the model does not speak of.
  private func strangers(in table: WantedTable) throws(SQLiteError) -> [String] {
    let known = Set(table.columns.map(\.name))
    var strangers: [String] = []
    for column in (store.file.tables[table.name] ?? []).subtracting(known).sorted()
    where column.hasPrefix("Z") || column == "REFLEXIVE" {
      let values: SQLFragment =
        "SELECT 1 FROM \(name: table.name) WHERE \(column: column) IS NOT NULL"
      if try has(values) { strangers.append(column) }
    }
    return strangers
  }
}

extension MissingTables {
  private func has(_ rows: SQLFragment) throws(SQLiteError) -> Bool {
    try store.connection.integer("\(rows) LIMIT 1") != nil
  }

  private func advice(_ sentence: String, _ names: [String]) -> String {
    "\(sentence) \(names.joined(separator: ", ")), which the model does not speak of:"
      + " give the model that the store was made with"
  }
}
