import CoreDataSQL

/// How a table of pairs becomes that of the destination; one without a fate is new.
struct JoinRewrite {
  let table: JoinTable
  let fate: JoinFate?
  /// The columns of the table that it was.
  private let existing: [String]

  init(_ table: JoinTable, _ fate: JoinFate?, in source: TableMap) {
    self.table = table
    self.fate = fate
    existing =
      fate.flatMap { fate in source.joinTables.first { $0.name == fate.source } }?.columns ?? []
  }

  var steps: [MigrationStep] {
    guard let fate else { return [] }
    let renamed = Dictionary(fate.columns.map { ($0.old, $0.new) }) { first, _ in first }
    let moving = existing.filter { renamed[$0] != $0 }
    let (kept, gone) = (moving.filter { renamed[$0] != nil }, moving.filter { renamed[$0] == nil })
    let added = table.columns.filter { !renamed.values.contains($0) }
    var steps: [MigrationStep] = []
    if !moving.isEmpty {
      // Two columns may exchange their names.
      let statements =
        moving.map { alter("RENAME COLUMN \(identifier($0)) TO \(identifier("MIGRATION_\($0)"))") }
        + kept.map { name in
          alter(
            "RENAME COLUMN \(identifier("MIGRATION_\(name)"))"
              + " TO \(identifier(renamed[name] ?? name))"
          )
        }
      let parts = kept.map { "\($0) becomes \(renamed[$0] ?? "")" }
      steps.append(
        MigrationStep(
          "\(table.name): column \(commas(parts.isEmpty ? gone : parts))",
          .constant,
          statements
        )
      )
    }
    if !added.isEmpty {
      steps.append(
        MigrationStep(
          "\(table.name): new column \(commas(added))",
          .constant,
          added.map { alter("ADD COLUMN \(identifier($0)) INTEGER") }
        )
      )
    }
    if !gone.isEmpty {
      steps.append(
        MigrationStep(
          "\(table.name): column \(commas(gone)) goes",
          .rows,
          gone.map { alter("DROP COLUMN \(identifier("MIGRATION_\($0)"))") }
        )
      )
    }
    return steps
  }

  private func alter(_ change: String) -> SQLFragment {
    .description("ALTER TABLE \(identifier(table.name)) \(change)")
  }
}

extension JoinTable {
  var columns: [String] {
    [masterColumn, otherColumn, masterOrderColumn, otherOrderColumn].compactMap(\.self)
  }
}
