import CoreDataSQLite

/// The prompt of `coredata sql`: statements over one line or several, and words that begin with a dot.
///
/// ```
/// Notes.sqlite, read-only. Statements end with a semicolon; .help says more.
/// coredata> SELECT COUNT(*)
///      ...> FROM ZNOTE;
/// ```
struct SQLPrompt {
  let runner: SQLRunner
  let output: Output

  func run() throws {
    let database = runner.database
    let access = database.mayWrite ? "open for writing" : "read-only"
    try output.line("\(database.name.inOneLine), \(access).")
    try output.line("Statements end with a semicolon; .help says more.")
    var text = ""
    while let line = try ask(Script.isBlank(text) ? "coredata> " : "     ...> ") {
      if Script.isBlank(text), let word = DotCommand(line) {
        if word.isEnd { return }
        complaining { try word.run(runner, output) }
        continue
      }
      text += line + "\n"
      var rest = text[...]
      while let statement = database.takeStatement(from: &rest) {
        complaining { try runner.run(statement) }
      }
      text = String(rest)
    }
    try output.line()
  }

  private func ask(_ prompt: String) throws -> String? {
    try output.write(prompt)
    try output.flush()
    return readLine()
  }

  /// A mistake in one statement is not the end of the session.
  private func complaining(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      // Earlier output appears above the complaint.
      try? output.flush()
      CoreDataCommand.complain("\(error)")
    }
  }
}
