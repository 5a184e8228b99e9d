package import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The lightweight migration of a SQLite store: in place, in one transaction.
///
/// ```
/// file ─▶ SourceModel ─▶ ModelComparison ─▶ MigrationPlan ─▶ backup ─▶ BEGIN … steps … COMMIT
///                            └─ 134190 with every reason
/// ```
///
/// Whatever happens, the file holds the old state or the new one.
package struct StoreMigration {
  private let file: SQLiteFile
  private let place: StorePlace
  private let destination: ModelLayout
  /// Sees every statement before it runs, and may refuse it.
  package var observer: (@Sendable (String) throws -> Void)?
  /// The model that is written into the file, if it differs from the destination: a tool does not have the program's
  /// classes.
  package var storedSchema: ModelSchema?
  /// Whether what is lost is told in the log too; a tool prints it.
  package var logsLosses = true

  init(_ place: StorePlace, to destination: ModelLayout) {
    self.place = place
    self.destination = destination
    file = SQLiteFile(place: place)
  }

  /// A migration without a coordinator, for tools.
  package init(of url: URL, to model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) {
    let place = StorePlace(
      number: .none,
      type: NSSQLiteStoreType,
      configuration: nil,
      url: url,
      options: options
    )
    self.init(place, to: model.layout)
  }

  /// The result of a migration.
  package struct Report: Sendable {
    package init() {}

    package var steps: [MigrationStep] = []
    package var losses: [CountedLoss] = []
    /// The copy of the file as it was, if it has been kept.
    package var backup: URL?
    /// The bytes that the disk had to hold besides the store: copy and log.
    package var bytesBeside = 0
  }

  private var url: URL { place.url ?? URL(fileURLWithPath: place.path) }
}

// MARK: - The story

extension StoreMigration {
  /// Migrates the file to the destination.
  ///
  /// `source` is the model that the file was made with; if it is `nil`, it is looked for.
  @discardableResult
  package func perform(from source: ModelSchema? = nil) throws -> Report {
    let route = try translating { try self.route(from: source) }
    return try perform(along: route.comparisons, mayLose: route.mayLose)
  }

  @discardableResult
  func perform(along route: [ModelComparison], mayLose: Bool = true) throws -> Report {
    try translating {
      let connection = try connect()
      let report = try migrate(connection, along: route, mayLose)
      for loss in report.losses where logsLosses {
        ProgramLog.say("migration of \(url.lastPathComponent) has lost \(loss)")
      }
      return report
    }
  }

  /// Returns the steps of the migration, and its losses, counted.
  ///
  /// Nothing is changed.
  package func preview(from source: ModelSchema? = nil) throws -> Report {
    try translating {
      let route = try self.route(from: source)
      var report = Report()
      guard let comparison = route.comparisons.first else { return report }
      let connection = try Connection(
        path: file.path,
        mode: file.isAtRest ? .immutable : .readOnly
      )
      let plan = try self.plan(comparison, layout(comparison), connection)
      report.steps = plan.steps
      report.losses = try MigrationRun(
        plan,
        to: destination,
        configuration: place.configuration,
        on: connection
      ).losses(besides: url)
      return report
    }
  }

  private func route(from given: ModelSchema?) throws -> MigrationRoute {
    let schema = destination.schema
    if let given { return try MigrationRoute(from: given, to: schema) }
    while true {
      let hashes = try hashes()
      do throws(MigrationFailure) {
        return try MigrationRoute(fromHashes: hashes, to: schema, of: place) { file.storedModel }
      } catch {
        // Between the two looks another program may have migrated the file.
        if try self.hashes() == hashes { throw error }
      }
    }
  }

