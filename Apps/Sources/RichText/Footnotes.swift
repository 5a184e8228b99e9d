/// Brings the footnotes of a text to its end, in the order of their marks.
///
/// ```
/// One[^b] two[^a]          One[^b] two[^a]
/// [^a]: First       →      [^b]:               a mark without a text gets an empty one
/// [^c]: Nobody's           [^a]: First
///                          [^c]: Nobody's      a text without a mark stays, behind all others
/// ```
enum Footnotes {
  /// The blocks with their footnotes behind them, each label once; the blocks are tidy otherwise.
  static func atEnd(of blocks: [RichText.Block]) -> [RichText.Block] {
    guard blocks.contains(where: \.hasFootnotes) else { return blocks }
    var texts = Texts()
    let others = texts.take(outOf: blocks)
    return Tidying.filled(others) + texts.ordered(by: others)
  }

  /// The label without what would end it in Markdown.
  static func tidy(_ label: String) -> String {
    let isTidy = !label.isEmpty && label.utf8.count <= longest && label.utf8.allSatisfy(isPlain)
    if isTidy { return label }
    var tidied = String.UnicodeScalarView()
    for scalar in Text.tidy(label).unicodeScalars where !scalar.properties.isWhitespace {
      let next = isForbidden(scalar) ? "-" : scalar
      guard String(tidied).utf8.count + String(next).utf8.count <= longest else { break }
      tidied.append(next)
    }
    return tidied.isEmpty ? "1" : String(tidied)
  }

  /// Whether a label can be put between `[^` and `]` as it is.
  static func isLabel(_ label: String) -> Bool { !label.isEmpty && tidy(label) == label }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    "[]^\\|`<>&*".unicodeScalars.contains(scalar)
  }

  private static let longest = 100
}

/// The texts of footnotes, by their labels.
private struct Texts {
  private var labels: [String] = []
  private var blocks: [String: [RichText.Block]] = [:]

  /// The blocks without the footnotes in them, which are taken.
  mutating func take(outOf blocks: [RichText.Block]) -> [RichText.Block] {
    var others: [RichText.Block] = []
    for block in blocks {
      if case .footnote(let label, let inside) = block {
        // Taken in the order of the text: inner footnotes come after.
        add(label, [])
        add(label, take(outOf: inside))
      } else if block.inside.contains(where: \.hasFootnoteTexts) {
        others.append(block.mapInside { take(outOf: $0) })
      } else {
        others.append(block)
      }
    }
    return others
  }

  /// Two texts of one label are one, one below the other; no words of them are lost.
  private mutating func add(_ label: String, _ new: [RichText.Block]) {
    guard let old = blocks[label] else {
      labels.append(label)
      blocks[label] = new
      return
    }
    if old == new || new.allSatisfy(\.isEmptyParagraph) { return }
    blocks[label] = old.allSatisfy(\.isEmptyParagraph) ? new : old + new
  }

  /// The footnotes: those with marks by the first of these, then the others in their order.
  func ordered(by others: [RichText.Block]) -> [RichText.Block] {
    var order: [String] = []
    var seen: Set<String> = []
    var waiting = others.flatMap(\.footnoteMarks)[...]
    while let label = waiting.popFirst() {
      guard seen.insert(label).inserted else { continue }
      order.append(label)
      // A footnote may have footnotes.
      waiting += (blocks[label] ?? []).flatMap(\.footnoteMarks)
    }
    for label in labels where seen.insert(label).inserted {
      order.append(label)
      let inside = (blocks[label] ?? []).flatMap(\.footnoteMarks)
      order += inside.filter { blocks[$0] == nil && seen.insert($0).inserted }
    }
    return order.map { .footnote(label: $0, Tidying.filled(blocks[$0] ?? [])) }
  }
}

// MARK: - Looking for them

extension RichText {
  /// The numbers under which the footnotes of a tidy text are shown, by their labels.
  public var footnoteNumbers: [String: Int] {
    var numbers: [String: Int] = [:]
    for case .footnote(let label, _) in blocks { numbers[label] = numbers.count + 1 }
    return numbers
  }
}

extension RichText.Block {
  /// The labels of the marks in a block, in the order of the text.
  var footnoteMarks: [String] {
    lines.joined().compactMap { piece in
      if case .footnoteMark(let label) = piece { label } else { nil }
    }
  }

  fileprivate var hasFootnotes: Bool {
    hasFootnoteTexts
      || lines.contains { line in
        line.contains { if case .footnoteMark = $0 { true } else { false } }
      }
  }

  fileprivate var hasFootnoteTexts: Bool {
    if case .footnote = self { true } else { inside.contains(where: \.hasFootnoteTexts) }
  }

  fileprivate var isEmptyParagraph: Bool { self == .paragraph([]) }

  /// The same block with other blocks in it, which are filled where one is needed.
  func mapInside(
    _ change: ([RichText.Block]) -> [RichText.Block]
  ) -> RichText.Block {
    switch self {
    case .paragraph, .heading, .codeBlock, .horizontalRule, .table, .picture, .file: return self
    case .blockquote(let blocks): return .blockquote(Tidying.filled(change(blocks)))
    case .footnote(let label, let blocks): return .footnote(label: label, change(blocks))
    case .callout(var callout):
      callout.blocks = change(callout.blocks)
      return .callout(callout)
    case .bulletList(let items):
      return .bulletList(items.map { .init(Tidying.startingWithParagraph(change($0.blocks))) })
    case .orderedList(let start, let items):
      return .orderedList(
        start: start,
        items.map { .init(Tidying.startingWithParagraph(change($0.blocks))) }
      )
    case .taskList(let items):
      return .taskList(
        items.map {
          .init(isDone: $0.isDone, Tidying.startingWithParagraph(change($0.blocks)))
        }
      )
    }
  }
}
