import Foundation
import RichText
import Testing

/// Numbers in a text, and their texts at its end.
struct FootnoteTests {
  private let essay = RichText([
    .paragraph([.text("One"), .footnoteMark("b"), .text(", two"), .footnoteMark("a"), .text(".")]),
    .footnote(label: "a", [.saying("First"), .codeBlock(language: nil, "let a")]),
    .footnote(label: "c", [.saying("Nobody's")]),
  ])

  @Test func `footnotes stand at the end in the order of their numbers`() {
    #expect(
      essay.blocks.dropFirst() == [
        .footnote(label: "b", [.paragraph([])]),
        .footnote(label: "a", [.saying("First"), .codeBlock(language: nil, "let a")]),
        .footnote(label: "c", [.saying("Nobody's")]),
      ]
    )
    #expect(essay.footnoteNumbers == ["b": 1, "a": 2, "c": 3])
    #expect(RichText(essay.blocks) == essay)
  }

  @Test func `a footnote inside of something comes out, and two of one label are one`() {
    let text = RichText([
      .footnote(label: "1", [.saying("Here")]),
      .blockquote([.footnote(label: "1", [.saying("there"), .footnote(label: "2", [])])]),
    ])
    #expect(
      text.blocks == [
        .blockquote([.paragraph([])]), .footnote(label: "1", [.saying("Here"), .saying("there")]),
        .footnote(label: "2", [.paragraph([])]),
      ]
    )
    #expect(RichText([.footnote(label: "1", [])]).blocks.first == .paragraph([]))
  }

  @Test func `footnotes look like this in Markdown, and are read again`() {
    #expect(
      essay.markdown == """
        One[^b], two[^a].

        [^b]:

        [^a]: First

            ```
            let a
            ```

        [^c]: Nobody's

        """
    )
    #expect(RichText(markdown: essay.markdown) == essay)
  }

  @Test func `footnotes of other programs are read`() {
    let text = RichText(
      markdown: """
        Hello![^1] Right^[here *now*] and [^gone], `[^1]`, \\[^1].
        [^1]: One
        goes on
        [^2]: Two

        > [^2] is here
        """
    )
    #expect(
      text.markdown == """
        Hello\\![^1] Right[^3] and \\[^gone\\], `[^1]`, \\[^1\\].

        > [^2] is here

        [^1]: One goes on

        [^3]: here _now_

        [^2]: Two

        """
    )
  }

  @Test(arguments: ["^1", "^", "[^1]", "[^1]: no", "a^", "x^[y]"])
  func `words that look like a footnote stay words`(words: String) {
    let text = RichText([
      .paragraph([.text(words)]), .paragraph([.text(words, [.link("https://a.b")])]),
      .paragraph([.text(words), .text("b", [.link("https://a.b")])]),
      .paragraph([.text(words), .slots, .footnoteMark("1"), .text(": so")]),
      .paragraph([.footnoteMark("1"), .text(": so")]),
      .table(.init(hasHeader: false, rows: [[[.text(words), .footnoteMark("1")]]])),
      .file(.init(file: .slots, name: words)), .footnote(label: "1", [.saying(words)]),
    ])
    #expect(RichText(markdown: text.markdown) == text)
  }

  @Test func `marks around a number are not cut by it`() {
    let text = RichText([
      .paragraph([.text("a", [.bold]), .footnoteMark("1"), .text("b", [.bold]), .text("c")])
    ])
    #expect(text.markdown == "**a[^1]b**c\n\n[^1]:\n")
    #expect(RichText(markdown: text.markdown) == text)
  }

  @Test func `footnotes are the same after JSON and HTML`() throws {
    #expect(try RichText(json: essay.json) == essay)
    #expect(try HTMLPage(essay.html(title: "T")).text.blocks.dropFirst() == essay.blocks[...])
    #expect(essay.htmlFragment.contains(##"<a href="#footnote-2">2</a>"##))
    #expect(essay.htmlFragment.contains(#"<li id="footnote-2" data-footnote="a"><p>First</p>"#))
  }

  @Test func `other programs are told the numbers`() throws {
    #expect(
      try RichText(rtf: essay.rtf).plainText
        == "One[¹], two[²].\n[1] \n[2] First\nlet a\n[3] Nobody's"
    )
  }

  @Test func `what is searched has the words of footnotes and not their numbers`() {
    #expect(essay.plainText == "One, two.\n\nFirst\nlet a\nNobody's")
  }

  @Test(arguments: [
    (
      #"{"type":"blockquote","content":[{"type":"footnote"}]}"#,
      "content[0].content[0]: a footnote stands at the end of a text, and in nothing else"
    ),
    (
      #"{"type":"footnote","content":[{"type":"paragraph"}]}"#,
      "content[0].attrs.label: a footnote has a label"
    ),
    (
      #"{"type":"footnote","attrs":{"label":"1"}}"#,
      "content[0].content: a footnote has at least one block"
    ),
    (
      #"{"type":"paragraph","content":[{"type":"footnoteMark","attrs":{"label":7}}]}"#,
      "content[0].content[0].attrs.label: a footnote has a label"
    ),
    (
      #"{"type":"callout","attrs":{"kind":"note"}}"#,
      "content[0].content: a callout begins with a paragraph, its title"
    ),
    (
      #"{"type":"callout","content":[{"type":"paragraph"}]}"#,
      "content[0].attrs.kind: a callout has a kind"
    ),
    (
      #"{"type":"callout","attrs":{"kind":"tip","fold":"half"},"content":[{"type":"paragraph"}]}"#,
      "content[0].attrs.fold: a callout is folded open or closed"
    ),
  ])
  func `what the editor cannot have made is refused`(_ block: String, _ sentence: String) {
    let error = #expect(throws: RichTextError.self) {
      try RichText(json: #"{"type":"doc","content":[\#(block)]}"#)
    }
    #expect(error?.description == sentence)
  }
}

