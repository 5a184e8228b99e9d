import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// `coredata check`: whether a store is sound.
struct CheckCommand: Command {
  static let words = ["check"]
  static let summary = "look a store through: the file, its tables, every row"
  static let help = """
    coredata check STORE [--model MODEL] [--deep] [--json]

    Looks for what is wrong with a SQLite store, the most serious first: pages that cannot be read,
    objects that lead to others that are not there, values that the model does not allow, missing
    indexes and files, and a -wal of which SQLite reads only a part. Nothing is changed.

      --model MODEL      a .momd, .mom, .xcdatamodeld, .xcdatamodel or another store; otherwise the
                         model that is in the store
      --deep             hold every index against its table and open every archive, which takes longer
      --json             print an object with "isSound" and "findings"

    What can be mended says so; coredata repair does it.

      coredata check Notes.sqlite

    Exit status: 0 the store is sound; 1 it is not, or cannot be read; 2 the command line is wrong.
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
