/// Finds the blocks of Markdown, line by line.
///
/// Each line goes on in the open blocks, as far as it can; then it may begin new ones; the rest of
/// it is text.
///
/// ```
/// > - one          quote, item, paragraph "one"
/// >   two          goes on in all three
/// three            goes on in the paragraph alone, which is enough
///                  ends the paragraph
/// four             ends the item and the quote, and begins a paragraph
/// ```
struct MarkdownParser {
  /// Whether a line at the margin goes on in the paragraph of an item or a quote above it.
  private let isLazy: Bool

  /// The open elements that hold blocks, the document first.
  private var containers = [Container(kind: .document)]

  /// The open element that holds lines, in the innermost container.
  private var leaf: Leaf?

  /// Links that were defined, by their labels.
  private var links: [String: MarkdownTarget] = [:]

  /// The labels of the footnotes that have a text.
  private var footnotes: Set<String> = []

  /// Watches for parts that become something else, if somebody wants to know.
  private(set) var watch: MarkdownWatch?

  /// How many lines were begun, and which of them the open leaf begins in.
  private var line = 0
  private var leafLine = 0

  /// More than a text may have; blocks that are too deep are tidied later.
  private static let maximumContainers = 30

  private struct Container {
    enum Kind {
      case document
      case quote
      case callout(MarkdownCallout)
      case footnote(String)

      /// Lines of the item are indented by so many more columns.
      case item(MarkdownMarker, indent: Int)
    }

    let kind: Kind
    var blocks: [MarkdownDraft] = []
  }

  private enum Leaf {
    case paragraph([UInt8])
    case fenced(Fence, lines: [UInt8])
    /// A formula, and its lines with the signs, as they are until there is an end.
    case formula(lines: [UInt8], source: [UInt8])
    case indented([UInt8])
    case table([RichText.Table.Alignment?], rows: [[ArraySlice<UInt8>]])
  }

  private struct Fence {
    let sign: UInt8
    let count: Int
    let indent: Int
    let language: String
  }

  init(isLazy: Bool, isWatched: Bool = false) {
    self.isLazy = isLazy
    watch = isWatched ? MarkdownWatch() : nil
  }

  mutating func read(_ line: ArraySlice<UInt8>) {
    self.line += 1
    var cursor = MarkdownCursor(line)
    let matched = matchContainers(&cursor)
    if matched == containers.count, goOnWithCode(cursor) { return }
    let isNew = begin(&cursor, in: matched)
    if !isNew.isDone { addText(cursor, in: isNew.matched, isNew: isNew.hasContainers) }
  }

  mutating func finish() -> MarkdownDocument {
    close(to: 1)
    closeLeaf()
    return MarkdownDocument(blocks: containers[0].blocks, links: links, footnotes: footnotes)
  }
}

// MARK: - Going on

extension MarkdownParser {
  /// Reads what shows that the line belongs to the containers, and says to how many.
  private func matchContainers(_ cursor: inout MarkdownCursor) -> Int {
    for index in containers.indices.dropFirst() {
      switch containers[index].kind {
      case .document: continue
      case .quote, .callout:
        guard cursor.indent <= 3, cursor.first == UInt8(ascii: ">") else { return index }
        readQuoteMark(&cursor)
      case .footnote:
        guard cursor.isBlank || cursor.indent >= 4 else { return index }
        cursor.skip(columns: min(cursor.indent, 4))
      case .item(_, let indent):
        // An item that begins with nothing ends with nothing.
        let isInnermost = index == containers.count - 1
        if cursor.isBlank, isInnermost, containers[index].blocks.isEmpty, leaf == nil {
          return index
        }
        guard cursor.isBlank || cursor.indent >= indent else { return index }
        cursor.skip(columns: min(cursor.indent, indent))
      }
    }
    return containers.count
  }

