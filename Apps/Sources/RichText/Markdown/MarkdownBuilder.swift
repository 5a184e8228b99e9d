import Foundation

/// Makes blocks of drafts: reads their lines, and puts items together to lists.
struct MarkdownBuilder {
  let links: [String: MarkdownTarget]
  let surroundings: MarkdownSurroundings
  let footnotes: MarkdownFootnotes

  init(_ document: MarkdownDocument, _ surroundings: MarkdownSurroundings) {
    links = document.links
    footnotes = MarkdownFootnotes(labels: document.footnotes)
    self.surroundings = surroundings
  }

  /// The footnotes whose text was in the line: `^[so]`.
  func inlineFootnotes() -> [RichText.Block] {
    footnotes.inline.map { label, words in
      var parser = MarkdownInlines(words, self, isFootnote: true)
      return .footnote(label: label, paragraphs(parser.read()))
    }
  }

  func blocks(_ drafts: [MarkdownDraft]) -> [RichText.Block] {
    var blocks: [RichText.Block] = []
    var items: [Item] = []
    for draft in drafts {
      if case .item(let marker, let drafts) = draft {
        let item = item(marker, drafts)
        if let last = items.last, !last.goes(with: item) { endList(&items, &blocks) }
        items.append(item)
      } else {
        endList(&items, &blocks)
        blocks += self.blocks(of: draft)
      }
    }
    endList(&items, &blocks)
    return blocks
  }

  private func blocks(of draft: MarkdownDraft) -> [RichText.Block] {
    switch draft {
    case .paragraph(let words):
      return paragraphs(elements(words, isParagraph: true))
    case .heading(let level, let words):
      let (line, files) = lineAndFiles(words)
      return [.heading(RichText.HeadingLevel(rawValue: level) ?? .six, line)] + files
    case .code(let language, let text): return [.codeBlock(language: language, text)]
    case .rule: return [.horizontalRule]
    case .table(let alignments, let rows): return table(alignments, rows)
    case .quote(let drafts): return [.blockquote(blocks(drafts))]
    case .footnote(let label, let drafts): return [.footnote(label: label, blocks(drafts))]
    case .callout(let callout, let drafts):
      let (title, files) = lineAndFiles(callout.title)
      return [
        .callout(
          .init(kind: callout.kind, fold: callout.fold, title: title, files + blocks(drafts))
        )
      ]
    case .item(let marker, let drafts):
      return [.bulletList([.init(item(marker, drafts).blocks)])]
    }
  }

  private func elements(
    _ words: ArraySlice<UInt8>,
    isParagraph: Bool = false
  ) -> [MarkdownInlines.Element] {
    var parser = MarkdownInlines(words, self, isParagraph: isParagraph)
    return parser.read()
  }

  /// The text before a picture, the picture, and the text after it.
  private func paragraphs(_ elements: [MarkdownInlines.Element]) -> [RichText.Block] {
    var blocks: [RichText.Block] = []
    var line: [RichText.Inline] = []
    func endLine() {
      for words in withEmbedsApart(line.withoutBlankEdges) where !words.isEmpty {
        blocks.append(.paragraph(words))
      }
      line = []
    }
    for element in elements {
      switch element {
      case .inline(let piece): line.append(piece)
      case .block(let block):
        endLine()
        blocks.append(block)
      }
    }
    if blocks.isEmpty, withEmbedsApart(line).count < 2 { return [.paragraph(line)] }
    endLine()
    return blocks
  }

  /// The lines of a paragraph in which each line with an embed alone is a paragraph of its own, as a picture is.
  private func withEmbedsApart(_ line: [RichText.Inline]) -> [[RichText.Inline]] {
    guard surroundings.breaksLines, line.contains(.hardBreak) else { return [line] }
    var paragraphs: [[RichText.Inline]] = []
    var isOpen = false
    for words in line.split(separator: .hardBreak, omittingEmptySubsequences: false) {
      let isEmbed = Array(words).embed != nil
      if isOpen, !isEmbed {
        // In its place: a text may have a hundred thousand lines.
        paragraphs[paragraphs.count - 1].append(.hardBreak)
        paragraphs[paragraphs.count - 1] += words
      } else {
        paragraphs.append(Array(words))
      }
      isOpen = !isEmbed
    }
    return paragraphs.count > 1 ? paragraphs.map(\.withoutBlankEdges) : paragraphs
  }

