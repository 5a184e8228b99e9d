import CoreData
import Foundation

/// A line that asks about the database instead of asking it: `.tables`, `.schema ZNOTE`.
struct DotCommand {
  private let word: String
  private let argument: String?

  /// What helps, for the help and for `.help`.
  static let list = """
      .tables            list tables and views
      .schema [TABLE]    print the statements that made them, with indexes and triggers
      .entities          list Core Data's entities with their numbers and last keys
      .help              print this list
      .quit              leave; so does Control-D
    """

  /// Nil for a line that does not begin with a dot.
  init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first, first.hasPrefix(".") else { return nil }
    word = first
    argument = words.dropFirst().first
  }

  var isEnd: Bool { [".quit", ".exit", ".q"].contains(word) }

  func run(_ runner: SQLRunner, _ output: Output) throws {
    switch word {
    case ".help": try output.line(Self.list)
    case ".tables": try tables(runner, output)
    case ".schema": try schema(runner, output)
    case ".entities": try entities(runner)
    case _:
      let known = [".help", ".tables", ".schema", ".entities", ".quit"]
      throw Refusal("there is no \(word)\(Spelling.question(word, among: known))\n\(Self.list)")
    }
  }

  private func tables(_ runner: SQLRunner, _ output: Output) throws {
    for thing in try refusing(runner.session.things).sorted(by: { $0.name < $1.name })
    where ["table", "view"].contains(thing.kind) {
      try output.line(thing.name.inOneLine)
    }
  }

  private func schema(_ runner: SQLRunner, _ output: Output) throws {
    let things = try refusing(runner.session.things)
    let wanted = things.filter { thing in
      argument.map { thing.table.lowercased() == $0.lowercased() } ?? true
    }
    if let argument, wanted.isEmpty {
      let names = things.filter { $0.kind == "table" }.map(\.name)
      let question = Spelling.question(argument, among: names)
      throw Refusal("there is no table \(argument)\(question)")
    }
    for thing in wanted { try output.line(thing.sql.harmless + ";") }
  }

  private func entities(_ runner: SQLRunner) throws {
    try runner.run(
      """
      SELECT e.Z_ENT AS number, e.Z_NAME AS entity, s.Z_NAME AS superentity, e.Z_MAX AS "last key"
      FROM Z_PRIMARYKEY e LEFT JOIN Z_PRIMARYKEY s ON s.Z_ENT = e.Z_SUPER ORDER BY e.Z_ENT
      """
    )
  }
}
