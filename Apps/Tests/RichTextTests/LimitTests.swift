import Foundation
import Testing

@testable import RichText

/// A text that grows by itself: one that exceeds a note's limit could not be read again, and was shown as empty.
struct LimitTests {
  private let many = RichText(plainText: String(repeating: "a ", count: RichText.maximumSize / 4))

  @Test func `a letter became ten thousand in half a million places`() throws {
    let words = String(repeating: "b", count: 10_000)
    #expect(throws: RichTextError.tooLarge) { try many.replacing("a", with: words) }
    #expect(throws: RichTextError.tooLarge) {
      try RichText([.codeBlock(language: "", many.plainText)]).replacing("a", with: words)
    }
  }

  @Test func `what still has room is replaced, to the last byte`() throws {
    let half = RichText.maximumSize / 2
    let fits = String(repeating: "b", count: half + 1)
    #expect(
      try RichText(plainText: "a\n" + String(repeating: "c", count: half - 1))
        .replacing("a", with: fits)?.text.size == RichText.maximumSize
    )
    #expect(throws: RichTextError.tooLarge) {
      try RichText(plainText: "a\n" + String(repeating: "c", count: half))
        .replacing("a", with: fits)
    }
    let large = RichText(plainText: "aaa\n" + String(repeating: "c", count: RichText.maximumSize))
    #expect(try large.replacing("a", with: "")?.count == 3)
  }

  @Test func `a template became more than a note may have`() throws {
    let words = String(repeating: "b", count: 10_000)
    let text = RichText(plainText: String(repeating: "{{a}}", count: 200))
    #expect(throws: RichTextError.tooLarge) { try text.filled(with: ["a": words]) }
    let open = String(repeating: "{", count: 100_000)
    #expect(Placeholders.filled(open + "a}} {{A}}", with: ["a": "{{a}}"]).hasSuffix("{{{a}} {{a}}"))
  }

  @Test func `a page of signs that name nothing took a minute`() throws {
    let signs = String(repeating: "&", count: 200_000)
    #expect(
      try HTMLPage(signs + "&amp;&#233;&zzz;&eacute").text.plainText == signs
        + "&é&zzz;é"
    )
    let large = String(repeating: "&", count: 2 * RichText.maximumSize)
    #expect(throws: RichTextError.tooLarge) { try HTMLPage(large) }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a line of brackets took minutes to be written as Markdown`() {
    let time = processorTime {
      let brackets = String(repeating: "[", count: 200_000)
      let written = RichText([.paragraph([.text(brackets)])]).markdown { _ in nil }
      #expect(written.hasPrefix("\\[\\["))
      #expect(written.utf8.count(where: { $0 == UInt8(ascii: "[") }) == 200_000)
    }
    #expect(time < .seconds(60))
  }

  @Test(.timeLimit(.minutes(60)))
  func `a line of formulas took minutes to be written and read`() {
    let time = processorTime {
      let formulas = String(repeating: "$a$ 5$ ", count: 100_000)
      let written = RichText([.paragraph([.text(formulas)])]).markdown { _ in nil }
      #expect(
        RichText(markdown: written).plainText.utf8.count(where: { $0 == UInt8(ascii: "$") })
          == 300_000
      )
    }
    #expect(time < .seconds(60))
  }

  @Test func `each task of a page made a copy of those before it`() throws {
    let page = String(repeating: "<div><en-todo/>a</div>", count: 20_000)
    let text = try HTMLPage(page, in: HTMLSurroundings(linesAreDivs: true, isXML: true)).text
    #expect(text.tasks.open == 20_000)
  }

  @Test func `links that show a new title made a text too large to be read`() throws {
    let note = UUID()
    let text = RichText([
      .paragraph(
        (0..<2_000).flatMap { _ in [.text("a", Self.marks(note)), .text(" ")] }
      )
    ])
    #expect(text.renamingLinks(to: note, from: "a", to: "b")?.size == text.size)
    #expect(
      text.renamingLinks(to: note, from: "a", to: String(repeating: "b", count: 1_000)) == nil
    )
  }

  private static func marks(_ note: UUID) -> RichText.Marks { RichText.Marks(link: .note(note)) }

  @Test func `an address that is named again and again was stored again and again`() {
    let markdown = "[r]: \(Self.address)\n\n" + String(repeating: "[a][r] b ", count: 600)
    #expect(throws: RichTextError.tooManyAddresses) {
      try RichText(markdown: markdown).checkLimits()
    }
  }

  @Test func `an address around many pieces was stored with each of them`() {
    let markdown = "[\(String(repeating: "a *b* ", count: 600))](\(Self.address))"
    #expect(throws: RichTextError.tooManyAddresses) {
      try RichText(markdown: markdown).checkLimits()
    }
  }

  @Test func `a text with usual links is within the limits`() throws {
    try RichText(markdown: String(repeating: "[a](http://example.org) ", count: 600)).checkLimits()
  }

  private static let address = "http://example.org/" + String(repeating: "a", count: 7_900)

  @Test(arguments: [
    ("#rome and #travel/rome, (#italy/rome)", nil), ("#rome, and Rome", "#rome, and Rome"),
    ("In C#rome", "In C#rome"), ("# Rome", "# Rome"), ("travel/rome", "travel/rome"),
  ])
  func `a keyword in a text was a mention, and made a link it was none any more`(
    words: String,
    sentence: String?
  ) {
    let text = RichText([.paragraph([.text(words)])])
    #expect(text.mention(of: ["Rome"]) == sentence)
    #expect((text.linkingMention(of: ["Rome"], to: .slots) == nil) == (sentence == nil))
  }

  @Test func `the sentence of a mention showed the sign of its paragraph`() {
    #expect(text(.text("All of Rome ^a1b2")).mention(of: ["Rome"]) == "All of Rome")
  }

  @Test func `a name within a longer word a million times has no mention`() {
    let text = RichText(plainText: String(repeating: "na", count: 100_000) + "\nThe na.")
    #expect(text.mention(of: ["na"]) == nil)
    let few = RichText(plainText: String(repeating: "na", count: 500) + "\nThe na.")
    #expect(few.mention(of: ["na"]) == "The na.")
  }

  @Test func `a page of Evernote of eighty thousand levels took ten seconds`() throws {
    let depth = 80_000
    let page =
      String(repeating: "<div>", count: depth) + "words" + String(repeating: "</div>", count: depth)
    let text = try HTMLPage(page, in: HTMLSurroundings(linesAreDivs: true, isXML: true)).text
    #expect(text.plainText == "words")
    // Words of deep elements stay, and the elements behind them are in their places.
    let html = XMLTokens.html(of: Array("<p>a\(page)</p><p>b</p>".utf8))
    #expect(html.count < 10_000)
    #expect(String(decoding: html, as: UTF8.self).hasSuffix("</p><p>b</p>"))
  }

  @Test func `a row of thousands of cells was tidied as often`() throws {
    let cells = (1...5_000).map { [RichText.Inline.text("\($0)")] }
    let text = RichText([.table(.init(hasHeader: false, rows: [cells]))])
    guard case .table(let table)? = text.blocks.first else {
      Issue.record("no table")
      return
    }
    let last = RichText([.paragraph(table.rows[0][63])]).plainText
    #expect(table.rows[0].count == 64)
    #expect(last == (64...5_000).map(String.init).joined(separator: " "))
  }
}
