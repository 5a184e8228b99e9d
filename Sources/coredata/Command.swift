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

/// A request that is well-formed, but cannot be fulfilled.
struct Refusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Refusal {
  /// A sentence, and below it the text with a mark at the place.
  ///
  /// ```
  /// cannot parse "title ==": expected a value at the end
  ///   title ==
  ///           ^
  /// ```
  init(_ sentence: String, in text: String, at place: Int?) {
    guard let place else {
      self.init(sentence)
      return
    }
    let line = text.map { $0.isNewline ? " " : String($0) }.joined()
    self.init("\(sentence)\n  \(line)\n  \(String(repeating: " ", count: place))^")
  }
}
