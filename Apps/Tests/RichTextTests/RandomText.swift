import Foundation
import RichText

/// Texts that nobody would write, made by chance.
extension Random {
  /// A text of every kind of block; RTF does not have callouts and footnotes.
  mutating func richText(forRTF: Bool = false) -> RichText {
    var blocks = blocks(3)
    if forRTF { return RichText(blocks) }
    for _ in 0..<Int.random(in: 0...2, using: &self) {
      let place = Int.random(in: 0...blocks.count, using: &self)
      blocks.insert(.callout(callout()), at: place)
    }
    for _ in 0..<Int.random(in: 0...2, using: &self) {
      let place = Int.random(in: 0...blocks.count, using: &self)
      blocks.insert(.paragraph(line() + [.footnoteMark(label())] + line()), at: place)
    }
    for _ in 0..<Int.random(in: 0...2, using: &self) {
      blocks.append(.footnote(label: label(), self.blocks(1)))
    }
    return RichText(blocks)
  }

  private mutating func callout() -> RichText.Callout {
    RichText.Callout(
      kind: ["note", "tip", "our-own"].randomElement(using: &self) ?? "note",
      fold: [nil, .open, .closed].randomElement(using: &self) ?? nil,
      title: Bool.random(using: &self) ? line() + [.footnoteMark(label())] : line(),
      Bool.random(using: &self) ? blocks(2) : []
    )
  }

  private mutating func label() -> String {
    ["1", "2", "a-note", "你"].randomElement(using: &self) ?? "1"
  }

  private mutating func blocks(_ depth: Int) -> [Block] {
    (0..<Int.random(in: 1...4, using: &self)).map { _ in block(depth) }
  }

  private mutating func block(_ depth: Int) -> Block {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &self) {
    case 0: .paragraph(line())
    case 1:
      .paragraph([0, 1].contains(Int.random(in: 0..<4, using: &self)) ? embed() : line() + sign())
    case 2: .heading(RichText.HeadingLevel.allCases.randomElement(using: &self) ?? .one, line())
    case 3: .horizontalRule
    case 4: .codeBlock(language: ["swift", nil].randomElement(using: &self) ?? nil, code())
    case 5: .table(table())
    case 6:
      .picture(
        .init(file: .slots, caption: words(), width: [nil, 300].randomElement(using: &self) ?? nil)
      )
    case 7: .file(.init(file: .slots, name: words()))
    case 8: .blockquote(blocks(depth - 1))
    case 9: .bulletList(items(depth).map(Item.init))
    case 10: .orderedList(start: Int.random(in: 0...12, using: &self), items(depth).map(Item.init))
    default: .taskList(items(depth).map { TaskItem(isDone: Bool.random(using: &self), $0) })
    }
  }

  /// A note in its place, one that is not there, or a part of one.
  private mutating func embed() -> [Inline] {
    let place = RichText.Link(
      note: .slots,
      heading: ["Firing", "^a1b2"].randomElement(using: &self) ?? nil
    )
    return switch Int.random(in: 0..<4, using: &self) {
    case 0: [.text("!"), .text("Slots", [.slots])]
    case 1: [.text("!"), .text("Slots#Firing", Marks([], link: place))]
    case 2: [.text("!"), .text("Slots", [.slots])] + sign()
    default: [.text("![[Later#^c3|so]]")]
    }
  }

  /// The sign of a paragraph.
  private mutating func sign() -> [Inline] {
    [.text(" "), .text([" ^a1b2", "^e-5", "^1"].randomElement(using: &self) ?? "")]
  }

  private mutating func table() -> RichText.Table {
    let width = Int.random(in: 1...4, using: &self)
    return RichText.Table(
      hasHeader: Bool.random(using: &self),
      alignments: (0..<width).map { _ in
        RichText.Table.Alignment.allCases.map(Optional.some).randomElement(using: &self) ?? nil
      },
      rows: (0..<Int.random(in: 1...4, using: &self)).map { _ in (0..<width).map { _ in line() } }
    )
  }

  private mutating func items(_ depth: Int) -> [[Block]] {
    (0..<Int.random(in: 1...3, using: &self)).map { _ in
      [.paragraph(line())] + (Bool.random(using: &self) ? blocks(depth - 1) : [])
    }
  }

  private mutating func line() -> [Inline] {
    (0..<Int.random(in: 0...6, using: &self)).map { _ in
      switch Int.random(in: 0..<12, using: &self) {
      case 0: .hardBreak
      default: .text(words(), marks())
      }
    }
  }

  private mutating func marks() -> Marks {
    var marks = styles()
    switch Int.random(in: 0..<8, using: &self) {
    case 0: marks.insert(.code)
    case 1: marks.insert(.link("https://example.org/(a)_b_*c*"))
    case 2: marks.insert(.link("mailto:a&amp;b@c.d"))
    case 3: marks.insert(.slots)
    case 4: marks.insert(.link("zotero://select/items/1_*A*"))
    default: break
    }
    return marks
  }

  private mutating func styles() -> Marks {
    var marks = Marks(RichText.Styles(rawValue: UInt8.random(in: 0..<32, using: &self)))
    switch Int.random(in: 0..<8, using: &self) {
    case 0: marks.insert(.superscript)
    case 1: marks.insert(.subscript)
    default: break
    }
    return marks
  }

  private mutating func code() -> String {
    (0..<Int.random(in: 0...4, using: &self)).map { _ in words() }.joined(separator: "\n")
  }

  mutating func words() -> String {
    (0..<Int.random(in: 1...4, using: &self))
      .map { _ in Self.pieces.randomElement(using: &self) ?? "" }.joined()
  }

  private static let pieces = [
    "word", "a", "b", " ", " ", " and ", ".", "*", "**", "_", "__", "snake_case", "`", "``", "~~",
    "[", "]", "[[", "](", "!", "#", "# ", "> ", "- ", "1. ", "12) ", "+", "=", "==", "===", "---",
    "<b>",
    "&",
    "&amp;", "&#65;", "\\", "{", "}", "|", "\t", "é", "ß", "—", "🎈", "👩‍👩‍👧", "你", "\u{301}",
    "https://a.b", "]: mailto:a", "[^1]", "^[", "[^1]: ", "[!note] ",
    "<https://a.b>", "[x] ", "2 * 3", "'", "\"", "$", "\u{A0}", "€", "~~~", "```", "title: a",
    "$x$", "$$", "$a_1*b*\\, c$", "@doe_20", "[@doe]", "[see @{a b}, p. 1; -@roe]", " [p. 2]",
  ]
}

extension String {
  /// The text with plain digits and signs in the place of raised and lowered ones.
  var withoutSmallSigns: String { String(map { Self.plainSigns[$0] ?? $0 }) }

  private static let plainSigns = Dictionary(
    uniqueKeysWithValues: zip(
      "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎",
      "0123456789+-=()0123456789+-=()"
    )
  )
}
