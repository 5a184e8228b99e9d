/// A line that asks about the database instead of asking it: `.tables`, `.schema ZNOTE`.
struct DotCommand {
  private let word: String
  private let argument: String?

  /// The list for the help and for `.help`.
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
    let database = runner.database
    switch word {
    case ".help": try output.line(Self.list)
    case ".tables": for name in try database.tableNames() { try output.line(name.inOneLine) }
    case ".schema":
      for sql in try database.definitions(of: argument) { try output.line(sql.harmless + ";") }
    case ".entities": try runner.run(database.listOfEntities())
    case _:
      let known = [".help", ".tables", ".schema", ".entities", ".quit"]
      throw Refusal("there is no \(word)\(Spelling.question(word, among: known))\n\(Self.list)")
    }
  }
}
