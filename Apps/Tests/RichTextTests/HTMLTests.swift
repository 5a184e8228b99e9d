import Foundation
import RichText
import Testing

/// The page of a note.
struct HTMLTests {
  @Test func `a text looks like this`() {
    #expect(
      RichText.everything.htmlFragment == """
        <h1>Faults &amp; <em>promises</em></h1>
        <p>A <strong>fault</strong> is a <strong><em><u><s>promise</s></u></em></strong> of <code>values</code>.<br>
        See <cite data-note="11000000-0000-4000-8000-000000000022">Slots</cite> or \
        <a href="https://example.org/a?b=c&amp;d=(e)" rel="noopener noreferrer"><strong>the web</strong></a>.</p>
        <h2>Lists</h2>
        <ul>
        <li><p>one</p>
        </li>
        <li><p>two</p>
        <ol start="3">
        <li><p>three</p>
        </li>
        <li><p>four</p>
        <p>more of four</p>
        </li>
        </ol>
        </li>
        </ul>
        <ul>
        <li><p><label><input type="checkbox" disabled checked> written</label></p>
        </li>
        <li><p><label><input type="checkbox" disabled> read</label></p>
        </li>
        </ul>
        <h3>Code</h3>
        <blockquote>
        <p>Quoted „words“ and 🎈</p>
        <blockquote>
        <p>twice</p>
        </blockquote>
        </blockquote>
        <pre><code class="language-swift">let a = [1, 2]

        \tprint(a) // `a`</code></pre>
        <hr>
        <p>The <mark>end</mark>, 你好.</p>

        """
    )
  }

  @Test func `a page showed the signs of paragraphs`() throws {
    let text = RichText(markdown: "It hums. ^a1b2\n\n## Bees ^b-2\n\n- [ ] ask ^c3\n\n2 ^n\n")
    #expect(
      text.htmlFragment == """
        <p id="^a1b2">It hums.</p>
        <h2 id="^b-2">Bees</h2>
        <ul>
        <li><p id="^c3"><label><input type="checkbox" disabled> ask</label></p>
        </li>
        </ul>
        <p>2 ^n</p>

        """
    )
    #expect(try HTMLPage(text.htmlFragment).text == text)
    #expect(try HTMLPage("<p id='^x y'>a</p><p id='b'>c</p>").text.plainText == "a\nc")
    let bold = Inline.text("x", [.bold])
    #expect(RichText([.paragraph([bold, .text("^ab")])]).htmlFragment.contains("</strong>^ab</p>"))
    #expect(RichText([.paragraph([bold, .text(" ^ab")])]).htmlFragment.hasPrefix("<p id=\"^ab\">"))
  }

  @Test func `a page cut off long lines of code on paper`() {
    let page = RichText(markdown: "```\nlet a = 1\n```\n").html(title: "Code")
    let onPaper = "@media print { pre { overflow-wrap: anywhere; white-space: pre-wrap; } }"
    #expect(page.contains(onPaper))
  }

  @Test func `a page showed the remarks of its writer`() {
    let markdown = "It hums. %%Ask **Anna**.%% So `%%d` and 5%% of 10%%.\n\n%%for me%%\n\nEnd.\n"
    let text = RichText(markdown: markdown)
    #expect(text.markdown == markdown)
    #expect(
      text.htmlFragment
        == "<p>It hums.  So <code>%%d</code> and 5%% of 10%%.</p>\n<p>End.</p>\n"
    )
  }

  @Test(arguments: [
    ("%%for me\n\n- and\n\nmore%%\n\nEnd.\n", "<p>End.</p>\n"),
    ("A\n\n%%\n\nmine\n\n%%\n\nB\n\n%%\n\nmine\n\n%%\n", "<p>A</p>\n<p>B</p>\n"),
    ("%%open\n\nEnd, %%this%%\n", "<p>%%open</p>\n<p>End, </p>\n"),
    ("%%one%% A\n\n100 %%\n", "<p> A</p>\n<p>100 %%</p>\n"),
    ("`%%`a\n\nb%%\n", "<p><code>%%</code>a</p>\n<p>b%%</p>\n"),
  ])
  func `a page showed remarks of several paragraphs`(_ markdown: String, _ html: String) {
    let text = RichText(markdown: markdown)
    #expect(text.markdown == markdown)
    #expect(text.htmlFragment == html)
  }

  @Test(arguments: [
    ("It hums. %%Ask **Anna**.%% So `%%d`.\n\n%%for me%%\n\nEnd.\n", "It hums.  So %%d.\nEnd."),
    ("%%for me\n\n- and\n\nmore%%\n\nEnd.\n", "End."),
    ("- a %%b%%\n- %%c%%\n\n100 %%\n", "a \n\n100 %%"),
    ("One\n\nTwo\n", "One\nTwo"),
  ])
  func `readers got the remarks of a writer`(_ markdown: String, _ words: String) {
    #expect(RichText(markdown: markdown).withoutRemarks.plainText == words)
  }

  @Test func `nothing in a text becomes a tag`() {
    let words = "</title><script>alert('1')</script>\" onload=\"x&lt;"
    let text = RichText([
      .saying(words), .codeBlock(language: nil, words), .codeBlock(language: "\"><b>", words),
      .paragraph([.text(words, [.slots, .highlight])]),
      .paragraph([.text(words, [.link("https://a\"><script>'")])]),
    ])
    let page = text.html(title: words)
    #expect(!page.contains("<script"))
    #expect(!page.contains("\" onload"))
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)"))
  }

  @Test(arguments: [
    ("Faults", "<h1>Faults</h1>\n<p>A promise.</p>"),
    ("A <b>", "<h1>A &lt;b&gt;</h1>\n<p>A promise.</p>"),
    ("", "<main>\n<p>A promise.</p>"),
  ])
  func `the page of a note did not show its title`(_ title: String, _ html: String) {
    #expect(RichText([.saying("A promise.")]).html(title: title).contains(html))
  }

  @Test func `a title that the text begins with is not written twice`() {
    let text = RichText([.heading(.one, [.text("Faults")]), .saying("A promise.")])
    #expect(text.html(title: " Faults").contains("<main>\n<h1>Faults</h1>\n<p>"))
  }

  @Test func `a picture is in the page, and its name is nothing but words`() {
    let picture = RichText.EmbeddedPicture(
      data: Data([1, 2, 3]),
      kind: .png,
      name: "\"><script>a</script>.png"
    )
    let page = RichText([.saying("A promise.")]).html(title: "Faults", picture: picture)
    #expect(
      page.contains(
        """
        <p>A promise.</p>
        <p><img src="data:image/png;base64,AQID" alt="&quot;&gt;&lt;script&gt;a&lt;/script&gt;.png"></p>
        </main>
        """
      )
    )
  }
}
