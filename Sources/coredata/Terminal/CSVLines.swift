import CoreDataStoreCare

/// Comma-separated values as RFC 4180 has them, line after line.
///
/// Files get every value as it is; a terminal gets none that would control it.
struct CSVLines {
  private let output: Output
  private let terminal: Terminal
  private let escapesFormulas: Bool

  /// If formulas are escaped, an apostrophe is put before a text that a spreadsheet would take for one, so that a
  /// stranger's text computes nothing there.
  init(to output: Output, terminal: Terminal, escapesFormulas: Bool) {
    self.output = output
    self.terminal = terminal
    self.escapesFormulas = escapesFormulas
  }

  func write(_ cells: [CSVCell]) throws {
    guard let first = cells.first else { return try output.writeExactly("\r\n") }
    try write(first, then: cells.dropFirst())
  }

  func write(_ first: CSVCell, then rest: some Sequence<CSVCell>) throws {
    try write(first)
    for cell in rest {
      try output.writeExactly(",")
      try write(cell)
    }
    try output.writeExactly("\r\n")
  }

  private func write(_ cell: CSVCell) throws {
    switch cell {
    case .value(let text): try output.writeExactly(text)
    case .text(let text) where text.utf8.count > 1 << 16: try writeParts(of: field(text))
    case .text(let text): try output.writeExactly(CSVText.quoted(field(text)))
    }
  }

  /// Writes a long field in parts, between quotation marks whether it needs them or not.
  private func writeParts(of field: String) throws {
    try output.writeExactly("\"")
    var rest = field.unicodeScalars[...]
    while !rest.isEmpty {
      let part = rest.prefix(1 << 16)
      let text = String(String.UnicodeScalarView(part))
      try output.writeExactly(text.replacing("\"", with: "\"\""))
      rest = rest[part.endIndex...]
    }
    try output.writeExactly("\"")
  }

  private func field(_ text: String) -> String {
    let field = escapesFormulas && CSVText.mayBeFormula(text) ? "'" + text : text
    return terminal.isInteractive ? field.harmless : field
  }
}

/// One value of a line.
enum CSVCell {
  /// A number, a date, a flag: no spreadsheet takes it for a formula, and nothing in it needs quotation marks.
  case value(String)
  case text(String)
}
