public import Foundation

extension RichText {
  /// A text of Markdown, which is never wrong: signs without a meaning are text.
  ///
  /// Supported are CommonMark: headings, emphasis, code, lists, quotes, rules, links in every form; and of
  /// what others added, tables, `~~strike~~`, `==highlight==`, `- [x] tasks`, footnotes `[^1]` and `^[…]`,
  /// callouts `> [!note] Title`, formulas `$x^2$` as they are written, bare addresses, and `[[Words|id]]` for notes. A
  /// picture is between paragraphs, so it ends the one it is in. Raw HTML is text, except for
  /// `<br>`, `<u>`, `<sup>`, `<sub>`, and an `<img>` whose file is known; so are links to places that are not safe or not
  /// known, so that nothing is lost.
  ///
  /// `[[Title]]` and `[[Title|Words]]` become links if `noteNamed` knows a note of that title:
  ///
  /// ```swift
  /// RichText(markdown: "See [[Slots]].") { title in library.note(titled: title)?.id }
  /// ```
  public init(markdown: String, noteNamed: (_ title: String) -> UUID? = { _ in nil }) {
    self = withoutActuallyEscaping(noteNamed) { noteNamed in
      RichText(markdown: markdown, in: MarkdownSurroundings(noteNamed: noteNamed))
    }
  }

  /// The same, where notes and files are around that it speaks of.
  public init(markdown: String, in surroundings: MarkdownSurroundings) {
    // Where each line is one that shows, a line at the margin has left the list above it.
    var parser = MarkdownParser(
      isLazy: !surroundings.breaksLines,
      isWatched: surroundings.changed != nil
    )
    for line in MarkdownLines(markdown) { parser.read(line) }
    let document = parser.finish()
    if let watch = parser.watch { surroundings.tell(watch) }
    let builder = MarkdownBuilder(document, surroundings)
    let blocks = builder.blocks(document.blocks)
    self.init(blocks + builder.inlineFootnotes())
  }
}

/// The lines of a text, wherever it was written.
struct MarkdownLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func next() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let rest = bytes[position...]
    guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      position = bytes.count
      return rest
    }
    let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
    position = end + (isPair ? 2 : 1)
    return rest[..<end]
  }
}
