import Foundation
import RichText
import Testing

/// What is left of a text without its looks.
struct PlainTextTests {
  @Test func `the words are a line for each paragraph`() {
    #expect(
      RichText.everything.plainText == """
        Faults & promises
        A fault is a promise of values.
        See Slots or the web.
        Lists
        one
        two
        three
        four
        more of four
        written
        read
        Code
        Quoted „words“ and 🎈
        twice
        let a = [1, 2]

        \tprint(a) // `a`
        The end, 你好.
        """
    )
  }

  @Test func `plain text becomes paragraphs and is plain text again`() {
    #expect(
      RichText(plainText: "one\r\n\ntwo")
        == RichText([.paragraph([.text("one")]), .paragraph([]), .paragraph([.text("two")])])
    )
    #expect(RichText(plainText: "one\n\ntwo").plainText == "one\n\ntwo")
    #expect(RichText(plainText: "") == RichText())
    #expect(RichText(plainText: " \n").isEmpty)
    #expect(!RichText.everything.isEmpty)
  }

  @Test(arguments: [
    (5, "one…"), (7, "one two…"), (8, "one two…"), (13, "one two three"), (2, "on…"), (0, ""),
  ])
  func `an excerpt ends between words`(limit: Int, excerpt: String) {
    let text = RichText([.heading(.one, [.text("one")]), .paragraph([.text("two \n three")])])
    #expect(text.excerpt(limit) == excerpt)
  }

  @Test func `equal texts are equal values, whatever they were made of`() {
    #expect(
      text(.text("Fau"), .text(""), .text("lts\r\nand\u{0}\u{2028}"), .text("more", [.bold]))
        == text(
          .text("Faults"),
          .hardBreak,
          .text("and"),
          .hardBreak,
          .text("more", [.bold])
        )
    )
    #expect(
      RichText([.bulletList([]), .blockquote([]), .bulletList([Item([.horizontalRule])])])
        == RichText([
          .blockquote([.paragraph([])]), .bulletList([Item([.paragraph([]), .horizontalRule])]),
        ])
    )
    #expect(text(.text("a", [.code, .bold])) == text(.text("a", [.code])))
    #expect(
      text(.text("a", [.code, .link("https://a")])) == text(.text("a", [.link("https://a")]))
    )
  }

  @Test func `what is too deep stands less deep`() throws {
    var blocks: [Block] = [.paragraph([.text("deep")])]
    for level in 0..<50 {
      blocks = level.isMultiple(of: 2) ? [.blockquote(blocks)] : [.bulletList([Item(blocks)])]
    }
    let text = RichText(blocks)
    #expect(text.plainText.hasSuffix("deep"))
    #expect(try RichText(json: text.json) == text)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JAVASCRIPT:x", "java\nscript:x", " https://a", "https://a b",
    "https://",
    "http:a", "data:text/html,x", "file:///a", "//a", "/a", "", "mailto:", "https://a\u{0}",
    "slipbox://note/a", "https://a\u{85}",
  ])
  func `a link that is not safe is none`(href: String) {
    #expect(RichText.Link(href) == nil)
  }

  @Test(arguments: ["http://a", "HTTPS://A.b/c?d=e#f", "mailto:a@b.c", "https://ö.de/ü"])
  func `a link that is safe is one`(href: String) {
    #expect(RichText.Link(href)?.href == href)
  }
}

/// Links from note to note.
struct NoteLinkTests {
  @Test func `links are told once each, in the order of the text`() {
    let other = UUID()
    let text = RichText([
      .blockquote([.bulletList([Item([.paragraph([.slots])])])]),
      .heading(.one, [.noteLink(.init(id: other, title: "Other")), .slots]),
    ])
    #expect(text.links == [RichText.NoteLink.slots.id, other])
    #expect(RichText().links.isEmpty)
  }

  @Test(arguments: [
    (
      "No values. They come from ", ", once asked for. Then none.",
      "They come from Slots, once asked for."
    ),
    ("", " are first. Then more.", "Slots are first."),
    ("Why? (See ", ".) Because.", "(See Slots.)"),
    ("Version 1.5 of ", " is 2.0 now", "Version 1.5 of Slots is 2.0 now"),
    ("Line\nwith ", "\nand line", "with Slots"),
    ("He said “no.” Then ", "!", "Then Slots!"),
  ])
  func `the context of a link is its sentence`(before: String, after: String, sentence: String) {
    let text = RichText([
      .paragraph([.text("Elsewhere.")]), .paragraph([.text(before), .slots, .text(after)]),
    ])
    #expect(text.context(of: RichText.NoteLink.slots.id) == sentence)
    #expect(text.context(of: UUID()) == nil)
  }

  @Test func `a sentence without an end is shortened around its link`() throws {
    let words = String(repeating: "word ", count: 200)
    let text = text(.text(words), .slots, .text(" " + words))
    let context = try #require(text.context(of: RichText.NoteLink.slots.id))
    #expect(context.hasPrefix("…word") && context.hasSuffix("word…"))
    #expect(context.contains("word Slots word"))
    #expect(context.count < 250)
  }

  @Test func `links show the titles that notes have now`() {
    let text = RichText([.taskList([TaskItem(isDone: true, [.paragraph([.slots])])])])
    #expect(text.retitled([RichText.NoteLink.slots.id: "Places"]).plainText == "Places")
    #expect(text.retitled([:]) == text)
  }
}