/// Boxes with a sign and a title.
struct CalloutTests {
  private let warning = RichText([
    .callout(
      .init(
        kind: "warning",
        fold: .closed,
        title: [.text("Mind "), .text("this", [.bold])],
        [
          .saying("2. Text"), .bulletList([.init([.saying("one")])]),
          .callout(.init(kind: "tip", [])),
        ]
      )
    ),
    .blockquote([.saying("[!note] no")]),
  ])

  @Test func `a callout looks like this in Markdown, and is read again`() {
    #expect(
      warning.markdown == """
        > [!warning]- Mind **this**
        > 2\\. Text
        >
        > - one
        >
        > > [!tip]

        > \\[!note\\] no

        """
    )
    #expect(RichText(markdown: warning.markdown) == warning)
  }

  @Test func `callouts of other programs are read`() {
    #expect(
      RichText(
        markdown: ">[!NOTE|wide]+   Title  \n> 2. two\n\n> [!no sign] text\n\n[!note] text"
      ).blocks
        == [
          .callout(
            .init(
              kind: "note",
              fold: .open,
              title: [.text("Title")],
              [.orderedList(start: 2, [.init([.saying("two")])])]
            )
          ),
          .blockquote([.saying("[!no sign] text")]), .saying("[!note] text"),
        ]
    )
  }

  @Test func `a callout is the same after JSON and HTML`() throws {
    #expect(try RichText(json: warning.json) == warning)
    #expect(try HTMLPage(warning.htmlFragment).text == warning)
    #expect(warning.htmlFragment.contains(#"<details class="callout" data-callout="warning">"#))
    #expect(warning.htmlFragment.contains(#"<p class="callout-title" data-of-kind="true">Tip</p>"#))
  }

  @Test func `in RTF a callout is a quote with a bold title`() throws {
    let text = RichText([.callout(.init(kind: "tip", [.saying("So")]))])
    #expect(
      try RichText(rtf: text.rtf)
        == RichText([.blockquote([.paragraph([.text("Tip", [.bold])]), .saying("So")])])
    )
  }

  @Test func `two sides may change title and text`() {
    func text(_ title: String, _ words: String) -> RichText {
      RichText([.callout(.init(kind: "tip", title: [.text(title)], [.saying(words)]))])
    }
    let merged = text("new", "a").merged(with: text("old", "b"), since: text("old", "a"))
    #expect(merged == text("new", "b"))
    #expect(text("x", "a").merged(with: text("y", "a"), since: text("old", "a")) == nil)
  }

  @Test func `the kind is a word, and the title one line`() {
    let text = RichText([
      .callout(.init(kind: "Some <b>", title: [.text("a\nb"), .hardBreak, .text("c")], []))
    ])
    #expect(text.blocks == [.callout(.init(kind: "note", title: [.text("a b c")], []))])
  }
}
