import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Tables and columns that the model wants and the file lacks; and those that it has besides.
struct SchemaCheck: StoreCheck {
  let name = CheckName.table

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    missing(in: store) + extra(in: store)
  }

  /// A table with the columns it should have, and how it is made.
  private struct WantedTable {
    let name: String
    let columns: [(name: String, type: String)]
    let statement: String
  }

  private func wanted(in store: CheckedStore) -> [WantedTable] {
    let writer = SchemaWriter(store.tables)
    let kept = Set(store.tables.entities.filter(store.keeps).map(\.rootNumber))
    let keys = ["Z_PK", "Z_ENT", "Z_OPT"].map { (name: $0, type: "INTEGER") }
    let tables = store.tables.tables.filter { kept.contains($0.rootNumber) }
      .map { table in
        WantedTable(
          name: table.name,
          columns: keys + table.columns.map { ($0.name, $0.type.rawValue) },
          statement: writer.statement(for: table)
        )
      }
    let joins = store.tables.joinTables
      .filter { join in store.tables[number: join.masterNumber].map(store.keeps) ?? false }
      .map { join in
        WantedTable(
          name: join.name,
          columns: [
            join.masterColumn, join.otherColumn, join.masterOrderColumn, join.otherOrderColumn,
          ]
          .compactMap { $0.map { ($0, "INTEGER") } },
          statement: writer.statement(for: join)
        )
      }
    return tables + joins
  }

  private func missing(in store: CheckedStore) -> [Finding] {
    wanted(in: store).flatMap { table -> [Finding] in
      guard store.file.tables[table.name] != nil else {
        return [
          Finding(
            .error,
            .table,
            .table(table.name),
            "the table is missing",
            remedy: Remedy(
              "makes it anew, empty",
              .tables,
              [SQLFragment(stringLiteral: table.statement)]
            )
          )
        ]
      }
      let lacking = table.columns.filter { !store.file.has($0.name, in: table.name) }
      return lacking.isEmpty ? [] : [missing(lacking, in: table.name)]
    }
  }

  private func missing(_ columns: [(name: String, type: String)], in table: String) -> Finding {
    Finding(
      .error,
      .column,
      .table(table),
      count: columns.count,
      .names(columns.map(\.name)),
      "\(columns.count.of("column is", "columns are")) missing",
      remedy: columns.contains { $0.name == "Z_PK" }
        ? nil
        : Remedy(
          "adds what is missing, empty",
          .tables,
          columns.map { column in
            let type = SQLFragment(stringLiteral: column.type)
            return "ALTER TABLE \(name: table) ADD COLUMN \(name: column.name) \(type)"
          }
        )
    )
  }
}

// MARK: - What is there besides

extension SchemaCheck {
  private func extra(in store: CheckedStore) -> [Finding] {
    let wanted = Dictionary(
      wanted(in: store).map { ($0.name, Set($0.columns.map(\.name))) },
      uniquingKeysWith: { $0.union($1) }
    )
    let tables = store.file.tables.keys.filter { wanted[$0] == nil && !isKnown($0) }.sorted()
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
  private func isKnown(_ table: String) -> Bool {
    let names = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"] + HistoryCheck.tables.map(\.name)
    return names.contains(table)
      || TextIndex.isName(table)
      || ["sqlite_", "ANSCK", "Z_RT_"].contains { table.hasPrefix($0) }
  }
}
