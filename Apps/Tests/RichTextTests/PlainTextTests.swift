import Foundation
import RichText
import Testing

/// Tests of texts without their looks.
struct PlainTextTests {
  @Test(arguments: [
    ("head\none\ntwo\nthree\nend", "# Head\n\n- **One**\n- two\n- three\n\n---\n\nEnd\n"),
    ("head\none\n2\nthree\nend", "# Head\n\n- **One**\n- 2\n- three\n\n---\n\nEnd\n"),
    ("Top\none\ntwo\nthree\nend", "# Top\n\n- **One**\n- two\n- three\n\n---\n\nEnd\n"),
    (
      "head\none\ntwo\nthree\nend\nMore",
      "# Head\n\n- **One**\n- two\n- three\n\n---\n\nEnd\n\nMore\n"
    ),
    ("head\nend", "# Head\n\n---\n\nEnd\n"), ("", "---\n"),
    (
      "first\nhead\none\ntwo\nthree\nend",
      "first\n\n# Head\n\n- **One**\n- two\n- three\n\n---\n\nEnd\n"
    ),
    ("a\nb", "a\n\nb\n\n---\n"),
  ])
  func `a text takes over plain words, and keeps what says the same`(
    words: String,
    markdown: String
  ) {
    let text = RichText(markdown: "# Head\n\n- **One**\n- two\n- three\n\n---\n\nEnd")
    #expect(text.saying(words).markdown == markdown)
    #expect(text.saying(text.plainText.lowercased()) == text)
  }

  @Test(arguments: [
    ("uno\ntwo\na\nb\nx", "- [x] uno\n- [ ] two\n\n> a\\\n> b\n\n```\nx\n```\n"),
    ("one\ntwo\na\nc\nx", "- [x] one\n- [ ] two\n\n> a\\\n> c\n\n```\nx\n```\n"),
    ("one\ntwo\nthree\na\nb\nx", "- [x] one\n- [ ] two\n\nthree\n\n> a\\\n> b\n\n```\nx\n```\n"),
    ("one\ntwo\na\nb\ny\nz", "- [x] one\n- [ ] two\n\n> a\\\n> b\n\n```\ny\nz\n```\n"),
  ])
  func `tasks stay done, and lines of a paragraph one paragraph, when words change`(
    words: String,
    markdown: String
  ) {
    let text = RichText(markdown: "- [x] one\n- [ ] two\n\n> a\\\n> b\n\n```\nx\n```")
    #expect(text.saying(words).markdown == markdown)
  }

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

  @Test(arguments: [
    ("10<sup>6</sup>", "10⁶"), ("10<sup>-3</sup> m<sup>2</sup>", "10⁻³ m²"),
    ("H<sub>2</sub>O", "H₂O"), ("x<sub>max</sub>", "xmax"), ("a<sup>(2)</sup>", "a⁽²⁾"),
    ("e<sup>2x</sup>", "e²x"), ("the 1<sup>st</sup>", "the 1st"),
  ])
  func `raised digits became digits of the number, so that 10⁶ read 106`(
    markdown: String,
    words: String
  ) {
    let text = RichText(markdown: markdown)
    #expect(text.plainText == words)
    #expect(text.saying(words) == text)
  }

