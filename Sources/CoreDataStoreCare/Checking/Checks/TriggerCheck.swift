import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Triggers that keep derived attributes and R-trees in step, and are missing.
struct TriggerCheck: StoreCheck {
  let name = CheckName.trigger

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let tables = store.tables.tables.filter { store.file.tables[$0.name] != nil }
    return tables.flatMap { $0.derivedColumns.compactMap { finding($0, in: store) } }
      + tables.flatMap { $0.spatialIndexes.compactMap { finding($0, in: store) } }
  }

  private func finding(_ column: DerivedColumn, in store: CheckedStore) -> Finding? {
    let missing = column.triggers.filter { store.file.triggers[$0.name] == nil }
    if missing.isEmpty { return idleFinding(column, in: store) }
    // How Apple spells the triggers of a total is not known; others may do the same work.
    let names = Set(store.file.triggers.keys)
    if case .total = column.source, names.keep(column) { return nil }
    // Triggers of other names do it too: to make ours beside them would count everything twice.
    if names.subtracting(column.triggers.map(\.name)).keep(column) { return nil }
    return Finding(
      .warning,
      .trigger,
      .property(column.attributeName, of: column.entityName),
      count: missing.count,
      .names(missing.map(\.name)),
      "\(missing.count.of("trigger", "triggers")) that should keep it up to date"
        + " \(missing.count == 1 ? "is" : "are") missing",
      remedy: Remedy(
        "makes the triggers that are missing",
        .triggers,
        missing.map { SQLFragment(stringLiteral: $0.statement) }
      )
    )
  }

  /// The finding about triggers of the right names that do not write the column.
  private func idleFinding(_ column: DerivedColumn, in store: CheckedStore) -> Finding? {
    let idle = column.triggers.filter { trigger in
      let words = store.file.triggers[trigger.name] ?? ""
      return trigger.statement.contains(column.column) && !words.contains(column.column)
    }
    if idle.isEmpty { return nil }
    return Finding(
      .warning,
      .trigger,
      .property(column.attributeName, of: column.entityName),
      count: idle.count,
      .names(idle.map(\.name)),
      "\(idle.count.of("trigger", "triggers")) that should keep it up to date"
        + " \(idle.count == 1 ? "does" : "do") not write it",
      remedy: Remedy(
        "makes the triggers again",
        .triggers,
        idle.flatMap {
          ["DROP TRIGGER IF EXISTS \(name: $0.name)", SQLFragment(stringLiteral: $0.statement)]
        }
      )
    )
  }

  private func finding(_ index: SpatialIndex, in store: CheckedStore) -> Finding? {
    let tree = store.file.tables[index.name] != nil
    let missing = index.triggers.filter { store.file.triggers[$0.name] == nil }
    if tree, missing.isEmpty { return nil }
    let statements = (tree ? [] : [index.tree]) + missing.map(\.statement)
    return Finding(
      .warning,
      .trigger,
      .table(index.table),
      .names(tree ? missing.map(\.name) : [index.name]),
      "the R-tree \(index.name) is \(tree ? "not kept up to date" : "missing")",
      remedy: Remedy(
        "builds it",
        .triggers,
        statements.map { SQLFragment(stringLiteral: $0) } + [
          SQLFragment(stringLiteral: index.filling)
        ]
      )
    )
  }
}

extension Set<String> {
  fileprivate func keep(_ column: DerivedColumn) -> Bool {
    contains {
      $0.hasPrefix("Z_DA_") && $0.contains("_\(column.entityName)_\(column.attributeName)_")
    }
  }
}
