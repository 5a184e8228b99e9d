import CoreDataSQLite
import Foundation

/// The command line tool: `coredata <subject> <verb>`.
@main
enum CoreDataCommand {
  /// In the order in which the help lists them.
  static var commands: [any Command.Type] {
    [
      InspectCommand.self, DumpCommand.self, CheckCommand.self, RepairCommand.self,
      SetCommand.self, ImportCommand.self, MigrateCommand.self, CopyCommand.self, SQLCommand.self,
      ExplainCommand.self, ViewsCommand.self, StudioCommand.self,
      ModelPrintCommand.self, ModelDiffCommand.self, ModelDiagramCommand.self,
      ModelExtractCommand.self, ModelCompileCommand.self, ModelGenerateCommand.self,
      ModelHashCommand.self, ModelNewCommand.self, ModelAddEntityCommand.self,
      ModelAddAttributeCommand.self, ModelAddRelationshipCommand.self, ModelAddVersionCommand.self,
      PortCommand.self, NewAppCommand.self, ServeCommand.self, SyncStatusCommand.self,
      SyncConflictsCommand.self, SyncExportCommand.self, PairCommand.self,
      SyncResetCommand.self, CompletionCommand.self,
    ]
  }

  static func main() {
    // A reader that goes away, such as head, ends the program without a word, whatever it inherited.
    signal(SIGPIPE, SIG_DFL)
    // A file that would be larger than files may be is an error like a full disk, after which there is something to tidy up.
    signal(SIGXFSZ, SIG_IGN)
    Connection.setMemory(bytes: StatementMemory.most)
    do {
      try requireText()
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let mistake as Mistake {
      complain("coredata: \(mistake.advice)")
      exit(2)
    } catch let refusal as Refusal {
      complain(refusal.description)
      exit(1)
    } catch {
      complain(words(for: error))
      exit(1)
    }
  }

  /// Refuses arguments that are not text: another file than the one that was meant would be read or written.
  private static func requireText() throws {
    for (number, place) in (0..<CommandLine.argc).enumerated().dropFirst() {
      guard let bytes = CommandLine.unsafeArgv[Int(place)], String(validatingCString: bytes) == nil
      else {
        continue
      }
      throw Mistake(
        "argument \(number), '\(CommandLine.arguments[number])', is not UTF-8; rename the file, or name it by a link"
      )
    }
  }

  private static func run(_ words: [String]) throws {
    guard let first = words.first, !["--help", "-h"].contains(first) else {
      print(help)
      return
    }
    if first == "help" {
      print(try explanation(of: Array(words.dropFirst())))
      return
    }
    if ["--version", "-V"].contains(first) {
      print(version)
      return
    }
    guard let command = commands.first(where: { words.starts(with: $0.words) }) else {
      let named = words.prefix { !["--help", "-h"].contains($0) }
      guard named.count < words.count else { throw unknown(words) }
      print(try explanation(of: Array(named)))
      return
    }
    var arguments = CommandArguments(words.dropFirst(command.words.count), of: command)
    if arguments.asksForHelp {
      print(command.help)
      return
    }
    if !command.takesDatabases, words.contains(where: DatabaseAddress.isAddress) {
      let others = commands.filter { $0.takesDatabases }.map { $0.name }.joined(separator: ", ")
      throw Refusal(
        "coredata \(command.name) is for files; these commands take PostgreSQL databases: \(others)"
      )
    }
    try command.init(&arguments).run()
  }

  private static func unknown(_ words: [String]) -> Mistake {
    let verbs = commands.filter { $0.words.first == words.first }.compactMap { $0.words.last }
    if words.count == 1 || words.dropFirst().first?.hasPrefix("-") == true, !verbs.isEmpty {
      let list = verbs.dropLast().joined(separator: ", ")
      let last = verbs[verbs.count - 1]
      return Mistake("\(words[0]) needs a verb: \(list.isEmpty ? last : "\(list) or \(last)")")
    }
    if words[0].hasPrefix("-") {
      let question = Spelling.question(words[0], among: ["--help", "--version"])
      return Mistake("unexpected '\(words[0])'\(question)")
    }
    let subjects = Set(commands.map { $0.words[0] })
    if subjects.contains(words[0]) {
      let typed = words.prefix(2).joined(separator: " ")
      let question = Spelling.question(typed, among: commands.map { $0.name })
      return Mistake("there is no command '\(typed)'\(question)")
    }
    let question = Spelling.question(words[0], among: subjects.union(["help"]))
    return Mistake("there is no command '\(words[0])'\(question)")
  }

  static func complain(_ text: String) {
    Output.tell { try $0.line(text.withoutPasswords) }
  }
}

// MARK: - Help

extension CoreDataCommand {
  /// The line that `--version` prints.
  static let version = "coredata \(PackageVersion.number) with SQLite \(Connection.libraryVersion)"

  /// `coredata help dump`; of a subject such as `model` the list of its verbs, also for `coredata model --help`.
  private static func explanation(of words: [String]) throws -> String {
    if words.isEmpty { return help }
    if let command = commands.first(where: { $0.words == words }) { return command.help }
    let verbs = commands.filter { $0.words.starts(with: words) }
    guard verbs.isEmpty else { return list(verbs) }
    throw unknown(words)
  }

  private static var help: String {
    """
    coredata inspects, checks and changes Core Data stores and data models, without a Mac.

    \(list(commands))

    Run coredata help COMMAND, or coredata COMMAND --help, to read about a command. A store is the
    .sqlite file of an app; some commands also take the address of a PostgreSQL database, such as
    postgresql://notes@db.example.org/notes. Only import, migrate, repair, set and sql --write change a
    store; copy replaces one with --force, and views adds views to a database.

      coredata inspect Notes.sqlite
      coredata dump Notes.sqlite --entity Note --where 'stars > 3' --limit 20

    \(exitStatuses)
    """
  }

  private static func list(_ commands: [any Command.Type]) -> String {
    let width = commands.map { $0.name.count }.max() ?? 0
    return commands.map { "  \($0.name.filled(to: width))  \($0.summary)" }.joined(separator: "\n")
  }

  static let exitStatuses = """
    Exit status: 0 done; 1 not done, or not all of it, and the errors say why; 2 the command line is
    wrong.
    """

  /// How commands that open a store explain their model.
  static let modelOption = """
      --model MODEL      the model to read the store with: a .momd, .mom, .xcdatamodeld or
                         .xcdatamodel, or another store; without it, the model inside the store
      --without-model    derive a model from the store's tables, or from the objects of an XML store;
                         names are then in small letters
    """
}
