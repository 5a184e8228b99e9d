import CoreDataModel
package import CoreDataModelChanges
import CoreDataSQL

/// Finds the steps from one model to another in a file.
///
/// ```
/// links that change their form are read · triggers and old indexes go
/// tables get their names · new ones are made · rows are copied or deleted
/// columns and rows change · links are written and mended · derived values follow
/// indexes and triggers are made · history and bookkeeping follow
/// ```
package struct MigrationPlanner {
  let tables: MatchedTables
  let shape: FileShape
  private var dialect: any MigrationDialect { tables.dialect }
  private let links: LinkPlan
  private let fates: TableFates
  private let history: HistoryMove
  /// By the name of the destination table.
  private let rewrites: [String: TableRewrite]
  private let joins: [JoinRewrite]

  /// Throws 134190 for changes that no lightweight migration can make, and 259 for a file that differs from its
  /// model.
  package init(
    _ comparison: ModelComparison,
    to layout: ModelLayout,
    in shape: FileShape,
    _ dialect: any MigrationDialect = SQLiteMigrationDialect()
  ) throws {
    let obstacles = comparison.obstacles
    guard obstacles.isEmpty else { throw MigrationFailure(obstacles: obstacles) }
    let names = dialect.keepsNames ? shape.fileTables : nil
    let tables = MatchedTables(comparison, in: names, dialect)
    let links = LinkPlan(tables)
    let fates = try TableFates(tables)
    try shape.check(against: tables.source)
    let history = HistoryMove(tables)
    if shape.tableNames.contains(where: { $0.hasPrefix("ANSCK") }), tables.renumbers {
      throw MigrationFailure(.mirrored)
    }
    self.tables = tables
    self.shape = shape
    self.links = links
    self.fates = fates
    self.history = history
    rewrites = try Self.rewrites(tables, fates, RowForm(tables, links, layout), shape)
    joins = tables.destination.joinTables.map { table in
      JoinRewrite(table, links.joins[table.name], tables)
    }
  }

  package func plan() -> MigrationPlan {
    var steps = links.transfers.map(\.reading)
    steps += clearing
    steps += naming
    steps += making
    steps += moving
    steps += changing
    steps += links.transfers.map(\.writing)
    steps += links.repairs.map(\.step)
    if needsDerivation(after: steps) {
      steps.append(MigrationStep("derived attributes are computed", .rows, .derivations))
    }
    steps += finishing
    steps += dialect.steps(of: history, in: shape)
    steps.append(
      MigrationStep("the store says that it is of the new model", .constant, .bookkeeping)
    )
    let losses = MigrationLosses(tables, links)
    return MigrationPlan(
      source: tables.comparison.source,
      destination: tables.comparison.destination,
      steps: steps,
      losses: losses.all,
      superfluousFiles: losses.files,
      movedNumbers: Dictionary(
        uniqueKeysWithValues: tables.moves.map { ($0.source.number, $0.destination.number) }
      ),
      sourceTables: Dictionary(
        uniqueKeysWithValues: tables.source.entities.map { ($0.number, $0.tableName) }
      ),
      destinationTables: tables.destination,
      history: history
    )
  }
}

// MARK: - Tables and their rewriting

extension MigrationPlanner {
  private static func rewrites(
    _ tables: MatchedTables,
    _ fates: TableFates,
    _ form: RowForm,
    _ shape: FileShape
  ) throws -> [String: TableRewrite] {
    let numbers = tables.moves.map { (old: $0.source.number, new: $0.destination.number) }
    var rewrites: [String: TableRewrite] = [:]
    for table in tables.destination.tables {
      let moves = tables.moves(into: table.name)
      guard let name = moves.first?.source.tableName,
        let source = tables.source.tables.first(where: { $0.name == name })
      else { continue }
      var cells: [Int: [String: ColumnContent]] = [:]
      var held: [Int: Set<String>] = [:]
      for move in moves {
        cells[move.destination.number] = try form.cells(of: move)
        held[move.source.number] = tables.columns(of: move.source)
      }
      rewrites[table.name] = TableRewrite(
        source: name,
        table: table,
        moves: moves,
        cells: cells,
        held: held,
        existing: (shape.tables[name]?.columns ?? []).filter {
          !["z_zone", "Z_PK", "Z_ENT", "Z_OPT"].contains($0)
        },
        known: Set(source.columns.map(\.name)),
        types: Dictionary(source.columns.map { ($0.name, $0.type) }) { first, _ in first },
        numbers: numbers,
        dialect: tables.dialect
      )
    }
    return rewrites
  }