  private func readQuoteMark(_ cursor: inout MarkdownCursor) {
    cursor.skipBlanks()
    cursor.skip(columns: 1)
    if cursor.indent > 0 { cursor.skip(columns: 1) }
  }

  /// Adds the line to a block of code; false if there is none or it ends here.
  private mutating func goOnWithCode(_ cursor: MarkdownCursor) -> Bool {
    var cursor = cursor
    switch leaf {
    case .fenced(let fence, var lines):
      leaf = nil
      if isEnd(of: fence, cursor) {
        leaf = .fenced(fence, lines: lines)
        closeLeaf()
      } else {
        cursor.skip(columns: min(cursor.indent, fence.indent))
        lines += cursor.rest
        lines.append(0x0A)
        leaf = .fenced(fence, lines: lines)
      }
      return true
    case .formula(var lines, var source):
      leaf = nil
      if let last = MarkdownFormula.end(cursor.rest) {
        lines += last
        if !last.isEmpty { lines.append(0x0A) }
        add(.code(language: MarkdownFormula.language, Self.text(lines[...])))
      } else {
        lines += cursor.rest
        lines.append(0x0A)
        source += cursor.rest
        source.append(0x0A)
        leaf = .formula(lines: lines, source: source)
      }
      return true
    case .indented(var lines):
      guard cursor.indent >= 4 || cursor.isBlank else { return false }
      leaf = nil
      cursor.skip(columns: min(cursor.indent, 4))
      lines += cursor.rest
      lines.append(0x0A)
      leaf = .indented(lines)
      return true
    case .paragraph, .table, nil: return false
    }
  }

  private func isEnd(of fence: Fence, _ cursor: MarkdownCursor) -> Bool {
    guard cursor.indent <= 3, cursor.first == fence.sign else { return false }
    var cursor = cursor
    cursor.skipBlanks()
    let signs = cursor.rest.prefix { $0 == fence.sign }
    return signs.count >= fence.count
      && cursor.rest.dropFirst(signs.count).allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }
}

// MARK: - Beginning

extension MarkdownParser {
  /// How far a line has been understood.
  private struct Beginning {
    var matched: Int
    var hasContainers = false
    var isDone = false
  }

  /// Begins what the line begins, and says whether anything of it is left.
  private mutating func begin(_ cursor: inout MarkdownCursor, in matched: Int) -> Beginning {
    var beginning = Beginning(matched: matched)
    while let first = cursor.first {
      let isInParagraph = isParagraphOpen
      if cursor.indent >= 4 {
        if isInParagraph && !beginning.hasContainers { return beginning }
        cursor.skip(columns: 4)
        begin(.indented(Array(cursor.rest) + [0x0A]), in: beginning.matched)
        beginning.isDone = true
        return beginning
      }
      var text = cursor
      text.skipBlanks()
      if first == UInt8(ascii: ">"), containers.count < Self.maximumContainers {
        close(to: beginning.matched)
        closeLeaf()
        readQuoteMark(&cursor)
        if let callout = MarkdownSigns.callout(MarkdownSigns.trimmed(cursor.rest)) {
          containers.append(Container(kind: .callout(callout)))
          beginning.isDone = true
          return beginning
        }
        containers.append(Container(kind: .quote))
      } else if let (label, length) = MarkdownSigns.footnote(text.rest),
        containers.count < Self.maximumContainers
      {
        close(to: beginning.matched)
        closeLeaf()
        footnotes.insert(label)
        cursor.skip(columns: cursor.indent)
        cursor.skip(bytes: length)
        cursor.skipBlanks()
        containers.append(Container(kind: .footnote(label)))
      } else if beginBlock(text.rest, indent: cursor.indent, beginning) {
        beginning.isDone = true
        return beginning
      } else if let marker = MarkdownMarker(text.rest),
        canBegin(marker, text.rest, beginning), containers.count < Self.maximumContainers
      {
        close(to: beginning.matched)
        closeLeaf()
        beginItem(marker, &cursor)
      } else {
        return beginning
      }
      beginning.matched = containers.count
      beginning.hasContainers = true
    }
    return beginning
  }

