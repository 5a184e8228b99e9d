/// Puts the changes of two sides together, whatever they are, and keeps the wordings that could not be in the text.
///
/// Of two changes that exclude each other, that of the first side is in the text.
struct Joining {
  private(set) var wordings: [Wording] = []

  /// The blocks with the changes of both sides.
  mutating func blocks(
    _ base: [RichText.Block],
    _ one: [RichText.Block],
    _ other: [RichText.Block]
  ) -> [RichText.Block] {
    var ones = Alignment.replacements(from: base, to: one)[...]
    var others = Alignment.replacements(from: base, to: other)[...]
    var blocks: [RichText.Block] = []
    var place = 0
    while let meeting = Meeting(&ones, &others, byTouch: true) {
      blocks += base[place..<meeting.range.lowerBound]
      blocks += region(
        Array(base[meeting.range]),
        meeting.row(meeting.one, of: base),
        meeting.row(meeting.other, of: base)
      )
      place = meeting.range.upperBound
    }
    return blocks + base[place...]
  }

  /// Blocks that both sides have changed, or neighbours of them.
  private mutating func region(
    _ base: [RichText.Block],
    _ one: [RichText.Block],
    _ other: [RichText.Block]
  ) -> [RichText.Block] {
    if one == other || other == base { return one }
    if one == base { return other }
    if let words = Word.words(of: base), let oneWords = Word.words(of: one),
      let otherWords = Word.words(of: other)
    {
      return lines(WordMerging(words, oneWords, otherWords))
    }
    return paired(base, one, other, \.likeness) { $0.block($1, $2, $3) }
  }

  private mutating func lines(_ merging: WordMerging) -> [RichText.Block] {
    let kept = Word.blocks(of: merging.kept)
    if merging.isConflict { note(kept, lost: Word.blocks(of: merging.lost)) }
    return kept
  }

  /// Notes the lines that differ.
  private mutating func note(_ kept: [RichText.Block], lost: [RichText.Block]) {
    let start = zip(kept, lost).prefix { $0 == $1 }.count
    let (rest, lostRest) = (kept.dropFirst(start), lost.dropFirst(start))
    let end = zip(rest.reversed(), lostRest.reversed()).prefix { $0 == $1 }.count
    let wording = Wording(
      kept: RichText(Array(rest.dropLast(end))),
      lost: RichText(Array(lostRest.dropLast(end)))
    )
    if wording.kept != wording.lost { wordings.append(wording) }
  }
}

// MARK: - A block that both have changed

extension Joining {
  fileprivate mutating func block(
    _ base: RichText.Block,
    _ one: RichText.Block,
    _ other: RichText.Block
  ) -> RichText.Block {
    switch (base, one, other) {
    case (.bulletList(let base), .bulletList(let one), .bulletList(let other)):
      return .bulletList(items(base, one, other))
    case (
      .orderedList(let start, let base), .orderedList(let oneStart, let one),
      .orderedList(let otherStart, let other)
    ):
      let start = oneStart == start ? otherStart : oneStart
      return .orderedList(start: start, items(base, one, other))
    case (.taskList(let base), .taskList(let one), .taskList(let other)):
      return .taskList(
        paired(base, one, other, \.blocks.likeness) { joining, base, one, other in
          RichText.TaskItem(
            isDone: one.isDone == base.isDone ? other.isDone : one.isDone,
            joining.blocks(base.blocks, one.blocks, other.blocks)
          )
        }
      )
    case (.blockquote(let base), .blockquote(let one), .blockquote(let other)):
      return .blockquote(blocks(base, one, other))
    case (.callout(let base), .callout(let one), .callout(let other)):
      return .callout(callout(base, one, other))
    case (
      .footnote(let label, let base), .footnote(let oneLabel, let one),
      .footnote(let otherLabel, let other)
    ) where label == oneLabel && label == otherLabel:
      return .footnote(label: label, blocks(base, one, other))
    case (.table(let base), .table(let one), .table(let other)):
      if let table = table(base, one, other) { return .table(table) }
    default:
      // Lines, of which one may be a heading now.
      if let base = Word.words(of: [base]), let one = Word.words(of: [one]),
        let other = Word.words(of: [other])
      {
        let lines = lines(WordMerging(base, one, other))
        if lines.count == 1 { return lines[0] }
      }
    }
    note([one], lost: [other])
    return one
  }

