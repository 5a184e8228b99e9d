import Foundation

/// The command line tool: `coredata <subject> <verb>`.
@main
enum CoreDataCommand {
  /// In the order in which the help lists them.
  static var commands: [any Command.Type] {
    [ModelCompileCommand.self, ModelHashCommand.self, MigrateCommand.self, ExplainCommand.self]
  }

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let mistake as Mistake {
      complain("coredata: \(mistake.sentence); see \(mistake.help)")
      exit(2)
    } catch let refusal as Refusal {
      complain(refusal.description)
      exit(1)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ words: [String]) throws {
    guard let first = words.first, !["help", "--help", "-h"].contains(first) else {
      print(help)
      return
    }
    guard let command = commands.first(where: { words.starts(with: $0.words) }) else {
      throw unknown(words)
    }
    var arguments = CommandArguments(words.dropFirst(command.words.count), of: command)
    if arguments.asksForHelp {
      print(command.help)
      return
    }
    try command.init(&arguments).run()
  }

  private static func unknown(_ words: [String]) -> Mistake {
    let verbs = commands.filter { $0.words.first == words.first }.compactMap { $0.words.last }
    if words.count == 1 || words.dropFirst().first?.hasPrefix("-") == true, !verbs.isEmpty {
      return Mistake("\(words[0]) needs a verb: \(verbs.joined(separator: " or "))")
    }
    return Mistake("there is no command '\(words.prefix(2).joined(separator: " "))'")
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}

// MARK: - Help

extension CoreDataCommand {
  private static var help: String {
    let width = commands.map { $0.words.joined(separator: " ").count }.max() ?? 0
    let lines = commands.map { command in
      let words = command.words.joined(separator: " ")
      return "  \(words.padding(toLength: width, withPad: " ", startingAt: 0))  \(command.summary)"
    }
    return """
      coredata works with data models and stores from the command line.

      \(lines.joined(separator: "\n"))

      Each command explains itself: coredata explain --help.

      \(exitStatuses)
      """
  }

  static let exitStatuses = """
    Exit status: 0 done; 1 a model, a predicate or a store is wrong; 2 the command line is.
    """
}
