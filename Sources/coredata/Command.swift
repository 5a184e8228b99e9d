/// One thing that the tool can do.
protocol Command {
  /// What is typed after `coredata`.
  static var words: [String] { get }
  /// A line for the list of commands.
  static var summary: String { get }
  /// What `--help` prints.
  static var help: String { get }

  init(_ arguments: inout CommandArguments) throws
  func run() throws
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
}

/// What was asked for properly, and cannot be.
struct Refusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
