import CoreDataSQLite

/// Runs the statements that somebody writes.
struct SQLRunner {
  let database: any AskedDatabase
  let results: SQLResults

  /// Runs every statement of a text; the last one needs no semicolon.
  func runAll(_ text: String) throws {
    try run(String(try runWhole(text[...])))
  }

  /// Runs what is piped in, one statement as soon as it is complete.
  func runPiped(_ output: Output) throws {
    var text = ""
    while let line = readLine(strippingNewline: false) {
      if Script.isBlank(text), let word = DotCommand(line) {
        if word.isEnd { return }
        try word.run(self, output)
        continue
      }
      text += line
      if line.contains(";") { text = String(try runWhole(text[...])) }
    }
    try run(text)
  }

  /// Runs the statements that end with a semicolon, and returns what is behind them.
  private func runWhole(_ text: Substring) throws -> Substring {
    var rest = text
    while let statement = database.takeStatement(from: &rest) { try run(statement) }
    return rest
  }

  func run(_ text: String) throws {
    let sql = String(text.drop(while: \.isWhitespace))
    if Script.isBlank(sql) { return }
    // A database would run the text before it, which may lack a condition.
    if sql.utf8.contains(0) {
      throw Refusal("the statement has the character U+0000, at which it would end; remove it")
    }
    let changes = try database.run(sql, into: results)
    if database.mayWrite, changes > 0 { try results.note("\(changes.of("row")) changed") }
  }
}
