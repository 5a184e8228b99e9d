import Foundation

/// Makes blocks of the paragraphs of an RTF file.
///
/// ```
/// • Faults            list 1, level 0          .bulletList([Item("Faults", with
///     1. Slots        list 1, level 1     →        .orderedList([Item("Slots")]))])
/// Letters             \li567                   .blockquote([.paragraph("Letters")])
/// ```
struct RTFBlocks {
  private let reader: RTFReader

  /// The size that most of the text has, in half points.
  private let bodySize: Int

  private var blocks: [RichText.Block] = []

  /// Lists that may go on, the outermost first.
  private var open: [OpenList] = []

  private struct OpenList {
    let list: Int
    let level: Int
    var kind: RTFLists.Kind
    var items: [(isDone: Bool, blocks: [RichText.Block])] = []
  }

  /// The table that may go on.
  private var table: OpenTable?

  private struct OpenTable {
    var table: RichText.Table
    var cells: [RichText.Table.Cell] = []
    var alignments: [RichText.Table.Alignment?] = []

    /// Whether the row that is being read has the columns' headings.
    var isHeader = false

    /// The paragraphs of a cell.
    var lines: [[RichText.Inline]] = []
  }

  static func blocks(of reader: RTFReader) -> [RichText.Block] {
    let body = RTFBlocks(reader)
    return body.blocks(of: reader.paragraphs, headers: reader.headers)
      + reader.footnotes.enumerated().map { index, paragraphs in
        .footnote(label: label(index), body.blocks(of: withoutNumber(paragraphs)))
      }
  }

  private static func label(_ footnote: Int) -> String { "\(footnote + 1)" }

  /// Removes the number before the words of a footnote, which is not text, and a space.
  private static func withoutNumber(_ paragraphs: [RTFParagraph]) -> [RTFParagraph] {
    guard var first = paragraphs.first else { return [] }
    first.runs.removeSubrange(..<(first.runs.firstIndex(where: \.isVisible) ?? first.runs.endIndex))
    if let run = first.runs.first {
      first.runs[0].text = String(run.text.drop(while: \.isWhitespace))
    }
    return [first] + paragraphs.dropFirst()
  }

  private func blocks(of paragraphs: [RTFParagraph], headers: Set<Int> = []) -> [RichText.Block] {
    var builder = self
    for (index, paragraph) in paragraphs.enumerated() {
      if paragraph.ending != .paragraph || paragraph.format.isInTable {
        builder.addToTable(paragraph, isHeader: headers.contains(index))
      } else {
        builder.closeTable()
        builder.add(paragraph)
      }
    }
    builder.closeTable()
    builder.closeLists(downTo: 0)
    return Quoting.quoted(builder.blocks)
  }

  private init(_ reader: RTFReader) {
    self.reader = reader
    bodySize = Self.bodySize(of: reader.paragraphs)
  }

  private mutating func add(_ paragraph: RTFParagraph) {
    if let marker = paragraph.marker {
      addItem(paragraph, marker: marker)
    } else if paragraph.format.list > 0, !open.isEmpty {
      addBelowItem(paragraph)
    } else {
      closeLists(downTo: 0)
      blocks += standing(paragraph)
    }
  }
}

// MARK: - Tables

extension RTFBlocks {
  private mutating func addToTable(_ paragraph: RTFParagraph, isHeader: Bool) {
    closeLists(downTo: 0)
    var open = table ?? OpenTable(table: RichText.Table(hasHeader: false, rows: []))
    table = nil
    if isHeader { open.isHeader = true }
    open.lines.append(line(of: paragraph))
    if paragraph.ending != .paragraph {
      open.cells.append(Array(open.lines.joined(separator: [.hardBreak])))
      open.lines = []
      open.alignments.append(paragraph.format.alignment)
    }
    if paragraph.ending == .row { endRow(&open) }
    table = open
  }

  /// Rows of another length, and a row with the columns' headings, begin another table.
  private mutating func endRow(_ open: inout OpenTable) {
    if let first = open.table.rows.first, open.isHeader || first.count != open.cells.count {
      blocks.append(.table(open.table))
      open.table.rows = []
    }
    if open.table.rows.isEmpty {
      open.table.hasHeader = open.isHeader
      open.table.alignments = open.alignments
    }
    open.table.rows.append(open.cells)
    open.cells = []
    open.alignments = []
    open.isHeader = false
  }

  private mutating func closeTable() {
    guard var open = table else { return }
    table = nil
    // Paragraphs in a table that ends in the middle of a row.
    if !open.lines.isEmpty { open.cells.append(Array(open.lines.joined(separator: [.hardBreak]))) }
    if !open.cells.isEmpty { endRow(&open) }
    blocks.append(.table(open.table))
  }
}

// MARK: - Lists

extension RTFBlocks {
  private mutating func addItem(_ paragraph: RTFParagraph, marker: String) {
    let (list, level) = (paragraph.format.list, paragraph.format.level)
    let kind = reader.lists.kind(list: list, level: level, marker: marker)
    closeLists { $0.level > level || ($0.level == level && !Self.goesOn($0, list, kind)) }
    if open.last.map({ $0.level < level }) ?? true {
      open.append(OpenList(list: list, level: level, kind: kind))
    }
    let isDone = RTFLists.isDone(marker: marker)
    open[open.count - 1].items.append((isDone, [.paragraph(line(of: paragraph))]))
  }

  /// A paragraph of a list without a marker belongs to the item before it.
  private mutating func addBelowItem(_ paragraph: RTFParagraph) {
    closeLists { $0.level > paragraph.format.level }
    // A deeper level than any that began is the innermost; a paragraph further out than all is not
    // an item.
    guard !open.isEmpty else {
      blocks += standing(paragraph)
      return
    }
    addToItem(standing(paragraph, inList: true))
  }

