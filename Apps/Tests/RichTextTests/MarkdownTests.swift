import Foundation
import RichText
import Testing

/// Markdown in and out.
struct MarkdownTests {
  @Test func `a text looks like this`() {
    #expect(
      RichText.everything.markdown == #"""
        # Faults & _promises_

        A **fault** is a <u>**_~~promise~~_**</u> of `values`.\
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
    #expect(words(of: text) == words(of: .everything))
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

  @Test(arguments: [
    #"So $e^{i\pi}=-1$, $a_1 *b* c_2$ and $x$."#, #"In $$a\,b$$ here"#, "Costs $5", "- $a$ b$",
  ])
  func `a formula lost its signs`(markdown: String) {
    let text = RichText(markdown: markdown)
    #expect(text.plainText == markdown.replacing("- ", with: ""))
    #expect(text.markdown == markdown + "\n")
  }

  @Test(arguments: [
    (#"$$\#n\int x\,dx\#n- y\#n\#n= z\#n$$"#, #"\int x\,dx\#n- y\#n\#n= z"#), ("$$x^2$$", "x^2"),
    (#"$$\begin{a}\#nb \\\#n\end{a}$$"#, #"\begin{a}\#nb \\\#n\end{a}"#),
  ])
  func `a formula on lines of its own was taken for text`(markdown: String, formula: String) {
    let text = RichText([.codeBlock(language: "math", formula)])
    #expect(RichText(markdown: markdown) == text)
    #expect(text.markdown == "$$\n\(formula)\n$$\n")
  }

  @Test func `what costs $5 or $6 is no formula`() {
    let text = RichText([.paragraph([.text("$5 or $6, "), .text("now", [.bold]), .text(" 7$")])])
    #expect(RichText(markdown: text.markdown) == text)
    #expect(RichText(markdown: "$5 or $6, *now* or 7 $").plainText == "$5 or $6, now or 7 $")
    // Without an end it is not a formula, and nothing below belongs to it.
    let open = RichText(markdown: "$$\na\n\nb")
    #expect(open.blocks == [.paragraph([.text("$$ a")]), .paragraph([.text("b")])])
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

  /// The words of a text, without what Markdown cannot say.
  private func said(_ text: RichText) -> [String] {
    // The end of a raised word may move across a sign.
    let words = text.plainText.withoutSmallSigns
    // By scalars, since an accent behind a blank is one character with it.
    return words.unicodeScalars.split { $0 == "\n" || $0 == " " }.map { String($0) }
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
    // Signs with a meaning there, and signs that other programs would take for something else, have backslashes.
    (
      "![[Later]] [[a *b*]] [[a]b]] [[ ]]",
      #"![[Later]] \[\[a \*b\*\]\] \[\[a\]b\]\] \[\[ \]\]"#
    ),
    (
      "[[Words|11000000-0000-4000-8000-000000000022]]",
      #"\[\[Words|11000000-0000-4000-8000-000000000022\]\]"#
    ),
    (
      "[[a]](mailto:a@example.org) [[b|c]]((d))",
      #"[[a]]\(mailto:a@example.org) [[b|c]]\((d))"#
    ),
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

  @Test func `a picture that is not there was words in other programs`() {
    let words = "![[Pasted image 1.png|300]] and ![[Paper.pdf]](so), ![[Later]] or ![[v1.2]]"
    let markdown =
      #"![[Pasted image 1.png|300]] and ![[Paper.pdf]]\(so), ![[Later]] or ![[v1.2]]"#
    #expect(text(.text(words)).markdown == markdown + "\n")
    #expect(RichText(markdown: markdown) == text(.text(words)))
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

  @Test func `what became something else in a text was told to nobody`() {
    let markdown = #"""
      ---
      title: Plan
      rating: 5
      cssclasses: wide
      ---

      Some `<kbd>` and \<b>, <https://example.org>, a<br>b, <u>so</u> and 1 < 2 > 1

      #### Deep

      - [x] done
      - [/] half
        with <kbd>K</kbd>
      - [1] a number

      ```
      ##### code ![[Nowhere]]
      ```

      | a | b |
      |---|---|
      | ![[Slots\|s]] | ![](https://example.org/a.png) |

      ![tree](tree.png) ![[no.png]]
      """#
    var told: [TextChange: Int] = [:]
    let surroundings = MarkdownSurroundings(
      breaksLines: true,
      noteNamed: { $0 == "Slots" ? UUID() : nil },
      fileAt: { $0 == "tree.png" ? .picture(UUID()) : nil },
      changed: { told[$0] = $1 }
    )
    let file = MarkdownFile(markdown, in: surroundings)
    #expect(file.title == "Plan" && file.others.isEmpty)
    #expect(file.properties == [NoteProperty("rating", .number("5"))])
    #expect(
      told == [
        .appearance: 4, .task: 12, .html: 13, .embeddedNote: 22,
        .webPicture: 22, .missingFile: 24,
      ]
    )
    told = [:]
    _ = MarkdownFile("---\ntitle: Plan\n---\n### Three\n\n- [ ] do", in: surroundings)
    #expect(told.isEmpty)
  }

  @Test func `tasks of other programs that are half done came back as words`() {
    let markdown = "- [/] half\n- [>] later\n- \\[x\\] no task\n\n1. [-] given up\n"
    #expect(RichText(markdown: markdown).markdown == markdown)
  }

  @Test func `a keyword at the beginning of a line was none for other programs`() {
    let text = RichText(
      markdown: "#tag/sub and ##two\n\n- #three\n\n\\# four\n\n\\#\n\n#######"
    )
    #expect(text.plainText == "#tag/sub and ##two\n#three\n# four\n#\n#######")
    #expect(
      text.markdown == "#tag/sub and ##two\n\n- #three\n\n\\# four\n\n\\#\n\n#######\n"
    )
    #expect(RichText(markdown: text.markdown) == text)
  }

  @Test func `a blank behind the last word was seen as a number in other programs`() {
    let text = RichText([
      .paragraph([.text("I went home. ")]),
      .heading(.two, [.text("Later "), .text("on ", [.bold])]),
      .paragraph([.text(" "), .hardBreak, .text("  so ")]),
    ])
    #expect(text.markdown == "I went home.\n\n## Later **on**\n\n&#32;\\\n&#32; so\n")
  }

  @Test func `what stands right below a list in programs for notes became a part of its last item`()
  {
    let markdown = "- [x] go\n| a | b |\n|---|---|\n| 1 | 2 |\n- one\nBack\n> so\nand on"
    let notes = MarkdownSurroundings(breaksLines: true)
    #expect(
      RichText(markdown: markdown, in: notes).markdown
        == "- [x] go\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n- one\n\nBack\n\n> so\n\nand on\n"
    )
    #expect(RichText(markdown: "- one\ntwo").markdown == "- one two\n")
    // Three blanks are too few for this item, and the writer meant them.
    #expect(RichText(markdown: "10. ten\n   more", in: notes).markdown == "10. ten\\\n    more\n")
  }

  @Test func `underlined words came back without their lines`() {
    let text = RichText([
      .paragraph([
        .text("A "), .text("line ", [.underline]), .text("below", [.underline, .bold]),
        .text("s,", [.bold]), .text(" "), .text("Slots", [.slots, .underline]), .hardBreak,
        .text("not <u> this </u", []), .text(">", [.underline]),
      ])
    ])
    let markdown = text.markdown { _ in "Slots" }
    #expect(markdown.hasPrefix("A <u>line **below**</u>**s,** <u>[[Slots]]</u>\\\n"))
    #expect(RichText(markdown: markdown) { _ in .slots } == text)
    #expect(RichText(markdown: "a<U>b</u> </u> <u>").plainText == "ab </u> <u>")
    let bear = MarkdownSurroundings(isOfBear: true)
    #expect(
      RichText(markdown: "~so~ and ~~gone~~", in: bear)
        == RichText([
          .paragraph([
            .text("so", [.underline]), .text(" and "), .text("gone", [.strike]),
          ])
        ])
    )
  }

  @Test func `the sign of a paragraph was read as words of a link`() {
    let text = RichText(markdown: "See [[Slots#^a1b2]] and ![[Slots#^c3]].") { title in
      title.hasPrefix("Slots") ? .slots : nil
    }
    let place = RichText.Marks([], link: RichText.Link(note: .slots, heading: "^a1b2"))
    let other = RichText.Marks([], link: RichText.Link(note: .slots, heading: "^c3"))
    #expect(
      text
        == RichText([
          .paragraph([
            .text("See "), .text("Slots", place), .text(" and !"), .text("Slots", other),
            .text("."),
          ])
        ])
    )
    let waiting = RichText(markdown: "See [[Slots#^a1b2]].")
    #expect(waiting.looseLinks.map(\.words) == ["Slots"])
    #expect(waiting.looseLinks.map(\.heading) == ["^a1b2"])
  }

  @Test func `links to paragraphs, and their signs, went out as words with backslashes`() {
    let markdown = "See [[Slots#^a1b2|Slots]], [[Gone#^c3]]. ^d4\n\n**All of it** ^e-5\n\n^f6\n"
    let text = RichText(markdown: markdown) { $0.hasPrefix("Slots") ? .slots : nil }
    #expect(text.markdown { _ in "Slots" } == markdown)
    #expect(
      text.looseningLinks { _ in "Slots" }?.plainText.hasPrefix("See [[Slots#^a1b2|Slots]], ")
        == true
    )
    // A `^` that is not a sign keeps its backslash, which keeps footnotes apart from words.
    #expect(RichText([.paragraph([.text("^a b")])]).markdown == "\\^a b\n")
    #expect(RichText(markdown: "^a1b2[x](https://example.org)").markdown.hasPrefix("\\^a1b2["))
  }

  @Test func `a second blank behind the box of a task was a part of its words`() {
    #expect(
      RichText(markdown: "- [ ]  one\n- [x]\ttwo\n- [ ]\n  three").blocks
        == [
          .taskList([
            .init(isDone: false, [.paragraph([.text("one")])]),
            .init(isDone: true, [.paragraph([.text("two")])]),
            .init(isDone: false, [.paragraph([.text("three")])]),
          ])
        ]
    )
  }

  @Test(arguments: [
    "*it*text\n", "in*side*\n", "a*b*c*d*e\n", "~~s~~*it*text\n", "_it_, text\n", "*two words*x\n",
  ])
  func `italic letters of a word left as a word that nobody finds`(markdown: String) {
    let text = RichText(markdown: markdown)
    #expect(text.markdown == markdown)
  }

  @Test func `pictures in their addresses were pages of letters`() {
    let address = "data:image/png;base64," + String(repeating: "iVBORw0KGgo+/", count: 3_000) + "=="
    let surroundings = MarkdownSurroundings(fileAt: { $0 == address ? .picture(.slots) : nil })
    let picture = RichText.Block.picture(.init(file: .slots, caption: "A tree", width: 30))
    for markdown in [
      "![A tree|30](\(address))", "![A tree|30](<\(address)> \"t\")",
      "![A tree|30][image1]\n\n[image1]: <\(address)>",
      "<img src=\"\(address)\" alt='A tree' width=30 />",
    ] {
      #expect(RichText(markdown: markdown, in: surroundings).blocks == [picture])
    }
    // One that is not kept stays as it is written.
    #expect(RichText(markdown: "<img src=\"a.png\">").plainText == "<img src=\"a.png\">")
    for piece in ["![](data:", "<img src=", "<img \"", "[a]: data:a"] {
      let markdown = String(repeating: piece, count: 20_000)
      #expect(RichText(markdown: markdown).plainText.hasPrefix(String(piece.prefix(3))))
    }
  }

  @Test func `a link of Bear to a heading was one to a note that is not there`() {
    func read(isOfBear: Bool) -> RichText {
      let surroundings = MarkdownSurroundings(
        isOfBear: isOfBear,
        noteNamed: { $0 == "Slots" ? .slots : nil }
      )
      return RichText(markdown: "[[Slots/Early days]]", in: surroundings)
    }
    #expect(read(isOfBear: true).links == [.slots])
    #expect(read(isOfBear: true).json.contains("#Early%20days"))
    #expect(read(isOfBear: false).plainText == "[[Slots/Early days]]")
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
