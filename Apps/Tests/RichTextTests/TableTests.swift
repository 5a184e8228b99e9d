import Foundation
import RichText
import Testing

/// Tables, pictures and files in a text.
struct TableTests {
  private let fruit = RichText([
    .paragraph([.text("Before")]),
    .table(
      RichText.Table(
        hasHeader: true,
        alignments: [nil, .right, .center],
        rows: [
          [[.text("Fruit")], [.text("Kilos", [.bold])], []],
          [[.text("Apples | pears")], [.text("3")], [.text("a"), .hardBreak, .text("b")]],
          [[.text("a|b", [.code])], [.text("Slots", [.slots])], [.text("-")]],
        ]
      )
    ),
    .paragraph([.text("After")]),
  ])

  @Test func `a table looks like this in Markdown, and is read again`() {
    #expect(
      fruit.markdown == """
        Before

        | Fruit | **Kilos** |  |
        | --- | ---: | :---: |
        | Apples \\| pears | 3 | a<br>b |
        | `a\\|b` | [[Slots\\|11000000-0000-4000-8000-000000000022]] | - |

        After

        """
    )
    #expect(RichText(markdown: fruit.markdown) == fruit)
  }

  @Test func `a table is the same after JSON and RTF`() throws {
    #expect(try RichText(json: fruit.json) == fruit)
    #expect(try RichText(rtf: fruit.rtf) == fruit)
  }

  @Test func `a table of another program is read`() {
    let text = RichText(
      markdown: "Fruit:\nName | Kilos\n:--|--:\nApples | 3\nPears\n\nEnd\n\n> a|b\n> -|-\n> 1|2|3"
    )
    #expect(
      text
        == RichText([
          .paragraph([.text("Fruit:")]),
          .table(
            .init(
              hasHeader: true,
              alignments: [.left, .right],
              rows: [
                [[.text("Name")], [.text("Kilos")]], [[.text("Apples")], [.text("3")]],
                [[.text("Pears")], []],
              ]
            )
          ),
          .paragraph([.text("End")]),
          .blockquote([
            .table(
              .init(
                hasHeader: true,
                rows: [
                  [[.text("a")], [.text("b")], []], [[.text("1")], [.text("2")], [.text("3")]],
                ]
              )
            )
          ]),
        ])
    )
  }

  @Test(arguments: ["a\n--", "a | b\n--- | --- | ---", "a\n:-:", "a|b\n1|2"])
  func `what is no table stays text`(markdown: String) {
    let text = RichText(markdown: markdown)
    #expect(!text.blocks.contains { if case .table = $0 { true } else { false } })
  }

  @Test func `a text that looks like a table was read as one`() {
    let text = text(.text("a | b"), .hardBreak, .text("-|-"), .hardBreak, .text("| :-: |"))
    #expect(RichText(markdown: text.markdown) == text)
  }

  @Test func `rows have one length, and columns beyond the last are added to it`() {
    let wide = RichText.Table(
      hasHeader: false,
      rows: [[[.text("a")]], (0..<100).map { [.text("\($0)")] }]
    )
    guard case .table(let table) = RichText([.table(wide)]).blocks[0] else {
      Issue.record("this is no table")
      return
    }
    #expect(table.rows.map(\.count) == [64, 64])
    #expect(RichText([.table(wide)]).plainText.contains("63 64 65"))
    #expect(RichText([.table(.init(hasHeader: true, rows: []))]) == RichText())
  }

  @Test func `sides may change different cells of a row, and rows`() {
    func text(_ rows: [[String]]) -> RichText {
      RichText([
        .table(.init(hasHeader: false, rows: rows.map { $0.map { [.text($0)] } }))
      ])
    }
    let base = text([["a", "b"], ["c", "d"]])
    #expect(
      text([["x", "b"], ["c", "d"]]).merged(
        with: text([["a", "y"], ["c", "d"], ["e", "f"]]),
        since: base
      )
        == text([["x", "y"], ["c", "d"], ["e", "f"]])
    )
    #expect(
      text([["x", "b"], ["c", "d"]]).merged(with: text([["y", "b"], ["c", "d"]]), since: base)
        == nil
    )
    let wider = text([["a", "b", "1"], ["c", "d", "2"]])
    #expect(wider.merged(with: text([["x", "b"], ["c", "d"]]), since: base) == nil)
  }
}

struct FileTests {
  private let tree = RichText.Picture(file: .slots, caption: "A [tree]|300", width: 400)

  @Test func `pictures and files lie where the writer of Markdown says`() {
    let text = RichText([
      .picture(tree), .picture(.init(file: .slots)), .file(.init(file: .slots, name: "Letter.pdf")),
    ])
    let markdown = text.markdown(with: MarkdownNames(pathOf: { _ in "files/A tree.png" }))
    #expect(
      markdown == #"""
        ![A \[tree\]\|300|400](files/A%20tree.png)

        ![](files/A%20tree.png)

        [Letter.pdf](files/A%20tree.png)

        """#
    )
    #expect(RichText(markdown: text.markdown) == text)
    #expect(text.files == [.slots])
  }

  @Test func `pictures of other programs are found by their paths`() {
    let surroundings = MarkdownSurroundings(fileAt: { path in
      switch path {
      case "tree.png", "pics/a%20b.jpg": .picture(.slots)
      case "Letter.pdf": .file(.slots, name: "Letter.pdf")
      default: nil
      }
    })
    let text = RichText(
      markdown: "One ![[tree.png|300]] two\n\n![a *b*](pics/a%20b.jpg)\n\n![[Letter.pdf]]\n\n"
        + "![](gone.png) and ![](https://a.b/c.png) and [this](Letter.pdf)\n\n- x ![|20](tree.png)",
      in: surroundings
    )
    #expect(
      text
        == RichText([
          .paragraph([.text("One")]), .picture(.init(file: .slots, width: 300)),
          .paragraph([.text("two")]),
          .picture(.init(file: .slots, caption: "a *b*")),
          .file(.init(file: .slots, name: "Letter.pdf")),
          .paragraph([
            .text("![](gone.png) and "), .text("https://a.b/c.png", [.link("https://a.b/c.png")]),
            .text(" and"),
          ]),
          .file(.init(file: .slots, name: "this")),
          .bulletList([
            Item([.paragraph([.text("x")]), .picture(.init(file: .slots, width: 20))])
          ]),
        ])
    )
  }

  @Test func `lines break where their writer has broken them`() {
    let text = RichText(markdown: "one\ntwo<br>three", in: MarkdownSurroundings(breaksLines: true))
    #expect(
      text
        == RichText([
          .paragraph([.text("one"), .hardBreak, .text("two"), .hardBreak, .text("three")])
        ])
    )
  }

  @Test func `pictures and files are the same after JSON and RTF`() throws {
    let text = RichText([
      .picture(tree), .picture(.init(file: .slots)), .file(.init(file: .slots, name: "Letter.pdf")),
      .bulletList([Item([.paragraph([]), .picture(tree)])]),
    ])
    #expect(try RichText(json: text.json) == text)
    #expect(try RichText(rtf: text.rtf) == text)
    #expect(text.files == [.slots])
  }
}
