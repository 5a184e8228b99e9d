import CoreData
import CoreDataModel
import CoreDataPostgreSQL
import CoreDataStoreCare
import Foundation

/// `coredata check`: whether a store is sound.
struct CheckCommand: Command {
  static let words = ["check"]
  static let summary = "check a store for errors: the file, its tables, every row"
  static let takesDatabases = true
  static let help = """
    coredata check STORE [--model MODEL] [--deep] [--json]
    coredata check ADDRESS [--zone NAME] [--json]

    Looks for errors in a SQLite store and prints what it finds, the most serious first. Nothing is
    changed. In a PostgreSQL database, whose ADDRESS is given, it checks tables, indexes, entities,
    relationships, required and unique values, keys and the history, all at one moment; the server
    itself checks its files.

      errors      objects are lost, or cannot be read or saved: damaged pages, a relationship to an
                  object that does not exist, a missing table or data file, a -wal file beside the
                  store that belongs to another one
      warnings    the store can be used, but something is not as the model says: a required value that
                  is missing, a number out of range, a relationship whose two ends disagree
      notes       nothing is wrong: unused files, indexes that are missing or not needed, tables of
                  other programs, remains of a purged history

      --model MODEL      a .momd, .mom, .xcdatamodeld or .xcdatamodel, or another store; without it, the
                         model inside the store, or one that is derived from its tables. If version
                         hashes do not confirm an entity, its values are not checked
      --deep             also compare every index with its table and open every archive; takes longer
      --json             print an object with "isSound", "hasCheckedRows" and "findings"; a store
                         whose rows could not be checked is not called sound
      --zone NAME        check the rows of one zone of a PostgreSQL database; without it, those of all
                         zones. If a pooler lends connections for one transaction only, end the
                         address with ?pooling=transaction

    Large data may be in files beside the store. Each of them must exist and have at most 2 GiB, so that
    it can be read; whether its content is right, only the program knows.

    Below each finding that can be repaired, a line says what coredata repair would do.

      coredata check Notes.sqlite
      coredata check Notes.sqlite --deep --model Notes.momd
      coredata check postgresql://notes@db.example.org/notes

    Exit status: 0 no errors, even if there are warnings; 1 errors, or the store or its rows could not
    be checked; 2 the command line is wrong.
    """

  private let store: NamedStore
  private let model: ModelChoice
  private let isDeep: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    isDeep = arguments.flag("--deep")
    printsJSON = arguments.flag("--json")
    model = try ModelChoice(given: &arguments)
    let zone = try arguments.value(ifGiven: "--zone")
    store = try NamedStore(arguments.operand("the path of a store"), zone: zone, of: arguments)
    try arguments.finish()
    try store.refuse(model, of: arguments)
    if isDeep, case .database = store { throw arguments.mistake("--deep is for files") }
  }

  func run() throws {
    let report =
      switch store {
      case .file(let url): try report(on: url)
      case .database(let database): try report(on: database)
      }
    print(try printsJSON ? JSONText.of(report.json) : report.text)
    if !report.isKnownSound { exit(1) }
  }

  private func report(on url: URL) throws -> CheckReport {
    try OpenedStore.requireSQLite(url)
    OpenedStore.warnOfLogOfAnother(at: url)
    return try refusing {
      var checker = StoreChecker(
        storeAt: url,
        model: try model.given(forStoreAt: url),
        isDeep: isDeep,
        derivesModel: true
      )
      let report = try ProgressLine.during { progress in
        checker.progress = progress
        return try checker.report()
      }
      try report.requireFitting(model, url)
      return report
    }
  }

  private func report(on database: DatabaseAddress) throws -> CheckReport {
    try refusing {
      let (url, options) = (database.url, database.options)
      guard let schema = try PostgreSQLFacts.schema(at: url, options: options) else {
        throw Refusal("\(database.words) has no store in it, or no model that can be read")
      }
      let inspection = try PostgreSQLInspection(at: url, options: options)
      return try DatabaseChecker(
        model: schema,
        hashes: PostgreSQLFacts.versionHashes(at: url, options: options) ?? [:],
        zone: database.zone,
        ask: inspection.rows
      ).report()
    }
  }
}
