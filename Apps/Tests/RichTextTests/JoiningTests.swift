import Foundation
import Testing

@testable import RichText

/// Two sides whose changes of one text are put together word by word.
struct JoiningTests {
  private func text(_ lines: String) -> RichText { RichText(plainText: lines) }

  @Test(arguments: [
    (
      "Sow them now.", "Sow them here now.", "Sow them now, quickly.", "Sow them here now, quickly."
    ),
    ("Sow them.", "Sow them in May.", "Sow them deep.", "Sow them in May deep."),
    ("a b c", "a b x c", "a y c", "a y x c"),
    ("a b c", "x a b c", "a b c y", "x a b c y"),
    ("a b", "a", "a c", "a c"),
    ("a", "a x", "a x y", "a x y"),
    ("a b", "a b x", "a c x", "a c x"),
    ("a", "b x", "b x y", "b x y"),
    ("a", "b x", "b y", "b x y"),
    ("a b\nc d", "a b\nn\nc d", "a b!\nc d", "a b!\nn\nc d"),
    ("a b\nc d", "a b c d", "a b\nc d!", "a b c d!"),
    ("a b c d", "a b\nc d", "a b c x d", "a b\nc x d"),
    ("a", "a\nx", "a!\ny", "a!\ny\nx"),
    ("a", "a\nx y", "a\nx y z", "a\nx y z"),
    ("", "mine", "yours", "mine yours"),
    ("Sow.", "Sow. Dig.", "Sow. Water.", "Sow. Dig. Water."),
    ("Sow.", "Sow. Dig", "Sow. Dig.", "Sow. Dig."),
    ("a ", "a x", "a ", "a x"),
  ])
  func `changes of one paragraph come together`(
    base: String,
    one: String,
    other: String,
    result: String
  ) {
    let joined = text(one).joined(with: text(other), since: text(base))
    #expect(joined.text.plainText == result)
    #expect(joined.wordings.isEmpty)
  }

  @Test(arguments: [
    (
      "Sow in March, deep.", "Sow in April, deep.", "Sow in May, very deep.",
      "Sow in April, very deep.", "Sow in May, very deep."
    ),
    ("a", "b", "c", "b", "c"), ("k\na\nz", "k\nb\nz", "k\nc\nz", "b", "c"),
  ])
  func `the same words in two ways are one wording in the text and one beside it`(
    base: String,
    one: String,
    other: String,
    kept: String,
    lost: String
  ) throws {
    let joined = text(one).joined(with: text(other), since: text(base))
    let wording = try #require(joined.wordings.first)
    #expect(joined.wordings.count == 1)
    #expect(wording.kept.plainText == kept && wording.lost.plainText == lost)
    #expect(joined.text.plainText.contains(kept))
    let taken = joined.text.replacing(wording).plainText
    #expect(taken.contains(lost) && !taken.contains(kept))
    // The other way round, the two change places.
    let turned = text(other).joined(with: text(one), since: text(base))
    #expect(turned.wordings.map(\.kept) == [wording.lost])
    #expect(turned.wordings.map(\.lost) == [wording.kept])
  }

  @Test func `marks, links and blanks of a side stay`() {
    let base = RichText([.paragraph([.text("Read this "), .text("twice", [.bold])])])
    let one = RichText([
      .paragraph([.text("Read "), .text("this ", [.italic]), .text("twice", [.bold])])
    ])
    let other = RichText([
      .paragraph([.text("Read this "), .text("twice ", [.bold]), .text("now ")])
    ])
    let joined = RichText([
      .paragraph([
        .text("Read "), .text("this ", [.italic]), .text("twice ", [.bold]), .text("now "),
      ])
    ])
    #expect(one.joined(with: other, since: base).text == joined)
  }

