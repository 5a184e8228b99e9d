public import Foundation

extension RichText {
  /// The notes that this text links to, each once, in the order of the text.
  public var links: [UUID] {
    var seen: Set<UUID> = []
    return lines.joined().compactMap { $0.link?.note }.filter { seen.insert($0).inserted }
  }

  /// The sentence around the first link to a note, for that note's list of backlinks.
  ///
  /// ```
  /// "A fault has no values. They come from [[Slots]], once asked for. Then it is none."
  ///                         ↓
  /// "They come from Slots, once asked for."
  /// ```
  ///
  /// Is `nil` without such a link. A sentence of more than 240 characters is shortened around the
  /// link.
  public func context(of id: UUID) -> String? {
    for line in lines.lazy.map(\.withEmbedAsLink) {
      guard let start = line.firstIndex(where: { $0.link?.note == id }) else { continue }
      // The words of one link may look different from each other.
      let link = line[start...].prefix { $0.link?.note == id }
      return LinkContext(
        before: Array(line[..<start]).plainText,
        link: Excerpt.of(Array(link).plainText, LinkContext.limit),
        after: Array(line[link.endIndex...]).plainText
      ).sentence
    }
    return nil
  }
}

// MARK: - Files

extension RichText {
  /// The pictures and other files of this text, each once, in the order of the text.
  public var files: [UUID] {
    var seen: Set<UUID> = []
    return blocks.flatMap(\.files).filter { seen.insert($0).inserted }
  }

  /// The pictures of this text alone.
  public var pictures: [UUID] {
    var seen: Set<UUID> = []
    return blocks.flatMap(\.pictures).filter { seen.insert($0).inserted }
  }
}

extension RichText.Block {
  /// The blocks right inside of this one.
  var inside: [RichText.Block] {
    switch self {
    case .paragraph, .heading, .codeBlock, .horizontalRule, .table, .picture, .file: []
    case .blockquote(let blocks), .footnote(_, let blocks): blocks
    case .callout(let callout): callout.blocks
    case .bulletList(let items), .orderedList(_, let items): items.flatMap(\.blocks)
    case .taskList(let items): items.flatMap(\.blocks)
    }
  }

  fileprivate var pictures: [UUID] {
    if case .picture(let picture) = self { [picture.file] } else { inside.flatMap(\.pictures) }
  }

  fileprivate var files: [UUID] {
    switch self {
    case .picture(let picture): [picture.file]
    case .file(let file): [file.file]
    case .paragraph, .heading, .bulletList, .orderedList, .taskList, .blockquote, .codeBlock,
      .horizontalRule, .table, .callout, .footnote:
      inside.flatMap(\.files)
    }
  }
}

// MARK: - Lines

extension RichText {
  /// Every paragraph and heading, in any block.
  var lines: [[Inline]] {
    blocks.flatMap(\.lines)
  }
}

extension RichText.Block {
  var lines: [[RichText.Inline]] {
    switch self {
    case .paragraph(let line), .heading(_, let line): [line]
    case .codeBlock, .horizontalRule, .picture, .file: []
    case .table(let table): table.rows.flatMap(\.self)
    case .blockquote(let blocks), .footnote(_, let blocks): blocks.flatMap(\.lines)
    case .callout(let callout): [callout.title] + callout.blocks.flatMap(\.lines)
    case .bulletList(let items), .orderedList(_, let items):
      items.flatMap { $0.blocks.flatMap(\.lines) }
    case .taskList(let items): items.flatMap { $0.blocks.flatMap(\.lines) }
    }
  }
}

extension RichText.Inline {
  /// The target of this piece of a line.
  var link: RichText.Link? {
    if case .text(_, let marks) = self { marks.link } else { nil }
  }
}

// MARK: - Context

/// A line that is cut in three by a link.
struct LinkContext {
  var before: String
  var link: String
  var after: String

  static let limit = 240

  /// From the end of the sentence before to the end of this one.
  var sentence: String {
    let start = Self.endOfLastSentence(in: before)
    let after = self.afterWithoutSign
    let end = Self.endOfFirstSentence(in: after)
    return shortened(String(before[start...]), String(after[..<end]))
  }

  /// The sign of the paragraph is for links alone.
  private var afterWithoutSign: String {
    let words = BlockSign.removed(from: link + after)
    return String(decoding: words.utf8.dropFirst(link.utf8.count), as: UTF8.self)
  }

  private func shortened(_ before: String, _ after: String) -> String {
    let room = max(Self.limit - link.count, 40)
    let sides = (before: Self.oneLine(before), after: Self.oneLine(after))
    guard sides.before.count + sides.after.count > room else {
      return Text.oneLine(sides.before + link + sides.after)
    }
    let front = String(Excerpt.of(String(sides.before.reversed()), room / 2).reversed())
    return Text.oneLine(front + link + Excerpt.of(sides.after, room / 2))
  }

  private static func oneLine(_ text: String) -> String {
    text.replacing("\n", with: " ")
  }

  /// After the last `.`, `!` or `?` with a blank behind it, or the last line break.
  private static func endOfLastSentence(in text: String) -> String.Index {
    var end = text.startIndex
    var wasMark = false
    for index in text.indices {
      let character = text[index]
      if character == "\n" || (wasMark && character.isWhitespace) { end = text.index(after: index) }
      wasMark = isMark(character) || (wasMark && isClosing(character))
    }
    return end
  }

  private static func endOfFirstSentence(in text: String) -> String.Index {
    var wasMark = false
    for index in text.indices {
      let character = text[index]
      if character == "\n" || (wasMark && character.isWhitespace) { return index }
      wasMark = isMark(character) || (wasMark && isClosing(character))
    }
    return text.endIndex
  }

  private static func isMark(_ character: Character) -> Bool {
    ".!?…".contains(character)
  }

  private static func isClosing(_ character: Character) -> Bool {
    "\"')”’»]".contains(character)
  }
}