  @Test func `plain text becomes paragraphs and is plain text again`() {
    #expect(
      RichText(plainText: "one\r\n\ntwo")
        == RichText([.paragraph([.text("one")]), .paragraph([]), .paragraph([.text("two")])])
    )
    #expect(RichText(plainText: "one\n\ntwo").plainText == "one\n\ntwo")
    #expect(RichText(plainText: "") == RichText())
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
    "javascript:alert(1)", "JAVASCRIPT:x", "java\nscript:x", " https://a", "https://", "http:a",
    "data:text/html,x", "blob:x", "vbscript:x", "//a", "/a", "", "mailto:", "https:\n//a",
    "\u{0}https://a",
    "slipbox://note/a", "note:", "note:7", "note: 11000000-0000-4000-8000-000000000022",
    "note:11000000-0000-4000-8000-000000000022\"", "#/all/11000000-0000-4000-8000-000000000022",
  ])
  func `a link that is not safe is none`(href: String) {
    #expect(RichText.Link(href) == nil)
  }

  @Test(arguments: [
    "http://a", "HTTPS://A.b/c?d=e#f", "mailto:a@b.c", "https://ö.de/ü",
    "note:11000000-0000-4000-8000-000000000022",
  ])
  func `a link that is safe is one`(href: String) {
    #expect(RichText.Link(href)?.href == href)
  }

  @Test func `a link to a note is the same however its letters are written`() {
    #expect(RichText.Link("NOTE:\(UUID.slots.uuidString)") == .note(.slots))
    #expect(RichText.Link("note:\(UUID.slots.uuidString.lowercased())") == .note(.slots))
  }

  @Test(arguments: [
    ("https://a.b/c d", "https://a.b/c%20d"), ("https://a\u{0}\n\u{85}", "https://a%00%0A%C2%85"),
    ("https://a/\"<>\\`", "https://a/%22%3C%3E%5C%60"), ("https://a/%20", "https://a/%20"),
  ])
  func `what may not stand in an address stands there as a number`(href: String, address: String) {
    #expect(RichText.Link(href)?.href == address)
    #expect(RichText.Link(address)?.href == address)
  }

  @Test func `an address has an end`() {
    let longest = "https://" + String(repeating: "a", count: 7_992)
    #expect(RichText.Link(longest)?.href == longest)
    #expect(RichText.Link(longest + "a") == nil)
    #expect(RichText.Link(longest.dropLast() + " ") == nil)
  }
}

/// Links from note to note.
struct NoteLinkTests {
  @Test func `links are told once each, in the order of the text`() {
    let other = UUID()
    let text = RichText([
      .blockquote([.bulletList([Item([.paragraph([.slots])])])]),
      .heading(.one, [.text("Other", [.bold, .link(.note(other))]), .slots]),
      .paragraph([.text("a page", [.link("https://example.org")])]),
    ])
    #expect(text.links == [.slots, other])
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
    // The sign of the paragraph, and a word that only looks like one.
    ("See ", " and more ^a1b2", "See Slots and more"),
    ("See ", " ^a1b2", "See Slots"),
    ("See ", "^a1b2", "See Slots^a1b2"),
  ])
  func `the context of a link is its sentence`(before: String, after: String, sentence: String) {
    let text = RichText([
      .paragraph([.text("Elsewhere.")]), .paragraph([.text(before), .slots, .text(after)]),
    ])
    #expect(text.context(of: .slots) == sentence)
    #expect(text.context(of: UUID()) == nil)
  }

  @Test func `a sentence without an end is shortened around its link`() throws {
    let words = String(repeating: "word ", count: 200)
    let text = text(.text(words), .slots, .text(" " + words))
    let context = try #require(text.context(of: .slots))
    #expect(context.hasPrefix("…word") && context.hasSuffix("word…"))
    #expect(context.contains("word Slots word"))
    #expect(context.count < 250)
  }

  @Test func `the words of one link may look different`() {
    let words = String(repeating: "word ", count: 200)
    let text = text(
      .text(words),
      .text("the ", [.slots]),
      .text("Slots", [.slots, .bold]),
      .text(" " + words)
    )
    #expect(text.links == [.slots])
    #expect(text.context(of: .slots)?.contains("word the Slots word") == true)
  }

  @Test func `a link of very many words is shortened`() throws {
    let words = String(repeating: "word ", count: 200)
    let context = try #require(text(.text(words, [.slots])).context(of: .slots))
    #expect(context.hasPrefix("word word"))
    #expect(context.hasSuffix("word…"))
    #expect(context.count <= 241)
  }
}
