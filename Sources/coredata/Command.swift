@_exported import enum CoreDataStoreCare.JSONValue
@_exported import struct CoreDataStoreCare.Refusal
@_exported import enum CoreDataStoreCare.Spelling

/// One thing that the tool can do.
protocol Command {
  /// The words after `coredata`.
  static var words: [String] { get }
  /// A line for the list of commands.
  static var summary: String { get }
  /// The output of `--help`.
  static var help: String { get }

  /// Whether it takes the address of a PostgreSQL database where it takes the path of a store.
  static var takesDatabases: Bool { get }

  init(_ arguments: inout CommandArguments) throws
  func run() throws
}

extension Command {
  static var name: String { words.joined(separator: " ") }

  static var takesDatabases: Bool { false }
}

/// A command line that cannot be carried out.
struct Mistake: Error {
  let sentence: String
  /// The command line that says more.
  let help: String

  init(_ sentence: String, of command: (any Command.Type)? = nil) {
    self.sentence = sentence
    help = (["coredata"] + (command?.words ?? []) + ["--help"]).joined(separator: " ")
  }

  /// The sentence, and a reference to the help.
  var advice: String {
    sentence.hasSuffix("?") ? "\(sentence) See \(help)" : "\(sentence); see \(help)"
  }
}
