/// The fields of one XML element, each read as its type; a field of another type becomes a problem.
struct ElementFields {
  /// The entity and property that the element is part of, for the sake of problems.
  let entity: String?
  let property: String?
  private(set) var problems: [Problem] = []
  private let element: XMLElementTree

  struct Problem {
    var severity: ModelProblem.Severity
    var line: Int
    var message: String
  }

  init(_ element: XMLElementTree, entity: String?, property: String? = nil) {
    self.element = element
    self.entity = entity
    self.property = property
  }

  /// A text, or nil when it is absent or empty.
  func text(_ name: String) -> String? {
    guard let text = element.attributes[name], !text.isEmpty else { return nil }
    return text
  }

  /// Whether the field is there and its text is empty.
  func isEmpty(_ name: String) -> Bool { element.attributes[name] == "" }

  /// The name of a thing in an earlier version, when it is another one.
  func renamingIdentifier(of name: String) -> String? {
    text("elementID").flatMap { $0 == name ? nil : $0 }
  }

  mutating func flag(_ name: String, otherwise absent: Bool = false) -> Bool {
    switch text(name) {
    case nil: return absent
    case "YES": return true
    case "NO": return false
    case let text?:
      report("\(name) is \"\(text)\"; write YES or NO")
      return absent
    }
  }

  mutating func integer(_ name: String) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text) else {
      report("\(name) is \"\(text)\"; write a whole number")
      return nil
    }
    return number
  }

  /// A number that the model can be used without: Xcode opens and compiles it all the same.
  mutating func dispensableNumber(_ name: String) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      report("\(name) is \"\(text)\", and was left out; write a number", severity: .warning)
      return nil
    }
    return number
  }

  mutating func dispensableInteger(_ name: String) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text) ?? Double(text).flatMap(Int.init(exactly:)) else {
      report("\(name) is \"\(text)\", and was left out; write a whole number", severity: .warning)
      return nil
    }
    return number
  }

  mutating func choice<Value>(
    _ name: String,
    from choices: [String: Value],
    otherwise absent: Value
  ) -> Value {
    guard let text = text(name) else { return absent }
    if let value = choices[text] { return value }
    let known = choices.keys.sortedByCodePoints().joined(separator: ", ")
    report("\(name) is \"\(text)\"; write one of: \(known)")
    return absent
  }

  mutating func report(_ message: String, severity: ModelProblem.Severity = .error) {
    problems.append(Problem(severity: severity, line: element.line, message: message))
  }
}