  private var isParagraphOpen: Bool {
    if case .paragraph? = leaf { true } else { false }
  }

  /// In the middle of a paragraph a list begins with 1, and with something.
  private func canBegin(
    _ marker: MarkdownMarker,
    _ text: ArraySlice<UInt8>,
    _ beginning: Beginning
  ) -> Bool {
    guard isParagraphOpen, !beginning.hasContainers, beginning.matched == containers.count else {
      return true
    }
    let isEmpty = text.dropFirst(marker.width).allSatisfy { $0 == 0x20 || $0 == 0x09 }
    return !isEmpty && (marker.number ?? 1) == 1
  }

  private mutating func beginItem(_ marker: MarkdownMarker, _ cursor: inout MarkdownCursor) {
    let indent = cursor.indent
    cursor.skip(columns: indent + marker.width)
    let blanks = cursor.isBlank || cursor.indent > 4 ? 1 : cursor.indent
    cursor.skip(columns: blanks)
    containers.append(
      Container(kind: .item(marker, indent: indent + marker.width + blanks))
    )
  }

  /// A heading, a rule, a fence: a block that is known by its first line.
  private mutating func beginBlock(
    _ text: ArraySlice<UInt8>,
    indent: Int,
    _ beginning: Beginning
  ) -> Bool {
    if goesOnAsTable(beginning), beginTable(text) {
      return true
    } else if let (level, words) = MarkdownSigns.heading(text) {
      close(to: beginning.matched)
      closeLeaf()
      watch?.read(words, line: line)
      add(.heading(level, words))
    } else if let (sign, count, language) = MarkdownSigns.fence(text) {
      let fence = Fence(sign: sign, count: count, indent: indent, language: language)
      begin(.fenced(fence, lines: []), in: beginning.matched)
    } else if let formula = MarkdownFormula.beginning(text) {
      begin(formula, text, in: beginning.matched)
    } else if beginning.matched == containers.count, !beginning.hasContainers,
      case .paragraph(let words)? = leaf, let level = MarkdownSigns.underline(text)
    {
      leaf = nil
      watch?.read(words[...], line: leafLine)
      add(.heading(level, MarkdownSigns.trimmed(words[...])))
    } else if MarkdownSigns.isRule(text) {
      close(to: beginning.matched)
      closeLeaf()
      add(.rule)
    } else {
      return false
    }
    return true
  }

  private func goesOnAsTable(_ beginning: Beginning) -> Bool {
    beginning.matched == containers.count && !beginning.hasContainers && isParagraphOpen
  }

  /// A row of dashes below a line with as many cells makes a table of both; `false` if it is not
  /// such a row.
  private mutating func beginTable(_ text: ArraySlice<UInt8>) -> Bool {
    guard let alignments = MarkdownTable.alignments(text), case .paragraph(let words)? = leaf else {
      return false
    }
    let start = words.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let header = MarkdownTable.cells(words[start...])
    guard header.count == alignments.count else { return false }
    leaf = start == 0 ? nil : .paragraph(Array(words[..<(start - 1)]))
    closeLeaf()
    for cell in header { watch?.read(cell, line: line - 1) }
    leaf = .table(alignments, rows: [header])
    return true
  }

  private mutating func begin(_ new: Leaf, in matched: Int) {
    close(to: matched)
    closeLeaf()
    leaf = new
    leafLine = line
  }

  private mutating func begin(
    _ formula: MarkdownFormula.Beginning,
    _ text: ArraySlice<UInt8>,
    in matched: Int
  ) {
    close(to: matched)
    closeLeaf()
    switch formula {
    case .whole(let inside):
      add(.code(language: MarkdownFormula.language, String(decoding: inside, as: UTF8.self)))
    case .first(let line):
      leaf = .formula(lines: line.map { $0 + [0x0A] } ?? [], source: text + [0x0A])
    }
  }

