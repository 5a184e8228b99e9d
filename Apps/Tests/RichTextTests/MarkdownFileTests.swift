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
}
