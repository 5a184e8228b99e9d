/// Brings blocks into the one form that the editor would give them.
///
/// ```
/// [.text("Fau"), .text("lts\nand "), .text("")]   →   [.text("Faults"), .hardBreak, .text("and ")]
/// .bulletList([ListItem([.horizontalRule])])      →   an empty paragraph before the rule
/// .bulletList([])                                 →   nothing
/// ```
enum Tidying {
  static func tidy(_ blocks: [RichText.Block]) -> [RichText.Block] {
    let blocks = filled(tidy(blocks, room: RichText.maximumDepth - 1))
    return Footnotes.atEnd(of: blocks)
  }

  /// The blocks where `room` levels are left: a block takes one, its text another.
  private static func tidy(_ blocks: [RichText.Block], room: Int) -> [RichText.Block] {
    blocks.flatMap { tidy($0, room: room) }
  }

  private static func tidy(_ block: RichText.Block, room: Int) -> [RichText.Block] {
    switch block {
    case .paragraph(let line): [.paragraph(tidy(line))]
    case .heading(let level, let line): [.heading(level, tidy(line))]
    case .horizontalRule: [.horizontalRule]
    case .table(let table):
      if room < 5 { lines(of: table) } else { table.tidied().map { [.table($0)] } ?? [] }
    case .picture(let picture): [.picture(picture.tidied())]
    case .file(let file): [.file(file.tidied())]
    case .codeBlock(let language, let text):
      [.codeBlock(language: language.flatMap(Language.tidy), Text.tidy(text))]
    case .blockquote(let blocks):
      if room < 3 { flattened(blocks) } else { [.blockquote(filled(tidy(blocks, room: room - 1)))] }
    case .callout(let callout):
      if room < 3 {
        flattened(callout.allBlocks)
      } else {
        [.callout(callout.tidied(tidy(callout.blocks, room: room - 1)))]
      }
    case .footnote(let label, let blocks):
      if room < 3 {
        flattened(blocks)
      } else {
        [
          .footnote(
            label: Footnotes.tidy(label),
            filled(tidy(blocks, room: room - 1))
          )
        ]
      }
    case .bulletList(let items):
      list(items.map(\.blocks), room: room) { .bulletList($0.map(RichText.ListItem.init)) }
    case .orderedList(let start, let items):
      list(items.map(\.blocks), room: room) {
        .orderedList(start: min(max(start, 0), 999_999_999), $0.map(RichText.ListItem.init))
      }
    case .taskList(let items):
      list(items.map(\.blocks), room: room) { contents in
        .taskList(zip(items, contents).map { .init(isDone: $0.isDone, $1) })
      }
    }
  }

  /// Two levels, the list and its items; if there is no room for them, the content of the items.
  private static func list(
    _ items: [[RichText.Block]],
    room: Int,
    make: ([[RichText.Block]]) -> RichText.Block
  ) -> [RichText.Block] {
    guard !items.isEmpty else { return [] }
    guard room >= 4 else { return items.flatMap(flattened) }
    return [make(items.map { startingWithParagraph(tidy($0, room: room - 2)) })]
  }

  static func filled(_ blocks: [RichText.Block]) -> [RichText.Block] {
    blocks.isEmpty ? [.paragraph([])] : blocks
  }

  static func startingWithParagraph(_ blocks: [RichText.Block]) -> [RichText.Block] {
    if case .paragraph? = blocks.first { blocks } else { [.paragraph([])] + blocks }
  }
}

// MARK: - Too deep

extension Tidying {
  /// The rows of a table that is too deep, each as a line.
  private static func lines(of table: RichText.Table) -> [RichText.Block] {
    table.rows.map { .paragraph(tidy(Array($0.joined(separator: [.text(" | ")])))) }
  }

  /// The lines of blocks that are too deep, without their containers.
  ///
  /// Goes through the blocks with a list of its own: they may be deeper than a stack is.
  private static func flattened(_ blocks: [RichText.Block]) -> [RichText.Block] {
    var lines: [RichText.Block] = []
    var waiting: [RichText.Block] = blocks.reversed()
    while let block = waiting.popLast() {
      switch block {
      case .paragraph, .heading, .codeBlock, .horizontalRule, .table, .picture, .file:
        lines += tidy(block, room: 2)
      case .blockquote(let blocks), .footnote(_, let blocks): waiting += blocks.reversed()
      case .callout(let callout): waiting += callout.allBlocks.reversed()
      case .bulletList(let items), .orderedList(_, let items):
        waiting += items.reversed().flatMap { $0.blocks.reversed() }
      case .taskList(let items): waiting += items.reversed().flatMap { $0.blocks.reversed() }
      }
    }
    return lines
  }
}

// MARK: - Lines

extension Tidying {
  static func tidy(_ line: [RichText.Inline]) -> [RichText.Inline] {
    var tidied: [RichText.Inline] = []
    for piece in line {
      switch piece {
      case .hardBreak: tidied.append(.hardBreak)
      case .footnoteMark(let label): tidied.append(.footnoteMark(Footnotes.tidy(label)))
      case .text(let text, let marks): append(Text.tidy(text), marks: tidy(marks), to: &tidied)
      }
    }
    return tidied
  }

  /// Adds a text whose line breaks become hard breaks, to the text before it if they look the same.
  private static func append(
    _ text: String,
    marks: RichText.Marks,
    to line: inout [RichText.Inline]
  ) {
    // Most texts have no breaks, and a search by bytes takes a tenth of the time of one by letters.
    let lines =
      text.utf8.contains(UInt8(ascii: "\n"))
      ? text.split(separator: "\n", omittingEmptySubsequences: false) : [text[...]]
    for (index, part) in lines.enumerated() {
      if index > 0 { line.append(.hardBreak) }
      if part.isEmpty { continue }
      if case .text(var before, marks)? = line.last {
        // Taken out before it grows: a text that two places hold would be copied each time.
        line.removeLast()
        before += part
        line.append(.text(before, marks))
      } else {
        line.append(.text(String(part), marks))
      }
    }
  }

  private static func tidy(_ marks: RichText.Marks) -> RichText.Marks {
    var marks = marks
    if marks.styles.isSuperset(of: [.superscript, .subscript]) { marks.styles.remove(.subscript) }
    guard marks.styles.contains(.code) else { return marks }
    return marks.link == nil
      ? [.code] : RichText.Marks(marks.styles.subtracting(.code), link: marks.link)
  }
}