  /// Whether a table's rows are copied into a new one of its name instead of being changed in place.
  private func isRebuilt(_ source: String) -> Bool {
    guard let heir = fates.heirs[source], let rewrite = rewrites[heir],
      let old = shape.tables[source]
    else { return false }
    if rewrite.obstacle != nil { return true }
    guard old.hasConstraints else { return false }
    return !rewrite.superfluous.isEmpty || hasOtherConstraints(source, heir)
  }

  private func hasOtherConstraints(_ source: String, _ heir: String) -> Bool {
    let before = tables.source.tables.first { $0.name == source }?.indexes.filter(\.isUnique) ?? []
    let after = tables.destination.tables.first { $0.name == heir }?.indexes.filter(\.isUnique)
    let renamed = rewrites[heir]?.renamed ?? [:]
    let columns = before.map { $0.elements.map { renamed[$0.column] ?? "" } }
    return Set(columns) != Set((after ?? []).map { $0.elements.map(\.column) })
  }

  /// The rewriting of tables that stay what they are, in the order of the destination.
  private var inPlace: [TableRewrite] {
    tables.destination.tables.compactMap { table in
      guard let rewrite = rewrites[table.name], fates.heirs[rewrite.source] == table.name,
        !isRebuilt(rewrite.source)
      else { return nil }
      return rewrite
    }
  }
}

// MARK: - What goes first

extension MigrationPlanner {
  private var clearing: [MigrationStep] {
    var steps: [MigrationStep] = []
    let kept = keptTextIndexes
    let words = shape.textIndexes.filter { !kept.contains($0.key) }
    if !words.isEmpty {
      steps.append(
        MigrationStep(
          "the index of words goes, and is made anew when the store is opened",
          .constant,
          TextIndexPlan.dropping(words).map { .description($0) }
        )
      )
    }
    let triggers = shape.triggers.keys.filter { $0.hasPrefix("Z_DA_") || $0.hasPrefix("Z_RT_") }
    if !triggers.isEmpty {
      steps.append(
        MigrationStep(
          "triggers step aside",
          .constant,
          triggers.sorted().map { .description("DROP TRIGGER \(identifier($0))") }
        )
      )
    }
    let trees = shape.virtualTables.keys.filter { name in
      name.hasPrefix("Z_RT_") && !keptTrees.contains(name)
    }
    let indexes = indexRewrites.flatMap(\.dropped).sorted()
    if !trees.isEmpty || !indexes.isEmpty {
      steps.append(
        MigrationStep(
          "index \(commas(indexes + trees.sorted())) goes",
          .constant,
          indexes.map { .description("DROP INDEX \(dialect.name($0))") }
            + trees.sorted().map { .description("DROP TABLE \(identifier($0))") }
        )
      )
    }
    return steps
  }

  /// The statements of word indexes whose tables stay as they are, except for new columns.
  private var keptTextIndexes: Set<String> {
    let wanted = TextIndex.all(in: tables.destination, tables.comparison.destination)
    let kept = wanted.filter { index in
      index.statements.allSatisfy { shape.textIndexes[$0.key] == $0.value }
        && inPlace.contains {
          $0.source == index.table && $0.table.name == index.table && $0.onlyAdds
        }
    }
    return Set(kept.flatMap(\.statements.keys))
  }

