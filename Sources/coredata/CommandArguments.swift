/// The words behind a command, taken one after the other.
///
/// ```swift
/// let asksForJSON = arguments.flag("--json")
/// let model = try arguments.value(of: "--model")
/// try arguments.finish()                          // what is left is a mistake
/// ```
struct CommandArguments {
  private var words: [String]
  private let command: any Command.Type

  init(_ words: some Sequence<String>, of command: any Command.Type) {
    self.words = Array(words)
    self.command = command
  }

  var asksForHelp: Bool { words.contains("--help") || words.contains("-h") }

  /// Everything that is left, for a command that reads it by itself.
  mutating func all() -> [String] {
    defer { words = [] }
    return words
  }

  mutating func flag(_ name: String) -> Bool {
    guard let place = words.firstIndex(of: name) else { return false }
    words.remove(at: place)
    return true
  }

  /// The word behind an option, whatever it begins with: `--sort -created` or `--sort=-created`.
  mutating func value(ifGiven name: String) throws(Mistake) -> String? {
    if let place = words.firstIndex(where: { $0.hasPrefix("\(name)=") }) {
      return String(words.remove(at: place).dropFirst(name.count + 1))
    }
    guard let place = words.firstIndex(of: name) else { return nil }
    guard place + 1 < words.count else { throw mistake("\(name) needs a value") }
    let value = words[place + 1]
    words.removeSubrange(place...place + 1)
    return value
  }

  mutating func value(of name: String, _ meaning: String) throws(Mistake) -> String {
    guard let value = try value(ifGiven: name) else {
      throw mistake("\(name) is missing, \(meaning)")
    }
    return value
  }

  /// The next word that is no option.
  mutating func operand(_ meaning: String) throws(Mistake) -> String {
    guard let word = operand() else { throw mistake("\(meaning) is missing") }
    return word
  }

  /// The next word that is no option, if there is one.
  mutating func operand() -> String? {
    words.firstIndex { !$0.hasPrefix("-") }.map { words.remove(at: $0) }
  }

  func finish() throws(Mistake) {
    if let word = words.first { throw mistake("unexpected '\(word)'") }
  }

  func mistake(_ sentence: String) -> Mistake {
    Mistake("\(command.words.joined(separator: " ")): \(sentence)", of: command)
  }
}
