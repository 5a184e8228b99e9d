import Foundation
import RichText
import Testing

/// Markdown in and out.
struct MarkdownTests {
  @Test func `a text looks like this`() {
    #expect(
      RichText.everything.markdown == #"""
        # Faults & _promises_

        A **fault** is a **_~~promise~~_** of `values`.\
        See [[Slots|11000000-0000-4000-8000-000000000022]] or [**the web**](https://example.org/a?b=c\&d=\(e\)).

        ## Lists

        - one

        - two

          3. three

          4. four

             more of four

        * [x] written
        * [ ] read

        ### Code

        > Quoted „words“ and 🎈
        >
        > > twice

        ```swift
        let a = [1, 2]

        	print(a) // `a`
        ```

        ---

        The ==end==, 你好.

        """#
    )
  }

  @Test func `what was written is read again`() {
    let text = RichText(markdown: RichText.everything.markdown)
    #expect(text.plainText == RichText.everything.plainText)
    #expect(RichText(markdown: text.markdown) == text)
    #expect(words(of: text) == words(of: .everything).map(withoutUnderline))
    #expect(RichText(markdown: RichText().markdown) == RichText())
  }

  @Test func `a link to a note keeps outside what all of its words look like`() {
    let text = text(
      .text("a = b, see "),
      .text("the ", [.slots, .bold]),
      .text("Slots|", [.slots, .bold, .italic]),
      .text("!", [.highlight])
    )
    #expect(
      text.markdown
        == "a = b, see **[[the Slots\\||11000000-0000-4000-8000-000000000022]]**==!==\n"
    )
    #expect(
      RichText(markdown: text.markdown)
        == RichText([
          .paragraph([
            .text("a = b, see "), .text("the Slots|", [.slots, .bold]), .text("!", [.highlight]),
          ])
        ])
    )
  }

  @Test func `what looks like a definition in marked text is none`() {
    for mark in [RichText.Mark.slots, .link("https://example.org")] {
      let text = text(.text("]: mailto:a", [mark]))
      #expect(RichText(markdown: text.markdown) == text)
    }
  }

  @Test func `whatever is written keeps its words`() {
    var random = Random(seed: 3)
    for _ in 0..<300 {
      let text = random.richText()
      let read = RichText(markdown: text.markdown)
      #expect(said(read) == said(text), "\(text.markdown)")
      #expect(RichText(markdown: read.markdown) == read, "\(text.markdown)\n——\n\(read.markdown)")
    }
  }

  @Test func `whatever is written and read is the same when it is written again`() {
    var random = Random(seed: 4)
    for _ in 0..<300 {
      let markdown = (0..<Int.random(in: 1...30, using: &random))
        .map { _ in
          ["\n", "\n\n", "  ", ""].randomElement(using: &random).map { random.words() + $0 } ?? ""
        }
        .joined()
      // The first writing leaves out what Markdown can be read as but not say.
      let text = RichText(markdown: RichText(markdown: markdown).markdown)
      #expect(RichText(markdown: text.markdown) == text, "\(markdown)\n——\n\(text.markdown)")
    }
  }

  private func withoutUnderline(_ line: [Inline]) -> [Inline] {
    RichText([
      .paragraph(
        line.map { piece in
          guard case .text(let text, var marks) = piece else { return piece }
          marks.styles.remove(.underline)
          return .text(text, marks)
        }
      )
    ]).blocks.flatMap { words(of: RichText([$0])) }.first ?? []
  }

  /// The words of a text, without what Markdown cannot say.
  private func said(_ text: RichText) -> [String] {
    // By scalars, since an accent behind a blank is one character with it.
    text.plainText.unicodeScalars.split { $0 == "\n" || $0 == " " }.map { String($0) }
  }

  @Test(arguments: Example.all)
  func `Markdown is read as everybody reads it`(_ example: Example) {
    #expect(RichText(markdown: example.markdown) == RichText(example.blocks))
  }

  @Test(arguments: [
    ("Slots", "See [[Slots]], [[Slots|that one]]."),
    ("Places of *values*", "See [[Places of *values*|Slots]], [[Places of *values*|that one]]."),
    (
      "a|b",
      "See [[Slots|11000000-0000-4000-8000-000000000022]], [[that one|11000000-0000-4000-8000-000000000022]]."
    ),
    (
      nil,
      "See [[Slots|11000000-0000-4000-8000-000000000022]], [[that one|11000000-0000-4000-8000-000000000022]]."
    ),
  ])
  func `a link to a note was written in a way that others show as an identifier`(
    _ title: String?,
    _ markdown: String
  ) {
    let text = text(
      .text("See "),
      .slots,
      .text(", "),
      .text("that one", [.slots]),
      .text(".")
    )
    #expect(text.markdown { $0 == .slots ? title : nil } == markdown + "\n")
    #expect(RichText(markdown: markdown) { $0 == title ? .slots : nil } == text)
  }

  @Test(arguments: [
    (
      "See [[Later]], [[Later#Part|so]] or [[C++ 2]].",
      "See [[Later]], [[Later#Part|so]] or [[C++ 2]]."
    ),
    // What means something there, and what other programs would take for something else, has its backslashes.
    (
      "![[Later]] [[a *b*]] [[a]b]] [[ ]]",
      #"!\[\[Later\]\] \[\[a \*b\*\]\] \[\[a\]b\]\] \[\[ \]\]"#
    ),
    (
      "[[Words|11000000-0000-4000-8000-000000000022]]",
      #"\[\[Words|11000000-0000-4000-8000-000000000022\]\]"#
    ),
    ("[[a]](mailto:a@example.org)", #"\[\[a\]\](mailto:a@example.org)"#),
  ])
  func `a link that waits for its note was none in other programs`(
    _ words: String,
    _ markdown: String
  ) {
    #expect(text(.text(words)).markdown == markdown + "\n")
    #expect(RichText(markdown: markdown) == text(.text(words)))
    let linked = text(
      .text("a "),
      .text("[[b]]", [.bold]),
      .text(" [[c]]", [.link("https://example.org")])
    )
    #expect(RichText(markdown: linked.markdown) == linked)
  }

  @Test func `words of a link that look like an identifier lead where the link did`() {
    let text = text(.text("22000000-0000-4000-8000-000000000022", [.slots]))
    let markdown = text.markdown { _ in "Slots" }
    #expect(RichText(markdown: markdown) { _ in .slots } == text)
  }

  @Test func `a link to a note by its title alone is found by its title`() {
    let text = RichText(markdown: "See [[Slots]], [[Slots|that one]] and [[Places]].") { title in
      title == "Slots" ? .slots : nil
    }
    #expect(
      text
        == RichText([
          .paragraph([
            .text("See "), .slots, .text(", "), .text("that one", [.slots]),
            .text(" and [[Places]]."),
          ])
        ])
    )
  }

  @Test(arguments: [
    "[", "]", "[[", "[a](", "![", "[a](b", "[a](<b", "[a](b \"c", "*", "**a ", "a**", "_", "*a_ ",
    "~~", "==", "==a== ", "= ", "[[a|b",
    "*a **b ", "`", "``a`", "\\", "&", "&#", "<", "<a:", "<https://a", "https://a)", "> ", ">",
    "- ", "-",
    "1. ", "# ", "#", "=", "```\n", "~~~\n", "\t", " ", "a\n", "a  \n", "- a\n", "> a\n\n",
    "[a]: https://a\n",
    "[a]\n\n[a]: https://a\n\n", "((((", "[](https://a)", "!", "|", "a", "[[a|", "[[a]]", "***a ",
    "_a*",
  ])
  func `Markdown that is meant to be slow is read in time`(piece: String) {
    let markdown = String(repeating: piece, count: 100_000 / piece.utf8.count)
    let time = ContinuousClock().measure { _ = RichText(markdown: markdown) }
    #expect(time < .seconds(60))
  }

  @Test func `backticks in rows of every length are read in time`() {
    let markdown = (1..<1_000).map { String(repeating: "`", count: $0) }.joined(separator: "a")
    let time = ContinuousClock().measure { _ = RichText(markdown: markdown) }
    #expect(time < .seconds(60))
  }
}

/// Markdown, and what it means.
struct Example: CustomTestStringConvertible, Sendable {
  let markdown: String
  let blocks: [Block]

  var testDescription: String { markdown }

  init(_ markdown: String, _ blocks: Block...) {
    self.markdown = markdown
    self.blocks = blocks
  }

  static let all = blockExamples + listExamples + inlineExamples + linkExamples

  private static let blockExamples = [
    Example("", .paragraph([])),
    Example("one\ntwo\n\n\nthree", .saying("one two"), .saying("three")),
    Example("one\r\n\r\ntwo\rthree", .saying("one"), .saying("two three")),
    Example(
      "  one  \\\n  two  \n  three",
      .paragraph([.text("one  "), .hardBreak, .text("two"), .hardBreak, .text("three")])
    ),
    Example(
      "# One #\n##  Two\n#### Four\n#none",
      .heading(.one, [.text("One")]),
      .heading(.two, [.text("Two")]),
      .heading(.three, [.text("Four")]),
      .saying("#none")
    ),
    Example(
      "One\n===\nTwo\n---\n\n---",
      .heading(.one, [.text("One")]),
      .heading(.two, [.text("Two")]),
      .horizontalRule
    ),
    Example(
      "***\n* * *\n___\n--",
      .horizontalRule,
      .horizontalRule,
      .horizontalRule,
      .saying("--")
    ),
    Example(
      "> one\ntwo\n> > three\n\n> four",
      .blockquote([.saying("one two"), .blockquote([.saying("three")])]),
      .blockquote([.saying("four")])
    ),
    Example(">", .blockquote([.paragraph([])])),
    Example(
      "```swift x\nlet a\n\n  b\n```\nend",
      .codeBlock(language: "swift", "let a\n\n  b"),
      .saying("end")
    ),
    Example("~~~\n```\n~~~", .codeBlock(language: nil, "```")),
    Example("```\nwithout end\n", .codeBlock(language: nil, "without end")),
    Example(
      "one\n\n    code\n\n\tmore\n\nend",
      .saying("one"),
      .codeBlock(language: nil, "code\n\nmore"),
      .saying("end")
    ),
    Example("one\n    still one", .saying("one still one")),
    Example("<b>bold</b>\n<!-- no -->", .saying("<b>bold</b> <!-- no -->")),
  ]

  private static let listExamples = [
    Example(
      "- one\n- two\n\n- three",
      .bulletList([.saying("one"), .saying("two"), .saying("three")])
    ),
    Example("- one\n+ two", .bulletList([.saying("one")]), .bulletList([.saying("two")])),
    Example(
      "3) one\n4) two\n\ntext",
      .orderedList(start: 3, [.saying("one"), .saying("two")]),
      .saying("text")
    ),
    Example(
      "- one\n  - two\n    1. three\n- four",
      .bulletList([
        Item([
          .saying("one"),
          .bulletList([Item([.saying("two"), .orderedList(start: 1, [.saying("three")])])]),
        ]),
        .saying("four"),
      ])
    ),
    Example(
      "- one\n\n  two\n\n      code\n- > three",
      .bulletList([
        Item([.saying("one"), .saying("two"), .codeBlock(language: nil, "code")]),
        Item([.blockquote([.saying("three")])]),
      ])
    ),
    Example(
      "- [x] done\n- [ ] open\n- [ ]\n- none",
      .taskList([
        TaskItem(isDone: true, [.saying("done")]), TaskItem(isDone: false, [.saying("open")]),
        TaskItem(isDone: false, [.paragraph([])]),
      ]),
      .bulletList([.saying("none")])
    ),
    Example(
      "one\n2. two\n1. three",
      .saying("one 2. two"),
      .orderedList(start: 1, [.saying("three")])
    ),
    Example(
      "-\n  one\n-\n\n  two",
      .bulletList([.saying("one"), Item([.paragraph([])])]),
      .saying("two")
    ),
    Example("-one\n1.two\n1234567890. three", .saying("-one 1.two 1234567890. three")),
    Example("-\tone\n\n\ttwo", .bulletList([Item([.saying("one"), .saying("two")])])),
    Example("- one\ntwo", .bulletList([.saying("one two")])),
  ]

  private static let inlineExamples = [
    Example(
      "*a* _b_ **c** __d__ ***e***",
      .paragraph([
        .text("a", [.italic]), .text(" "), .text("b", [.italic]), .text(" "), .text("c", [.bold]),
        .text(" "),
        .text("d", [.bold]), .text(" "), .text("e", [.bold, .italic]),
      ])
    ),
    Example("*a **b***", .paragraph([.text("a ", [.italic]), .text("b", [.bold, .italic])])),
    Example("*a**b*", .paragraph([.text("a**b", [.italic])])),
    Example("snake_case_name 2 * 3 * 4 ** a**", .saying("snake_case_name 2 * 3 * 4 ** a**")),
    Example("~~old~~ ~new~ ~~~", .paragraph([.text("old", [.strike]), .text(" ~new~ ~~~")])),
    Example(
      "==new **and** old== = a=b == c ==",
      .paragraph([
        .text("new ", [.highlight]), .text("and", [.highlight, .bold]),
        .text(" old", [.highlight]), .text(" = a=b == c =="),
      ])
    ),
    Example("===a=== \\==b==", .saying("===a=== ==b==")),
    Example(
      "`a *b*` `` `c` `` `d",
      .paragraph([.text("a *b*", [.code]), .text(" "), .text("`c`", [.code]), .text(" `d")])
    ),
    Example("**`a`**", .paragraph([.text("a", [.code])])),
    Example(#"\*a\* \a \\ &amp; &#65; &#x42; &nope; &"#, .saying(#"*a* \a \ & A B &nope; &"#)),
  ]

  private static let linkExamples = [
    Example(
      "[a *b*](https://c \"d\") [e](<https://f>)",
      .paragraph([
        .text("a ", [.link("https://c")]), .text("b", [.italic, .link("https://c")]), .text(" "),
        .text("e", [.link("https://f")]),
      ])
    ),
    Example(
      "[a](https://b/(c)) [d]( https://e\n'f' )",
      .paragraph([
        .text("a", [.link("https://b/(c)")]), .text(" "), .text("d", [.link("https://e")]),
      ])
    ),
    Example("[a](javascript:b) [c](d.md) [e]", .saying("[a](javascript:b) [c](d.md) [e]")),
    Example(
      "[a][B c] [b C][] [b c]\n\n[b c]: https://d \"e\"\n[f]: g",
      .paragraph([
        .text("a", [.link("https://d")]), .text(" "), .text("b C", [.link("https://d")]),
        .text(" "),
        .text("b c", [.link("https://d")]),
      ]),
      .saying("[f]: g")
    ),
    Example(
      "<https://a.b> <c@d.e> <f>",
      .paragraph([
        .text("https://a.b", [.link("https://a.b")]), .text(" "),
        .text("c@d.e", [.link("mailto:c@d.e")]),
        .text(" <f>"),
      ])
    ),
    Example(
      "See https://a.b/c_d_(e). (http://f) xhttps://g",
      .paragraph([
        .text("See "), .text("https://a.b/c_d_(e)", [.link("https://a.b/c_d_(e)")]), .text(". ("),
        .text("http://f", [.link("http://f")]), .text(") xhttps://g"),
      ])
    ),
    Example(
      "[a [b](https://c) d](https://e)",
      .paragraph([
        .text("[a "), .text("b", [.link("https://c")]), .text(" d]("),
        .text("https://e", [.link("https://e")]), .text(")"),
      ])
    ),
    Example(
      "![alt](https://a.b/c.png) ![no](d.png)",
      .paragraph([
        .text("alt", [.link("https://a.b/c.png")]), .text(" ![no](d.png)"),
      ])
    ),
    Example(
      "[[Slots|11000000-0000-4000-8000-000000000022]] [[Slots]] [[a",
      .paragraph([.slots, .text(" [[Slots]] [[a")])
    ),
    Example(
      "**[[Slots|11000000-0000-4000-8000-000000000022]]**",
      .paragraph([.text("Slots", [.bold, .slots])])
    ),
    Example(
      #"[the *slots*](note:11000000-0000-4000-8000-000000000022) [a](note:7) [[|x]]"#,
      .paragraph([
        .text("the ", [.slots]), .text("slots", [.slots, .italic]),
        .text(" [a](note:7) [[|x]]"),
      ])
    ),
    Example("*[a*](https://b)", .paragraph([.text("*"), .text("a*", [.link("https://b")])])),
  ]
}

extension Block {
  static func saying(_ words: String) -> Block {
    .paragraph([.text(words)])
  }
}

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
