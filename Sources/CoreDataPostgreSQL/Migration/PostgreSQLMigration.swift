import CoreData
import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL
import Foundation

/// The lightweight migration of a PostgreSQL database: its tables once, the rows of all zones, in one transaction.
///
/// ```
/// BEGIN ─▶ the database's lock ─▶ was another program quicker? ─▶ SourceModel ─▶ the tables are locked
///       ─▶ MigrationPlan: what describes tables once, what writes rows for each zone ─▶ COMMIT
/// ```
///
/// Whatever happens, the database holds the old state or the new one.
struct PostgreSQLMigration {
  private let address: PostgreSQLAddress
  private let door: PostgreSQLDoor
  private let place: StorePlace
  private let destination: ModelLayout
  /// The model to keep in the database, with the classes that a program has and this one may not; nil for the
  /// destination's own.
  private let storedSchema: ModelSchema?

  init(
    _ place: StorePlace,
    at address: PostgreSQLAddress,
    through door: PostgreSQLDoor,
    to destination: ModelLayout,
    storing storedSchema: ModelSchema? = nil
  ) {
    self.storedSchema = storedSchema
    self.place = place
    self.address = address
    self.door = door
    self.destination = destination
  }
}

// MARK: - The story

extension PostgreSQLMigration {
  /// Migrates the database to the destination.
  ///
  /// `source` is the model that the tables were made for; if it is `nil`, it is looked for.
  func perform(from source: ModelSchema? = nil) throws {
    for loss in try report(from: source).losses {
      ProgramLog.say("migration of \(address) has lost \(loss)")
    }
  }

  /// Migrates the database, and returns a report; or does the same and takes all of it back.
  func report(
    from source: ModelSchema?,
    isRehearsal: Bool = false
  ) throws -> StoreMigration.Report {
    try translating { try again(1, source, ending: isRehearsal ? "ROLLBACK" : "COMMIT") }
  }

  /// Starts over if a save was in the way, after a random pause.
  private func again(
    _ attempt: Int,
    _ source: ModelSchema?,
    ending end: String
  ) throws -> StoreMigration.Report {
    do {
      return try inTransaction(ending: end) { try migrate($0, from: source) }
    } catch let error as PostgreSQLError
      where error.isCollision && attempt < PostgreSQLTransaction.mostAttempts
    {
      usleep(UInt32.random(in: 1_000...UInt32(2_000 << attempt)))
      return try again(attempt + 1, source, ending: end)
    }
  }

  private func inTransaction<Result>(
    ending end: String,
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let connection = PostgreSQLConnection(
      try door.open(address),
      zone: address.zone,
      namesStatements: false
    )
    try connection.run(plain: PostgreSQLDatabase.unhurriedBeginning)
    do {
      let result = try body(connection)
      try connection.run(plain: end)
      return result
    } catch {
      // The error that matters is the first; a lost connection's transaction has been rolled back.
      if !connection.wire.isLost { try? connection.run(plain: "ROLLBACK") }
      throw error
    }
  }

  private func migrate(
    _ connection: PostgreSQLConnection,
    from source: ModelSchema?
  ) throws -> StoreMigration.Report {
    var report = StoreMigration.Report()
    try PostgreSQLDatabase.takeLock(on: connection)
    guard let tables = try PostgreSQLDatabase.tablesModel(on: connection) else {
      return report
    }
    guard let hashes = tables.hashes else {
      throw StoreFailure(.damagedMetadata, path: address.description).error()
    }
    // Another program was quicker.
    if hashes == wantedHashes { return report }
    let route = try route(from: source, hashes, tables)
    guard let first = route.comparisons.first else { return report }
    // Before the tables, in the order in which readers of the views take them.
    let views = try StandingViews(removedThrough: connection)
    try lock(TableMap(first.source), on: connection)
    let zones = try zones(connection)
    for comparison in route.comparisons {
      try perform(comparison, zones, connection, telling: &report)
    }
    try views.make(of: destination.schema)
    if !route.mayLose, !report.losses.isEmpty {
      throw MigrationFailure(.unknownLoss(report.losses))
    }
    return report
  }

