import CoreDataSQL

/// How a table of pairs becomes that of the destination; one without a fate is new.
struct JoinRewrite {
  let table: JoinTable
  let fate: JoinFate?
  /// The columns of the table that it was.
  private let existing: [String]
  private let dialect: any MigrationDialect

  init(_ table: JoinTable, _ fate: JoinFate?, _ tables: MatchedTables) {
    let source = tables.source
    dialect = tables.dialect
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
        moving.map {
          alter("RENAME COLUMN \(dialect.name($0)) TO \(dialect.name("MIGRATION_\($0)"))")
        }
        + kept.map { name in
          alter(
            "RENAME COLUMN \(dialect.name("MIGRATION_\(name)"))"
              + " TO \(dialect.name(renamed[name] ?? name))"
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
          added.map { alter("ADD COLUMN \(dialect.name($0)) \(dialect.keyType)") }
        )
      )
    }
    if !gone.isEmpty {
      steps.append(
        MigrationStep(
          "\(table.name): column \(commas(gone)) goes",
          .rows,
          gone.map { alter("DROP COLUMN \(dialect.name("MIGRATION_\($0)"))") }
        )
      )
    }
    return steps
  }

  private func alter(_ change: String) -> SQLFragment {
    .description("ALTER TABLE \(dialect.name(table.name)) \(change)")
  }
}

extension JoinTable {
  var columns: [String] {
    [masterColumn, otherColumn, masterOrderColumn, otherOrderColumn].compactMap(\.self)
  }
}
