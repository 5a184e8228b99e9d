extension RichText {
  /// The words alone, a line for each paragraph and each line of code.
  ///
  /// ```
  /// Reading list
  /// Faults
  /// Slots
  /// ```
  ///
  /// Marks and markers are gone, a rule is nothing; raised digits are those of Unicode, as in 10⁶. Searches look at
  /// this.
  public var plainText: String {
    var lines = Lines()
    lines.add(blocks)
    return lines.lines.joined(separator: "\n")
  }

  /// The lines of a block as ``plainText`` has them; empty for a block without words.
  static func lines(of block: Block) -> [String] {
    var lines = Lines()
    lines.add([block])
    return lines.lines.flatMap {
      $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0) }
    }
  }

  /// The first words on one line, for lists of notes; ends with “…” if there are more.
  ///
  /// ```
  /// RichText([.paragraph([.text("A fault is a promise of values")])]).excerpt(20)
  /// "A fault is a promise…"
  /// ```
  public func excerpt(_ limit: Int) -> String {
    var lines = Lines(enough: limit * 8)
    lines.add(blocks)
    let words = lines.lines.joined(separator: " ").split(whereSeparator: \.isWhitespace)
    return Excerpt.of(words.joined(separator: " "), limit)
  }
}

/// The words of blocks, line by line.
private struct Lines {
  private(set) var lines: [String] = []
  private var size = 0
  private let enough: Int

  /// Lines until there are so many bytes of them, give or take a block.
  init(enough: Int = .max) {
    self.enough = enough
  }

  mutating func add(_ blocks: [RichText.Block]) {
    for block in blocks where size < enough { add(block) }
  }

  private mutating func add(_ block: RichText.Block) {
    switch block {
    case .paragraph(let line), .heading(_, let line): add(line.plainText)
    case .codeBlock(_, let text): add(text)
    case .horizontalRule: break
    case .table(let table):
      for row in table.rows { add(row.map(\.plainText).joined(separator: "\t")) }
    case .picture(let picture): if !picture.caption.isEmpty { add(picture.caption) }
    case .file(let file): add(file.name)
    case .blockquote(let blocks), .footnote(_, let blocks): add(blocks)
    case .callout(let callout):
      if !callout.title.isEmpty { add(callout.title.plainText) }
      add(callout.blocks)
    case .bulletList(let items), .orderedList(_, let items): for item in items { add(item.blocks) }
    case .taskList(let items): for item in items { add(item.blocks) }
    }
  }

  private mutating func add(_ line: String) {
    lines.append(line)
    size += line.utf8.count
  }
}

extension [RichText.Inline] {
  /// The words of a line.
  var plainText: String {
    reduce(into: "") { text, piece in
      switch piece {
      case .text(let more, let marks): text += RaisedWords.plain(more, marks.styles)
      case .hardBreak: text += "\n"
      // A number is not a word of the text.
      case .footnoteMark: break
      }
    }
  }
}

/// Raised and lowered words without marks.
private enum RaisedWords {
  /// The words with the digits and signs that Unicode has in small: 10⁶ and H₂O.
  ///
  /// Letters stay, as in 1st.
  static func plain(_ text: String, _ styles: RichText.Styles) -> String {
    if styles.contains(.superscript) { return String(text.map { superscripts[$0] ?? $0 }) }
    if styles.contains(.subscript) { return String(text.map { subscripts[$0] ?? $0 }) }
    return text
  }

  private static let superscripts = Dictionary(
    uniqueKeysWithValues: zip("0123456789+−-=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
  )
  private static let subscripts = Dictionary(
    uniqueKeysWithValues: zip("0123456789+−-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
  )
}

/// The beginning of a text.
enum Excerpt {
  /// At most `limit` characters and a “…”, cut between words unless the first word is too long.
  static func of(_ text: String, _ limit: Int) -> String {
    guard limit > 0 else { return "" }
    guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    if text[end].isWhitespace { return text[..<end] + "…" }
    let word = text[..<end].lastIndex(where: \.isWhitespace)
    return text[..<(word ?? end)] + "…"
  }
}
