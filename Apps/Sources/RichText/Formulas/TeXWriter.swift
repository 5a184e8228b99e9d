/// Reads the tokens of a formula and writes the elements of MathML for them.
///
/// `TeXWriter+Commands` has the commands, `TeXSymbols` their signs.
struct TeXWriter {
  /// The reason why a formula cannot be written: something in it is not known, or it does not end well.
  struct Unknown: Error {}

  /// Rows and atoms in one another: a group or a root is two levels.
  static let deepest = 80

  private let tokens: [TeXToken]
  private var position = 0
  private var depth = 0

  init(_ tokens: [TeXToken]) {
    self.tokens = tokens
  }

  /// The whole formula; several lines become rows of a table.
  mutating func formula() throws(Unknown) -> String {
    let table = try cells { $0 == nil }
    guard position == tokens.count else { throw Unknown() }
    if table.count == 1, table[0].count == 1 { return table[0][0] }
    return Self.table(table, "displaystyle=\"true\"")
  }
}

// MARK: - Tokens

extension TeXWriter {
  /// The next token that is not a blank, which stays where it is.
  mutating func peek() -> TeXToken? {
    while position < tokens.count, tokens[position] == .blank { position += 1 }
    return position < tokens.count ? tokens[position] : nil
  }

  mutating func next() throws(Unknown) -> TeXToken {
    guard let token = peek() else { throw Unknown() }
    position += 1
    return token
  }

  /// Takes a token if it is the next one.
  mutating func take(_ token: TeXToken) -> Bool {
    guard peek() == token else { return false }
    position += 1
    return true
  }

  /// The text between braces, with its blanks, as in `\text{so that}`.
  mutating func words() throws(Unknown) -> String {
    guard take(.sign("{")) else {
      guard case .sign(let sign) = try next() else { throw Unknown() }
      return String(sign)
    }
    var words = ""
    while position < tokens.count {
      let token = tokens[position]
      position += 1
      switch token {
      case .sign("}"): return words
      case .sign("{"), .sign("$"): throw Unknown()
      case .sign(let sign): words.unicodeScalars.append(sign)
      case .blank: words += " "
      case .command(let name):
        guard name.count == 1, let sign = name.first, "{}$%&_# ".contains(sign) else {
          throw Unknown()
        }
        words.append(sign)
      }
    }
    throw Unknown()
  }

  /// A group in braces, or the one atom that is there without them.
  mutating func argument() throws(Unknown) -> String {
    if peek() == .sign("{") { return try group() }
    // Of a number it is the first digit: \frac12.
    guard case .sign(let sign)? = peek(), sign.properties.numericType == .decimal else {
      return try atom()
    }
    position += 1
    return "<mn>\(sign)</mn>"
  }

  /// Reads `[n]` behind a command; returns `nil` if the next token is not a bracket.
  mutating func option() throws(Unknown) -> String? {
    guard take(.sign("[")) else { return nil }
    let inside = try row { $0 == .sign("]") }
    guard take(.sign("]")) else { throw Unknown() }
    return inside
  }

  private mutating func group() throws(Unknown) -> String {
    guard take(.sign("{")) else { throw Unknown() }
    let inside = try row { $0 == .sign("}") }
    guard take(.sign("}")) else { throw Unknown() }
    return "<mrow>\(inside)</mrow>"
  }
}

// MARK: - Rows and cells

extension TeXWriter {
  /// The atoms up to a token that ends them, which is not taken.
  mutating func row(until isEnd: (TeXToken?) -> Bool) throws(Unknown) -> String {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw Unknown() }
    var row = ""
    while true {
      let token = peek()
      if isEnd(token) { return row }
      switch token {
      case nil, .sign("}"), .sign("&"), .command("\\"), .command("cr"), .command("right"),
        .command("end"),
        .command("middle"):
        return row
      default: row += try scripted()
      }
    }
  }

  /// Rows of cells: `a & b \\ c & d`.
  mutating func cells(until isEnd: (TeXToken?) -> Bool) throws(Unknown) -> [[String]] {
    var table: [[String]] = [[]]
    while true {
      table[table.count - 1].append(try row(until: isEnd))
      if take(.sign("&")) { continue }
      guard take(.command("\\")) || take(.command("cr")) else { break }
      // The distance of the next line.
      if peek() == .sign("[") { _ = try option() }
      table.append([])
      if isEnd(peek()) {
        table.removeLast()
        break
      }
    }
    return table
  }

  static func table(_ rows: [[String]], _ attributes: String = "") -> String {
    let rows = rows.map { row in "<mtr>\(row.map { "<mtd>\($0)</mtd>" }.joined())</mtr>" }
    return "<mtable\(attributes.isEmpty ? "" : " \(attributes)")>\(rows.joined())</mtable>"
  }
}

