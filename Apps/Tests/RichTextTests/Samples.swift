import Foundation
import RichText

typealias Block = RichText.Block
typealias Inline = RichText.Inline
typealias Marks = RichText.Marks
typealias Item = RichText.ListItem
typealias TaskItem = RichText.TaskItem

extension RichText {
  /// A text with everything that a text can have.
  static let everything = RichText([
    .heading(.one, [.text("Faults & "), .text("promises", [.italic])]),
    .paragraph([
      .text("A "), .text("fault", [.bold]), .text(" is a "),
      .text("promise", [.bold, .italic, .underline, .strike]), .text(" of "),
      .text("values", [.code]), .text("."), .hardBreak, .text("See "), .slots, .text(" or "),
      .text("the web", [.bold, .link("https://example.org/a?b=c&d=(e)")]), .text("."),
    ]),
    .heading(.two, [.text("Lists")]),
    .bulletList([
      .saying("one"),
      Item([
        .paragraph([.text("two")]),
        .orderedList(
          start: 3,
          [
            .saying("three"),
            Item([.paragraph([.text("four")]), .paragraph([.text("more of four")])]),
          ]
        ),
      ]),
    ]),
    .taskList([
      TaskItem(isDone: true, [.paragraph([.text("written")])]),
      TaskItem(isDone: false, [.paragraph([.text("read")])]),
    ]),
    .heading(.three, [.text("Code")]),
    .blockquote([
      .paragraph([.text("Quoted „words“ and 🎈")]), .blockquote([.paragraph([.text("twice")])]),
    ]),
    .codeBlock(language: "swift", "let a = [1, 2]\n\n\tprint(a) // `a`"),
    .horizontalRule,
    .paragraph([.text("The end, 你好.")]),
  ])
}

extension Inline {
  /// A link to the note that all tests link to.
  static let slots = Inline.noteLink(.slots)
}

extension RichText.NoteLink {
  static let slots = RichText.NoteLink(
    id: UUID(uuid: (0x11, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x22)),
    title: "Slots"
  )
}

extension Item {
  static func saying(_ words: String) -> Item {
    Item([.paragraph([.text(words)])])
  }
}

extension RichText.Mark {
  /// A link that is known to be safe.
  static func link(_ href: String) -> RichText.Mark {
    guard let link = RichText.Link(href) else { preconditionFailure("\(href) is no safe link") }
    return .link(link)
  }
}

/// A text of one paragraph.
func text(_ line: Inline...) -> RichText {
  RichText([.paragraph(line)])
}
