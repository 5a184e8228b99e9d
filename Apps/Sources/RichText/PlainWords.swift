// Words that come back from a program which knows a text as plain lines alone.

extension RichText {
  /// The text with other words, a line for each paragraph as ``plainText`` has them.
  ///
  /// ```
  /// # Reading list              reading list             # Reading list
  /// - **Faults**          and   faults            →      - **Faults**
  /// - Slots                     slots and seats          - slots and seats
  /// ```
  ///
  /// Lines that still say the same, whatever their case, stay as they are; so do pictures and rules, which are
  /// wordless.
  public func saying(_ words: String) -> RichText {
    let lines = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return RichText(Self.blocks(blocks, saying: lines.map { String($0) }[...]))
  }

  private static func blocks(_ blocks: [Block], saying lines: ArraySlice<String>) -> [Block] {
    Reworded(blocks, lines, linesOf: \.plainLines).parts { block, lines in
      self.block(block, saying: lines)
    } new: { lines, old in
      lines.map { .paragraph([.text($0)]) } + old.filter(\.plainLines.isEmpty)
    }
  }

  /// One block in the place of another; `nil` if paragraphs shall take its place.
  private static func block(_ block: Block, saying lines: ArraySlice<String>) -> Block? {
    switch block {
    case .heading(let level, _):
      return lines.count == 1 ? .heading(level, lines.map { .text($0) }) : nil
    case .paragraph:
      guard block.plainLines.count == lines.count else { return nil }
      return .paragraph(Array(lines.map { [Inline.text($0)] }.joined(separator: [.hardBreak])))
    case .codeBlock(let language, _):
      return .codeBlock(language: language, lines.joined(separator: "\n"))
    case .blockquote(let inside): return .blockquote(blocks(inside, saying: lines))
    case .bulletList(let items): return .bulletList(self.items(items, saying: lines))
    case .orderedList(let start, let items):
      return .orderedList(start: start, self.items(items, saying: lines))
    case .taskList(let items): return .taskList(tasks(items, saying: lines))
    case .horizontalRule, .table, .picture, .file, .callout, .footnote: return nil
    }
  }

  private static func items(_ items: [ListItem], saying lines: ArraySlice<String>) -> [ListItem] {
    Reworded(items, lines) { $0.blocks.flatMap(\.plainLines) }.parts { item, lines in
      ListItem(blocks(item.blocks, saying: lines))
    } new: { lines, _ in
      lines.map { ListItem([.paragraph([.text($0)])]) }
    }
  }

  private static func tasks(_ items: [TaskItem], saying lines: ArraySlice<String>) -> [TaskItem] {
    Reworded(items, lines) { $0.blocks.flatMap(\.plainLines) }.parts { item, lines in
      TaskItem(isDone: item.isDone, blocks(item.blocks, saying: lines))
    } new: { lines, _ in
      lines.map { TaskItem(isDone: false, [.paragraph([.text($0)])]) }
    }
  }
}

extension RichText.Block {
  /// The lines that ``RichText/plainText`` has of it, and no more than these.
  fileprivate var plainLines: [String] { RichText.lines(of: self) }
}

/// Parts of a text beside their new lines.
///
/// Those at the beginning and at the end that already agree are kept; those in between are rewritten.
private struct Reworded<Part> {
  private let before: ArraySlice<Part>
  private let between: ArraySlice<Part>
  private let after: ArraySlice<Part>
  private let lines: ArraySlice<String>

  init(_ parts: [Part], _ lines: ArraySlice<String>, linesOf: (Part) -> [String]) {
    let said = parts.map { linesOf($0).map { $0.lowercased() } }
    let wanted = lines.map { $0.lowercased() }
    var (first, start) = (0, 0)
    while first < said.count, wanted[start...].starts(with: said[first]) {
      start += said[first].count
      first += 1
    }
    var (last, end) = (said.count, wanted.count)
    while last > first, end - said[last - 1].count >= start,
      wanted[..<end].suffix(said[last - 1].count).elementsEqual(said[last - 1])
    {
      last -= 1
      end -= said[last].count
    }
    (before, between, after) = (parts[..<first], parts[first..<last], parts[last...])
    self.lines = lines.dropFirst(start).prefix(end - start)
  }

  /// All parts, where `change` gives the one in the place of a single other, and `new` those in the place of some.
  func parts(
    _ change: (Part, ArraySlice<String>) -> Part?,
    new: (ArraySlice<String>, ArraySlice<Part>) -> [Part]
  ) -> [Part] {
    guard between.count == 1, !lines.isEmpty, let part = between.first,
      let changed = change(part, lines)
    else { return before + new(lines, between) + after }
    return before + [changed] + after
  }
}