  @Test func `a heading, a list and a table are joined by what is in them`() {
    let base = RichText([
      .paragraph([.text("Plan")]), .bulletList([.saying("seeds and soil"), .saying("water")]),
      .table(.init(hasHeader: true, rows: [[[.text("a b")], [.text("c")]]])),
    ])
    let one = RichText([
      .heading(.one, [.text("Plan")]),
      .bulletList([.saying("new"), .saying("seeds and rich soil"), .saying("water")]),
      .table(.init(hasHeader: true, rows: [[[.text("a x b")], [.text("c")]]])),
    ])
    let other = RichText([
      .paragraph([.text("Plan of spring")]), .bulletList([.saying("old seeds and soil")]),
      .table(.init(hasHeader: true, rows: [[[.text("a b y")], [.text("d")]]])),
    ])
    let joined = one.joined(with: other, since: base)
    #expect(joined.wordings.isEmpty)
    #expect(
      joined.text
        == RichText([
          .heading(.one, [.text("Plan of spring")]),
          .bulletList([.saying("new"), .saying("old seeds and rich soil")]),
          .table(.init(hasHeader: true, rows: [[[.text("a x b y")], [.text("d")]]])),
        ])
    )
  }

  @Test func `texts without anything in common are both there`() {
    let joined = text("mine").joined(with: text("yours"))
    #expect(joined.text == text("mine") && joined.wordings.map(\.lost) == [text("yours")])
    #expect(text("mine").joined(with: text("mine")).wordings.isEmpty)
    #expect(text("mine").joined(with: RichText()).wordings.isEmpty)
  }

  @Test func `a wording whose lines are gone comes behind the text`() {
    let wording = Wording(kept: text("gone"), lost: text("mine"))
    #expect(text("other").replacing(wording) == text("other\nmine"))
  }
}

// MARK: - By chance

/// Random typing of two sides, of which every new word is one of a kind.
struct JoiningByChance {
  private var number = 0

  private mutating func word(_ side: String) -> String {
    number += 1
    return "\(side)\(number)x"
  }

  private mutating func line(_ line: [Inline], _ side: String, _ random: inout Random) -> [Inline] {
    var words = line.map(\.said).joined().split(separator: " ").map(String.init)
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      let place = Int.random(in: 0...words.count, using: &random)
      if place < words.count, words[place].hasPrefix("old"), Bool.random(using: &random) {
        words[place] = Bool.random(using: &random) ? "" : word(side)
      } else {
        words.insert(word(side), at: place)
      }
    }
    return words.isEmpty ? [] : [.text(words.filter { !$0.isEmpty }.joined(separator: " "))]
  }

  private mutating func typed(_ blocks: [Block], _ side: String, _ random: inout Random) -> [Block]
  {
    var typed: [Block] = []
    for block in blocks {
      if Int.random(in: 0..<5, using: &random) == 0 { typed.append(.says(word(side))) }
      switch block {
      case .paragraph(let old):
        let words = line(old, side, &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: typed.append(.heading(.two, words))
        case 1: typed += [.paragraph(words), .says(word(side))]
        case 2 where old.allSatisfy { $0.said.hasPrefix("old") && !$0.said.contains("x") }: break
        default: typed.append(.paragraph(words))
        }
      case .heading(let level, let old): typed.append(.heading(level, line(old, side, &random)))
      case .bulletList(let items):
        typed.append(
          .bulletList(items.map { Item(self.typed($0.blocks, side, &random)) })
        )
      case .blockquote(let blocks): typed.append(.blockquote(self.typed(blocks, side, &random)))
      default: typed.append(block)
      }
    }
    return typed
  }

  private func words(_ text: RichText) -> Set<Substring> {
    Set(text.plainText.split { !$0.isLetter && !$0.isNumber })
  }

  @Test func `no word that a side has typed is lost`() {
    var typing = self
    for seed in 0..<600 {
      var random = Random(seed: UInt64(seed))
      let base = RichText([
        .says("old1 old2 old3 old4"),
        .bulletList([.saying("old5 old6"), .saying("old7 old8 old9")]),
        .blockquote([.says("old10 old11"), .says("old12")]), .says("old13 old14"), .says("old15"),
      ])
      let one = RichText(typing.typed(base.blocks, "one", &random))
      let other = RichText(typing.typed(base.blocks, "other", &random))
      let joined = one.joined(with: other, since: base)
      var found = words(joined.text)
      for wording in joined.wordings { found.formUnion(words(wording.lost)) }
      let typed = words(one).union(words(other)).filter { $0.hasSuffix("x") }
      #expect(typed.isSubset(of: found), "seed \(seed): \(typed.subtracting(found))")
      let counted = joined.text.plainText.split { !$0.isLetter && !$0.isNumber }
        .filter { $0.hasSuffix("x") }
      #expect(Set(counted).count == counted.count, "seed \(seed): words are there twice")
      let turned = other.joined(with: one, since: base)
      var again = words(turned.text)
      for wording in turned.wordings { again.formUnion(words(wording.lost)) }
      #expect(typed.isSubset(of: again), "seed \(seed), turned")
      // Once more changes nothing.
      #expect(joined.text.joined(with: one, since: one).text == joined.text)
    }
  }
}

extension Inline {
  fileprivate var said: String { if case .text(let text, _) = self { text } else { "" } }
}

extension RichText.Block {
  fileprivate static func says(_ text: String) -> Self { .paragraph([.text(text)]) }
}
