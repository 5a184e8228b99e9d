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
    #expect(file.others == ["summary: |", "  one: two"])
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
      file.others
        == [
          "id: 202103040506", "date: next Monday", "pinned: maybe",
          "source: [Slots](https://example.org)",
        ]
    )
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
}