  private mutating func addText(_ cursor: MarkdownCursor, in matched: Int, isNew: Bool) {
    var cursor = cursor
    if cursor.isBlank {
      close(to: matched)
      switch leaf {
      case .paragraph, .table: closeLeaf()
      case .fenced, .formula, .indented, nil: break
      }
      return
    }
    let goesOn = isLazy || matched == containers.count || cursor.indent > 0
    cursor.skipBlanks()
    if case .table(let alignments, var rows)? = leaf, !isNew, matched == containers.count {
      leaf = nil
      let cells = MarkdownTable.cells(cursor.rest)
      for cell in cells { watch?.read(cell, line: line) }
      rows.append(cells)
      leaf = .table(alignments, rows: rows)
      return
    }
    if case .paragraph(var words)? = leaf, !isNew, goesOn {
      leaf = nil
      words.append(0x0A)
      words += cursor.rest
      leaf = .paragraph(words)
    } else {
      begin(.paragraph(Array(cursor.rest)), in: matched)
    }
  }
}

// MARK: - Ending

extension MarkdownParser {
  private mutating func add(_ block: MarkdownDraft) {
    containers[containers.count - 1].blocks.append(block)
  }

  private mutating func close(to count: Int) {
    while containers.count > count {
      closeLeaf()
      let container = containers.removeLast()
      switch container.kind {
      case .document: break
      case .quote: add(.quote(container.blocks))
      case .callout(let callout): add(.callout(callout, container.blocks))
      case .footnote(let label): add(.footnote(label, container.blocks))
      case .item(let marker, _): add(.item(marker, container.blocks))
      }
    }
  }

  private mutating func closeLeaf() {
    guard let closing = leaf else { return }
    leaf = nil
    switch closing {
    case .paragraph(let words):
      watchParagraph(words)
      let rest = MarkdownSigns.trimmed(words[...].dropFirst(readDefinitions(words)))
      if !rest.isEmpty { add(.paragraph(rest)) }
    case .table(let alignments, let rows): add(.table(alignments, rows))
    case .fenced(let fence, let lines):
      add(.code(language: fence.language, Self.text(lines[...])))
    case .formula(_, let source):
      // Without an end it is not a formula.
      let lines = source.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map(MarkdownSigns.trimmed)
      for lines in lines.split(whereSeparator: \.isEmpty) {
        add(.paragraph(Array(lines.joined(separator: [0x0A]))[...]))
      }
    case .indented(let lines):
      // Blank lines at the end are between this and the next.
      let end = lines.lastIndex { $0 != 0x0A && $0 != 0x20 && $0 != 0x09 } ?? 0
      let lineEnd = lines[end...].firstIndex(of: 0x0A) ?? lines.endIndex
      add(.code(language: "", Self.text(lines[...lineEnd])))
    }
  }

  private mutating func watchParagraph(_ words: [UInt8]) {
    guard watch != nil, let container = containers.last else { return }
    if case .item(let marker, _) = container.kind, container.blocks.isEmpty {
      watch?.readItem(words[...], isNumbered: marker.number != nil, line: leafLine)
    }
    watch?.read(words[...], line: leafLine, isParagraph: true)
  }

  /// The lines without the last line break.
  private static func text(_ lines: ArraySlice<UInt8>) -> String {
    String(decoding: lines.dropLast(), as: UTF8.self)
  }

  /// Takes `[label]: https://…` from the beginning of a paragraph, and says how many bytes it took.
  private mutating func readDefinitions(_ words: [UInt8]) -> Int {
    var position = 0
    while position < words.count, words[position] == UInt8(ascii: "[") {
      let line = words[position...].prefix { $0 != 0x0A }
      guard let (label, link) = MarkdownSigns.definition(line) else { break }
      if links[label] == nil { links[label] = link }
      position = min(line.endIndex + 1, words.count)
    }
    return position
  }
}
