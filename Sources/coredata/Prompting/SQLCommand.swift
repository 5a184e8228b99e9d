import CoreData
import CoreDataStoreCare
import Foundation

/// `coredata sql`: a store's tables, asked in SQL.
struct SQLCommand: Command {
  static let words = ["sql"]
  static let summary = "run SQL statements in a store, read-only by default"
  static let help = """
    coredata sql STORE [STATEMENT] [--write] [--time-limit S]
                 [--json | --csv [--escape-formulas]]

    Runs SQL statements in a store's database: STATEMENT, or the standard input, or what you type at a
    prompt. The SQL functions that Core Data's triggers call are available.

      STATEMENT          one or more statements separated by semicolons, or a command that begins with a
                         dot
      --write            allow statements that change the store; without it, they are refused
      --time-limit S     stop a statement that has returned no row for S seconds; the default is
                         60, and 0 means no limit
      --json             print a list of objects
      --csv              print comma-separated values
      --escape-formulas  in CSV, put an apostrophe before texts that begin with = + - @, a tab or a
                         carriage return, because spreadsheets run such texts as formulas

    Changes made with SQL bypass Core Data: the keys in Z_PRIMARYKEY, the versions in Z_OPT and the
    history are not updated. Work on a copy.

    Commands that begin with a dot:
    \(DotCommand.list)

      coredata sql Notes.sqlite 'SELECT Z_PK, ZTITLE FROM ZNOTE ORDER BY ZCREATED DESC LIMIT 5'
      coredata sql Notes.sqlite --json < questions.sql

    Error messages are SQLite's own, with a mark at the position.

    \(CoreDataCommand.exitStatuses)
    """

  private let url: URL
  private let statement: String?
  private let mayWrite: Bool
  private let format: SQLResults.Format

  init(_ arguments: inout CommandArguments) throws {
    mayWrite = arguments.flag("--write")
    try StatementTime.take(from: &arguments)
    let (json, csv) = (arguments.flag("--json"), arguments.flag("--csv"))
    let escapesFormulas = arguments.flag("--escape-formulas")
    if json, csv { throw arguments.mistake("--json and --csv cannot be used together") }
    if escapesFormulas, !csv { throw arguments.mistake("--escape-formulas is for --csv") }
    format = json ? .json : csv ? .csv(escapesFormulas: escapesFormulas) : .table
    url = URL(filePath: try arguments.operand("the path of a store"))
    statement = arguments.operand()
    try arguments.finish()
  }

  func run() throws {
    try OpenedStore.requireSQLite(url)
    let session = try refusing {
      try SQLSession(at: url, isWritable: mayWrite, patience: OpenedStore.patience)
    }
    if mayWrite { warnOfTriggers() }
    try Output.writing { try run(session, to: $0) }
  }

  /// Whoever writes statements decides about triggers too, and should know of them.
  private func warnOfTriggers() {
    // Without a model that can be read, no trigger is explained; an unreadable file shows by itself.
    let model = try? StoredModel(inStoreAt: url).schema
    let code = try? StrangeCode(inStoreAt: url, model: model)
    if let warning = code?.warning { CoreDataCommand.complain(warning) }
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