  /// The trees of places whose columns stay where they are.
  private var keptTrees: Set<String> {
    let old = tables.source.tables.flatMap(\.spatialIndexes)
    let kept = tables.destination.tables.flatMap(\.spatialIndexes).filter { new in
      guard let before = old.first(where: { $0.name == new.name }),
        let rewrite = inPlace.first(where: { $0.table.name == new.table }),
        rewrite.source == before.table
      else { return false }
      return before.columns.map { rewrite.renamed[$0] } == new.columns && rewrite.steps.isEmpty
    }
    return Set(kept.map(\.name))
  }

  private var indexRewrites: [IndexRewrite] {
    let wanted = Dictionary(
      grouping: tables.destination.tables.flatMap(\.indexes),
      by: \.table
    )
    return tables.destination.tables.map { table in
      let rewrite = inPlace.first { $0.table.name == table.name }
      return IndexRewrite(
        of: table.name,
        from: rewrite.flatMap { shape.tables[$0.source] },
        columns: rewrite?.columnsAfterwards,
        wanted: wanted[table.name] ?? []
      )
    }
      + joins.map { join in
        IndexRewrite(
          of: join.table.name,
          from: join.fate.flatMap { shape.tables[$0.source] },
          columns: join.fate.map { fate in
            Dictionary(fate.columns.map { ($0.old, $0.new) }) { first, _ in first }
          },
          wanted: wanted[join.table.name] ?? []
        )
      }
  }
}

// MARK: - Names, new tables, rows

extension MigrationPlanner {
  /// Tables that go, and those that get other names; in two rounds where names are exchanged.
  private var naming: [MigrationStep] {
    let kept = Set(joins.compactMap { $0.fate?.source })
    let pairs = tables.source.joinTables.map(\.name).filter { !kept.contains($0) }
    let gone = fates.dropped.sorted() + pairs
    var steps: [MigrationStep] = []
    if !gone.isEmpty {
      steps.append(
        MigrationStep(
          "table \(commas(gone)) goes",
          .constant,
          gone.map { .description("DROP TABLE \(dialect.name($0))") }
        )
      )
    }
    var statements: [SQLFragment] = []
    var parts: [String] = []
    let names = Set(renamings.map(\.old))
    for (old, new) in renamings {
      let needsRoom = names.contains(new) && new != old
      statements.append(rename(old, to: needsRoom ? parked(new) : new))
      if new != parked(old) { parts.append("\(old) becomes \(new)") }
    }
    for (_, new) in renamings where names.contains(new) {
      statements.append(rename(parked(new), to: new))
    }
    if !statements.isEmpty {
      let sentence = parts.isEmpty ? "tables make room" : "table \(commas(parts))"
      steps.append(MigrationStep(sentence, .constant, statements))
    }
    return steps
  }

  private func parked(_ name: String) -> String { "MIGRATION_\(name)" }

  private func rename(_ old: String, to new: String) -> SQLFragment {
    .description("ALTER TABLE \(dialect.name(old)) RENAME TO \(dialect.name(new))")
  }

  private var renamings: [(old: String, new: String)] {
    let entities = fates.heirs.map {
      (old: $0.key, new: isRebuilt($0.key) ? parked($0.key) : $0.value)
    }
    let pairs = joins.compactMap { join in
      join.fate.map { (old: $0.source, new: join.table.name) }
    }
    return (entities + pairs).filter { $0.old != $0.new }.sorted { $0.old < $1.old }
  }

  /// The name of a source table once all tables have their names.
  private func standing(_ source: String) -> String {
    isRebuilt(source) ? parked(source) : fates.heirs[source] ?? source
  }

  private var making: [MigrationStep] {
    let entities = tables.destination.tables.filter { table in
      !inPlace.contains { $0.table.name == table.name }
    }
    let pairs = joins.filter { $0.fate == nil }.map(\.table)
    let names = entities.map(\.name) + pairs.map(\.name)
    if names.isEmpty { return [] }
    return [
      MigrationStep(
        "new table \(commas(names))",
        .constant,
        (entities.map(dialect.creation) + pairs.map(dialect.creation)).map { .description($0) }
      )
    ]
  }

