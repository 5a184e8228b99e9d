import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Indexes that the model wants and the file lacks; and additional ones in the file.
///
/// The columns of an index count, not its name: names were different once, and migrations keep old
/// ones.
///
/// A missing index is worth a note, for older systems made fewer and programs drop some for a large
/// import; one that keeps values unique is missed more.
struct IndexCheck: StoreCheck {
  let name = CheckName.index

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let wanted = store.tables.tables.flatMap(\.indexes).filter { index in
      index.elements.allSatisfy { store.file.has($0.column, in: index.table) }
    }
    let writer = TablesWriter(store.tables)
    let missing = wanted.filter { store.file.index(like: $0) == nil }
    return missing.map { finding($0, made: writer.statement(for: $0), in: store) }
      + extra(in: store, wanted: wanted)
  }

  private func finding(
    _ index: TableIndex,
    made statement: String,
    in store: CheckedStore
  ) -> Finding {
    let columns = index.elements.map(\.column).joined(separator: ", ")
    // An index of the name may be there, and do something else.
    let isNameTaken = store.file.indexes.contains { $0.name == index.name }
    let removal: [SQLFragment] = isNameTaken ? ["DROP INDEX \(name: index.name)"] : []
    return Finding(
      index.isUnique ? .warning : .note,
      .index,
      .table(index.table),
      .names([index.name]),
      index.isUnique
        ? "the index that keeps \(columns) unique \(isNameTaken ? "does not do so" : "is missing")"
        : "the index of \(columns) is missing, so that requests take longer",
      remedy: Remedy("builds it", .indexes, removal + [SQLFragment(stringLiteral: statement)])
    )
  }

  private func extra(in store: CheckedStore, wanted: [TableIndex]) -> [Finding] {
    let useful = Set(wanted.compactMap { store.file.index(like: $0)?.name })
      .union(wanted.map(\.name))
    let tables = Set(store.checkedTables.map(\.name) + store.checkedJoins.map(\.table.name))
    let extra = store.file.indexes.filter {
      tables.contains($0.table) && !$0.isAutomatic && !useful.contains($0.name)
    }
    return Dictionary(grouping: extra, by: \.table).sorted { $0.key < $1.key }
      .map { table, indexes in
        Finding(
          .note,
          .index,
          .table(table),
          count: indexes.count,
          .names(indexes.map(\.name)),
          "it has \(indexes.count.of("index", "indexes")) that the model does not ask for"
        )
      }
  }
}
