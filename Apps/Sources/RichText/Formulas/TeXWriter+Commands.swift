/// The commands of formulas.
extension TeXWriter {
  mutating func command(_ name: String) throws(Unknown) -> String {
    if let symbol = TeXSymbols.element(of: name) { return symbol }
    if let letters = TeXLetters(rawValue: name) { return try styled(letters) }
    if let accent = TeXSymbols.accents[name] {
      let inside = try argument()
      let mark = "<mo stretchy=\"\(accent.isWide)\">\(accent.sign)</mo>"
      return accent.isBelow
        ? "<munder accentunder=\"true\">\(inside)\(mark)</munder>"
        : "<mover accent=\"true\">\(inside)\(mark)</mover>"
    }
    if let width = TeXSymbols.spaces[name] { return "<mspace width=\"\(width)em\"></mspace>" }
    switch name {
    case "frac", "dfrac", "tfrac", "cfrac": return try fraction(name)
    case "binom", "dbinom", "tbinom":
      let (upper, lower) = (try argument(), try argument())
      return "<mrow><mo>(</mo><mfrac linethickness=\"0\">\(upper)\(lower)</mfrac><mo>)</mo></mrow>"
    case "sqrt":
      let index = try option()
      let inside = try argument()
      return index.map { "<mroot>\(inside)<mrow>\($0)</mrow></mroot>" }
        ?? "<msqrt>\(inside)</msqrt>"
    case "text", "textrm", "textnormal", "mbox", "textbf", "textit":
      return "<mtext>\(HTML.escaped(try words().replacing(" ", with: "\u{A0}")))</mtext>"
    case "operatorname":
      _ = take(.sign("*"))
      return "<mi mathvariant=\"normal\">\(HTML.escaped(try words()))</mi>"
    case "overset", "stackrel":
      let (upper, base) = (try argument(), try argument())
      return element("mover", base, upper)
    case "underset":
      let (lower, base) = (try argument(), try argument())
      return element("munder", base, lower)
    case "left": return try fence()
    case "begin": return try environment()
    case "not": return try negated()
    case "pmod":
      return
        "<mrow><mspace width=\"1em\"></mspace><mo>(</mo><mi>mod</mi><mspace width=\"0.33em\"></mspace>\(try argument())<mo>)</mo></mrow>"
    case "bmod": return "<mo lspace=\"0.2em\" rspace=\"0.2em\">mod</mo>"
    case "substack":
      guard take(.sign("{")) else { throw Unknown() }
      let rows = try cells { $0 == .sign("}") }
      guard take(.sign("}")) else { throw Unknown() }
      return Self.table(rows)
    case "displaystyle", "textstyle":
      let rest = try row { _ in false }
      return "<mstyle displaystyle=\"\(name == "displaystyle")\">\(rest)</mstyle>"
    case "textcolor":
      let colour = try words()
      return "<mstyle mathcolor=\"\(try checked(colour))\">\(try argument())</mstyle>"
    case "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl",
      "Biggr":
      return try sized(name)
    default: throw Unknown()
    }
  }

  private mutating func fraction(_ name: String) throws(Unknown) -> String {
    let (upper, lower) = (try argument(), try argument())
    let fraction = element("mfrac", upper, lower)
    switch name {
    case "dfrac", "cfrac": return "<mstyle displaystyle=\"true\">\(fraction)</mstyle>"
    case "tfrac": return "<mstyle displaystyle=\"false\">\(fraction)</mstyle>"
    default: return fraction
    }
  }

  /// A name or number of a colour, and nothing else: it becomes an attribute.
  private func checked(_ colour: String) throws(Unknown) -> String {
    guard (1...20).contains(colour.count),
      colour.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") })
    else { throw Unknown() }
    return colour
  }

  private mutating func negated() throws(Unknown) -> String {
    switch try next() {
    case .sign(let sign) where "=<>".unicodeScalars.contains(sign):
      return "<mo>\(["=": "≠", "<": "≮", ">": "≯"][sign] ?? "")</mo>"
    case .command(let name):
      guard let sign = TeXSymbols.sign(of: name) else { throw Unknown() }
      return "<mo>\(sign)\u{338}</mo>"
    default: throw Unknown()
    }
  }
}

// MARK: - Letters

