import CoreDataSQL

/// How the rows of one source table become those of the table that it turns into.
///
/// ```
/// ALTER TABLE ZNOTE RENAME COLUMN ZNAME TO ZTITLE        a value that only has another name
/// ALTER TABLE ZNOTE ADD COLUMN ZSTARS INTEGER            a new one
/// UPDATE ZNOTE SET Z_ENT = CASE … , ZSTARS = 3 …         everything else, in one pass
/// ALTER TABLE ZNOTE DROP COLUMN ZOLD                     what nothing needs any more
/// ```
///
/// If columns cannot simply change, the rows are copied into a new table instead; then the same cells are selected.
struct TableRewrite {
  let source: String
  let table: Table
  let moves: [EntityMove]
  /// The cells of each entity's rows, by its new number.
  let cells: [Int: [String: ColumnContent]]
  /// The columns in which rows hold something now, by the entity's old number.
  let held: [Int: Set<String>]
  /// The columns of the file's table, in their order, and those of them that the model has made.
  let existing: [String]
  let known: Set<String>
  /// The old number of every entity, and the new one.
  let numbers: [(old: Int, new: Int)]
  private let dialect: any MigrationDialect
  /// The new name of each column that stays.
  private(set) var renamed: [String: String] = [:]

  init(
    source: String,
    table: Table,
    moves: [EntityMove],
    cells: [Int: [String: ColumnContent]],
    held: [Int: Set<String>],
    existing: [String],
    known: Set<String>,
    types: [String: ColumnType],
    numbers: [(old: Int, new: Int)],
    dialect: any MigrationDialect
  ) {
    self.dialect = dialect
    self.source = source
    self.table = table
    self.moves = moves
    self.cells = cells
    self.held = held
    self.existing = existing
    self.known = known
    self.numbers = numbers
    renamed = Self.claims(table, moves, cells, types)
  }

  /// Which column becomes which: each is claimed once, by the column of its own name if that wants it.
  private static func claims(
    _ table: Table,
    _ moves: [EntityMove],
    _ cells: [Int: [String: ColumnContent]],
    _ types: [String: ColumnType]
  ) -> [String: String] {
    var claims: [String: String] = [:]
    var satisfied: Set<String> = []
    let wishes = table.columns.map { column in
      let bases = moves.compactMap { cells[$0.destination.number]?[column.name]?.base }
      return (column: column, bases: bases.filter { types[$0] == column.type })
    }
    for (column, bases) in wishes where bases.contains(column.name) {
      claims[column.name] = column.name
      satisfied.insert(column.name)
    }
    for (column, bases) in wishes where !satisfied.contains(column.name) {
      guard let base = bases.first(where: { claims[$0] == nil }) else { continue }
      claims[base] = column.name
    }
    return claims
  }
}

// MARK: - In place

extension TableRewrite {
  /// The columns that nothing needs any more.
  var superfluous: [String] { existing.filter { known.contains($0) && renamed[$0] == nil } }

  /// A column that is in no model and has the name of a new one.
  var obstacle: String? {
    let new = Set(table.columns.map { $0.name.uppercased() })
    return existing.first { !known.contains($0) && new.contains($0.uppercased()) }
  }

  var steps: [MigrationStep] {
    renamings + additions + (rewriting.map { [$0] } ?? []) + removals
  }

  /// Whether the table gets columns at most, perhaps with a value in each row, and no other column changes.
  var onlyAdds: Bool {
    guard renamings.isEmpty, removals.isEmpty,
      moves.allSatisfy({ $0.source.number == $0.destination.number })
    else { return false }
    let standing = Dictionary(uniqueKeysWithValues: renamed.map { ($0.value, $0.key) })
    return table.columns.allSatisfy { column in
      guard let place = standing[column.name] else { return true }
      return moves.allSatisfy { move in
        holds(cells[move.destination.number]?[column.name] ?? .null, in: place, move)
      }
    }
  }

  /// Columns whose names another one takes get out of its way first.
  private var renamings: [MigrationStep] {
    var statements: [SQLFragment] = []
    var parts: [String] = []
    let new = Set(table.columns.map(\.name))
    let moving = existing.filter { name in
      known.contains(name) && renamed[name] != name && (renamed[name] != nil || new.contains(name))
    }
    for name in moving where new.contains(name) {
      statements.append(rename(name, to: parked(name)))
    }
    for name in moving {
      guard let target = renamed[name] else { continue }
      statements.append(rename(new.contains(name) ? parked(name) : name, to: target))
      parts.append("\(name) becomes \(target)")
    }
    if statements.isEmpty { return [] }
    let sentence = parts.isEmpty ? "columns make room" : "column " + parts.joined(separator: ", ")
    return [MigrationStep("\(table.name): \(sentence)", .constant, statements)]
  }

  private func parked(_ name: String) -> String { "MIGRATION_\(name)" }

  private func rename(_ old: String, to new: String) -> SQLFragment {
    let names = (table: dialect.name(table.name), old: dialect.name(old), new: dialect.name(new))
    return .description("ALTER TABLE \(names.table) RENAME COLUMN \(names.old) TO \(names.new)")
  }

