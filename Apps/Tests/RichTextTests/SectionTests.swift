import Foundation
import Testing

@testable import RichText

/// Texts are split at their headings, put together again, and their links lead elsewhere.
struct SectionTests {
  private let ids = (0..<9).map { _ in UUID() }

  @Test func `thousands of footnotes went along in the square of their number`() {
    let labels = (1...10_000).map { String($0) }
    let text = RichText(
      [.heading(.two, [.text("Notes")])]
        + labels.map { .paragraph([.text("Word"), .footnoteMark($0)]) }
        + labels.map { .footnote(label: $0, [.paragraph([.text("Below")])]) }
    )
    let began = ContinuousClock.now
    let sections = text.sections(at: .two)
    #expect(sections.all.first?.text.blocks.count == 20_000)
    #expect(sections.rest(linkingTo: ids).blocks.count == 1)
    #expect(ContinuousClock.now - began < .seconds(20))
  }

  @Test func `sections begin with a heading of their level and end with one above`() {
    let text = RichText(
      markdown: """
        Before

        ## Slots

        Values.

        ### Inner

        More.

        ## Faults

        # Above

        Stays.

        ## Last
        """
    )
    let sections = text.sections(at: .two)
    #expect(sections.all.map(\.title) == ["Slots", "Faults", "Last"])
    #expect(sections.all[0].text == RichText(markdown: "Values.\n\n### Inner\n\nMore."))
    #expect(sections.all[1].text == RichText())
    let rest = sections.rest(linkingTo: ids)
    #expect(rest.plainText.contains("Above") && rest.plainText.contains("Stays."))
    #expect(!rest.plainText.contains("Values."))
    #expect(rest.links == Array(ids[..<3]))
    // Neighbours are one list.
    #expect(rest.blocks.count { if case .bulletList = $0 { true } else { false } } == 2)
    #expect(text.sections(at: .six).all.isEmpty)
  }

  @Test func `a heading that is more than words stays in its text`() {
    let id = ids[0]
    let text = RichText([
      .heading(.one, [.text("See "), .text("Slots", [.link(.note(id))])]),
      .heading(.one, [.text("Marked ^a1b2")]), .paragraph([.text("x")]),
      .heading(.one, []), .paragraph([.text("without a name")]),
    ])
    let sections = text.sections(at: .one)
    #expect(sections.all.map(\.title) == ["See Slots", "Marked", ""])
    #expect(sections.all[0].text.links == [id])
    #expect(sections.all[1].text.plainText.contains("^a1b2"))
    #expect(sections.rest(linkingTo: ids).plainText.contains("Untitled"))
    #expect(sections.section(of: "see slots!")?.isBeginning == true)
    #expect(sections.section(of: "^a1b2")?.index == 1)
    #expect(sections.section(of: "^a1b2")?.isBeginning == false)
    #expect(sections.section(of: "Nowhere") == nil)
  }

  @Test func `footnotes go along with their marks`() {
    let text = RichText(
      markdown: """
        Before[^a]

        # One

        Said[^b], both[^a]

        [^a]: First
        [^b]: Second[^c]
        [^c]: Inner
        [^d]: Nobody's
        """
    )
    let sections = text.sections(at: .one)
    let footnotes = { (text: RichText) in text.blocks.compactMap(\.footnoteLabel) }
    #expect(footnotes(sections.all[0].text) == ["b", "a", "c"])
    #expect(footnotes(sections.rest(linkingTo: ids)) == ["a", "d"])
  }

  @Test func `texts are gathered under their titles with footnotes of their own`() {
    let first = RichText(markdown: "One[^1]\n\n[^1]: First")
    let second = RichText(markdown: "Two[^1]\n\n[^1]: Second")
    let text = RichText.gathered(first, [("Faults", second), ("", RichText(markdown: "Three"))])
    #expect(text.blocks.contains(.heading(.two, [.text("Faults")])))
    #expect(text.footnoteNumbers.count == 2)
    #expect(text.plainText.contains("First") && text.plainText.contains("Second"))
    #expect(text.plainText.contains("Three"))
    let deep = RichText.gathered(RichText(), [("Slots", RichText(markdown: "## Values"))])
    #expect(deep.blocks == [.heading(.one, [.text("Slots")]), .heading(.two, [.text("Values")])])
  }

  @Test func `links lead elsewhere`() {
    let (old, new) = (ids[0], ids[1])
    let text = RichText([
      .paragraph([.text("Slots", [.link(.note(old))]), .text(" here")]),
      .blockquote([.paragraph([.text("Page", [.link(.note(ids[2]))])])]),
    ])
    let changed = text.relinking { $0.note == old ? .heading(new, "Slots") : nil }
    #expect(changed?.links == [new, ids[2]])
    #expect(text.relinking { _ in nil } == nil)
    #expect(text.relinking { $0 } == nil)
  }
}
