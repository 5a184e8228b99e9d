import Foundation
import Testing

@testable import RichText

/// Two sides that change one text.
struct MergingTests {
  private func text(_ lines: String) -> RichText { RichText(plainText: lines) }

  private func merged(_ base: String, _ one: String, _ other: String) -> String? {
    text(one).merged(with: text(other), since: text(base))?.plainText
  }

  @Test(arguments: [
    // base, one, other, merged
    ("a\nb\nc", "a\nb\nc", "a\nb\nc", "a\nb\nc"),
    ("a\nb\nc", "a!\nb\nc", "a\nb\nc!", "a!\nb\nc!"),
    ("a\nb", "a!\nb", "a\nb!", "a!\nb!"),  // side by side
    ("a\nb\nc", "a\nc", "a\nb\nc!", "a\nc!"),  // one deletes, the other changes the next
    ("a\nb\nc", "a\nb\nc\nd", "0\na\nb\nc", "0\na\nb\nc\nd"),
    ("a", "a\nx", "a\ny", "a\nx\ny"),  // both put in at one place
    ("a", "a\nx\ny", "a\nx", "a\nx\ny"),
    ("a", "a\nx\nz", "a\ny\nz", "a\nx\ny\nz"),
    ("a\nb", "a\nn\nb", "a\nb!", "a\nn\nb!"),  // one puts in before what the other changes
    ("a\nb", "a\nb\nn", "a\nb!", "a\nb!\nn"),
    ("a\nb\nc", "a\nb\nc", "c", "c"),
    ("a\nb\nc", "x\ny\nz", "x\ny\nz", "x\ny\nz"),
    ("a\nb", "x\ny", "x\nb", "x\ny"),
    ("a\nb\nc\nd", "a!\nb\nc!\nd", "a\nb!\nc\nd!", "a!\nb!\nc!\nd!"),
    ("a\na\na", "a\na\na\na", "a\na!\na", "a\na!\na\na"),
  ])
  func `changes of different blocks come together`(
    base: String,
    one: String,
    other: String,
    result: String
  ) {
    #expect(merged(base, one, other) == result)
  }

  @Test(arguments: [
    ("a\nb", "a!\nb", "a?\nb"), ("a\nb", "b", "a!\nb"), ("a", "x\ny", "z"),
    ("a\nb\nc", "a\nx\nc", "a\nc"), ("a\nb\nc", "x", "a\nb!\nc"), ("", "mine", "yours"),
  ])
  func `two changes of one block are two texts`(base: String, one: String, other: String) {
    #expect(merged(base, one, other) == nil)
    #expect(merged(base, other, one) == nil)
  }

  @Test func `lists and quotes are merged by what is in them`() throws {
    let base = RichText([
      .taskList([.init(isDone: false, [.says("one")]), .init(isDone: false, [.says("two")])]),
      .blockquote([.bulletList([.saying("three"), .saying("four")]), .says("end")]),
      .orderedList(start: 1, [.saying("five")]),
    ])
    let one = RichText([
      .taskList([.init(isDone: true, [.says("one")]), .init(isDone: false, [.says("two")])]),
      .blockquote([.bulletList([.saying("three!"), .saying("four")]), .says("end")]),
      .orderedList(start: 4, [.saying("five")]),
    ])
    let other = RichText([
      .taskList([.init(isDone: false, [.says("one!")]), .init(isDone: false, [.says("two!")])]),
      .blockquote([.bulletList([.saying("three"), .saying("four")]), .says("end!")]),
      .orderedList(start: 1, [.saying("five"), .saying("six")]),
    ])
    let merged = RichText([
      .taskList([.init(isDone: true, [.says("one!")]), .init(isDone: false, [.says("two!")])]),
      .blockquote([.bulletList([.saying("three!"), .saying("four")]), .says("end!")]),
      .orderedList(start: 4, [.saying("five"), .saying("six")]),
    ])
    #expect(one.merged(with: other, since: base) == merged)
    #expect(other.merged(with: one, since: base) == merged)
  }

  @Test func `a block that has become another kind is one change`() {
    let base = RichText([.bulletList([.saying("one")]), .says("two")])
    let one = RichText([.taskList([.init(isDone: false, [.says("one")])]), .says("two")])
    let far = RichText([.bulletList([.saying("one")]), .heading(.one, [.text("two")])])
    let near = RichText([.bulletList([.saying("one"), .saying("more")]), .says("two")])
    #expect(
      one.merged(with: far, since: base)
        == RichText([
          .taskList([.init(isDone: false, [.says("one")])]), .heading(.one, [.text("two")]),
        ])
    )
    #expect(one.merged(with: near, since: base) == nil)
  }

  @Test func `two texts that are too large together are not merged`() {
    let large = String(repeating: "x", count: 600_000)
    #expect(merged("a", "a\n\(large)", "\(large)\na") == nil)
    #expect(merged("a", "a\nx", "\(large)\na") == "\(large)\na\nx")
  }

  @Test(.timeLimit(.minutes(60)))
  func `long texts that have nothing in common take no time`() {
    let time = processorTime {
      func lines(_ word: String) -> String {
        (0..<50_000).map { "\(word) \($0)" }.joined(separator: "\n")
      }
      let (base, one) = (lines("base"), lines("one"))
      #expect(merged(base, one, base + "\nmore") == one + "\nmore")
      #expect(merged(base, one, lines("other")) == nil)
    }
    #expect(time < .seconds(60))
  }
}