// MARK: - Scripts

extension TeXWriter {
  /// An atom with what is above and below it.
  private mutating func scripted() throws(Unknown) -> String {
    let start = peek()
    let base: String
    switch start {
    // A script without a base, as in `{}^2`.
    case .sign("^"), .sign("_"): base = "<mrow></mrow>"
    default: base = try atom()
    }
    let hasLimits = start.map(TeXSymbols.hasLimits) ?? false
    var (isAbove, isBeside) = (hasLimits, false)
    while case .command(let name)? = peek(), name == "limits" || name == "nolimits" {
      position += 1
      (isAbove, isBeside) = (name == "limits", name == "nolimits")
    }
    return try scripts(of: base, areAbove: isAbove && !isBeside)
  }

  private mutating func scripts(of base: String, areAbove: Bool) throws(Unknown) -> String {
    var (lower, upper): (String?, String?) = (nil, nil)
    var primes = ""
    while true {
      if take(.sign("'")) {
        primes += "′"
      } else if take(.sign("^")) {
        if upper != nil { throw Unknown() }
        upper = try argument()
      } else if take(.sign("_")) {
        if lower != nil { throw Unknown() }
        lower = try argument()
      } else {
        break
      }
    }
    if !primes.isEmpty { upper = "<mrow><mo>\(primes)</mo>\(upper ?? "")</mrow>" }
    switch (lower, upper) {
    case (nil, nil): return base
    case (let lower?, nil): return element(areAbove ? "munder" : "msub", base, lower)
    case (nil, let upper?): return element(areAbove ? "mover" : "msup", base, upper)
    case (let lower?, let upper?):
      return element(areAbove ? "munderover" : "msubsup", base, lower, upper)
    }
  }

  func element(_ name: String, _ inside: String...) -> String {
    "<\(name)>\(inside.joined())</\(name)>"
  }
}

// MARK: - Atoms

extension TeXWriter {
  mutating func atom() throws(Unknown) -> String {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw Unknown() }
    switch try next() {
    case .command(let name): return try command(name)
    case .sign("{"):
      position -= 1
      return try group()
    case .sign("~"): return "<mspace width=\"0.33em\"></mspace>"
    case .sign(let sign): return try self.sign(sign)
    case .blank: throw Unknown()
    }
  }

  private mutating func sign(_ sign: Unicode.Scalar) throws(Unknown) -> String {
    if sign.properties.numericType == .decimal { return number(from: sign) }
    if sign.properties.isAlphabetic { return "<mi>\(sign)</mi>" }
    switch sign {
    case "}", "&", "#", "$", "^", "_", "\\": throw Unknown()
    case "-": return "<mo>−</mo>"
    case "*": return "<mo>∗</mo>"
    case "(", ")", "[", "]", "|", "/": return "<mo stretchy=\"false\">\(sign)</mo>"
    default: return "<mo>\(HTML.escaped(String(sign)))</mo>"
    }
  }

  private mutating func number(from first: Unicode.Scalar) -> String {
    var number = String(first)
    while position < tokens.count, case .sign(let sign) = tokens[position] {
      let isDigit = sign.properties.numericType == .decimal
      var isPoint = false
      if sign == "." || sign == ",", position + 1 < tokens.count,
        case .sign(let after) = tokens[position + 1]
      {
        isPoint = after.properties.numericType == .decimal
      }
      guard isDigit || isPoint else { break }
      number.unicodeScalars.append(sign)
      position += 1
    }
    return "<mn>\(number)</mn>"
  }
}
