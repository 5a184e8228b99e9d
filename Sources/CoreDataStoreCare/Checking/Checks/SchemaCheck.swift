import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Tables and columns that the model wants and the file lacks; and those that it has besides.
struct SchemaCheck: StoreCheck {
  let name = CheckName.table

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let wanted = WantedTable.all(in: store)
    return try MissingTables(wanted, in: store).findings() + extra(wanted, in: store)
  }
}

/// A table with the columns it should have, and how it is made.
struct WantedTable {
  let name: String
  let columns: [Column]
  let kind: Kind
  let statement: SQLFragment

  struct Column {
    let name: String
    let type: String
    /// Whether a row is nothing without it.
    let isKey: Bool
  }

  enum Kind {
    case objects
    case pairs
  }

  static func all(in store: CheckedStore) -> [WantedTable] {
    let writer = TablesWriter(store.tables)
    let kept = Set(store.tables.entities.filter(store.keeps).map(\.rootNumber))
    let keys = ["Z_PK", "Z_ENT", "Z_OPT"]
    let tables = store.tables.tables.filter { kept.contains($0.rootNumber) }
      .map { table in
        WantedTable(
          name: table.name,
          columns: keys.map { Column(name: $0, type: "INTEGER", isKey: $0 == "Z_PK") }
            + table.columns.map { Column(name: $0.name, type: $0.type.rawValue, isKey: false) },
          kind: .objects,
          statement: SQLFragment(stringLiteral: writer.statement(for: table))
        )
      }
    let joins = store.tables.joinTables
      .filter { join in store.tables[number: join.masterNumber].map(store.keeps) ?? false }
      .map { join in
        WantedTable(
          name: join.name,
          columns: [join.masterColumn, join.otherColumn]
            .map { Column(name: $0, type: "INTEGER", isKey: true) }
            + [join.masterOrderColumn, join.otherOrderColumn].compactMap(\.self)
            .map { Column(name: $0, type: "INTEGER", isKey: false) },
          kind: .pairs,
          statement: SQLFragment(stringLiteral: writer.statement(for: join))
        )
      }
    return tables + joins
  }
}

// MARK: - What is there besides

extension SchemaCheck {
  private func extra(_ wanted: [WantedTable], in store: CheckedStore) -> [Finding] {
    let wanted = Dictionary(
      wanted.map { ($0.name, Set($0.columns.map(\.name))) },
      uniquingKeysWith: { $0.union($1) }
    )
    let tables = store.file.tables.keys.filter { wanted[$0] == nil && !Self.isKnown($0) }.sorted()
    let others = Finding(
      .note,
      .table,
      .file,
      count: tables.count,
      .names(tables),
      "it has \(tables.count.of("table", "tables")) that the model does not speak of"
    )
    let columns = wanted.sorted { $0.key < $1.key }
      .compactMap { table, wanted -> Finding? in
        let extra = (store.file.tables[table] ?? []).subtracting(wanted).sorted()
        guard !extra.isEmpty else { return nil }
        return Finding(
          .note,
          .column,
          .table(table),
          count: extra.count,
          .names(extra),
          "it has \(extra.count.of("column", "columns")) that the model does not speak of"
        )
      }
    return (tables.isEmpty ? [] : [others]) + columns
  }

  /// The tables that stores have besides those of their models: Core Data's, CloudKit's, SQLite's.
  static func isKnown(_ table: String) -> Bool {
    let names = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"] + HistoryCheck.tables.map(\.name)
    return names.contains(table)
      || TextIndex.isName(table)
      || ["sqlite_", "ANSCK", "Z_RT_"].contains { table.hasPrefix($0) }
  }
}
