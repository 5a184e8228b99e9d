import Foundation
import RichText
import Testing

/// Notes that a text shows in its place.
@Suite struct EmbedTests {
  private let titles: (String) -> UUID? = { $0 == "Slots" ? .slots : nil }

  @Test(arguments: [
    "![[Slots]]", "![[Slots#Firing]]", "![[Slots#^a1b2|Slots]]", "![[Slots|places]] ^c3",
    "![[Later]]",
    "![[Later#Part|so]]", "So ![[Slots]], and ![[Later]].", "- ![[Slots]]\n- [[Slots]] ^d4",
    "> ![[Slots]]\n>\n> **!**[[Slots]]", "| a |\n| --- |\n| ![[Slots]] |",
  ])
  func `an embed goes out as it came`(_ markdown: String) {
    let text = RichText(markdown: markdown, noteNamed: titles)
    #expect(text.markdown { $0 == .slots ? "Slots" : nil } == markdown + "\n")
    #expect(RichText(markdown: text.markdown) == text)
  }

  @Test func `an embed is alone in its paragraph, and counts as a link anywhere`() {
    let text = RichText(
      markdown:
        "![[Slots]]\n\nSo ![[Slots]].\n\n- ![[Slots#Firing]] ^a1\n\n## ![[Slots]]\n\n`!`[[Slots]]",
      noteNamed: titles
    )
    #expect(text.embeds == [.note(.slots), .heading(.slots, "Firing")])
    #expect(text.links == [.slots])
    #expect(text.context(of: .slots) == "Slots")
  }

  @Test func `an embed waits for its note, follows its title and waits again`() throws {
    let waiting = RichText(markdown: "![[Slots#Firing]]")
    #expect(waiting.looseLinks.map(\.title) == ["Slots"])
    let linked = try #require(waiting.resolvingLinks(titles))
    #expect(linked.embeds == [.heading(.slots, "Firing")])
    let renamed = try #require(linked.renamingLinks(to: .slots, from: "Slots", to: "Seats"))
    #expect(renamed.markdown { _ in "Seats" } == "![[Seats#Firing]]\n")
    let loose = renamed.looseningLinks { _ in "Seats" }
    #expect(loose?.plainText == "![[Seats#Firing]]")
  }

  @Test func `each line with an embed alone is a paragraph of an imported note`() {
    let surroundings = MarkdownSurroundings(breaksLines: true, noteNamed: titles)
    let text = RichText(markdown: "One\n![[Slots]]\n![[Slots#A]]\ntwo\nthree", in: surroundings)
    #expect(text.blocks.count == 4)
    #expect(text.embeds.count == 2)
    #expect(text.plainText == "One\n!Slots\n!Slots#A\ntwo\nthree")
  }

  @Test func `a file shown in a text is no note, whatever a note is called`() {
    let text = RichText([.paragraph([.text("!"), .text("tree.png", [.slots])])])
    let markdown = text.markdown { _ in "tree.png" }
    #expect(markdown == "\\![[tree.png]]\n")
    let read = RichText(
      markdown: markdown,
      in: MarkdownSurroundings(noteNamed: { _ in .slots }, fileAt: { _ in .picture(.slots) })
    )
    #expect(read == text)
  }
}

// MARK: - Parts

extension EmbedTests {
  private static let source = RichText(
    markdown: """
      Before.

      # Firing

      A fault fires.[^1] ^f1

      ## Below

      - one
      - two ^t2
        - inside
      - [ ] not in this list

      # After

      | a |
      | - |
      | b |

      ^table

      > ## Quoted
      >
      > words

      [^1]: Once.
      """
  )

  @Test(arguments: [
    ("Firing", "Firing\nA fault fires. ^f1\nBelow\none\ntwo ^t2\ninside\nnot in this list\nOnce."),
    ("below", "Below\none\ntwo ^t2\ninside\nnot in this list"),
    ("^f1", "A fault fires. ^f1\nOnce."), ("^T2", "two ^t2\ninside"), ("^table", "a\nb"),
    ("Quoted", "Quoted\nwords"),
  ])
  func `a part is a section, a paragraph or an item`(_ place: String, _ words: String) {
    #expect(Self.source.part(place)?.plainText == words)
  }

  @Test func `a text has no part of another name`() {
    #expect(Self.source.part("Later") == nil)
    #expect(Self.source.part("^f") == nil)
    #expect(Self.source.part("^") == nil)
  }
}

// MARK: - Showing

extension EmbedTests {
  private static let start = UUID(uuidString: "22000000-0000-4000-8000-000000000001") ?? UUID()

  private func text(_ markdown: String) -> RichText {
    RichText(markdown: markdown, noteNamed: titles)
  }

  @Test func `a page for others has the contents of an embed in a quote`() throws {
    let shown = try text("![[Slots#^f1]]\n\nEnd.[^1]\n\n[^1]: Mine.").showingEmbeds(of: Self.start)
    { _ in
      Self.source
    }
    #expect(shown.plainText == "Slots\nA fault fires.\nEnd.\nOnce.\nMine.")
    #expect(shown.htmlFragment.hasPrefix("<blockquote>\n<p><cite data-note="))
    #expect(shown.htmlFragment.components(separatedBy: "<li id=\"footnote-").count == 3)
  }

  @Test func `a page for others says what is missing`() throws {
    let gone = try text("![[Slots]]").showingEmbeds(of: Self.start) { _ in nil }
    #expect(gone.plainText == "Slots\nThis note is not there.")
    let part = try text("![[Slots#Nowhere]]").showingEmbeds(of: Self.start) { _ in Self.source }
    #expect(part.plainText == "Slots#Nowhere\nThis part of the note is not there.")
  }

  @Test func `a note inside of itself is a link, and a fourth one inside of others too`() throws {
    let itself = try text("a\n\n![[Slots]]").showingEmbeds(of: .slots) { _ in
      text("a\n\n![[Slots]]")
    }
    #expect(itself.plainText == "a\nSlots")
    let ids = (0..<6).map { _ in UUID() }
    func level(_ index: Int) -> RichText {
      RichText([
        .paragraph([.text("\(index)")]),
        .paragraph([.text("!"), .text("next", RichText.Marks([], link: .note(ids[index + 1])))]),
      ])
    }
    let shown = try level(0).showingEmbeds(of: ids[0]) { id in ids.firstIndex(of: id).map(level) }
    #expect(shown.plainText == "0\nnext\n1\nnext\n2\nnext\n3\nnext")
  }

  @Test(.timeLimit(.minutes(60)))
  func `ten thousand embeds, and brackets without an end, take no time`() throws {
    let time = try processorTime {
      let many = text(Array(repeating: "![[Slots]]", count: 10_000).joined(separator: "\n\n"))
      #expect(many.embeds.count == 10_000)
      var reads = 0
      let shown = try many.showingEmbeds(of: Self.start) { _ in
        reads += 1
        return Self.source
      }
      #expect(reads == RichText.mostEmbeds)
      #expect(shown.blocks.count > 10_000 - 1)
      for piece in ["![[", "![[Slots]] ", "![[Later]]\n", "![[Slots\n", "!", "![[a#^b|"] {
        let markdown = String(repeating: piece, count: 200_000 / piece.utf8.count)
        let surroundings = MarkdownSurroundings(
          breaksLines: true,
          noteNamed: titles,
          changed: { _, _ in }
        )
        let text = RichText(markdown: markdown, in: surroundings)
        #expect(!text.markdown.isEmpty)
        _ = text.resolvingLinks { _ in .slots }
      }
    }
    #expect(time < .seconds(60))
  }
}
