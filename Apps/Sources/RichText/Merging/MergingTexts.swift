extension RichText {
  /// The text with the changes that two sides have made to it, or `nil` if both have changed the same block.
  ///
  /// ```
  /// base       one   two     three
  /// this       one   two!    three         ▶  one   two!   three   four
  /// changed    one   two     three   four
  /// ```
  ///
  /// Blocks are paragraphs, headings, code and rules. Of lists, quotes, callouts and footnotes only the content counts:
  /// one side may tick a task while the other writes another one. A change that both sides have made is there once;
  /// blocks that both have inserted at the same place follow each other, those of this text first. Words that a side
  /// has written since are never lost.
  ///
  /// Is `nil` too if the two together would be more than a note may have.
  public func merged(with changed: RichText, since base: RichText) -> RichText? {
    guard let blocks = Self.blocks(base.blocks, blocks, changed.blocks) else { return nil }
    let text = RichText(blocks)
    return text.size <= Self.maximumSize ? text : nil
  }

  private static func blocks(_ base: [Block], _ one: [Block], _ other: [Block]) -> [Block]? {
    ThreeWay(base, one, other).merged(block)
  }

  private static func block(_ base: Block, _ one: Block, _ other: Block) -> Block? {
    switch (base, one, other) {
    case (.bulletList(let base), .bulletList(let one), .bulletList(let other)):
      ThreeWay(base, one, other).merged(item).map(Block.bulletList)
    case (
      .orderedList(let start, let base), .orderedList(let oneStart, let one),
      .orderedList(let otherStart, let other)
    ):
      side(start, oneStart, otherStart).flatMap { start in
        ThreeWay(base, one, other).merged(item).map { .orderedList(start: start, $0) }
      }
    case (.taskList(let base), .taskList(let one), .taskList(let other)):
      ThreeWay(base, one, other).merged(task).map(Block.taskList)
    case (.blockquote(let base), .blockquote(let one), .blockquote(let other)):
      blocks(base, one, other).map(Block.blockquote)
    case (.callout(let base), .callout(let one), .callout(let other)):
      callout(base, one, other).map(Block.callout)
    case (
      .footnote(let label, let base), .footnote(let oneLabel, let one),
      .footnote(let otherLabel, let other)
    ) where label == oneLabel && label == otherLabel:
      blocks(base, one, other).map { .footnote(label: label, $0) }
    case (.table(let base), .table(let one), .table(let other)):
      table(base, one, other).map(Block.table)
    // One side has made a block of another kind of it.
    case (.bulletList, _, _), (.orderedList, _, _), (.taskList, _, _), (.blockquote, _, _),
      (.callout, _, _), (.footnote, _, _), (.table, _, _):
      nil
    // A line cannot be merged block by block: two changes of it are one too many.
    case (.paragraph, _, _), (.heading, _, _), (.codeBlock, _, _), (.horizontalRule, _, _),
      (.picture, _, _), (.file, _, _):
      nil
    }
  }

  private static func item(_ base: ListItem, _ one: ListItem, _ other: ListItem) -> ListItem? {
    blocks(base.blocks, one.blocks, other.blocks).map(ListItem.init)
  }

  private static func task(_ base: TaskItem, _ one: TaskItem, _ other: TaskItem) -> TaskItem? {
    side(base.isDone, one.isDone, other.isDone).flatMap { isDone in
      blocks(base.blocks, one.blocks, other.blocks).map { TaskItem(isDone: isDone, $0) }
    }
  }

  private static func callout(_ base: Callout, _ one: Callout, _ other: Callout) -> Callout? {
    guard let kind = side(base.kind, one.kind, other.kind),
      let fold = side(base.fold, one.fold, other.fold),
      let title = side(base.title, one.title, other.title)
    else { return nil }
    return blocks(base.blocks, one.blocks, other.blocks)
      .map { Callout(kind: kind, fold: fold, title: title, $0) }
  }

  /// Rows may come and go on either side; of a row that both have changed, each side may change other cells.
  private static func table(_ base: Table, _ one: Table, _ other: Table) -> Table? {
    guard let hasHeader = side(base.hasHeader, one.hasHeader, other.hasHeader),
      let alignments = side(base.alignments, one.alignments, other.alignments),
      // A column that came or went is in every row: two sides can only agree on it.
      let width = side(base.rows[0].count, one.rows[0].count, other.rows[0].count),
      width == base.rows[0].count || one.rows == base.rows || other.rows == base.rows
    else { return nil }
    return ThreeWay(base.rows, one.rows, other.rows).merged(row)
      .map { Table(hasHeader: hasHeader, alignments: alignments, rows: $0) }
  }

  private static func row(
    _ base: [Table.Cell],
    _ one: [Table.Cell],
    _ other: [Table.Cell]
  ) -> [Table.Cell]? {
    guard base.count == one.count, base.count == other.count else { return nil }
    var row: [Table.Cell] = []
    for (index, cell) in base.enumerated() {
      guard let merged = side(cell, one[index], other[index]) else { return nil }
      row.append(merged)
    }
    return row
  }

  /// The side that has changed something; `nil` if both have, in different ways.
  private static func side<Value: Equatable>(_ base: Value, _ one: Value, _ other: Value) -> Value?
  {
    if one == other || other == base { return one }
    return one == base ? other : nil
  }
}

// MARK: - How much there is

extension RichText {
  /// The bytes of its words, as they are counted when a text is read.
  public var size: Int { blocks.reduce(0) { $0 + $1.size } }
}

extension RichText.Block {
  fileprivate var size: Int {
    switch self {
    case .paragraph(let line), .heading(_, let line): line.reduce(0) { $0 + $1.size }
    case .codeBlock(_, let text): text.utf8.count
    case .horizontalRule: 0
    case .table(let table): table.rows.joined().joined().reduce(0) { $0 + $1.size }
    case .picture(let picture): picture.caption.utf8.count
    case .file(let file): file.name.utf8.count
    case .blockquote(let blocks): blocks.reduce(0) { $0 + $1.size }
    case .footnote(let label, let blocks): blocks.reduce(label.utf8.count) { $0 + $1.size }
    case .callout(let callout):
      callout.title.reduce(callout.blocks.reduce(0) { $0 + $1.size }) { $0 + $1.size }
    case .bulletList(let items), .orderedList(_, let items):
      items.reduce(0) { $0 + $1.blocks.reduce(0) { $0 + $1.size } }
    case .taskList(let items): items.reduce(0) { $0 + $1.blocks.reduce(0) { $0 + $1.size } }
    }
  }
}

extension RichText.Inline {
  fileprivate var size: Int {
    switch self {
    case .text(let text, _): text.utf8.count
    case .footnoteMark(let label): label.utf8.count
    case .hardBreak: 0
    }
  }
}
