import Foundation
import RichText
import Testing

/// Citations in the notation of Pandoc.
@Suite struct CitationTests {
  private static let names: [String: RichText.ShortName] = [
    "doe2020": .init(authors: "Doe", year: "2020"),
    "roe1999": .init(authors: "Roe and Poe", year: "1999a"),
    "http://example.org/a b": .init(authors: "“Title”", year: "n.d."),
    "müller_7:x": .init(authors: "Müller", year: "7"),
  ]

  /// The words that readers see; the list is left out.
  private func shown(_ text: RichText) -> String {
    let shown = text.citing(Self.names, works: [[.text("Doe, Jane. 2020.")]])
    return RichText(shown.blocks.dropLast(2)).plainText
  }

  @Test(arguments: [
    (nil, "References"), ("ja", "References"), ("de", "Literatur"), ("de-AT", "Literatur"),
    ("pt-BR", "Referências"), ("FR", "Références"),
  ])
  func `the list of works has a name in the language of the text`(language: String?, name: String) {
    let text = RichText([.paragraph([.text("It fires [@doe2020].")])])
    let shown = text.citing(Self.names, works: [[.text("Doe.")]], language: language)
    #expect(shown.blocks.dropFirst().first == .heading(.two, [.text(name)]))
  }

  @Test(arguments: [
    ("It fires [@doe2020].", "It fires (Doe 2020)."),
    ("[see @doe2020, p. 12; -@roe1999]", "(see Doe 2020, p. 12; 1999a)"),
    ("[@doe2020 p. 12 and more]", "(Doe 2020, p. 12 and more)"),
    ("As @doe2020 says", "As Doe (2020) says"),
    ("As @roe1999 [p. 3] says, @doe2020.", "As Roe and Poe (1999a, p. 3) says, Doe (2020)."),
    ("Roe says (-@roe1999)", "Roe says ((1999a))"),
    ("[@{http://example.org/a b}]", "(“Title” n.d.)"),
    ("[@müller_7:x; @doe2020]", "(Müller 7; Doe 2020)"),
    ("@doe2020[x]", "Doe (2020)[x]"),
    ("— “@doe2020”", "— “Doe (2020)”"),
    ("[[@doe2020]] and [@doe2020]", "[[@doe2020]] and (Doe 2020)"),
    ("$a_@doe2020$ and [@doe2020]", "$a_@doe2020$ and (Doe 2020)"),
  ])
  func `a citation has a short form`(_ written: String, _ shown: String) {
    #expect(self.shown(RichText(plainText: written)) == shown)
  }

  @Test(arguments: [
    "jane@doe2020.org", "a@doe2020", "https://example.org/@doe2020", "[@nobody]",
    "[@doe2020; @nobody]", "[@doe2020; and others]x@doe2020", "@@doe2020", "@doe2020@example.org",
    "[ @ doe2020 ]", "@", "[@]", "@doe20201", "[@doe2020",
  ])
  func `other uses of the sign stay`(_ written: String) {
    let text = RichText(plainText: written)
    let shown = shown(text)
    // A key in other brackets is one in a sentence.
    let isSentence = ["[@doe2020; and others]x@doe2020", "[@doe2020"].contains(written)
    #expect(shown == (isSentence ? written.replacing("[@doe2020", with: "[Doe (2020)") : written))
  }

  @Test func `code, links and remarks cite nothing`() {
    let text = RichText([
      .paragraph([
        .text("@doe2020", [.code]), .text(" "),
        .text("[@doe2020]", [.link("https://example.org")]), .text(" %%[@roe1999]%%"),
      ]),
      .codeBlock(language: nil, "@doe2020"),
      .paragraph([
        .text("See "), .text("[@doe", [.bold]), .text("2020, "), .text("p. 1]", [.italic]),
      ]),
    ])
    #expect(text.citedKeys == ["doe2020"])
    let cited = text.citing(Self.names, works: [[.text("Doe.")]])
    #expect(cited.plainText.hasSuffix("See (Doe 2020, p. 1)\nReferences\nDoe."))
    #expect(cited.html(title: "T").contains("See <strong>(Doe 2020, p. 1)</strong>"))
    #expect(cited.html(title: "T").contains("<h2>References</h2>\n<p>Doe.</p>"))
  }

  @Test func `the list is before the footnotes, and a text without works stays as it is`() {
    let text = RichText([
      .paragraph([.text("A [@doe2020]"), .footnoteMark("1")]),
      .footnote(label: "1", [.paragraph([.text("B @roe1999")])]),
    ])
    #expect(text.citedKeys == ["doe2020", "roe1999"])
    let cited = text.citing(Self.names, works: [[.text("Doe.")]])
    guard case .footnote(_, let note)? = cited.blocks.last else {
      Issue.record("there is no footnote at the end")
      return
    }
    #expect(RichText(note).plainText == "B Roe and Poe (1999a)")
    #expect(cited.blocks.count == 4)
    #expect(text.citing(Self.names, works: []) == text)
  }

  @Test(arguments: [
    "It fires [@doe2020].", "[see @doe_2020_a, p. 12; -@roe1999]", "As @doe2020 [p. 12] says",
    "- [@{http://example.org/a b}]", "| a |\n| --- |\n| [@doe2020] |", "[@doe2020, 2 \\* 3]",
    "\\[@doe2020\\](x)", "!\\[@doe2020\\]", "[@doe2020]\\[x\\]", "\\[@doe2020\\]: x",
    "^\\[@doe2020\\]", "^\\[\\[@doe2020\\]\\]", "[@{https://a.b/c_d}, p. 2]",
  ])
  func `a citation goes out as Markdown as it came`(_ markdown: String) {
    let text = RichText(markdown: markdown)
    let written = text.markdown
    #expect(RichText(markdown: written) == text)
    // Only what would mean something else has backslashes.
    let isPlain = !markdown.contains("\\[")
    if isPlain { #expect(written == markdown + "\n") }
  }

  @Test func `the time to find citations is in proportion to the text`() {
    for piece in ["[", "@a", "[@a; ", "@{", "@a [", "[@a;", "-@", "$@", "@a:"] {
      func time(_ count: Int) -> Duration {
        let text = RichText(plainText: String(repeating: piece, count: count))
        return processorTime { _ = (text.citedKeys, text.markdown) }
      }
      let (short, long) = (time(4_000), time(32_000))
      #expect(long < max(short * 24, .milliseconds(400)), "\(piece): \(short), \(long)")
    }
  }
}
