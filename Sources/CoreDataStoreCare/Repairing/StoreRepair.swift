import CoreData
package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
package import Foundation

/// Mends a store as far as possible, in one transaction.
///
/// ```
/// plan      check ─▶ RepairPlan, to be shown
/// perform   lock ─▶ copy the file beside it ─▶ check ─▶ steps ─▶ check ─▶ …until nothing is left to do
/// adopt     commit; or roll back, when the store would be worse than before, or less of it could be read
/// ```
///
/// Rows that are sound are not touched. A program that has the store open is not told of the changes: it should be
/// closed first.
package struct StoreRepair {
  let url: URL
  private var checker: StoreChecker
  /// Whether objects without something that the model requires are deleted, by its delete rules.
  package var deletesBroken = false
  package var makesBackup = true
  /// When it is, for the backup's name.
  package var now: Date
  /// Sees each statement before it runs, and may refuse it.
  var observer: ((String) throws(SQLiteError) -> Void)?

  package init(storeAt url: URL, model: ModelSchema?, now: Date = Date()) {
    self.url = url
    self.now = now
    checker = StoreChecker(storeAt: url, model: model, isDeep: true)
  }

  package var progress: ((CheckProgress) -> Void)? {
    get { checker.progress }
    set { checker.progress = newValue }
  }

  /// The report and the plan of a repair; changes nothing.
  package func plan() throws -> (report: CheckReport, plan: RepairPlan) {
    let report = try checker.report()
    return (report, RepairPlan(report, deletesBroken: deletesBroken))
  }

  /// Repairs the store.
  ///
  /// Throws, and leaves the file as it is, when it may not be written, when another program has it
  /// locked, and when SQLite finds the file itself damaged: whatever is written there could destroy
  /// more.
  package func perform() throws -> RepairOutcome {
    let file = SQLiteFile(at: url, options: nil)
    if let obstacle = file.obstacle { throw StoreFailure(obstacle, path: url.path).error() }
    guard file.isWritable else { throw StoreFailure(.unwritable, path: url.path).error() }
    // A program that can write moves the log into the file when it closes the store.
    if StoreFacts.isSpoiledByLog(at: url) {
      throw RepairFailure(.logOfAnother, path: url.path).error
    }
    try checker.requireStore()
    let log = try StoreBackup(of: url, at: now).keepDamagedLog()
    do {
      var outcome = try perform(on: connect())
      outcome.damagedLog = log
      return outcome
    } catch let error as SQLiteError {
      if error.primaryCode == 26 { throw StoreFailure(.notADatabase, path: url.path).error() }
      throw RepairFailure(error.isDamage ? .damagedFile : .sqlite(error), path: url.path).error
    }
  }

  private func connect() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: url.path, mode: .readWrite)
    connection.setBusyTimeout(milliseconds: 10_000)
    StoreChecker.prepare(connection)
    connection.observer = observer
    return connection
  }
}

// MARK: - One transaction

extension StoreRepair {
  private func perform(on connection: Connection) throws -> RepairOutcome {
    try connection.run("BEGIN IMMEDIATE")
    // Whatever goes wrong, nothing has happened; a rollback only fails where SQLite has made it.
    defer { if connection.isInTransaction { try? connection.run("ROLLBACK") } }
    let before = try checker.report(on: connection)
    if before.isDamagedFile { throw RepairFailure(.damagedFile, path: url.path).error }
    let plan = RepairPlan(before, deletesBroken: deletesBroken)
    var work = RepairWork(connection, model: checker.schema, deletesBroken: deletesBroken)
    guard !plan.steps.isEmpty else {
      return outcome(backup: nil, before, after: before, work, isKept: true)
    }
    let backup = makesBackup ? try StoreBackup(of: url, at: now).make() : nil
    let readable = before.hasCheckedRows ? try contents(on: connection) : nil
    let after = try rounds(&work, from: before, on: connection)
    let losses = try readable.map { try self.losses(of: $0, by: work, on: connection) } ?? []
    guard losses.isEmpty, !after.isWorse(than: before) else {
      return outcome(backup: backup, before, after: after, work, losses: losses, isKept: false)
    }
    try connection.run("COMMIT")
    let moved = try tidyFiles(plan, on: connection)
    return outcome(
      backup: backup,
      before,
      after: moved == nil ? after : try checker.report(on: connection),
      work,
      moved: moved,
      isKept: true
    )
  }

  /// One repair may bring another to light: an object that was deleted leaves keys behind.
  private func rounds(
    _ work: inout RepairWork,
    from before: CheckReport,
    on connection: Connection
  ) throws -> CheckReport {
    var report = before
    for _ in 0..<Self.roundLimit {
      let plan = RepairPlan(
        report,
        deletesBroken: deletesBroken,
        leavingOut: work.exhaustedRemedies
      )
      if plan.databaseSteps.isEmpty { break }
      for step in plan.databaseSteps { try work.perform(step) }
      report = try checker.report(on: connection)
      work.noteFutile(in: report)
    }
    return report
  }

  private static let roundLimit = 8

  private func checkedStore(
    _ schema: ModelSchema,
    on connection: Connection
  ) throws(SQLiteError) -> CheckedStore {
    try CheckedStore(
      connection,
      at: url,
      model: NSManagedObjectModel(schema: schema).layout,
      metadata: CheckedMetadata(connection),
      isDeep: false
    )
  }

  private func contents(on connection: Connection) throws(SQLiteError) -> ReadableContents? {
    guard let schema = checker.schema else { return nil }
    return try ReadableContents(of: checkedStore(schema, on: connection))
  }

  private func losses(
    of before: ReadableContents,
    by work: RepairWork,
    on connection: Connection
  ) throws(SQLiteError) -> [String] {
    guard let after = try contents(on: connection) else { return [] }
    return before.losses(in: after, by: work)
  }

  /// Moves the files that no row names, while nobody else can write one that a row will name.
  private func tidyFiles(
    _ plan: RepairPlan,
    on connection: Connection
  ) throws -> (folder: URL, names: [String])? {
    guard let schema = checker.schema,
      plan.steps.contains(where: { $0.remedy.work == .moveOrphans })
    else { return nil }
    try connection.run("BEGIN IMMEDIATE")
    // This looks only; a rollback fails where SQLite has made it already.
    defer { if connection.isInTransaction { try? connection.run("ROLLBACK") } }
    let orphans = try ExternalDataCheck().orphans(in: checkedStore(schema, on: connection))
    let folder = try ExternalFiles.moveToLostAndFound(orphans, besides: url)
    return (folder, orphans.sorted())
  }

  private func outcome(
    backup: URL?,
    _ before: CheckReport,
    after: CheckReport,
    _ work: RepairWork,
    moved: (folder: URL, names: [String])? = nil,
    losses: [String] = [],
    isKept: Bool
  ) -> RepairOutcome {
    RepairOutcome(
      backup: backup,
      before: before,
      after: after,
      performed: work.performed,
      refused: work.refused,
      deletedRows: work.deletedRows,
      lostAndFound: moved?.folder,
      movedFiles: moved?.names ?? [],
      wasKept: isKept,
      losses: losses,
      bypassesHistory: work.bypassesHistory
    )
  }
}
