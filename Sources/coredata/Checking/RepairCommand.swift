import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// `coredata repair`: mends what can be mended in a store.
struct RepairCommand: Command {
  static let words = ["repair"]
  static let summary = "mend a store, or salvage what can be read of it"
  static let help = """
    coredata repair STORE [--model MODEL] [--dry-run] [--yes] [--delete-broken] [--no-backup] [--json]
    coredata repair STORE --salvage NEWFILE [--model MODEL] [--json]

    Checks a SQLite store thoroughly, shows what it would do, and does it when you agree: in one
    transaction, with a copy of the store beside it. If the store were worse afterwards, everything
    stays as it was. Close the programs that use the store first.

      --model MODEL      a .momd, .mom, .xcdatamodeld, .xcdatamodel or another store; otherwise the
                         model that is in the store
      --dry-run          show what would be done, and do nothing
      --yes              do not ask
      --delete-broken    delete objects that lack another object which the model requires, by the
                         model's delete rules; otherwise they are left as they are
      --no-backup        make no copy of the store
      --salvage NEWFILE  for a file that SQLite finds damaged: copy what can be read into a new store,
                         and say what was lost; the damaged file is not changed. Its tables are
                         made by its model, or are those of the file where that model is damaged
      --json             print an object instead of text; asks nothing, so that it needs --yes or
                         --dry-run

      coredata repair Notes.sqlite --dry-run

    Exit status: 0 the store is sound now; 1 something is left, or nothing could be done; 2 the
    command line is wrong.
    """

  private let store: URL
  private let model: ModelChoice
  private let salvage: URL?
  private let isDryRun: Bool
  private let isAgreed: Bool
  private let deletesBroken: Bool
  private let makesBackup: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    isDryRun = arguments.flag("--dry-run")
    isAgreed = arguments.flag("--yes")
    deletesBroken = arguments.flag("--delete-broken")
    makesBackup = !arguments.flag("--no-backup")
    printsJSON = arguments.flag("--json")
    model = try ModelChoice(given: &arguments)
    salvage = try arguments.value(ifGiven: "--salvage").map { URL(filePath: $0) }
    store = URL(filePath: try arguments.operand("the path of a store"))
    try arguments.finish()
    if salvage != nil, isDryRun || deletesBroken || !makesBackup {
      throw arguments.mistake("--salvage makes a new file and takes none of the other options")
    }
    if printsJSON, salvage == nil, !isDryRun, !isAgreed {
      throw arguments.mistake("--json asks nothing: add --yes or --dry-run")
    }
  }

  func run() throws {
    try OpenedStore.requireSQLite(store)
    let schema = try refusing { try model.given(forStoreAt: store) }
    if let salvage {
      try runSalvage(to: salvage, schema)
      return
    }
    var repair = StoreRepair(storeAt: store, model: schema)
    repair.deletesBroken = deletesBroken
    repair.makesBackup = makesBackup
    let (report, plan) = try refusing {
      try ProgressLine.during { progress in
        repair.progress = progress
        return try repair.plan()
      }
    }
    if !printsJSON { print(plan.text(for: report)) }
    if isDryRun || (plan.steps.isEmpty && !report.isDamagedFile) {
      if printsJSON { print(try JSONText.of(plan.json(for: report))) }
      if !report.isSound { exit(1) }
      return
    }
    // A damaged file is refused with the words that say what helps.
    if !report.isDamagedFile, !isAgreed {
      try Consent.ask("Repair the store?", orAdvise: "add --yes to repair the store")
    }
    let outcome = try refusing {
      try ProgressLine.during { progress in
        repair.progress = progress
        return try repair.perform()
      }
    }
    print(try printsJSON ? JSONText.of(outcome.json) : "\n" + outcome.text)
    if !outcome.after.isSound || !outcome.wasKept { exit(1) }
  }

  private func runSalvage(to target: URL, _ schema: ModelSchema?) throws {
    var salvage = StoreSalvage(storeAt: store, model: schema, to: target)
    let outcome = try refusing {
      try ProgressLine.during { progress in
        salvage.progress = progress
        return try salvage.perform()
      }
    }
    print(try printsJSON ? JSONText.of(outcome.json) : outcome.text(for: target))
    if !outcome.isComplete || !outcome.report.isSound { exit(1) }
  }
}
