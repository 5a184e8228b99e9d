import CoreData
import CoreDataModel
import CoreDataModelChanges
import CoreDataStoreCare
import Foundation

/// `coredata migrate`: a store becomes one of another version of its model.
struct MigrateCommand: Command {
  static let words = ["migrate"]
  static let summary = "migrate a store to another version of its model"
  static let takesDatabases = true
  static let help = """
    coredata migrate STORE --to MODEL [--version NAME] [--from MODEL] [--dry-run] [--yes]
                     [--no-backup] [--run-triggers] [--json]

    Migrates a SQLite store or a PostgreSQL database in place, in one transaction, as a program does
    that opens it with an inferred mapping. Prints each step, whether it rewrites rows, how much data
    is lost, and whether running programs with the former model can go on. If the migration fails,
    the store is unchanged. If data would be lost, you are asked before anything is done.

      STORE         the SQLite file of the store; or the address of a PostgreSQL database, which is
                    migrated with the rows of all zones while other programs wait
      --to MODEL    the model to migrate to: a .momd, .mom, .xcdatamodeld or .xcdatamodel, or another
                    store
      --version NAME
                    the version of that model; without it, the current one
      --from MODEL  the model that the store was made with; without it, the model inside the store
      --dry-run     migrate a copy, and print how long it takes and how much space it needs; in a
                    database, migrate in a transaction, and take all of it back
      --yes         migrate without asking, even if data is lost
      --no-backup   do not copy the store before rows are rewritten; without it, the copy is
                    STORE.before-migration, and is kept if data is lost
      --run-triggers
                    migrate a store that has triggers, or computed indexes and columns, that are
                    not its model's, and let them run; without this option, such a store is
                    refused
      --json        print an object with "needed", "steps", "losses" and "runningProgramsGoOn", and
                    with what was measured, such as "seconds" and "bytesAfter"

      coredata migrate Notes.sqlite --to Notes.momd --dry-run
      coredata migrate Notes.sqlite --to Notes.xcdatamodeld --version 'Notes 3'

    \(CoreDataCommand.exitStatuses)
    """

  private let store: NamedStore
  private let destination: URL
  private let version: String?
  let source: URL?
  let isRehearsal: Bool
  let isAgreed: Bool
  private let makesBackup: Bool
  private let printsJSON: Bool
  private let runsTriggers: Bool

  init(_ arguments: inout CommandArguments) throws {
    isRehearsal = arguments.flag("--dry-run")
    runsTriggers = arguments.flag("--run-triggers")
    isAgreed = arguments.flag("--yes")
    makesBackup = !arguments.flag("--no-backup")
    printsJSON = arguments.flag("--json")
    destination = URL(filePath: try arguments.value(of: "--to", "the model to migrate to"))
    version = try arguments.value(ifGiven: "--version")
    source = try arguments.value(ifGiven: "--from").map { URL(filePath: $0) }
    store = try NamedStore(arguments.operand("the path of a store"), zone: nil, of: arguments)
    try arguments.finish()
    if case .database = store, !makesBackup || runsTriggers {
      throw arguments.mistake("--no-backup and --run-triggers are for files")
    }
  }

  func run() throws {
    switch store {
    case .file(let url): try migrate(url)
    case .database(let database):
      try migrate(database, to: try ModelSchema(contentsOf: destination, version: version))
    }
  }

