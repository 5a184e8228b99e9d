import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// `coredata check`: whether a store is sound.
struct CheckCommand: Command {
  static let words = ["check"]
  static let summary = "check a store for errors: the file, its tables, every row"
  static let help = """
    coredata check STORE [--model MODEL] [--deep] [--json]

    Looks for errors in a SQLite store and prints what it finds, the most serious first. Nothing is
    changed.

      errors      objects are lost, or cannot be read or saved: damaged pages, a relationship to an
                  object that does not exist, a missing table or data file
      warnings    the store can be used, but something is not as the model says: a required value that
                  is missing, a number out of range, a relationship whose two ends disagree
      notes       nothing is wrong: unused files, indexes that are missing or not needed, tables of
                  other programs, remains of a purged history

      --model MODEL      a .momd, .mom, .xcdatamodeld or .xcdatamodel, or another store; without it, the
                         model inside the store
      --deep             also compare every index with its table and open every archive; takes longer
      --json             print an object with "isSound", "hasCheckedRows" and "findings"

    Below each finding that can be repaired stands what coredata repair would do.

      coredata check Notes.sqlite

    Exit status: 0 no errors, even if there are warnings; 1 errors, or the store cannot be read; 2 the
    command line is wrong.
    """

  private let store: URL
  private let model: ModelChoice
  private let isDeep: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    isDeep = arguments.flag("--deep")
    printsJSON = arguments.flag("--json")
    model = try ModelChoice(given: &arguments)
    store = URL(filePath: try arguments.operand("the path of a store"))
    try arguments.finish()
  }

  func run() throws {
    try OpenedStore.requireSQLite(store)
    let report = try refusing {
      var checker = StoreChecker(
        storeAt: store,
        model: try model.given(forStoreAt: store),
        isDeep: isDeep
      )
      return try ProgressLine.during { progress in
        checker.progress = progress
        return try checker.report()
      }
    }
    print(try printsJSON ? JSONText.of(report.json) : report.text)
    if !report.isSound { exit(1) }
  }
}
