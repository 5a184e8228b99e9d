/// A text with all changes of two sides, and the wordings that could not be in it.
public struct JoinedText: Hashable, Sendable {
  public let text: RichText
  public let wordings: [Wording]

  public init(text: RichText, wordings: [Wording]) {
    (self.text, self.wordings) = (text, wordings)
  }
}

/// Lines of a text, and the same lines as another side has worded them.
public struct Wording: Hashable, Sendable {
  /// The lines as they are in the text.
  public let kept: RichText
  /// The lines with the words of the other side.
  public let lost: RichText

  public init(kept: RichText, lost: RichText) { (self.kept, self.lost) = (kept, lost) }
}

extension RichText {
  /// The text with the changes that two sides have made to it.
  ///
  /// ```
  /// base      Sow them in March.    ·  Dig.
  /// this      Sow them in April.    ·  Dig.            in the text    Sow them in April.  ·  Dig deep.
  /// changed   Sow them in May.      ·  Dig deep.       a wording      Sow them in May.
  /// ```
  ///
  /// Unlike ``merged(with:since:)``, which leaves two changes of one block to people, this puts together all that can be:
  /// blocks, then items of lists, then words. Where both have changed the same words, those of this text stay in it, and
  /// those of the other are one of the wordings. So every word that a side has written since `base` is in the result.
  /// Words that one side has deleted and the other has changed stay.
  ///
  /// Gives the same for the same three texts, on any device.
  public func joined(with changed: RichText, since base: RichText) -> JoinedText {
    if self == changed || changed == base { return JoinedText(text: self, wordings: []) }
    if self == base { return JoinedText(text: changed, wordings: []) }
    var joining = Joining()
    let text = RichText(joining.blocks(base.blocks, blocks, changed.blocks))
    do {
      try text.checkLimits()
    } catch {
      // Together they are more than a note may have.
      return joined(with: changed)
    }
    return JoinedText(text: text, wordings: joining.wordings)
  }

  /// This text, and another one of which nothing is known but that somebody has written it in its place.
  public func joined(with other: RichText) -> JoinedText {
    let isSame = self == other || other.plainText.allSatisfy(\.isWhitespace)
    return JoinedText(text: self, wordings: isSame ? [] : [Wording(kept: self, lost: other)])
  }

  /// The text with other lines in the place of some, or behind all if those are not there any more.
  public func replacing(_ wording: Wording) -> RichText {
    if let blocks = blocks.replacing(wording.kept.blocks, with: wording.lost.blocks) {
      return RichText(blocks)
    }
    return RichText(blocks + wording.lost.blocks)
  }
}

extension [RichText.Block] {
  /// The blocks with others in the place of a row of them, at any depth; `nil` if the row is not there.
  fileprivate func replacing(_ row: [Element], with other: [Element]) -> [Element]? {
    if let start = indices.first(where: { self[$0...].starts(with: row) }) {
      return self[..<start] + other + self[(start + row.count)...]
    }
    for (index, block) in enumerated() {
      guard let changed = block.replacing(row, with: other) else { continue }
      var blocks = self
      blocks[index] = changed
      return blocks
    }
    return nil
  }
}

extension RichText.Block {
  fileprivate func replacing(_ row: [Self], with other: [Self]) -> Self? {
    switch self {
    case .paragraph, .heading, .codeBlock, .horizontalRule, .table, .picture, .file: return nil
    case .blockquote(let blocks): return blocks.replacing(row, with: other).map(Self.blockquote)
    case .footnote(let label, let blocks):
      return blocks.replacing(row, with: other).map { .footnote(label: label, $0) }
    case .callout(var callout):
      guard let blocks = callout.blocks.replacing(row, with: other) else { return nil }
      callout.blocks = blocks
      return .callout(callout)
    case .bulletList(var items):
      return Self.replacing(&items, \.blocks, row, other) ? .bulletList(items) : nil
    case .orderedList(let start, var items):
      return Self.replacing(&items, \.blocks, row, other)
        ? .orderedList(start: start, items) : nil
    case .taskList(var items):
      return Self.replacing(&items, \.blocks, row, other) ? .taskList(items) : nil
    }
  }

  private static func replacing<Item>(
    _ items: inout [Item],
    _ blocks: WritableKeyPath<Item, [Self]>,
    _ row: [Self],
    _ other: [Self]
  ) -> Bool {
    for index in items.indices {
      guard let changed = items[index][keyPath: blocks].replacing(row, with: other) else {
        continue
      }
      items[index][keyPath: blocks] = changed
      return true
    }
    return false
  }
}