// MARK: - By chance

/// Texts and changes of them that nobody would make.
struct MergingByChance {
  /// A text with changes of its blocks at any depth.
  private func changed(_ text: RichText, _ random: inout Random, rarely: Int) -> RichText {
    RichText(changed(text.blocks, &random, rarely: rarely))
  }

  private func changed(_ blocks: [Block], _ random: inout Random, rarely: Int) -> [Block] {
    blocks.flatMap { block -> [Block] in
      switch Int.random(in: 0..<rarely, using: &random) {
      case 0: []
      case 1: [block, .says(random.words())]
      case 2: [.says(random.words()), block]
      case 3: [.heading(.two, [.text(random.words())])]
      case 4: [block, block]
      default: [inside(block, &random, rarely: rarely)]
      }
    }
  }

  private func inside(_ block: Block, _ random: inout Random, rarely: Int) -> Block {
    switch block {
    case .blockquote(let blocks): .blockquote(changed(blocks, &random, rarely: rarely))
    case .footnote(let label, let blocks):
      .footnote(label: label, changed(blocks, &random, rarely: rarely))
    case .callout(let callout):
      .callout(
        .init(
          kind: callout.kind,
          title: callout.title,
          changed(callout.blocks, &random, rarely: rarely)
        )
      )
    case .bulletList(let items):
      .bulletList(items.map { Item(changed($0.blocks, &random, rarely: rarely)) })
    case .taskList(let items):
      .taskList(
        items.map {
          TaskItem(
            isDone: Int.random(in: 0..<4, using: &random) == 0 ? !$0.isDone : $0.isDone,
            changed($0.blocks, &random, rarely: rarely)
          )
        }
      )
    default: block
    }
  }

  /// Some hundred times a base and two sides; two long rows of few words are hard to keep apart.
  private func each(_ check: (RichText, RichText, RichText) -> Void) {
    var random = Random(seed: 2026)
    for round in 0..<600 {
      let rarely = [6, 12, 40][round % 3]
      var base = random.richText()
      if round.isMultiple(of: 2) {
        base = RichText(
          (0..<30).map { _ in Block.says(["a", "b", "c"].randomElement(using: &random) ?? "") }
        )
      }
      let one = changed(base, &random, rarely: rarely)
      let other = changed(base, &random, rarely: rarely)
      check(base, one, other)
    }
  }

  @Test func `a side that has changed nothing gives way`() {
    each { base, one, _ in
      #expect(one.merged(with: base, since: base) == one)
      #expect(base.merged(with: one, since: base) == one)
    }
  }

  @Test func `equal changes become one`() {
    each { base, one, _ in
      #expect(one.merged(with: one, since: base) == one)
    }
  }

  @Test func `no words that a side has written are lost`() {
    var merges = 0
    each { base, one, other in
      guard let merged = one.merged(with: other, since: base) else { return }
      merges += 1
      let known = Set(base.words)
      let there = Set(merged.words)
      #expect(there.isSuperset(of: Set(one.words).subtracting(known)))
      #expect(there.isSuperset(of: Set(other.words).subtracting(known)))
      // Words that both have left stay; of words that were there twice, each may have left another.
      let once = Set(Dictionary(grouping: base.words) { $0 }.filter { $1.count == 1 }.keys)
      #expect(there.isSuperset(of: once.intersection(one.words).intersection(other.words)))
      // And nobody puts words into their mouths.
      #expect(there.isSubset(of: known.union(one.words).union(other.words)))
    }
    #expect(merges > 100)
  }

  @Test func `both sides agree on whether they can be merged, and the result can be opened`() {
    each { base, one, other in
      let (merged, turned) = (
        one.merged(with: other, since: base), other.merged(with: one, since: base)
      )
      #expect((merged == nil) == (turned == nil))
      #expect(merged.map { Set($0.words) } == turned.map { Set($0.words) })
      // A text that cannot be read is not equal.
      if let merged { #expect((try? RichText(json: merged.json)) == merged) }
    }
  }

  @Test func `different paragraphs are always merged`() {
    var random = Random(seed: 7)
    for _ in 0..<300 {
      let count = Int.random(in: 2...40, using: &random)
      let base = (0..<count).map { "\($0)" }
      var (one, other, both) = (base, base, base)
      for index in 0..<count {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: (one[index], both[index]) = ("\(index) one", "\(index) one")
        case 1: (other[index], both[index]) = ("\(index) other", "\(index) other")
        default: break
        }
      }
      func text(_ lines: [String]) -> RichText { RichText(lines.map { .says($0) }) }
      #expect(text(one).merged(with: text(other), since: text(base)) == text(both))
    }
  }
}

extension RichText.Block {
  fileprivate static func says(_ text: String) -> Self { .paragraph([.text(text)]) }
}

extension RichText {
  /// Each line of words, in any block.
  fileprivate var words: [String] {
    plainText.components(separatedBy: "\n")
  }
}
