import RichText

/// Words behind a `#` in a text, which many programs take for keywords: `#reading`, `#reading/slow`, and Bear's
/// `#to read#`.
enum InlineTags {
  static func tags(in text: RichText) -> [String] {
    var seen: Set<String> = []
    var tags: [String] = []
    for tag in lines(of: text.blocks).lazy.flatMap(self.tags) {
      // A number is one of something else, and so is a colour.
      guard tag.count <= longest, tag.contains(where: { $0.isLetter || $0.isPictograph }),
        !isColour(tag), seen.insert(tag.lowercased()).inserted
      else { continue }
      tags.append(String(tag))
      if tags.count == most { break }
    }
    return tags
  }

  /// The words after each `#` that begins a word.
  private static func tags(in line: String) -> [Substring] {
    let parts = line.split(separator: "#", omittingEmptySubsequences: false)
    return parts.indices.dropFirst().compactMap { index in
      guard parts[index - 1].last?.isWhitespace ?? (index == 1) else { return nil }
      if index + 1 < parts.count, isClosed(parts[index], before: parts[index + 1]) {
        return parts[index]
      }
      return parts[index].prefix { isPlain($0) }
    }
  }

  /// Whether several words are between two signs: `#to read#`, and not `#one and #another`.
  private static func isClosed(_ words: Substring, before next: Substring) -> Bool {
    guard words.utf8.count <= longest * 4, words.contains(" "),
      let first = words.first, let last = words.last, first != " ", last != " "
    else { return false }
    let isOpen = next.first.map { isPlain($0) && !"-/".contains($0) } ?? false
    return !isOpen && words.count <= longest && words.allSatisfy { isPlain($0) || $0 == " " }
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-_/".contains(character)
      || character.isPictograph
  }

  /// `#3b5ba9`; words such as `#facade` are without digits.
  private static func isColour(_ tag: Substring) -> Bool {
    [6, 8].contains(tag.utf8.count) && tag.allSatisfy(\.isHexDigit)
      && tag.contains(where: \.isNumber)
  }

  /// The lines without what is code.
  private static func lines(of blocks: [RichText.Block]) -> [String] {
    blocks.flatMap { block -> [String] in
      switch block {
      case .codeBlock, .horizontalRule, .picture, .file: []
      case .paragraph(let line), .heading(_, let line): [words(of: line)]
      case .table(let table): table.rows.joined().map(words)
      case .blockquote(let blocks), .footnote(_, let blocks): lines(of: blocks)
      case .callout(let callout): [words(of: callout.title)] + lines(of: callout.blocks)
      case .bulletList(let items), .orderedList(_, let items):
        items.flatMap { lines(of: $0.blocks) }
      case .taskList(let items): items.flatMap { lines(of: $0.blocks) }
      }
    }
  }

  private static func words(of line: [RichText.Inline]) -> String {
    line.map { piece -> String in
      guard case .text(let text, let marks) = piece else { return "\n" }
      if namesNote(marks) { return "\u{FFFC}" }
      // The end of a line, so that no keyword goes on behind it.
      return marks.styles.contains(.code) ? "\n" : text
    }.joined()
  }

  /// `[[#Heading]]` has a sign that begins no keyword.
  private static func namesNote(_ marks: RichText.Marks) -> Bool {
    switch marks.link {
    case .note?, .heading?: true
    case .page?, nil: false
    }
  }

  private static let most = 50
  private static let longest = 100
}

extension Character {
  /// Whether it is drawn as a picture: `🐻`, and no sign or digit.
  fileprivate var isPictograph: Bool {
    unicodeScalars.first.map { $0.properties.isEmojiPresentation } ?? false
      || unicodeScalars.contains { $0.value == 0xFE0F }
  }
}