  private var moving: [MigrationStep] {
    var steps: [MigrationStep] = []
    for table in tables.destination.tables {
      guard let rewrite = rewrites[table.name] else { continue }
      if fates.copies[table.name] != nil || isRebuilt(rewrite.source) {
        steps.append(rewrite.copying(from: standing(rewrite.source)))
      }
    }
    for (source, heir) in fates.heirs.sorted(by: { $0.key < $1.key }) {
      if isRebuilt(source) {
        steps.append(
          MigrationStep(
            "\(heir): takes the place of the table that was",
            .rows,
            [.description("DROP TABLE \(dialect.name(parked(source)))")]
          )
        )
        continue
      }
      let staying = Set(tables.moves(into: heir).map(\.source.number))
      let leaving = tables.source.entities.filter {
        $0.tableName == source && !staying.contains($0.number) && !$0.isAbstract
      }
      if leaving.isEmpty { continue }
      steps.append(
        MigrationStep(
          "\(heir): rows of \(commas(leaving.map(\.name))) leave",
          .rows,
          [
            """
            DELETE FROM \(name: heir) \
            WHERE \(SQLFragment.ownRows)\(column: "Z_ENT") IN (\(.numbers(leaving.map(\.number))))
            """
          ]
        )
      )
    }
    return steps
  }

  private var changing: [MigrationStep] {
    inPlace.flatMap(\.steps) + joins.flatMap(\.steps)
  }
}

// MARK: - What comes last

extension MigrationPlanner {
  private var finishing: [MigrationStep] {
    var steps = indexRewrites.flatMap(\.made).map { index in
      MigrationStep(
        "index \(index.name) is made",
        .rows,
        .index(index, .description(dialect.creation(of: index)))
      )
    }
    let isFilled = { (table: String) in self.rewrites[table] != nil }
    steps = steps.map { step in
      guard case .index(let index, _) = step.work, !isFilled(index.table),
        links.joins[index.table] == nil
      else { return step }
      return MigrationStep(step.sentence, .constant, step.work)
    }
    return dialect.hasTriggers ? steps + treesAndTriggers : steps
  }

  private var treesAndTriggers: [MigrationStep] {
    var steps: [MigrationStep] = []
    let kept = keptTrees
    for table in tables.destination.tables {
      for tree in table.spatialIndexes where !kept.contains(tree.name) {
        steps.append(
          MigrationStep(
            "index \(tree.name) is made",
            .rows,
            [
              .description(tree.tree), .description(tree.filling),
            ]
          )
        )
      }
    }
    let triggers = tables.destination.tables.flatMap { table in
      table.derivedColumns.flatMap(\.triggers).map(\.statement)
        + table.spatialIndexes.flatMap(\.triggers).map(\.statement)
    }
    if !triggers.isEmpty {
      steps.append(
        MigrationStep("triggers are made", .constant, triggers.map { .description($0) })
      )
    }
    return steps
  }

  /// Updates derived values if something has changed; otherwise only those with a new derivation.
  private func needsDerivation(after steps: [MigrationStep]) -> Bool {
    let derived = tables.comparison.destination.entities.filter { entity in
      entity.attributes.contains { $0.derivationExpression != nil }
    }
    if derived.isEmpty { return false }
    if steps.contains(where: { $0.cost == .rows }) { return true }
    return derived.contains { entity in
      entity.attributes.contains { attribute in
        guard attribute.derivationExpression != nil else { return false }
        guard
          case .attribute(let old)? = tables.comparison.match(for: entity.name)?
            .property(named: attribute.name)?.source?.property
        else { return tables.comparison.match(for: entity.name)?.sourceName != nil }
        return old.derivationExpression != attribute.derivationExpression
          || old.derivationFilterFormat != attribute.derivationFilterFormat || old.isTransient
      }
    }
  }
}

extension TableRewrite {
  /// The future names of all columns that stay, including those that are not the model's.
  fileprivate var columnsAfterwards: [String: String] {
    var columns = renamed
    for name in existing where !known.contains(name) { columns[name] = name }
    for name in ["Z_PK", "Z_ENT", "Z_OPT"] { columns[name] = name }
    return columns
  }
}
