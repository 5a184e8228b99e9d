/// Apple's list of symbols of a framework, as Documentation/Parity/Symbols.txt has it.
struct AppleSymbols {
  var groups: [Group] = []

  struct Group {
    let name: String
    var types: [AppleType] = []
    /// Declarations outside of types.
    var globals: [AppleSymbol] = []
  }

  struct AppleType {
    let name: String
    /// A class, a protocol, an enumeration.
    let kind: String
    let isDeprecated: Bool
    var members: [AppleSymbol] = []
  }

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") {
        groups.append(Group(name: String(line.dropFirst(3))))
      } else if groups.isEmpty {
        continue
      } else if line.hasPrefix("# ") {
        let words = line.dropFirst(2).split(separator: " ")
        let isDeprecated = words[0] == "†"
        let rest = isDeprecated ? words.dropFirst() : words[...]
        let type = AppleType(
          name: String(rest.first ?? ""),
          kind: rest.dropFirst().joined(separator: " "),
          isDeprecated: isDeprecated
        )
        groups[groups.count - 1].types.append(type)
      } else {
        add(AppleSymbol(line))
      }
    }
  }

  /// The names of the types.
  var typeNames: Set<String> { Set(groups.flatMap(\.types).map(\.name)) }

  private mutating func add(_ symbol: AppleSymbol) {
    let group = groups.count - 1
    if groups[group].types.isEmpty {
      groups[group].globals.append(symbol)
    } else {
      groups[group].types[groups[group].types.count - 1].members.append(symbol)
    }
  }
}

/// One declaration of Apple's list.
struct AppleSymbol {
  let declaration: String
  let isDeprecated: Bool
  /// The name by which Swift tells it from others: `fetch(_:)`, `init(contentsOf:)`, `parent`.
  let key: String

  init(_ line: Substring) {
    isDeprecated = line.hasPrefix("† ")
    declaration = String(isDeprecated ? line.dropFirst(2) : line)
    key = Self.key(of: declaration)
  }

  private static let introducers: Set<Substring> = [
    "func", "var", "let", "case", "typealias", "associatedtype", "struct", "enum", "class",
    "protocol", "macro",
  ]

  private static func key(of declaration: String) -> String {
    let words = declaration.split(separator: " ", omittingEmptySubsequences: true)
    var start = words.startIndex
    while start < words.endIndex {
      let word = words[start]
      if word.hasPrefix("init") || word.hasPrefix("subscript") { break }
      // `class func` is a method, `class Name` a type.
      let next = words.indices.contains(start + 1) ? words[start + 1] : ""
      if introducers.contains(word), !introducers.contains(next) {
        start += 1
        break
      }
      start += 1
    }
    guard start < words.endIndex else { return declaration }
    let rest = declaration[words[start].startIndex...]
    var name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    // `static func == (one: Note, other: Note)`
    let isOperator = name.isEmpty
    if isOperator { name = rest.prefix { $0 != " " } }
    let afterName = rest.dropFirst(name.count).drop { $0 == "?" || $0 == "!" || $0 == " " }
    let afterGenerics = afterName.first == "<" ? balanced(afterName, "<", ">").after : afterName
    guard afterGenerics.first == "(" else { return String(name) }
    let parameters = balanced(afterGenerics, "(", ")").inside
    let labels = split(parameters).map { parameter in
      // A subscript's parameter is unlabelled unless it has two names; that of a case can be only a type.
      isOperator || !parameter.contains(":")
        || name == "subscript" && !(parameter.prefix { $0 != ":" }).contains(" ")
        ? "_:" : parameter.prefix { $0 != ":" && $0 != " " } + ":"
    }
    return name + "(" + labels.joined() + ")"
  }

  private static func balanced(
    _ text: Substring,
    _ open: Character,
    _ close: Character
  ) -> (inside: Substring, after: Substring) {
    var depth = 0
    for index in text.indices {
      if text[index] == open { depth += 1 }
      if text[index] == close { depth -= 1 }
      if depth == 0 {
        let inside = text[text.index(after: text.startIndex)..<index]
        return (inside, text[text.index(after: index)...])
      }
    }
    return (text.dropFirst(), "")
  }

  /// The parameters, split at the commas outside of all brackets.
  private static func split(_ parameters: Substring) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var start = parameters.startIndex
    for index in parameters.indices {
      switch parameters[index] {
      case "(", "[", "<": depth += 1
      case ")", "]": depth -= 1
      case ">" where parameters[..<index].last != "-": depth -= 1
      case "," where depth == 0:
        parts.append(parameters[start..<index])
        start = parameters.index(after: index)
      case _: break
      }
    }
    parts.append(parameters[start...])
    return parts.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }
}