  private var additions: [MigrationStep] {
    let taken = Set(renamed.values)
    let added = table.columns.filter { !taken.contains($0.name) }
    if added.isEmpty { return [] }
    return [
      MigrationStep(
        "\(table.name): new column \(commas(added.map(\.name)))",
        .constant,
        added.map { column in
          let column = "\(dialect.name(column.name)) \(dialect.type(of: column))"
          return .description("ALTER TABLE \(dialect.name(table.name)) ADD COLUMN \(column)")
        }
      )
    ]
  }

  private var removals: [MigrationStep] {
    let new = Set(table.columns.map(\.name))
    let names = superfluous
    if names.isEmpty { return [] }
    return [
      MigrationStep(
        "\(table.name): column \(commas(names)) goes",
        .rows,
        .removal(
          names.map { name in
            SuperfluousColumn(
              table: table.name,
              name: new.contains(name) ? parked(name) : name
            )
          }
        )
      )
    ]
  }

  /// The name of a source column while rows are rewritten.
  private func current(_ name: String) -> String {
    if let target = renamed[name] { return target }
    return table.columns.contains { $0.name == name } ? parked(name) : name
  }

  /// One statement for all entities and columns; `nil` if every value is in its place already.
  private var rewriting: MigrationStep? {
    var assignments: [SQLFragment] = []
    var affected: Set<Int> = []
    var names: [String] = []
    let standing = Dictionary(uniqueKeysWithValues: renamed.map { ($0.value, $0.key) })
    for column in table.columns {
      var changes: [(number: Int, value: SQLFragment)] = []
      for move in moves {
        let wanted = cells[move.destination.number]?[column.name] ?? .null
        guard !holds(wanted, in: standing[column.name], move) else { continue }
        let value = wanted.sql(column.type, dialect, renumbering: numbers) { current($0) }
        changes.append((move.source.number, value))
      }
      if changes.isEmpty { continue }
      affected.formUnion(changes.map(\.number))
      names.append(column.name)
      assignments.append("\(column: column.name) = \(choice(changes, otherwise: column.name))")
    }
    let renumbered = moves.filter { $0.source.number != $0.destination.number }
    if !renumbered.isEmpty {
      affected.formUnion(renumbered.map(\.source.number))
      let pairs = moves.map { (old: $0.source.number, new: $0.destination.number) }
      assignments.append(
        "\(column: "Z_ENT") = \(ColumnContent.renumbered(.column("Z_ENT"), pairs))"
      )
      names.append("Z_ENT")
    }
    if assignments.isEmpty { return nil }
    let entities = moves.filter { affected.contains($0.source.number) }
      .map(\.destination.name)
    return MigrationStep(
      "\(table.name): rows of \(commas(entities)) get \(commas(names))",
      .rows,
      [
        """
        UPDATE \(name: table.name) SET \(assignments.joined(separator: ", ")) \
        WHERE \(SQLFragment.ownRows)\(column: "Z_ENT") IN (\(.numbers(affected)))
        """
      ]
    )
  }

  /// Whether a column, made of `standing`, has the value already in the rows of an entity.
  private func holds(_ wanted: ColumnContent, in standing: String?, _ move: EntityMove) -> Bool {
    switch wanted {
    case .null:
      return standing.map { !(held[move.source.number] ?? []).contains($0) } ?? true
    case .column(let column):
      return column == standing
    case .renumbered(let column):
      return column == standing && !numbers.contains { $0.old != $0.new }
    case .value, .filled, .marked, .unmarked:
      return false
    }
  }

  private func choice(
    _ changes: [(number: Int, value: SQLFragment)],
    otherwise column: String
  ) -> SQLFragment {
    // All rows that the statement meets, if there is but one kind of them.
    if moves.count == 1 { return changes[0].value }
    let cases = changes.map { "WHEN \(.number($0.number)) THEN \($0.value)" as SQLFragment }
    return "CASE \(column: "Z_ENT") \(cases.joined(separator: " ")) ELSE \(column: column) END"
  }
}

// MARK: - By copying

extension TableRewrite {
  /// Copies the rows from a table that has the source's columns.
  func copying(from standing: String) -> MigrationStep {
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name)
    let statements = moves.map { move -> SQLFragment in
      let values = table.columns.map { column in
        (cells[move.destination.number]?[column.name] ?? .null)
          .sql(column.type, dialect, renumbering: numbers) { $0 }
      }
      let all =
        [.column("Z_PK"), .number(move.destination.number), .column("Z_OPT")] + values
      let query: SQLFragment = """
        SELECT \(all.joined(separator: ", ")) FROM \(table: standing) \
        WHERE \(column: "Z_ENT") = \(.number(move.source.number))
        """
      let columns = names.map { SQLFragment.column($0) }
      return dialect.insertion(into: table.name, columns, query, ignoringDuplicates: false)
    }
    return MigrationStep(
      "\(table.name): rows of \(commas(moves.map(\.destination.name))) are copied from \(source)",
      .rows,
      statements
    )
  }
}
