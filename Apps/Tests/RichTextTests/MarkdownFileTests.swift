import Foundation
import RichText
import Testing

/// Notes as files.
struct MarkdownFileTests {
  @Test func `the beginning of a file says what is known about the note`() {
    let file = MarkdownFile(
      """
      ---
      title: "Faults: \\"why\\""
      tags: [memory, "to, read", '#core', Memory]
      status: draft
      unknown: [1, 2]
      ---

      # Heading

      Text
      """
    )
    #expect(file.title == "Faults: \"why\"")
    #expect(file.keywords == ["memory", "to, read", "core"])
    #expect(file.status == "draft")
    #expect(file.text == RichText([.heading(.one, [.text("Heading")]), .saying("Text")]))
  }

  @Test func `keywords may stand below each other or in a line`() {
    #expect(
      MarkdownFile("\u{FEFF}---\r\nkeywords:\r\n  - memory\r\n  - 'to read'\r\n---\r\nText")
        .keywords
        == ["memory", "to read"]
    )
    #expect(MarkdownFile("---\ntags: memory, to read\n---").keywords == ["memory", "to read"])
  }

  @Test func `without a title the first heading is the title`() {
    let file = MarkdownFile("# Faults *and* slots\n\nText")
    #expect(file.title == "Faults and slots")
    #expect(file.text == RichText([.saying("Text")]))
    #expect(MarkdownFile("Text\n\n# Later").title == nil)
    #expect(MarkdownFile("#").title == nil)
  }

  @Test func `a rule is no beginning of a file`() {
    #expect(
      MarkdownFile("---\n\nText\n\n---").text
        == RichText([.horizontalRule, .saying("Text"), .horizontalRule])
    )
    #expect(MarkdownFile("---\ntitle: a").text.plainText == "title: a")
  }

  @Test(arguments: ["Faults", "a: b", "\"quoted\" \\ # [x]", "true", "---", "12", "ü, 你"])
  func `what was written is read again`(words: String) {
    let file = MarkdownFile(
      title: words,
      keywords: [words, "other"],
      status: words,
      text: RichText([.heading(.one, [.text(words)]), .horizontalRule])
    )
    #expect(MarkdownFile(file.contents) == file)
    let bare = MarkdownFile(title: nil, text: RichText([.horizontalRule, .saying("a: b")]))
    #expect(MarkdownFile(bare.contents) == bare)
  }

  @Test func `values that go on in other lines made the whole beginning text, or were cut`() {
    let file = MarkdownFile(
      """
      ---
      "title": >-
        Faults,
        and why
      tags: [
        memory,
        "to [read",
      ] # for later
      aliases:
        - Home # where it began
        - "Caf\\xE9"
      summary: |
        one: two
      created: 2021-03-04T05:06:07Z
      ---
      Text
      """
    )
    #expect(file.title == "Faults, and why")
    #expect(file.keywords == ["memory", "to [read"])
    #expect(file.aliases == ["Home", "Café"])
    #expect(file.created == Date(timeIntervalSince1970: 1_614_834_367))
    #expect(file.properties == [NoteProperty("summary", .other(" |\n  one: two"))])
    #expect(file.others.isEmpty)
    #expect(file.text == RichText([.saying("Text")]))
  }

  @Test func `what a note has no place for was lost under names that it knows`() {
    let file = MarkdownFile(
      """
      ---
      id: 202103040506
      title: null
      aliases:
      date: next Monday
      created: [[2021-03-04]]
      updated: 20220304
      pinned: maybe
      cssclass: wide
      rating:
      source: [Slots](https://example.org)
      tags: #memory #core/slots
      ---
      """
    )
    #expect(file.id == nil && file.title == nil && !file.isFavourite)
    #expect(file.keywords == ["memory", "core/slots"])
    #expect(file.created == MarkdownFile.date("2021-03-04"))
    #expect(file.modified == MarkdownFile.date("2022-03-04T12:00"))
    #expect(
      file.properties
        == [
          NoteProperty("id", .number("202103040506")), NoteProperty("date", .text("next Monday")),
          NoteProperty("pinned", .text("maybe")), NoteProperty("rating", .text("")),
          NoteProperty("source", .text("[Slots](https://example.org)")),
        ]
    )
    #expect(file.others.isEmpty)
  }

  @Test(arguments: [
    "---\n- one\n- two\n---\nText", "---\n# Heading\n---\nText", "---\n  indented\n---\nText",
  ])
  func `a rule with a list or a heading below it was taken for the beginning of a file`(
    markdown: String
  ) {
    #expect(MarkdownFile(markdown).text.blocks.first == .horizontalRule)
    #expect(MarkdownFile(markdown).others.isEmpty)
  }

  @Test func `a list that is never closed took the fields below it`() {
    let file = MarkdownFile("---\ntags: [memory\nstatus: draft\n---")
    #expect(file.status == "draft" && file.keywords == ["[memory"])
  }

  @Test(arguments: [
    ("2021-03-04", "2021-03-04T12:00"), ("20210304", "2021-03-04T12:00"),
    ("202103040506", "2021-03-04T05:06"), ("20210304T050607Z", "2021-03-04T05:06:07Z"),
    ("[[2021-03-04]]", "2021-03-04T12:00"),
  ])
  func `a day alone was the end of the day before for readers further west`(
    words: String,
    date: String
  ) {
    #expect(MarkdownFile.date(words) == MarkdownFile.date(date))
    #expect(MarkdownFile.date("1611121314") == nil && MarkdownFile.date("12345") == nil)
  }

  @Test(arguments: [
    ("28/09/2021 20:57", "2021-09-28T20:57:00"), ("9/28/2021, 8:57 PM", "2021-09-28T20:57:00"),
    ("05/05/2021", "2021-05-05T12:00:00"), ("28.9.2021", "2021-09-28T12:00:00"),
    ("03.04.2021 00:05:06", "2021-04-03T00:05:06"), ("28-09-2021", "2021-09-28T12:00:00"),
    ("September 28, 2021 12:57 AM", "2021-09-28T00:57:00"),
    ("28 Sept. 2021", "2021-09-28T12:00:00"),
    ("28th of May", nil), ("03/04/2021", nil), ("31/02/2021", nil), ("28/09/21", nil),
    ("28/09/0021", nil), ("0028-09-20", nil), ("28/09/2021 25:00", nil), ("28/09/2021 soon", nil),
  ])
  func `the year of a date in another order was that of its day`(written: String, date: String?) {
    #expect(MarkdownFile.date(written) == date.flatMap { MarkdownFile.date($0) })
  }

  @Test func `a date that may be of two days was guessed`() {
    let one = MarkdownFile("---\ncreated: 03/04/2021\nmodified: 28/09/2021 20:57\n---\na")
    #expect(one.created == MarkdownFile.date("2021-04-03"))
    let other = MarkdownFile("---\ncreated: 03/04/2021\ndue: 09/28/2021\n---\na")
    #expect(other.created == MarkdownFile.date("2021-03-04"))
    #expect(other.properties == [NoteProperty("due", .text("09/28/2021"))])
    let unclear = MarkdownFile("---\ncreated: 03/04/2021\nmodified: 05/06/2021\n---\na")
    #expect(unclear.created == nil)
    #expect(unclear.properties.map(\.name) == ["created", "modified"])
    #expect(unclear.properties.map(\.value) == [.text("03/04/2021"), .text("05/06/2021")])
    let zoned = MarkdownFile.date("Tue, 28 Sep 2021 20:57:00 +0200")
    #expect(zoned == MarkdownFile.date("2021-09-28T18:57:00Z"))
  }
}
