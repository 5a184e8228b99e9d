import Foundation
import Testing

@testable import RichText

/// Pages of HTML that become texts.
struct ReadingHTMLTests {
  private func read(_ html: String, isOfEvernote: Bool = false) throws -> RichText {
    let surroundings = HTMLSurroundings(
      linesAreDivs: isOfEvernote,
      isXML: isOfEvernote,
      fileAt: { address in
        address == "tree.png" ? .picture(.slots) : nil
      }
    )
    return try HTMLPage(html, in: surroundings).text
  }

  @Test func `what was written is read again`() throws {
    let page = try HTMLPage(RichText.everything.html(title: "A & B"))
    #expect(page.title == "A & B")
    #expect(page.text.markdown == "# A & B\n\n" + RichText.everything.markdown)
  }

  @Test func `a page that leaves out the ends is read as browsers do`() throws {
    let text = try read(
      """
      <!DOCTYPE html><title>T</title><style>p { }</style><p>One<p>two &eacute;&#33;&nope; <b>b <i>c</b> d</i>
      <ul><li>x<li>y<ol><li>z</ol></ul><table><tr><th>a<th>b<tr><td>1<td>2<br>3</table>
      <figure><img src=tree.png width=300><figcaption>A tree</figcaption></figure>
      <img src="https://a.b/c.png" alt="gone"><pre><code class="language-swift">let a\n  b</code></pre>
      <script>alert(1)</script><a href="javascript:x">no</a> <a href="https://a.b">yes</a>
      """
    )
    #expect(
      text.markdown(with: MarkdownNames(pathOf: { _ in "tree.png" })) == """
        One

        two é!\\&nope; **b _c_**_&#32;d_

        - x
        - y
          1. z

        | a | b |
        | --- | --- |
        | 1 | 2<br>3 |

        ![A tree|300](tree.png)

        [gone](https://a.b/c.png)

        ```swift
        let a
          b
        ```

        no [yes](https://a.b)

        """
    )
  }

  @Test func `lines that are divisions of their own are lines of a paragraph`() throws {
    let text = try read(
      """
      <en-note><div>One</div><div>two</div><div><br/></div><div><en-todo checked="true"/>done</div>
      <div><en-todo/>open</div><div><span style="font-weight: bold">three</span></div>
      <ul style="--en-todo:true;"><li style="--en-checked:true;"><div>a</div></li><li><div>b</div></li></ul></en-note>
      """,
      isOfEvernote: true
    )
    #expect(
      text
        == RichText([
          .paragraph([.text("One"), .hardBreak, .text("two")]),
          .taskList([
            .init(isDone: true, [.paragraph([.text("done")])]),
            .init(isDone: false, [.paragraph([.text("open")])]),
          ]),
          .paragraph([.text("three", [.bold])]),
          .taskList([
            .init(isDone: true, [.paragraph([.text("a")])]),
            .init(isDone: false, [.paragraph([.text("b")])]),
          ]),
        ])
    )
  }

  @Test(arguments: [
    "<", "<a ", "<a href=\"", "<!--", "<![CDATA[", "<b>", "<div>", "<table><tr><td>", "</p>", "&",
    "&#99999999;", "<li>", "<ul><li>", "<p a=b c='d' e>", "<script>", "<style><", "<title></", "<!",
    "<?",
    "<blockquote>", "<pre>", "<td>",
  ])
  func `a page that is meant to be slow is read in time`(piece: String) {
    let html = String(repeating: piece, count: 400_000 / piece.utf8.count)
    let time = ContinuousClock().measure {
      // Too many pieces are refused, and that is an answer too.
      HTMLTree.$maximumSeconds.withValue(1) { _ = try? HTMLPage(html) }
    }
    #expect(time < .seconds(60))
  }

  @Test func `an element that XML would close at once lost the words after it`() throws {
    #expect(
      try read(#"<a href="https://a.b"/>text</a> and <b/>bold</b><h2/>Head</h2>after"#).markdown
        == "[text](https://a.b) and **bold**\n\n## Head\n\nafter\n"
    )
    let evernote = try read(
      "<en-note><div>a<b/>b<br></br>c</div><div/>d</en-note>",
      isOfEvernote: true
    )
    #expect(evernote.markdown == "ab\\\nc\\\nd\n")
  }

  @Test func `words that are wrongly nested, or beside the cells of a table, were misplaced`()
    throws
  {
    #expect(try read("<b>a<p>b</b>c</p>").markdown == "**a**\n\n**b**c\n")
    #expect(
      try read("<table>lost<tr><td>a</table>").markdown(titleOf: { _ in nil })
        == "lost\n\n|  |\n| --- |\n| a |\n"
    )
    #expect(
      try read("<p><a href=https://a>a<a href=https://b>b</a>").markdown
        == "[a](https://a)[b](https://b)\n"
    )
  }

  @Test func `lists, tables and headings in code were lost with their words`() throws {
    #expect(
      try read("<pre><code><ol><li>let a = 1</li>\n<li>  let b = 2</li></ol></code></pre>").blocks
        == [.codeBlock(language: nil, "let a = 1\n  let b = 2")]
    )
    #expect(
      try read(
        "<pre>one<table><tr><td>1</td><td>a</td></tr><tr><td>2<td>b</table><h2>two</h2>three</pre>"
      ).blocks
        == [.codeBlock(language: nil, "one\n1\ta\n2\tb\ntwo\nthree")]
    )
    #expect(
      try read("<pre>a<img src=tree.png>b</pre>").blocks
        == [.codeBlock(language: nil, "ab"), .picture(.init(file: .slots))]
    )
  }

  @Test func `numbers of Windows 1252 and names without a semicolon were left out or shown`() throws
  {
    #expect(
      try read(
        "<p>&#128; &#147;a&#148; &#146; &#150; &copy 2020 &frac12; &ntilde; &notin; &#x1F600;"
      ).plainText
        == "€ “a” ’ – © 2020 ½ ñ ∉ 😀"
    )
    #expect(
      try read("<a href='https://a.b/?x&copy=1'>c</a>").markdown == "[c](https://a.b/?x\\&copy=1)\n"
    )
    #expect(
      RichText(markdown: "&frac12; &ntilde; &NotEqualTilde; &#128; &Tab;x &nope; &notit; &copy")
        .plainText
        == "½ ñ ≂̸ € \tx &nope; &notit; &copy"
    )
    #expect(RichText(markdown: "&CounterClockwiseContourIntegral;").plainText == "∳")
  }

  @Test func `the end of the line behind pre was an empty line of code`() throws {
    #expect(try read("<pre>\na\n\nb\n</pre>").blocks == [.codeBlock(language: nil, "a\n\nb")])
    #expect(try read("<pre>\n\na</pre>").blocks == [.codeBlock(language: nil, "\na")])
  }

  @Test func `a page of open elements took minutes, or its words were lost`() throws {
    for piece in ["<div>", "<b>", "<a b=c><p>", "<table><td>"] {
      let html = String(repeating: piece, count: 200_000 / piece.utf8.count)
      // A page may also be refused.
      let text = try? HTMLPage(html + "end").text
      #expect(text == nil || text?.plainText.contains("end") == true)
    }
  }

  @Test func `an address that pages do not follow was lost with its link`() throws {
    for address in [
      "zotero://select/library/items/ABC", "message:%3Ca@b.c%3E", "things:///show?id=1",
      "obsidian://open?vault=a&file=b", "file:///srv/b.pdf", "tel:+49123",
    ] {
      let html = "<p>See <a href=\"\(address)\">it</a>."
      let text = try HTMLPage(html).text
      let link = try #require(RichText.Link(address))
      #expect(!link.isFollowed)
      #expect(
        text == RichText([.paragraph([.text("See "), .text("it", [.link(link)]), .text(".")])])
      )
      #expect(try RichText(json: text.json) == text)
      #expect(try RichText(rtf: text.rtf) == text)
      #expect(RichText(markdown: text.markdown) == text)
      #expect(RichText(markdown: "See [it](\(address)).") == text)
      #expect(try HTMLPage(text.htmlFragment).text == text)
    }
    // Other words stay as they are written.
    for words in ["<tel:+49123>", "<std::vector>", "[Anna]: so: it is", "zotero://select/items"] {
      #expect(RichText(markdown: words).blocks == [.paragraph([.text(words)])])
    }
    #expect(try HTMLPage("<a href='javascript:a()'>a</a>").changes == [.link])
  }

  @Test func `a link without words disappeared with its address`() throws {
    #expect(
      try read("<p>a <a href='https://a.b/c'></a> <a href='https://d' title='D'><span> </span></a>")
        .markdown == "a <https://a.b/c> [D](https://d)\n"
    )
    #expect(
      try read("<h2><a href='https://a.b/#c' aria-hidden=true></a>Head</h2>").markdown
        == "## Head\n"
    )
    #expect(RichText(markdown: "a [](https://a.b) b").markdown == "a <https://a.b> b\n")
  }

  @Test func `a link around a heading, a list or a table was lost`() throws {
    #expect(
      try read("<a href='https://a.b'><h2>Head</h2><ul><li>one</ul><table><tr><td>x</table></a>")
        .markdown(titleOf: { _ in nil })
          == """
          ## [Head](https://a.b)

          - [one](https://a.b)

          |  |
          | --- |
          | [x](https://a.b) |

          """
    )
  }

  @Test func `the sides of the columns of a table were lost`() throws {
    let text = try read(
      """
      <table><tr><th>a<th align=RIGHT>b<th>c<tr><td>1<td>2<td style="text-align: center">3</table>
      """
    )
    guard case .table(let table)? = text.blocks.first else {
      Issue.record("the table is missing")
      return
    }
    #expect(table.alignments == [nil, .right, .center])
    // Our own pages lose nothing.
    let page = text.html(title: "T")
    #expect(try HTMLPage(page).changes == [])
  }

  @Test func `a page lost parts of itself without a word`() throws {
    let losses: [(html: String, changes: Set<TextChange>)] = [
      ("<p>a <b>b</b> <a href=#x>c</a> <img src=tree.png>", []),
      ("<img src=https://a.b/c.png>", [.webPicture]),
      ("<img src=no.png>", [.missingFile]), ("<svg></svg>", [.leftOutPicture]),
      ("<a href=other.html>a</a>", [.link]),
      ("<a href=https://a><img src=tree.png></a>", [.pictureLink]),
      ("<iframe src=https://a.b></iframe>", [.embeddedPage]),
      ("<table><tr><td colspan=2>a<tr><td>b<td>c</table>", [.mergedCells]),
      ("<table><tr><td><ul><li>a</ul></table>", [.cellBlocks]),
      ("<math><mi>x</mi></math>", [.formula]), ("<input type=text value=a>", [.formField]),
      ("<p style='color: red'>a", [.looks]), ("<font face=b>a</font>", [.looks]),
    ]
    for (html, changes) in losses {
      let surroundings = HTMLSurroundings(fileAt: { $0 == "tree.png" ? .picture(.slots) : nil })
      #expect(try HTMLPage(html, in: surroundings).changes == changes, "\(html)")
    }
  }

  @Test func `whatever the bytes are, the program goes on`() throws {
    var random = Random(seed: 12)
    let valid = Array(RichText.everything.html(title: "T").utf8)
    for _ in 0..<300 {
      let html = String(decoding: random.damaged(valid), as: UTF8.self)
      let text = try HTMLPage(html).text
      #expect(try RichText(json: text.json) == text)
    }
  }
}