  private func migrate(_ store: URL) throws {
    try OpenedStore.requireSQLite(store)
    try OpenedStore.refuseLogOfAnother(at: store)
    if !isRehearsal { try OpenedStore.undoUnfinishedSave(of: store) }
    let target = try ModelSchema(contentsOf: destination, version: version)
    let origin = try origin(of: store)
    if origin.entityVersionHashes == target.entityVersionHashes {
      print(try result(nil, of: StoreMigration.Report(), isNeeded: false))
      return
    }
    try requireCommonEntity(origin, target)
    try StrangeCode.refuse(inStoreAt: store, origin, unless: runsTriggers)
    let model = NSManagedObjectModel(schema: target.withoutClasses)
    let options: [AnyHashable: Any] = [
      CoreDataMigrationBackupOption: makesBackup,
      NSPersistentStoreTimeoutOption: OpenedStore.patience,
    ]
    if isRehearsal {
      let rehearsal = try refusing {
        try MigrationRehearsal(of: store, to: model, from: origin, options: options)
      }
      print(try result(Measures(rehearsal), of: rehearsal.report, Outlook(origin, target)))
      return
    }
    var migration = StoreMigration(of: store, to: model, options: options)
    migration.storedSchema = target
    migration.logsLosses = false
    if !isAgreed { try ask(about: refusing { try migration.preview(from: origin).losses }) }
    let start = ContinuousClock.now
    let report = try refusing { try migration.perform(from: origin) }
    let seconds = start.duration(to: .now) / .seconds(1)
    let measures = Measures(seconds: seconds, report: report)
    print(try result(measures, of: report, Outlook(origin, target)))
  }

  private func origin(of store: URL) throws -> ModelSchema {
    if let source {
      let file = try ModelFile(contentsOf: source)
      let hashes = StoreHashes(ofStoreAt: store)
      // Of several versions the one that the store was made with.
      if let fitting = file.version(fitting: hashes) { return fitting.schema }
      let schema = try file.version().schema
      try OpenedStore.requireFitting(schema, source, store, option: "--from")
      return schema
    }
    do {
      return try StoredModel(inStoreAt: store).schema
    } catch let error as NSError where error.userInfo[NSUnderlyingErrorKey] == nil {
      // If the tables give no model either, the first failure is the one to report.
      guard let tables = try? StoredModel(inStoreAt: store, from: .tables), tables.source == .tables
      else { return try refusing { throw error } }
      let reason = error.localizedFailureReason ?? error.localizedDescription
      throw Refusal("\(reason)\nGive the model that the store was made by with --from.")
    }
  }
}

// MARK: - What is lost

extension MigrateCommand {
  /// A model of another program takes all tables away: that is never what was meant.
  func requireCommonEntity(_ origin: ModelSchema, _ target: ModelSchema) throws {
    let kept = ModelComparison(from: origin, to: target).entities
    guard !origin.entities.isEmpty, !kept.contains(where: { $0.sourceName != nil }) else { return }
    throw Refusal(
      """
      nothing was done: \(name) and \(destination.lastPathComponent) share no \
      entity, so that nothing of the store would be left.
      The store has \(Self.list(origin)); the model has \(Self.list(target)).
      Give another version of the store's own model with --to.
      """
    )
  }

  private static func list(_ schema: ModelSchema) -> String {
    let names = schema.entities.map(\.name).sorted()
    return names.isEmpty ? "none" : names.joined(separator: ", ").inOneLine
  }

  func ask(about losses: [CountedLoss]) throws {
    guard !losses.isEmpty else { return }
    let lines = ["Would be lost:"] + losses.map { "  \($0)" }
    CoreDataCommand.complain(lines.joined(separator: "\n"))
    let advice = "add --yes to migrate anyway; --dry-run shows every step"
    if printsJSON { throw Refusal("nothing was done: \(advice)") }
    try Consent.ask("Migrate the store?", orAdvise: advice)
  }
}

// MARK: - What is printed

extension MigrateCommand {
  private var name: String {
    switch store {
    case .file(let url): url.lastPathComponent
    case .database(let database): database.words
    }
  }

  /// How long it took, and how much room.
  struct Measures {
    let seconds: Double
    /// Nil in a database, which keeps it to itself.
    let bytesBeside: Int?
    /// Before and after; known of a rehearsal.
    var sizes: (Int, Int)?

    init(seconds: Double, report: StoreMigration.Report) {
      self.seconds = seconds
      bytesBeside = report.bytesBeside
    }

