/// The words after a command, taken one after the other.
///
/// ```swift
/// let asksForJSON = arguments.flag("--json")
/// let model = try arguments.value(of: "--model")
/// try arguments.finish()                          // remaining words are a mistake
/// ```
///
/// Options come before or after operands; words after `--` are not options, whatever they begin with.
struct CommandArguments {
  private var words: [String]
  /// The words after `--`.
  private var literal: [String]
  /// The options that were asked for, which the command knows.
  private var known: [String] = []
  /// Those of them that take a value.
  private var valued: Set<String> = []
  private let command: any Command.Type

  init(_ words: some Sequence<String>, of command: any Command.Type) {
    let words = Array(words)
    let end = words.firstIndex(of: "--") ?? words.count
    self.words = Array(words[..<end])
    literal = Array(words[end...].dropFirst())
    self.command = command
  }

  var asksForHelp: Bool { words.contains("--help") || words.contains("-h") }

  /// Everything that is left, for a command that reads it by itself.
  mutating func all() -> [String] {
    defer { (words, literal) = ([], []) }
    return words + literal
  }

  mutating func flag(_ name: String) -> Bool {
    known.append(name)
    guard let place = words.firstIndex(of: name) else { return false }
    words.remove(at: place)
    return true
  }

  /// The word behind an option, whatever it begins with: `--sort -created` or `--sort=-created`.
  mutating func value(ifGiven name: String) throws(Mistake) -> String? {
    known.append(name)
    valued.insert(name)
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

  /// The file or folder to write, behind `-o` or `--output`, which are the same.
  mutating func output() throws(Mistake) -> String? {
    let (short, long) = (try value(ifGiven: "-o"), try value(ifGiven: "--output"))
    if short != nil, long != nil { throw mistake("-o and --output are the same; give one of them") }
    return short ?? long
  }

  /// A whole number from zero on.
  mutating func number(ifGiven name: String) throws(Mistake) -> Int? {
    guard let text = try value(ifGiven: name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw mistake("\(name) needs a whole number of 0 or more, not '\(text)'")
    }
    return number
  }

  /// The bytes of a limit that an option gives, such as `1500`, `500MB` or `2 GB`; `Int.max` for `none`.
  func limit(_ text: String, of name: String) throws(Mistake) -> Int {
    if text == "none" { return .max }
    guard let bytes = Int(bytesIn: text) else {
      throw mistake("\(name) needs a size, such as 500MB or 2GB, or none; not '\(text)'")
    }
    return bytes
  }

  /// One of some words.
  mutating func choice(
    ifGiven name: String,
    among words: [String]
  ) throws(Mistake) -> String? {
    guard let text = try value(ifGiven: name) else { return nil }
    guard words.contains(text) else {
      let question = Spelling.question(text, among: words)
      let list = "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
      throw mistake("\(name) is \(list), not '\(text)'\(question)")
    }
    return text
  }

  /// The one word that is not an option.
  mutating func operand(_ meaning: String) throws(Mistake) -> String {
    guard let operand = operand() else {
      // A mistyped option may have swallowed it.
      if let word = words.first { throw unexpected(word) }
      throw mistake("\(meaning) is missing")
    }
    return operand
  }

  /// The next word that is not an option, if there is one.
  mutating func operand() -> String? {
    if let place = words.firstIndex(where: { !$0.hasPrefix("-") || $0 == "-" }) {
      return words.remove(at: place)
    }
    return literal.isEmpty ? nil : literal.removeFirst()
  }

  func finish() throws(Mistake) {
    if let option = words.first(where: { $0.hasPrefix("-") }) { throw unexpected(option) }
    if let word = (words + literal).first { throw mistake("unexpected '\(word)'") }
  }

  private func unexpected(_ option: String) -> Mistake {
    let name = String(option.prefix { $0 != "=" })
    if known.contains(name) {
      let isTwice = option == name || valued.contains(name)
      return mistake(isTwice ? "\(name) is given twice" : "\(name) takes no value")
    }
    return mistake("unexpected '\(name)'\(Spelling.question(name, among: known + ["--help"]))")
  }

  func mistake(_ sentence: String) -> Mistake {
    Mistake("\(command.words.joined(separator: " ")): \(sentence)", of: command)
  }
}