  private func hashes() throws -> [String: Data] {
    try file.readMetadata()[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  private func migrate(
    _ connection: Connection,
    along route: [ModelComparison],
    _ mayLose: Bool
  ) throws -> Report {
    var backup: MigrationBackup?
    var version: Int64?
    var report = Report()
    var files: [String] = []
    // A backup shows one moment: it is made again if somebody has written since.
    while true {
      do {
        try connection.run("BEGIN EXCLUSIVE")
        if try isMigrated(connection) {
          // Another program was quicker.
          try connection.run("ROLLBACK")
          try backup?.remove()
          return Report()
        }
        if backup == nil, try needsBackup(connection, route) {
          try connection.run("ROLLBACK")
          version = try connection.integer("PRAGMA data_version")
          backup = try MigrationBackup(of: url, from: connection, timeout: place.wait)
          continue
        }
        if let made = backup, try connection.integer("PRAGMA data_version") != version {
          try connection.run("ROLLBACK")
          try made.remove()
          backup = nil
          continue
        }
        // Of programs that migrate at once, one comes here: its copy alone gets a name.
        try backup?.complete()
        (report, files) = try perform(connection, route)
        if !mayLose, !report.losses.isEmpty { throw MigrationFailure(.unknownLoss(report.losses)) }
        try connection.run("COMMIT")
        report.bytesBeside = [file.path + "-wal", backup?.url.path].compactMap(\.self)
          .map(FileSize.of).reduce(0, +)
        break
      } catch {
        // The error that matters is the first; a rollback that fails has nothing to add.
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
        // The file is as it was, and needs no copy.
        try? backup?.remove()
        throw error
      }
    }
    finish(&report, backup, files)
    return report
  }

  /// Files go when the commit cannot be lost any more, unless rows of another store may name them.
  private func finish(_ report: inout Report, _ backup: MigrationBackup?, _ files: [String]) {
    if !files.isEmpty, SupportFolder(of: url).sharer == nil {
      ExternalFiles.settle(storeAt: file.path)
      ExternalFiles(besides: url).remove(files)
    }
    guard let backup else { return }
    if report.losses.isEmpty {
      // A copy that cannot be removed takes room and harms nothing.
      try? backup.remove()
    } else {
      report.backup = backup.url
    }
  }
}

// MARK: - Parts

extension StoreMigration {
  private func perform(
    _ connection: Connection,
    _ route: [ModelComparison]
  ) throws -> (Report, files: [String]) {
    var report = Report()
    var files: [String] = []
    for comparison in route {
      let layout = layout(comparison)
      let plan = try plan(comparison, layout, connection)
      let progress = MigrationProgress(place.migrationProgress, stepCount: plan.steps.count)
      let run = MigrationRun(
        plan,
        to: layout,
        configuration: place.configuration,
        storedSchema: layout === destination ? storedSchema : nil,
        defersRemovals: place.defersRemovals,
        on: connection
      )
      let outcome = try run.perform(store: url) { _ in try progress.advance() }
      report.steps += plan.steps
      report.losses += outcome.losses
      files += outcome.superfluousFiles
    }
    return (report, files)
  }

  private func plan(
    _ comparison: ModelComparison,
    _ layout: ModelLayout,
    _ connection: Connection
  ) throws -> MigrationPlan {
    let shape = try FileShape(connection)
    let planner = try MigrationPlanner(comparison, to: layout, in: shape)
    try StoreNumbers.check(connection, planner.tables.source)
    return planner.plan()
  }

  private func layout(_ comparison: ModelComparison) -> ModelLayout {
    comparison.layout(onTheWayTo: destination)
  }

  /// Whether the file says already that it is of the destination.
  private func isMigrated(_ connection: Connection) throws -> Bool {
    let metadata = try file.metadata(on: connection, StoreTables.names(on: connection))
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    return hashes
      == StoreMetadata.versionHashes(of: destination, in: place.configuration)
  }

  private func needsBackup(_ connection: Connection, _ route: [ModelComparison]) throws -> Bool {
    guard place.makesBackup else { return false }
    guard route.count == 1, let comparison = route.first else { return true }
    let plan = try plan(comparison, layout(comparison), connection)
    return plan.rewritesRows || !plan.losses.isEmpty
  }

  private func connect() throws -> Connection {
    if let obstacle = file.obstacle { throw StoreFailure(obstacle, path: file.path).error() }
    guard file.isWritable else { throw StoreFailure(.unwritable, path: file.path).error() }
    let connection = try file.connect(isReader: false)
    if let observer {
      connection.observer = { sql throws(SQLiteError) in
        do {
          try observer(sql)
        } catch let error as SQLiteError {
          throw error
        } catch {
          throw SQLiteError(code: 4, message: "\(error)", sql: sql)
        }
      }
    }
    return connection
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as MigrationFailure {
      throw error.error(path: file.path)
    } catch let error as SQLiteError {
      throw MigrationFailure(.sqlite(error)).error(path: file.path)
    } catch let error as PredicateCompilationError {
      throw MigrationFailure(
        .notInferable([
          .init(reason: "\(error.part): \(error.problem)", remedy: error.remedy.phrase)
        ])
      ).error(path: file.path)
    }
  }
}

extension ModelComparison {
  /// The destination, or a version on the way, whose objects nobody will see.
  package func layout(onTheWayTo destination: ModelLayout) -> ModelLayout {
    if self.destination == destination.schema.canonical { return destination }
    var schema = self.destination
    for index in schema.entities.indices { schema.entities[index].className = "NSManagedObject" }
    return NSManagedObjectModel(schema: schema).layout
  }
}

/// The numbers of entities in a file.
enum StoreNumbers {
  /// Throws when a file numbers an entity otherwise than its model: every row would be taken for
  /// something else.
  static func check(_ connection: Connection, _ map: TableMap) throws {
    let statement = try connection.statement("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
    defer { statement.reset() }
    while try statement.step() {
      let (number, name) = (statement.integer(0), statement.text(1))
      // A name that the model does not have is the old one of an entity that was renamed.
      guard let entity = map[name], entity.number != Int(number) else { continue }
      throw MigrationFailure(.otherTables(lacks: ["the number \(entity.number) for \(name)"]))
    }
  }
}

/// Tells how far a migration is.
package struct MigrationProgress {
  private let progress: Progress

  package init(_ given: Progress?, stepCount: Int) {
    // Without one, it is part of what the thread follows just now, if it does.
    progress = given ?? Progress(totalUnitCount: Int64(stepCount))
    progress.totalUnitCount = Int64(stepCount)
    progress.completedUnitCount = 0
  }

  package func advance() throws(MigrationFailure) {
    progress.completedUnitCount += 1
    if progress.isCancelled { throw MigrationFailure(.cancelled) }
  }
}
