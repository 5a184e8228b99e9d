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
        <p>The end, 你好.</p>

        """
    )
  }

  @Test func `nothing in a text becomes a tag`() {
    let words = "</title><script>alert('1')</script>\" onload=\"x&lt;"
    let text = RichText([
      .saying(words), .codeBlock(language: nil, words), .codeBlock(language: "\"><b>", words),
      .paragraph([.noteLink(.init(id: RichText.NoteLink.slots.id, title: words))]),
      .paragraph([.text(words, [.link("https://a\"><script>'")])]),
    ])
    let page = text.html(title: words)
    #expect(!page.contains("<script"))
    #expect(!page.contains("\" onload"))
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)"))
  }
}
