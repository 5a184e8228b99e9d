public import Foundation

extension RichText {
  /// The notes that this text links to, each once, in the order of the text.
  public var links: [UUID] {
    var seen: Set<UUID> = []
    return lines.flatMap(\.noteLinks).map(\.id).filter { seen.insert($0).inserted }
  }

  /// The sentence around the first link to a note, for that note's list of backlinks.
  ///
  /// ```
  /// "A fault has no values. They come from [[Slots]], once asked for. Then it is none."
  ///                         ↓
  /// "They come from Slots, once asked for."
  /// ```
  ///
  /// Is nil without such a link. A sentence of more than 240 characters is shortened around the link.
  public func context(of id: UUID) -> String? {
    for line in lines {
      guard let index = line.firstIndex(where: { $0.noteLink?.id == id }) else { continue }
      return Context(
        before: Array(line[..<index]).plainText,
        link: line[index].noteLink?.title ?? "",
        after: Array(line[(index + 1)...]).plainText
      ).sentence
    }
    return nil
  }

  /// The same text where links to these notes show these titles: they may have changed since.
  public func retitled(_ titles: [UUID: String]) -> RichText {
    RichText(
      blocks.map { block in
        block.mappingLines { line in
          line.map { piece in
            guard case .noteLink(let link, let marks) = piece, let title = titles[link.id] else {
              return piece
            }
            return .noteLink(NoteLink(id: link.id, title: title), marks)
          }
        }
      }
    )
  }
}

// MARK: - Lines

extension RichText {
  /// Every paragraph and heading, wherever it stands.
  var lines: [[Inline]] {
    blocks.flatMap(\.lines)
  }
}

extension RichText.Block {
  fileprivate var lines: [[RichText.Inline]] {
    switch self {
    case .paragraph(let line), .heading(_, let line): [line]
    case .codeBlock, .horizontalRule: []
    case .blockquote(let blocks): blocks.flatMap(\.lines)
    case .bulletList(let items), .orderedList(_, let items):
      items.flatMap { $0.blocks.flatMap(\.lines) }
    case .taskList(let items): items.flatMap { $0.blocks.flatMap(\.lines) }
    }
  }

  /// The same block with other words.
  fileprivate func mappingLines(
    _ change: ([RichText.Inline]) -> [RichText.Inline]
  ) -> RichText.Block {
    func changed(_ item: RichText.ListItem) -> RichText.ListItem {
      RichText.ListItem(item.blocks.map { $0.mappingLines(change) })
    }
    return switch self {
    case .paragraph(let line): .paragraph(change(line))
    case .heading(let level, let line): .heading(level, change(line))
    case .codeBlock, .horizontalRule: self
    case .blockquote(let blocks): .blockquote(blocks.map { $0.mappingLines(change) })
    case .bulletList(let items): .bulletList(items.map(changed))
    case .orderedList(let start, let items): .orderedList(start: start, items.map(changed))
    case .taskList(let items):
      .taskList(
        items.map { item in
          RichText.TaskItem(
            isDone: item.isDone,
            item.blocks.map { $0.mappingLines(change) }
          )
        }
      )
    }
  }
}

extension RichText.Inline {
  var noteLink: RichText.NoteLink? {
    if case .noteLink(let link, _) = self { link } else { nil }
  }
}

extension [RichText.Inline] {
  fileprivate var noteLinks: [RichText.NoteLink] {
    compactMap(\.noteLink)
  }
}

// MARK: - Context

/// A line that is cut in three by a link.
private struct Context {
  var before: String
  var link: String
  var after: String

  private static let limit = 240

  /// From the end of the sentence before to the end of this one.
  var sentence: String {
    let start = Self.endOfLastSentence(in: before)
    let end = Self.endOfFirstSentence(in: after)
    return shortened(String(before[start...]), String(after[..<end]))
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
