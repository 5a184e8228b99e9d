import CoreData
import CoreDataStoreCare
import Foundation

/// `coredata sql`: a store's tables, asked in SQL.
struct SQLCommand: Command {
  static let words = ["sql"]
  static let summary = "run SQL statements in a store, read-only by default"
  static let takesDatabases = true
  static let help = """
    coredata sql STORE [STATEMENT] [--write] [--time-limit S]
                 [--json | --csv [--escape-formulas]]

    Runs SQL statements in a store's database: STATEMENT, or the standard input, or what you type at a
    prompt. The SQL functions that Core Data's triggers call are available. STORE may be the address of
    a PostgreSQL database, as in postgresql://notes@db.example.org/notes; its tables have the rows of
    all zones, which the column z_zone names. ?pooling=transaction at the end of an address says that
    a pooler such as PgBouncer lends connections for one transaction.

      STATEMENT          one or more statements separated by semicolons, or a command that begins with a
                         dot
      --write            allow statements that change the store; without it, they are refused
      --time-limit S     stop a statement that has returned no row for S seconds, or that a PostgreSQL
                         server works on for S seconds; the default is 60, and 0 means no limit.
                         Behind a pooler, there is no limit with --write
      --json             print a list of objects
      --csv              print comma-separated values
      --escape-formulas  in CSV, put an apostrophe before texts that begin with = + - @ (also behind
                         blanks), a tab or a new line, because spreadsheets run such texts as formulas

    Changes made with SQL bypass Core Data: the keys in Z_PRIMARYKEY or z_keys, the versions in Z_OPT
    and the history are not updated. Work on a copy.

    Commands that begin with a dot:
    \(DotCommand.list)

      coredata sql Notes.sqlite 'SELECT Z_PK, ZTITLE FROM ZNOTE ORDER BY ZCREATED DESC LIMIT 5'
      coredata sql Notes.sqlite --json < questions.sql
      coredata sql postgresql://localhost/notes 'SELECT "ZTITLE" FROM "ZNOTE" WHERE z_zone = $$acme$$'

    Error messages are the database's own, with a mark at the position.

    \(CoreDataCommand.exitStatuses)
    """

  private let store: NamedStore
  private let statement: String?
  private let mayWrite: Bool
  private let patience: Int?
  private let format: SQLResults.Format

  init(_ arguments: inout CommandArguments) throws {
    mayWrite = arguments.flag("--write")
    patience = try StatementTime.take(from: &arguments)
    let (json, csv) = (arguments.flag("--json"), arguments.flag("--csv"))
    let escapesFormulas = arguments.flag("--escape-formulas")
    if json, csv { throw arguments.mistake("--json and --csv cannot be used together") }
    if escapesFormulas, !csv { throw arguments.mistake("--escape-formulas is for --csv") }
    format = json ? .json : csv ? .csv(escapesFormulas: escapesFormulas) : .table
    let operand = try arguments.operand("the path of a store")
    store = try NamedStore(operand, zone: nil, of: arguments)
    statement = arguments.operand()
    try arguments.finish()
  }

  func run() throws {
    let database = try open()
    try Output.writing { try run(database, to: $0) }
  }

  private func open() throws -> any AskedDatabase {
    switch store {
    case .database(let address):
      return try AskedServer(address, mayWrite: mayWrite, patience: patience)
    case .file(let url):
      try OpenedStore.requireSQLite(url)
      OpenedStore.warnOfLog(at: url)
      if mayWrite { try OpenedStore.refuseLogOfAnother(at: url) }
      let file = try AskedFile(at: url, mayWrite: mayWrite)
      if mayWrite { warnOfTriggers(at: url) }
      return file
    }
  }

  /// Somebody who writes statements decides about triggers too, and should know about them.
  private func warnOfTriggers(at url: URL) {
    // Without a model that can be read, no trigger is explained; an unreadable file shows by itself.
    let model = try? StoredModel(inStoreAt: url).schema
    let code = try? StrangeCode(inStoreAt: url, model: model)
    if let warning = code?.warning { CoreDataCommand.complain(warning) }
  }

  private func run(_ database: any AskedDatabase, to output: Output) throws {
    let results = SQLResults(format: format, terminal: .output, output: output)
    let runner = SQLRunner(database: database, results: results)
    if let statement {
      if let word = DotCommand(statement) {
        if !word.isEnd { try word.run(runner, output) }
        return
      }
      try runner.runAll(statement)
      try database.requireCommitted()
    } else if isatty(STDIN_FILENO) == 1 {
      try SQLPrompt(runner: runner, output: output).run()
    } else {
      try runner.runPiped(output)
      try database.requireCommitted()
    }
  }
}