extension TeXWriter {
  private mutating func styled(_ letters: TeXLetters) throws(Unknown) -> String {
    guard take(.sign("{")) else { return try styledSign(letters, next()) }
    var inside = ""
    while !take(.sign("}")) { inside += try styledSign(letters, next()) }
    return "<mrow>\(inside)</mrow>"
  }

  private func styledSign(_ letters: TeXLetters, _ token: TeXToken) throws(Unknown) -> String {
    switch token {
    case .sign(let sign)
    where sign.properties.isAlphabetic || sign.properties.numericType == .decimal:
      let sign = letters.letter(sign)
      return letters == .roman ? "<mi mathvariant=\"normal\">\(sign)</mi>" : "<mi>\(sign)</mi>"
    case .sign(let sign) where "+-=<>.,()[]|/ ".unicodeScalars.contains(sign):
      return "<mo>\(HTML.escaped(String(sign)))</mo>"
    case .command(let name):
      guard let element = TeXSymbols.element(of: name) else { throw Unknown() }
      return element
    default: throw Unknown()
    }
  }
}

// MARK: - Brackets

extension TeXWriter {
  private mutating func fence() throws(Unknown) -> String {
    var inside = try delimiter()
    while true {
      inside += try row { $0 == .command("right") || $0 == .command("middle") }
      if take(.command("middle")) {
        inside += try delimiter()
      } else if take(.command("right")) {
        return "<mrow>\(inside)\(try delimiter())</mrow>"
      } else {
        throw Unknown()
      }
    }
  }

  private mutating func delimiter(
    _ attributes: String = "stretchy=\"true\""
  ) throws(Unknown) -> String {
    let sign: String
    switch try next() {
    case .sign("."): return ""
    case .sign("<"): sign = "⟨"
    case .sign(">"): sign = "⟩"
    case .sign(let bracket) where "()[]|/".unicodeScalars.contains(bracket): sign = String(bracket)
    case .command(let name):
      guard let known = TeXSymbols.delimiters[name] else { throw Unknown() }
      sign = known
    default: throw Unknown()
    }
    return "<mo fence=\"true\" \(attributes)>\(HTML.escaped(sign))</mo>"
  }

  private mutating func sized(_ name: String) throws(Unknown) -> String {
    let size = ["big": "1.2", "Big": "1.8", "bigg": "2.4", "Bigg": "3"]
    let word = name.hasSuffix("l") || name.hasSuffix("r") ? String(name.dropLast()) : name
    guard let em = size[word] else { throw Unknown() }
    return try delimiter("stretchy=\"true\" minsize=\"\(em)em\" maxsize=\"\(em)em\"")
  }
}

// MARK: - Tables

extension TeXWriter {
  private mutating func environment() throws(Unknown) -> String {
    let name = try words()
    let isArray = name == "array"
    let isAligned = ["aligned", "align", "align*", "split", "alignedat"].contains(name)
    if isArray { _ = try words() }
    guard
      isArray || isAligned || ["gathered", "gather", "gather*", "smallmatrix"].contains(name)
        || TeXSymbols.frames[name] != nil
    else { throw Unknown() }
    let rows = try cells { $0 == .command("end") }
    guard take(.command("end")), try words() == name else { throw Unknown() }
    let look = isAligned || name.hasPrefix("gather") ? "displaystyle=\"true\"" : ""
    let table =
      if isAligned {
        Self.table(rows, look) { $0.isMultiple(of: 2) ? "right" : "left" }
      } else if name.hasSuffix("cases") {
        Self.table(rows, look) { _ in "left" }
      } else {
        Self.table(rows, look)
      }
    let (open, close) = TeXSymbols.frames[name] ?? ("", "")
    let frame = { (sign: String) in
      sign.isEmpty ? "" : "<mo fence=\"true\" stretchy=\"true\">\(sign)</mo>"
    }
    return "<mrow>\(frame(open))\(table)\(frame(close))</mrow>"
  }

  /// A table whose columns have a side: in aligned rows the first is at its right side, so that it meets the second.
  private static func table(
    _ rows: [[String]],
    _ attributes: String,
    side: (_ column: Int) -> String
  ) -> String {
    let rows = rows.map { row in
      let cells = row.enumerated().map { index, cell in
        "<mtd style=\"text-align: \(side(index)); padding-inline: 0.15em\">\(cell)</mtd>"
      }
      return "<mtr>\(cells.joined())</mtr>"
    }
    return "<mtable\(attributes.isEmpty ? "" : " \(attributes)")>\(rows.joined())</mtable>"
  }
}