  private mutating func items(
    _ base: [RichText.ListItem],
    _ one: [RichText.ListItem],
    _ other: [RichText.ListItem]
  ) -> [RichText.ListItem] {
    paired(base, one, other, \.blocks.likeness) { joining, base, one, other in
      RichText.ListItem(joining.blocks(base.blocks, one.blocks, other.blocks))
    }
  }

  private mutating func callout(
    _ base: RichText.Callout,
    _ one: RichText.Callout,
    _ other: RichText.Callout
  ) -> RichText.Callout {
    RichText.Callout(
      kind: one.kind == base.kind ? other.kind : one.kind,
      fold: one.fold == base.fold ? other.fold : one.fold,
      title: line(base.title, one.title, other.title),
      blocks(base.blocks, one.blocks, other.blocks)
    )
  }

  /// A table of which no column has come or gone; `nil` otherwise.
  private mutating func table(
    _ base: RichText.Table,
    _ one: RichText.Table,
    _ other: RichText.Table
  ) -> RichText.Table? {
    let width = base.rows[0].count
    guard one.rows[0].count == width, other.rows[0].count == width else { return nil }
    return RichText.Table(
      hasHeader: one.hasHeader == base.hasHeader ? other.hasHeader : one.hasHeader,
      alignments: one.alignments == base.alignments ? other.alignments : one.alignments,
      rows: paired(base.rows, one.rows, other.rows, Self.likeness) { joining, base, one, other in
        base.indices.map { joining.line(base[$0], one[$0], other[$0]) }
      }
    )
  }

  private static func likeness(of row: [RichText.Table.Cell]) -> Likeness {
    row.map { RichText.Block.paragraph($0) }.likeness
  }

  private mutating func line(
    _ base: [RichText.Inline],
    _ one: [RichText.Inline],
    _ other: [RichText.Inline]
  ) -> [RichText.Inline] {
    let sides = [base, one, other].map { Word.words(of: [.paragraph($0)]) ?? [] }
    let lines = lines(WordMerging(sides[0], sides[1], sides[2]))
    guard case .paragraph(let line)? = lines.first, lines.count == 1 else { return one }
    return line
  }
}

// MARK: - Elements that are alike

extension Joining {
  /// The elements with the changes of both sides.
  ///
  /// An element is compared with that of each side that is most like it. Elements that a side has put in are there, and
  /// one that a side has deleted is, if the other one has changed it.
  private mutating func paired<Element: Hashable>(
    _ base: [Element],
    _ one: [Element],
    _ other: [Element],
    _ likeness: (Element) -> Likeness,
    _ inside: (inout Joining, Element, Element, Element) -> Element
  ) -> [Element] {
    let side = Pairs(base, one, likeness: likeness)
    let otherSide = Pairs(base, other, likeness: likeness)
    var elements: [Element] = []
    for (index, element) in base.enumerated() {
      elements += Self.union(side.new[index], otherSide.new[index])
      switch (side.pairs[index], otherSide.pairs[index]) {
      case (nil, nil): break
      case (let changed?, nil), (nil, let changed?):
        if changed != element { elements.append(changed) }
      case (let one?, let other?):
        if one == other || other == element {
          elements.append(one)
        } else if one == element {
          elements.append(other)
        } else {
          elements.append(inside(&self, element, one, other))
        }
      }
    }
    return elements + Self.union(side.new[base.count], otherSide.new[base.count])
  }

  /// The elements of both, those that both have in the same order once.
  private static func union<Element: Hashable>(
    _ one: [Element],
    _ other: [Element]
  ) -> [Element] {
    var all: [Element] = []
    var place = 0
    for change in Alignment.replacements(from: one, to: other) {
      all += one[place..<change.range.upperBound]
      all += change.elements
      place = change.range.upperBound
    }
    return all + one[place...]
  }
}
