import Foundation
import RichText
import Testing

/// Pages of HTML that become texts.
struct ReadingHTMLTests {
  private func read(_ html: String, linesAreDivs: Bool = false) throws -> RichText {
    let surroundings = HTMLSurroundings(
      linesAreDivs: linesAreDivs,
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

        two é!\\&nope; **b _c_** d

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
      linesAreDivs: true
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
      _ = try? HTMLPage(html)
    }
    #expect(time < .seconds(60))
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