    init(seconds: Double) {
      self.seconds = seconds
      bytesBeside = nil
    }

    init(_ rehearsal: MigrationRehearsal) {
      self.init(seconds: rehearsal.seconds, report: rehearsal.report)
      sizes = (rehearsal.bytesBefore, rehearsal.bytesAfter)
    }
  }

  /// Whether programs that run now can go on after the migration.
  struct Outlook {
    /// Nil if they can.
    let obstacle: String?

    init(_ origin: ModelSchema, _ target: ModelSchema) {
      obstacle = StoreSurplus.obstacle(
        forProgramsOf: NSManagedObjectModel(schema: origin.withoutClasses),
        after: target
      )
    }

    var sentence: String {
      guard let obstacle else {
        return "Running programs with the former model can go on: only attributes are added."
      }
      return "Running programs with the former model cannot go on: \(obstacle)."
    }
  }

  func result(
    _ measures: Measures?,
    of report: StoreMigration.Report,
    _ outlook: Outlook? = nil,
    isNeeded: Bool = true
  ) throws -> String {
    if printsJSON { return try JSONText.of(json(measures, report, outlook, isNeeded)) }
    guard isNeeded else {
      return "\(name) already has that model; nothing to do"
    }
    var lines = report.steps.map { step in
      "  \(step.sentence)" + (step.cost == .rows ? "   (rewrites all rows)" : "")
    }
    let verb = isRehearsal ? "would be" : "has been"
    lines.insert("\(name) \(verb) migrated in \(report.steps.count.of("step")):", at: 0)
    if report.losses.isEmpty {
      lines.append("Nothing is lost.")
    } else {
      lines.append(isRehearsal ? "Would be lost:" : "Lost:")
      lines += report.losses.map { "  \($0)" }
    }
    if let outlook { lines.append(outlook.sentence) }
    if let backup = report.backup, !isRehearsal {
      lines.append("The store as it was: \(backup.lastPathComponent)")
    }
    if let measures { lines.append(sentence(measures)) }
    if isRehearsal { lines.append("The store itself was not changed.") }
    return lines.joined(separator: "\n")
  }

  private func sentence(_ measures: Measures) -> String {
    var text = "Time: \(String(format: "%.3f", measures.seconds)) s"
    if let bytes = measures.bytesBeside { text += "; temporary space: \(bytes.asBytes)" }
    if let (before, after) = measures.sizes {
      text += "; store: \(before.asBytes) before, \(after.asBytes) after"
    }
    return text + "."
  }

  private var path: String {
    switch store {
    case .file(let url): url.path
    case .database(let database): database.words
    }
  }

  private func json(
    _ measures: Measures?,
    _ report: StoreMigration.Report,
    _ outlook: Outlook?,
    _ isNeeded: Bool
  ) -> [String: Any] {
    var object: [String: Any] = [
      "store": path,
      "needed": isNeeded,
      "dryRun": isRehearsal,
      "steps": report.steps.map { step -> [String: Any] in
        ["sentence": step.sentence, "rewritesRows": step.cost == .rows]
      },
      "losses": report.losses.map { loss -> [String: Any] in
        var facts: [String: Any] = ["place": loss.place, "count": loss.count, "noun": loss.noun]
        facts["reason"] = loss.reason
        return facts
      },
    ]
    if let backup = report.backup, !isRehearsal { object["backup"] = backup.path }
    if let outlook {
      object["runningProgramsGoOn"] = outlook.obstacle == nil
      if let obstacle = outlook.obstacle { object["obstacle"] = obstacle }
    }
    if let measures {
      object["seconds"] = measures.seconds
      if let bytes = measures.bytesBeside { object["bytesBeside"] = bytes }
      if let (before, after) = measures.sizes {
        object["bytesBefore"] = before
        object["bytesAfter"] = after
      }
    }
    return object
  }
}
