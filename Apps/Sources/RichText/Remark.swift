extension RichText {
  /// The text as readers see it: without remarks, `%%to myself%%`, and without paragraphs that have said nothing else.
  public var withoutRemarks: RichText {
    RichText(
      Remark.removed(from: blocks).compactMap { block in
        let rest = block.mapLines { Remark.removed(from: $0) }
        if rest != block, case .paragraph(let line) = rest, line.isEmpty { return nil }
        return rest
      }
    )
  }
}

/// A writer's remark to herself in a text, as in Obsidian.
///
/// ```
/// The hive hums. %%Ask Anna.%%
/// ```
///
/// One may go over several blocks, from a paragraph that begins with `%%` to one that ends with it. It is words of the
/// text, so that it goes out as it came in. The page shows it faintly to the writer; readers, on paper or in a page of
/// the web, do not see it.
enum Remark {
  /// A line without its remarks.
  static func removed(from line: [RichText.Inline]) -> [RichText.Inline] {
    guard line.contains(where: { $0.plainWords?.contains("%%") == true }) else { return line }
    let ranges = ranges(in: line.flatMap(letters))
    if ranges.isEmpty { return line }
    var (kept, start) = ([RichText.Inline](), 0)
    for piece in line {
      let end = start + letters(of: piece).count
      defer { start = end }
      guard case .text(let text, let marks) = piece else {
        if !ranges.contains(where: { $0.contains(start) }) { kept.append(piece) }
        continue
      }
      let words = zip(start..., text).filter { place, _ in
        !ranges.contains { $0.contains(place) }
      }.map(\.1)
      if !words.isEmpty { kept.append(.text(String(words), marks)) }
    }
    return kept
  }

  /// Blocks without those of remarks that go over several.
  static func removed(from blocks: [RichText.Block]) -> [RichText.Block] {
    guard let last = blocks.lastIndex(where: closes) else { return blocks }
    var (kept, index) = ([RichText.Block](), 0)
    while index < blocks.count {
      if index < last, opens(blocks[index]),
        let end = blocks[(index + 1)...].firstIndex(where: closes)
      {
        index = end
      } else {
        kept.append(blocks[index])
      }
      index += 1
    }
    return kept
  }

  /// A paragraph that begins with a remark which does not end in it.
  private static func opens(_ block: RichText.Block) -> Bool {
    guard case .paragraph(let line) = block else { return false }
    let letters = line.flatMap(letters)
    return letters.prefix(2) == ["%", "%"] && letters.dropFirst(2).first != "%"
      && ranges(in: letters).first?.lowerBound != 0
  }

  /// A paragraph that ends with `%%` which is not the end of a remark in it.
  private static func closes(_ block: RichText.Block) -> Bool {
    guard case .paragraph(let line) = block else { return false }
    var letters = line.flatMap(letters)
    while letters.last?.isWhitespace == true { letters.removeLast() }
    return letters.suffix(2) == ["%", "%"] && ranges(in: letters).last?.upperBound != letters.count
  }

  /// Letters, with another in the place of those that cannot be a sign: code, links and marks of footnotes.
  private static func letters(of piece: RichText.Inline) -> [Character] {
    switch piece {
    case .text(let text, _): piece.plainWords.map(Array.init) ?? text.map { _ in "\u{FFFC}" }
    case .hardBreak: ["\n"]
    case .footnoteMark: ["\u{FFFC}"]
    }
  }

  /// From `%%` with nothing or a blank before it to `%%` with nothing, a blank or the end of a sentence behind it.
  private static func ranges(in letters: [Character]) -> [Range<Int>] {
    var (ranges, open) = ([Range<Int>](), Int?.none)
    var index = 0
    while index + 1 < letters.count {
      guard letters[index] == "%", letters[index + 1] == "%" else {
        index += 1
        continue
      }
      let behind = index + 2
      if let start = open, index > start + 2,
        behind == letters.count || letters[behind].isWhitespace
          || ".,;:!?)]".contains(letters[behind])
      {
        ranges.append(start..<behind)
        open = nil
        index = behind
      } else if open == nil, index == 0 || letters[index - 1].isWhitespace,
        behind < letters.count, letters[behind] != "%"
      {
        open = index
        index = behind
      } else {
        index += 1
      }
    }
    return ranges
  }
}
