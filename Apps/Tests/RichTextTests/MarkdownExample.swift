import RichText
import Testing

/// Markdown, and its meaning.
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
      "# One #\n##  Two\n#### Four\n###### Six\n####### none\n#none",
      .heading(.one, [.text("One")]),
      .heading(.two, [.text("Two")]),
      .heading(.four, [.text("Four")]),
      .heading(.six, [.text("Six")]),
      .saying("####### none #none")
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