  private func perform(
    _ comparison: ModelComparison,
    _ zones: [String],
    _ connection: PostgreSQLConnection,
    telling report: inout StoreMigration.Report
  ) throws {
    let layout = comparison.layout(onTheWayTo: destination)
    if let name = PostgreSQLSchema(map: TableMap(layout.schema)).tooLongName {
      throw PostgreSQLFailure(.longName(name), path: address.description).error()
    }
    let shape = try FileShape(connection)
    let dialect = PostgreSQLMigrationDialect()
    let plan = try MigrationPlanner(comparison, to: layout, in: shape, dialect).plan()
    let progress = MigrationProgress(place.migrationProgress, stepCount: plan.steps.count)
    let run = PostgreSQLMigrationRun(
      plan,
      to: layout,
      storing: layout === destination ? storedSchema : nil,
      configuration: place.configuration,
      zones: zones,
      on: connection
    )
    report.losses += try run.perform { try progress.advance() }
    report.steps += plan.steps
  }
}

// MARK: - Parts

extension PostgreSQLMigration {
  private var wantedHashes: [String: Data] {
    StoreMetadata.versionHashes(of: destination.schema, in: place.configuration)
  }

  private func route(
    from given: ModelSchema?,
    _ hashes: [String: Data],
    _ tables: TablesModel
  ) throws(MigrationFailure) -> MigrationRoute {
    let schema = destination.schema
    if let given, StoreMetadata.versionHashes(of: given, in: place.configuration) == hashes {
      return try MigrationRoute(from: given, to: schema)
    }
    return try MigrationRoute(fromHashes: hashes, to: schema, of: place) { tables.schema }
  }

  /// Waits for saves and requests that are under way; those that come later wait for the migration.
  private func lock(_ map: TableMap, on connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let there = Set(try FileShape(connection).tableNames)
    let history = [PostgreSQLHistory.marker, "ATRANSACTION", "ACHANGE"]
    let names = (PostgreSQLSchema(map: map).tableNames + history).filter(there.contains)
    let list = commas(names.map(SQLSpelling.postgreSQL.quote))
    // All others wait behind this one, and a context that stays pinned would keep them waiting.
    try connection.run(
      plain: """
        SET LOCAL lock_timeout = '20s'; LOCK TABLE \(list) IN ACCESS EXCLUSIVE MODE; \
        SET LOCAL lock_timeout = 0
        """
    )
  }

  /// All zones that may have rows: one that was destroyed may have got some since, from a program that still has it
  /// open.
  private func zones(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> [String] {
    let statement = try connection.statement(
      "SELECT z_zone FROM z_zones UNION SELECT z_zone FROM z_keys ORDER BY 1" as SQLFragment
    )
    defer { statement.reset() }
    var zones: [String] = []
    while try statement.step() { zones.append(statement.text(0)) }
    return zones
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    let path = address.description
    do {
      return try body()
    } catch let error as MigrationFailure {
      throw error.error(path: path)
    } catch let error as PostgreSQLError {
      throw MigrationFailure(error, path: path).error(path: path)
    } catch let error as PredicateCompilationError {
      let obstacle = MigrationFailure.Obstacle(
        reason: "\(error.part): \(error.problem)",
        remedy: error.remedy.phrase
      )
      throw MigrationFailure(.notInferable([obstacle])).error(path: path)
    }
  }
}

// MARK: - What tables are of

/// The facts in a database about the model that its tables were made for.
struct TablesModel {
  let metadata: Data
  let cache: Data

  /// `nil` if the metadata are damaged.
  var hashes: [String: Data]? {
    StoreMetadata.dictionary(from: metadata)?[NSStoreModelVersionHashesKey] as? [String: Data]
  }

  /// The model itself; `nil` if it cannot be read.
  var schema: ModelSchema? { StoredModel.schema(inCache: cache) }
}

extension PostgreSQLDatabase {
  /// Nil for a schema without a store.
  static func tablesModel(
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> TablesModel? {
    let isThere = try connection.integer(
      """
      SELECT CAST(to_regclass(quote_ident(current_schema()) || '.z_model') IS NOT NULL AS INTEGER)
      """
    )
    guard isThere == 1 else { return nil }
    let statement = try connection.statement(
      "SELECT z_plist, z_content FROM z_model ORDER BY z_version LIMIT 1" as SQLFragment
    )
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return TablesModel(
      metadata: Data(statement.blobBytes(0)),
      cache: Data(statement.blobBytes(1))
    )
  }

  /// The same, whatever zones there are.
  func tablesModel() throws -> TablesModel? {
    try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) in try Self.tablesModel(on: connection) }
    }
  }
}