  /// A line, and the pictures in it.
  private func lineAndFiles(
    _ words: ArraySlice<UInt8>
  ) -> ([RichText.Inline], [RichText.Block]) {
    var (line, files): ([RichText.Inline], [RichText.Block]) = ([], [])
    for element in elements(words) {
      switch element {
      case .inline(let piece): line.append(piece)
      case .block(let block): files.append(block)
      }
    }
    return (line, files)
  }

  /// A table, and after it the pictures in its cells.
  private func table(
    _ alignments: [RichText.Table.Alignment?],
    _ rows: [[ArraySlice<UInt8>]]
  ) -> [RichText.Block] {
    var table = RichText.Table(hasHeader: true, alignments: alignments, rows: [])
    var files: [RichText.Block] = []
    for row in rows {
      var cells: [RichText.Table.Cell] = []
      for words in row {
        let (line, inside) = lineAndFiles(words)
        cells.append(line)
        files += inside
      }
      table.rows.append(cells)
    }
    // A table of Markdown needs a first row: an empty one is dropped.
    if table.rows.count > 1, table.rows[0].allSatisfy(\.isEmpty) {
      table.rows.removeFirst()
      table.hasHeader = false
    }
    return [.table(table)] + files
  }
}

/// The footnotes of a text while it is read.
final class MarkdownFootnotes {
  /// The labels of the footnotes that are defined on their own lines.
  let labels: Set<String>

  /// The footnotes whose text was in the line.
  private(set) var inline: [(label: String, words: ArraySlice<UInt8>)] = []
  private var number = 0

  init(labels: Set<String>) {
    self.labels = labels
  }

  /// Keeps the words of a footnote, and gives it a label that no other has.
  func add(_ words: ArraySlice<UInt8>) -> String {
    repeat { number += 1 } while labels.contains("\(number)")
    inline.append(("\(number)", words))
    return "\(number)"
  }
}

extension [RichText.Inline] {
  /// The line without the blanks and line breaks at its beginning and end.
  var withoutBlankEdges: [RichText.Inline] {
    let isBlank = { (piece: RichText.Inline) in piece.isBlank }
    var line = Array(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    if case .text(let text, let marks)? = line.first {
      line[0] = .text(String(text.drop(while: \.isWhitespace)), marks)
    }
    if case .text(let text, let marks)? = line.last {
      let words = text.reversed().drop(while: \.isWhitespace).reversed()
      line[line.count - 1] = .text(String(words), marks)
    }
    return line
  }
}

extension RichText.Inline {
  fileprivate var isBlank: Bool {
    switch self {
    case .hardBreak: true
    case .footnoteMark: false
    case .text(let text, _): text.allSatisfy(\.isWhitespace)
    }
  }
}

// MARK: - Lists

extension MarkdownBuilder {
  private struct Item {
    let marker: MarkdownMarker
    let isDone: Bool?
    let blocks: [RichText.Block]

    func goes(with other: Item) -> Bool {
      marker.goes(with: other.marker) && (isDone == nil) == (other.isDone == nil)
    }
  }

  /// An item; `[x]` at its beginning makes it a task.
  private func item(_ marker: MarkdownMarker, _ drafts: [MarkdownDraft]) -> Item {
    guard marker.number == nil, case .paragraph(let words)? = drafts.first,
      let isDone = Self.box(words)
    else { return Item(marker: marker, isDone: nil, blocks: blocks(drafts)) }
    // Some programs write two blanks behind a box.
    let rest = words.dropFirst(3).drop { $0 == 0x20 || $0 == 0x09 }
    let first = MarkdownDraft.paragraph(rest.first == 0x0A ? rest.dropFirst() : rest)
    return Item(marker: marker, isDone: isDone, blocks: blocks([first] + drafts.dropFirst()))
  }

  private static func box(_ words: ArraySlice<UInt8>) -> Bool? {
    let box = String(decoding: words.prefix(3), as: UTF8.self)
    guard ["[ ]", "[x]", "[X]"].contains(box) else { return nil }
    let next = words.dropFirst(3).first
    guard next == nil || next == 0x20 || next == 0x09 || next == 0x0A else { return nil }
    return box != "[ ]"
  }

  private func endList(_ items: inout [Item], _ blocks: inout [RichText.Block]) {
    guard let first = items.first else { return }
    if first.isDone != nil {
      blocks.append(.taskList(items.map { .init(isDone: $0.isDone ?? false, $0.blocks) }))
    } else if let start = first.marker.number {
      blocks.append(.orderedList(start: start, items.map { .init($0.blocks) }))
    } else {
      blocks.append(.bulletList(items.map { .init($0.blocks) }))
    }
    items = []
  }
}
