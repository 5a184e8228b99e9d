import CoreData
import CoreDataModel
import CoreDataSQL
import Foundation

/// Carries out a plan inside the transaction of its connection.
///
/// ```
/// what is lost is counted → each step → the rows are counted again → COMMIT, by the caller
/// ```
struct PostgreSQLMigrationRun {
  private let connection: PostgreSQLConnection
  private let plan: MigrationPlan
  private let layout: ModelLayout
  private let storedSchema: ModelSchema
  private let configuration: String?
  private let zones: [String]

  init(
    _ plan: MigrationPlan,
    to layout: ModelLayout,
    storing storedSchema: ModelSchema?,
    configuration: String?,
    zones: [String],
    on connection: PostgreSQLConnection
  ) {
    self.plan = plan
    self.layout = layout
    self.storedSchema = storedSchema ?? layout.schema
    self.configuration = configuration
    self.zones = zones
    self.connection = connection
  }

  /// `report` hears of each step that is done, and stops the migration by throwing.
  func perform(report: () throws -> Void) throws -> [CountedLoss] {
    let losses = try countedLosses()
    let before = plan.rewritesRows ? try plan.expectedCounts(rows) : nil
    for step in plan.steps {
      try perform(step)
      try report()
    }
    try plan.check(FileShape(connection))
    if let before { try plan.check(before, rows) }
    return losses
  }

  private func perform(_ step: MigrationStep) throws {
    switch step.work {
    case .statements(let statements):
      for statement in statements { try run(statement) }
    case .removal(let columns):
      for column in columns { try run(removal(of: column)) }
    case .index(let index, let statement):
      if index.isUnique {
        try inEachZone { try UniqueIndexCheck(index).perform(on: connection) }
      }
      try run(statement)
    case .derivations:
      let values = try PostgreSQLDerivedValues(connection, layout, plan.destinationTables)
      try inEachZone { try values.refresh() }
    case .bookkeeping:
      try writeModel()
      try moveKeys()
    }
  }
}

// MARK: - Statements

extension PostgreSQLMigrationRun {
  /// Runs what is about rows for each zone, and everything else once.
  private func run(_ statement: SQLFragment) throws {
    if statement.isOfOwnRows {
      try inEachZone { try connection.run(statement) }
    } else {
      try connection.run(plain: statement.rendered(for: .postgreSQL).sql)
    }
  }

  private func inEachZone(_ body: () throws -> Void) throws {
    for zone in zones {
      connection.zone = zone
      try body()
    }
  }

  /// Takes no time: the server forgets the column, and its rows keep what they have.
  private func removal(of column: SuperfluousColumn) -> SQLFragment {
    "ALTER TABLE \(name: column.table) DROP COLUMN \(name: column.name)"
  }
}

extension SQLFragment {
  /// Whether the spelling narrows it to the rows of one store.
  fileprivate var isOfOwnRows: Bool {
    pieces.contains { piece in
      switch piece {
      case .table, .ownRows: true
      case .text, .name, .value, .parameter, .unlimited: false
      }
    }
  }
}

// MARK: - Counting

extension PostgreSQLMigrationRun {
  private func countedLosses() throws -> [CountedLoss] {
    var counted: [CountedLoss] = []
    for loss in plan.losses {
      var count = 0
      try inEachZone { count += Int(clamping: try connection.integer(loss.count) ?? 0) }
      if count > 0 {
        counted.append(CountedLoss(place: loss.place, noun: loss.noun, count: count))
      }
    }
    return counted
  }

  /// How many rows of each entity a table has, in all zones.
  private func rows(in table: String) throws(PostgreSQLError) -> [Int: Int] {
    let statement = try connection.statement(
      """
      SELECT \(column: "Z_ENT"), COUNT(z_zone) FROM \(name: table) GROUP BY \(column: "Z_ENT")
      """ as SQLFragment
    )
    defer { statement.reset() }
    var counts: [Int: Int] = [:]
    while try statement.step() {
      counts[Int(statement.integer(0))] = Int(statement.integer(1))
    }
    return counts
  }
}

// MARK: - What the database says of itself

extension PostgreSQLMigrationRun {
  private func writeModel() throws {
    var metadata = StoreMetadata(for: layout.schema, in: configuration).dictionary
    let former = try PostgreSQLDatabase.tablesModel(on: connection)?.metadata ?? Data()
    FormerModels.note(migrationFrom: StoreMetadata.dictionary(from: former) ?? [:], in: &metadata)
    let list = try StoreMetadata.binary(of: metadata)
    let cache = try ModelCache.encode(storedSchema)
    try connection.run(
      """
      UPDATE z_model SET z_plist = \(.blob([UInt8](list))), \
      z_content = \(.blob([UInt8](cache)))
      """
    )
  }

  /// Keys are given out in each tree; a tree that comes out of another goes on with its last key.
  private func moveKeys() throws(PostgreSQLError) {
    let roots = movedRoots
    if roots.allSatisfy({ $0.old == $0.new }) { return }
    let list = commas(roots.map { "(\($0.old), \($0.new))" })
    try connection.run(
      plain: """
        CREATE TEMPORARY TABLE migration_keys AS SELECT k.z_zone, r.new AS z_ent, \
        max(k.z_last) AS z_last FROM z_keys k JOIN (VALUES \(list)) r (old, new) \
        ON r.old = k.z_ent GROUP BY 1, 2;
        DELETE FROM z_keys;
        INSERT INTO z_keys (z_zone, z_ent, z_last) SELECT z_zone, z_ent, z_last FROM migration_keys;
        DROP TABLE migration_keys
        """
    )
  }

  /// The roots of the source by number, each with those of the destination that have rows of its tree.
  private var movedRoots: [(old: Int, new: Int)] {
    var oldRoots: [String: Int] = [:]
    for (number, table) in plan.sourceTables {
      oldRoots[table] = min(oldRoots[table] ?? number, number)
    }
    let pairs = plan.movedNumbers.compactMap { old, new -> [Int]? in
      guard let before = plan.sourceTables[old].flatMap({ oldRoots[$0] }),
        let after = plan.destinationTables[number: new]?.rootNumber
      else { return nil }
      return [before, after]
    }
    return Set(pairs).sorted { $0.lexicographicallyPrecedes($1) }
      .map { (old: $0[0], new: $0[1]) }
  }
}
