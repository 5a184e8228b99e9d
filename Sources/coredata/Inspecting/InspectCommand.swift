import CoreData
import CoreDataModel
import Foundation

/// `coredata inspect`: a store at a glance.
struct InspectCommand: Command {
  static let words = ["inspect"]
  static let summary = "print a summary of a store: origin, model, entities, rows, health"
  static let takesDatabases = true
  static let help = """
    coredata inspect STORE [--model MODEL | --without-model] [--exact] [--json]
    coredata inspect ADDRESS [--zone NAME] [--json]

    Prints what is known about a store: the system that wrote it, its model, the number of rows of each
    entity, its size and the files beside it. Nothing is changed. A store whose health is not good is
    described too, with status 0; coredata check tells scripts whether a store is sound. ADDRESS is that
    of a PostgreSQL database.

    \(CoreDataCommand.modelOption)
      --exact            count every row, however long it takes; without it, the number of rows in large
                         tables is estimated and printed with “about”
      --json             print an object with "store", "model", "file", "entities", "history",
                         "cloudKit" and "health"
    \(NamedStore.zoneHelp)

    A store without a model is described as far as its tables allow.

      coredata inspect Notes.sqlite
      coredata inspect Notes.sqlite --json | jq '.entities[] | {name, rows}'
      coredata inspect postgresql://notes@db.example.org/notes --zone acme

    \(CoreDataCommand.exitStatuses)
    """

  private let store: NamedStore
  private let model: ModelChoice
  private let countsExactly: Bool
  private let printsJSON: Bool

  /// The time that counting may take unless exact numbers are wanted; the rest takes some hundredths of a second.
  private static let patience = Duration.milliseconds(400)

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    countsExactly = arguments.flag("--exact")
    model = try ModelChoice(&arguments)
    let zone = try arguments.value(ifGiven: "--zone")
    let operand = try arguments.operand("the path of a store")
    store = try NamedStore(operand, zone: zone, of: arguments)
    try arguments.finish()
    try store.refuse(model, of: arguments)
  }

  /// A program that reads JSON gets JSON also about a file that is not a store.
  private func printFailure(_ error: any Error, at url: URL) throws {
    let report: JSONValue = [
      "store": ["path": .text(url.path)],
      "health": ["good": .boolean(false), "sentence": .text("\(error)")],
    ]
    try Output.writing { try $0.line(report.pretty) }
  }

  func run() throws {
    switch store {
    case .file(let url): try inspect(url)
    case .database(let database): try inspect(database)
    }
  }

  private func inspect(_ database: DatabaseAddress) throws {
    let report = try DatabaseReport(of: database)
    try Output.writing { output in
      if printsJSON {
        try output.line(report.json.pretty)
      } else {
        try report.print(on: Terminal.output, to: output)
      }
    }
  }

  private func inspect(_ url: URL) throws {
    if !countsExactly { StatementTime.limit() }
    do {
      try OpenedStore.requireSQLite(url)
    } catch {
      if printsJSON { try printFailure(error, at: url) }
      throw error
    }
    let progress = ProgressLine()
    progress.show("counting")
    let report: StoreReport
    do {
      report = try refusing {
        try StoreReport(
          at: url,
          model,
          counting: countsExactly ? .seconds(1_000_000) : Self.patience
        )
      }
    } catch {
      progress.erase()
      if printsJSON { try printFailure(error, at: url) }
      throw error
    }
    progress.erase()
    try Output.writing { output in
      if printsJSON {
        try output.line(report.json.pretty)
      } else {
        try report.print(on: Terminal.output, to: output)
      }
    }
  }
}
