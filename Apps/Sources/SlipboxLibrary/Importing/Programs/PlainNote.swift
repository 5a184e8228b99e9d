import Foundation
import RichText

/// The blocks of a text without signs, as people type it into programs for plain notes.
///
/// ```
/// Bring along:               a paragraph, whose lines are lines of it
/// the map
///
/// - [ ] water                tasks
/// - [x] bread
/// See [Maps](note/1f2e).     a link to another note, if the program has such links
/// ```
struct PlainNote {
  private(set) var blocks: [RichText.Block] = []
  private var lines: [[RichText.Inline]] = []
  private var emptyCount = 0
  private let link: (_ address: String) -> RichText.Link?

  /// - Parameters:
  ///   - text: The text.
  ///   - link: Returns the target of an address in parentheses, or `nil` if such words are text.
  init(_ text: String, link: @escaping (_ address: String) -> RichText.Link? = { _ in nil }) {
    self.link = link
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      read(line)
    }
    endParagraph()
  }

  private mutating func read(_ line: Substring) {
    if line.allSatisfy(\.isWhitespace) {
      endParagraph()
      emptyCount += 1
    } else if let (isDone, words) = Self.task(line) {
      endParagraph()
      add(RichText.TaskItem(isDone: isDone, [.paragraph(inlines(of: words))]))
    } else {
      // One empty line ends a paragraph; more of them are paragraphs themselves.
      for _ in 0..<max(0, min(emptyCount, Self.mostEmpty) - 1) where lines.isEmpty {
        blocks.append(.paragraph([]))
      }
      emptyCount = 0
      lines.append(inlines(of: line))
    }
  }

  private static let mostEmpty = 100

  private mutating func endParagraph() {
    if lines.isEmpty { return }
    blocks.append(.paragraph(Array(lines.joined(separator: [.hardBreak]))))
    lines = []
  }

  private static func task(_ line: Substring) -> (isDone: Bool, words: Substring)? {
    let words = line.drop(while: \.isWhitespace)
    guard let sign = words.first, "-*+•".contains(sign) else { return nil }
    let box = words.dropFirst().drop { $0 == " " }
    for (sign, isDone) in [("[ ] ", false), ("[x] ", true), ("[X] ", true)]
    where box.hasPrefix(sign) {
      return (isDone, box.dropFirst(sign.count))
    }
    return nil
  }

  private mutating func add(_ task: RichText.TaskItem) {
    emptyCount = 0
    guard case .taskList(var items)? = blocks.last else { return blocks.append(.taskList([task])) }
    // A list is taken out before it grows: one that two places hold would be copied each time.
    blocks.removeLast()
    items.append(task)
    blocks.append(.taskList(items))
  }

  /// The words of a line, with links to notes.
  private func inlines(of line: Substring) -> [RichText.Inline] {
    var pieces: [RichText.Inline] = []
    var rest = line
    while let middle = rest.firstRange(of: "](") {
      let address = rest[middle.upperBound...].prefix(Self.longestAddress).prefix { $0 != ")" }
      let end = address.endIndex
      guard end < rest.endIndex, rest[end] == ")", let link = link(String(address)),
        let start = rest[..<middle.lowerBound].lastIndex(of: "[")
      else {
        pieces.append(.text(String(rest[..<middle.upperBound])))
        rest = rest[middle.upperBound...]
        continue
      }
      let words = rest[rest.index(after: start)..<middle.lowerBound]
      pieces.append(.text(String(rest[..<start])))
      pieces.append(.text(String(words), RichText.Marks([], link: link)))
      rest = rest[rest.index(after: end)...]
    }
    return Self.withAddresses(pieces + [.text(String(rest))])
  }

  private static let longestAddress = 300
}

extension PlainNote {
  /// The pieces of a line, in which addresses of the web are links, as programs for plain notes show them.
  static func withAddresses(_ line: [RichText.Inline]) -> [RichText.Inline] {
    line.flatMap { piece -> [RichText.Inline] in
      guard case .text(let text, let marks) = piece, marks.link == nil, text.contains("://") else {
        return [piece]
      }
      return addresses(in: text, marks)
    }
  }

  private static func addresses(in text: String, _ marks: RichText.Marks) -> [RichText.Inline] {
    var pieces: [RichText.Inline] = []
    var words = ""
    for word in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == " " }) {
      if !words.isEmpty || !pieces.isEmpty { words += " " }
      // Signs behind an address are those of the sentence.
      let end = word.lastIndex { !".,;:!?)]}»”'\"".contains($0) }.map { word.index(after: $0) }
      let address = String(word[..<(end ?? word.startIndex)])
      let isWeb = ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
      guard isWeb, let link = RichText.Link(address) else {
        words += word
        continue
      }
      pieces.append(.text(words, marks))
      pieces.append(.text(address, RichText.Marks(marks.styles, link: link)))
      words = String(word[(end ?? word.startIndex)...])
    }
    return pieces + [.text(words, marks)]
  }
}