  private mutating func addToItem(_ blocks: [RichText.Block]) {
    let last = open[open.count - 1].items.count - 1
    open[open.count - 1].items[last].blocks += blocks
  }

  private static func goesOn(_ open: OpenList, _ list: Int, _ kind: RTFLists.Kind) -> Bool {
    guard open.list == list else { return false }
    return switch (open.kind, kind) {
    case (.bullets, .bullets), (.tasks, .tasks), (.numbers, .numbers): true
    case (.bullets, _), (.tasks, _), (.numbers, _): false
    }
  }

  private mutating func closeLists(downTo count: Int) {
    while open.count > count { closeList() }
  }

  private mutating func closeLists(while isOver: (OpenList) -> Bool) {
    while let last = open.last, isOver(last) { closeList() }
  }

  private mutating func closeList() {
    guard let list = open.popLast() else { return }
    let items = list.items.map { RichText.ListItem(Quoting.quoted($0.blocks)) }
    let block: RichText.Block =
      switch list.kind {
      case .bullets: .bulletList(items)
      case .numbers(let start): .orderedList(start: start, items)
      case .tasks: .taskList(zip(list.items, items).map { .init(isDone: $0.isDone, $1.blocks) })
      }
    if open.isEmpty { blocks.append(block) } else { addToItem([block]) }
  }
}

// MARK: - Paragraphs

extension RTFBlocks {
  /// A paragraph for itself: a heading, a rule, a line of code or of a quote.
  private func standing(_ paragraph: RTFParagraph, inList: Bool = false) -> [RichText.Block] {
    let line = line(of: paragraph)
    let block: RichText.Block
    if let file = file(of: paragraph, line) {
      block = file
    } else if let level = headingLevel(of: paragraph, inList: inList) {
      block = .heading(level, line)
    } else if line.plainText == RTFLayout.rule {
      block = .horizontalRule
    } else if RTFLayout.isCode(indent: paragraph.format.indent), isCode(paragraph) {
      block = .codeBlock(language: nil, line.plainText)
    } else {
      block = .paragraph(line)
    }
    let depth = inList ? 0 : RTFLayout.quotes(indent: paragraph.format.indent)
    return [(0..<depth).reduce(block) { block, _ in .blockquote([block]) }]
  }

  /// A paragraph that is nothing but a link to a picture or a file.
  private func file(of paragraph: RTFParagraph, _ line: [RichText.Inline]) -> RichText.Block? {
    guard let field = paragraph.runs.first?.style.link,
      paragraph.runs.allSatisfy({ $0.style.link == field })
    else { return nil }
    let words = line.plainText
    switch reader.links[field] {
    case .picture(let id, let width):
      let caption = words == RTFLayout.noCaption ? "" : words
      return .picture(.init(file: id, caption: caption, width: width))
    case .file(let id): return .file(.init(file: id, name: words))
    case .link, nil: return nil
    }
  }

  private func headingLevel(of paragraph: RTFParagraph, inList: Bool) -> RichText.HeadingLevel? {
    if let outline = paragraph.format.outline, (0..<9).contains(outline) {
      return RichText.HeadingLevel(rawValue: min(outline + 1, 6))
    }
    guard !inList, let smallest = paragraph.runs.filter(\.isVisible).map(\.style.size).min() else {
      return nil
    }
    return switch Double(smallest) / Double(bodySize) {
    case 1.75...: .one
    case 1.4...: .two
    case 1.15...: .three
    default: nil
    }
  }

  private func isCode(_ paragraph: RTFParagraph) -> Bool {
    paragraph.runs.allSatisfy { reader.styles(of: $0.style).contains(.code) }
  }

  private static func bodySize(of paragraphs: [RTFParagraph]) -> Int {
    var characters: [Int: Int] = [:]
    for run in paragraphs.flatMap(\.runs) {
      characters[run.style.size, default: 0] += run.text.utf8.count
    }
    let most = characters.max { ($0.value, $1.key) < ($1.value, $0.key) }
    // A text in letters of more than 20 points is a heading, even if there is nothing else.
    return most.map { $0.key > 40 ? 24 : $0.key } ?? 24
  }
}

// MARK: - Lines

extension RTFBlocks {
  private func line(of paragraph: RTFParagraph) -> [RichText.Inline] {
    paragraph.runs.map { run in
      if let footnote = run.style.footnote { return .footnoteMark(Self.label(footnote)) }
      let link = run.style.link.flatMap { reader.links[$0]?.link }
      return .text(run.text, RichText.Marks(reader.styles(of: run.style), link: link))
    }
  }
}

extension RTFParagraph.Run {
  fileprivate var isVisible: Bool {
    text.contains { !$0.isWhitespace }
  }
}

// MARK: - Quotes and code

/// Puts together what RTF has as paragraphs: quotes that follow one another, and lines of code.
enum Quoting {
  static func quoted(_ blocks: [RichText.Block]) -> [RichText.Block] {
    var result: [RichText.Block] = []
    var quote: [RichText.Block] = []
    var code: [String] = []

    func end() {
      if !quote.isEmpty { result.append(.blockquote(quoted(quote))) }
      if !code.isEmpty { result.append(.codeBlock(language: nil, code.joined(separator: "\n"))) }
      (quote, code) = ([], [])
    }

    for block in blocks {
      switch block {
      case .blockquote(let blocks):
        if !code.isEmpty { end() }
        quote += blocks
      case .codeBlock(_, let line):
        if !quote.isEmpty { end() }
        code.append(line)
      case .paragraph, .heading, .bulletList, .orderedList, .taskList, .horizontalRule, .table,
        .picture, .file, .callout, .footnote:
        end()
        result.append(block)
      }
    }
    end()
    return result
  }
}
