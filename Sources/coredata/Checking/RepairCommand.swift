import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// `coredata repair`: mends what can be mended in a store.
struct RepairCommand: Command {
  static let words = ["repair"]
  static let summary = "repair a store, or salvage what can be read of it"
  static let help = """
    coredata repair STORE [--model MODEL] [--dry-run] [--yes] [--delete-broken] [--no-backup]
                    [--run-triggers] [--json]
    coredata repair STORE --salvage NEWFILE [--model MODEL] [--json]

    Checks a SQLite store thoroughly, shows what can be repaired, and repairs it after you confirm. The
    whole repair is one transaction, and a copy of the store is made first. If the store would be worse
    afterwards, or less of it could be read, nothing is changed. Where one value contradicts several
    that agree, the several are not overwritten unless the list says so. Close the programs that use
    the store first.

      --model MODEL      a .momd, .mom, .xcdatamodeld or .xcdatamodel, or another store; without it, the
                         model inside the store
      --dry-run          show what would be done, and change nothing
      --yes              repair without asking
      --delete-broken    delete objects that have lost a related object which the model requires,
                         following the model's delete rules; without it, they are left unchanged
      --no-backup        do not copy the store first
    \(StrangeCode.help)
      --salvage NEWFILE  for a file that SQLite reports as damaged: copy everything that can be read
                         into a new store and list what was lost. The damaged file is not changed. If
                         the model inside the file is damaged too, the tables are copied as they are
      --json             print an object with "isSound", and "steps" and "left" of a --dry-run,
                         "performed", "losses" and "findings" of a repair, or "tables" of a
                         --salvage. A repair does not ask then, and therefore needs --yes or
                         --dry-run

      coredata repair Notes.sqlite --dry-run
      coredata repair Notes.sqlite --salvage Rescued.sqlite

    Exit status: 0 the store, or the new one, has no errors now; 1 errors remain, rows could not be
    checked or read, or nothing could be done; 2 the command line is wrong. With --dry-run: 0 the store
    has no errors; 1 it has some, or could not be checked.
    """

  private let store: URL
  private let model: ModelChoice
  private let salvage: URL?
  private let isDryRun: Bool
  private let isAgreed: Bool
  private let deletesBroken: Bool
  private let makesBackup: Bool
  private let printsJSON: Bool
  private let runsTriggers: Bool

  init(_ arguments: inout CommandArguments) throws {
    isDryRun = arguments.flag("--dry-run")
    runsTriggers = arguments.flag("--run-triggers")
    isAgreed = arguments.flag("--yes")
    deletesBroken = arguments.flag("--delete-broken")
    makesBackup = !arguments.flag("--no-backup")
    printsJSON = arguments.flag("--json")
    model = try ModelChoice(given: &arguments)
    salvage = try arguments.value(ifGiven: "--salvage").map { URL(filePath: $0) }
    store = URL(filePath: try arguments.operand("the path of a store"))
    try arguments.finish()
    if salvage != nil, isDryRun || deletesBroken || !makesBackup || runsTriggers {
      throw arguments.mistake("--salvage can be combined with --model and --json only")
    }
    if printsJSON, salvage == nil, !isDryRun, !isAgreed {
      throw arguments.mistake("--json does not ask; add --yes or --dry-run")
    }
  }

  func run() throws {
    try OpenedStore.requireSQLite(store)
    OpenedStore.warnOfLogOfAnother(at: store)
    if salvage == nil, !isDryRun { try OpenedStore.undoUnfinishedSave(of: store) }
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
    try report.requireFitting(model, store)
    if !printsJSON { print(plan.text(for: report)) }
    if isDryRun || (plan.steps.isEmpty && !report.isDamagedFile) {
      if printsJSON { print(try JSONText.of(plan.json(for: report))) }
      if !report.isKnownSound { exit(1) }
      return
    }
    if !report.isDamagedFile {
      // Without a model that can be read, all code in the store is strange.
      let model = schema ?? (try? StoredModel(inStoreAt: store).schema)
      try StrangeCode.refuse(inStoreAt: store, model, unless: runsTriggers)
    }
    // A damaged file is refused with words of advice.
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
    if !outcome.after.isKnownSound || !outcome.wasKept { exit(1) }
  }

  private func runSalvage(to target: URL, _ schema: ModelSchema?) throws {
    try OpenedStore.requirePlace(target, forFileNamed: store.lastPathComponent)
    var salvage = StoreSalvage(storeAt: store, model: schema, to: target)
    let outcome = try refusing {
      try ProgressLine.during { progress in
        salvage.progress = progress
        return try salvage.perform()
      }
    }
    print(try printsJSON ? JSONText.of(outcome.json) : outcome.text(for: target))
    if !outcome.isComplete || !outcome.report.isKnownSound { exit(1) }
  }
}
