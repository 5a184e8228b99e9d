import CoreData
import CoreDataSQLite
import Foundation

/// The prompt of `coredata sql`: statements over one line or several, and words that begin with a dot.
///
/// ```
/// Notes.sqlite, read-only. Statements end with a semicolon; .help says more.
/// coredata> SELECT COUNT(*)
///      ...> FROM ZNOTE;
/// ```
struct SQLPrompt {
  let runner: SQLRunner
  let url: URL
  let output: Output

  static let dotCommands = """
      .tables            the tables and views
      .schema [TABLE]    how they were made, with their indexes and triggers
      .entities          Core Data's entities, their numbers and tables
      .help              this list
      .quit              the end; so does Control-D
    """

  func run() throws {
    let access = runner.mayWrite ? "open for writing" : "read-only"
    try output.line("\(url.lastPathComponent.inOneLine), \(access).")
    try output.line("Statements end with a semicolon; .help says more.")
    var text = ""
    while let line = try ask(Script.isBlank(text) ? "coredata> " : "     ...> ") {
      if Script.isBlank(text), line.hasPrefix(".") {
        if [".quit", ".exit", ".q"].contains(line.trimmed) { return }
        complaining { try dotCommand(line.trimmed) }
        continue
      }
      text += line + "\n"
      var script = Script(text)
      while let statement = script.next() { complaining { try runner.run(statement) } }
      text = String(script.rest)
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
      // What was printed before stands above the complaint.
      try? output.flush()
      CoreDataCommand.complain("\(error)")
    }
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

// MARK: - Words with a dot

extension SQLPrompt {
  private func dotCommand(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    switch words[0] {
    case ".help": try output.line(Self.dotCommands)
    case ".tables": try tables()
    case ".schema": try schema(of: words.count > 1 ? words[1] : nil)
    case ".entities": try entities()
    case let word:
      let known = [".help", ".tables", ".schema", ".entities", ".quit"]
      throw Refusal("there is no \(word)\(Spelling.question(word, among: known)); .help lists all")
    }
  }

  private func tables() throws {
    for thing in try refusing(runner.session.things).sorted(by: { $0.name < $1.name })
    where ["table", "view"].contains(thing.kind) {
      try output.line(thing.name.inOneLine)
    }
  }

  private func schema(of table: String?) throws {
    let things = try refusing(runner.session.things)
    let wanted = things.filter { thing in
      table.map { thing.table.lowercased() == $0.lowercased() } ?? true
    }
    if let table, wanted.isEmpty {
      let names = things.filter { $0.kind == "table" }.map(\.name)
      throw Refusal("there is no table \(table)\(Spelling.question(table, among: names))")
    }
    for thing in wanted { try output.line(thing.sql.harmless + ";") }
  }

  private func entities() throws {
    try runner.run(
      """
      SELECT e.Z_ENT AS number, e.Z_NAME AS entity, s.Z_NAME AS superentity, e.Z_MAX AS "last key"
      FROM Z_PRIMARYKEY e LEFT JOIN Z_PRIMARYKEY s ON s.Z_ENT = e.Z_SUPER ORDER BY e.Z_ENT
      """
    )
  }
}
