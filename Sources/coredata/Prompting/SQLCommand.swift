import CoreData
import Foundation

/// `coredata sql`: a store's tables, asked in SQL.
struct SQLCommand: Command {
  static let words = ["sql"]
  static let summary = "ask the tables of a store in SQL, read-only unless told otherwise"
  static let help = """
    coredata sql STORE [STATEMENT] [--write] [--json | --csv]

    Runs statements of SQL in a store's database: the one given, those that are piped in, or those that
    are typed at a prompt. Core Data's own SQL functions are there, so that triggers run.

      STATEMENT   one statement or several, with semicolons between them; or a line with a dot
      --write     let statements change the store; without it none can
      --json      print a list of objects
      --csv       print comma-separated values

    What is changed with SQL alone goes past Core Data: keys in Z_PRIMARYKEY, versions in Z_OPT and the
    history stay as they are. Work on a copy.

    Lines that begin with a dot ask about the database:
    \(DotCommand.list)

      coredata sql Notes.sqlite 'SELECT Z_PK, ZTITLE FROM ZNOTE ORDER BY ZCREATED DESC LIMIT 5'
      coredata sql Notes.sqlite --json < questions.sql

    Errors have SQLite's own words and a mark at the place.

    \(CoreDataCommand.exitStatuses)
    """

  private let url: URL
  private let statement: String?
  private let mayWrite: Bool
  private let format: SQLResults.Format

  init(_ arguments: inout CommandArguments) throws {
    mayWrite = arguments.flag("--write")
    let (json, csv) = (arguments.flag("--json"), arguments.flag("--csv"))
    if json, csv { throw arguments.mistake("--json and --csv exclude each other") }
    format = json ? .json : csv ? .csv : .table
    url = URL(filePath: try arguments.operand("the path of a store"))
    statement = arguments.operand()
    try arguments.finish()
  }

  func run() throws {
    try OpenedStore.requireSQLite(url)
    let session = try refusing {
      try SQLSession(at: url, isWritable: mayWrite, patience: OpenedStore.patience)
    }
    try Output.writing { try run(session, to: $0) }
  }

  private func run(_ session: SQLSession, to output: Output) throws {
    let runner = SQLRunner(
      session: session,
      mayWrite: mayWrite,
      results: SQLResults(format: format, terminal: .output, output: output)
    )
    if let statement {
      if let word = DotCommand(statement) {
        if !word.isEnd { try word.run(runner, output) }
        return
      }
      try runner.runAll(statement)
      try runner.requireCommitted()
    } else if isatty(STDIN_FILENO) == 1 {
      try SQLPrompt(runner: runner, url: url, output: output).run()
    } else {
      try runner.runPiped(output)
      try runner.requireCommitted()
    }
  }
}
