public import Foundation

// Changes of a text that come from elsewhere: a note was renamed, a word is replaced everywhere.

extension RichText {
  /// The text with other lines in the place of its paragraphs, headings and cells.
  func mapLines(_ change: ([Inline]) -> [Inline]) -> RichText {
    RichText(blocks.map { $0.mapLines(change) })
  }

  /// The text in which links to a note that show its title show another; `nil` if no link does.
  ///
  /// ```
  /// See [[Slots]], or [[Slots|the places of values]].
  ///     [[Seats]]      stays: these words are the writer's
  /// ```
  ///
  /// Returns `nil` also if the text would become too large to be read again.
  public func renamingLinks(to id: UUID, from old: String, to new: String) -> RichText? {
    var isNew = false
    let text = mapLines { line in
      var changed: [Inline] = []
      var rest = line[...]
      while let piece = rest.first {
        guard piece.link?.note == id, case .text(_, let marks) = piece else {
          changed.append(piece)
          rest = rest.dropFirst()
          continue
        }
        let link = rest.prefix { $0.link == piece.link }
        rest = rest[link.endIndex...]
        let words = Array(link).plainText
        let renamed = Self.renamed(words, from: old, to: new)
        if renamed == words { changed += link } else { changed.append(.text(renamed, marks)) }
        isNew = isNew || renamed != words
      }
      return changed
    }
    return isNew && text.size <= Self.maximumSize ? text : nil
  }

  /// `Slots` and `Slots#Firing` show the title; everything else is words of its own.
  private static func renamed(_ words: String, from old: String, to new: String) -> String {
    if words == old { return new }
    return words.hasPrefix(old + "#") ? new + words.dropFirst(old.count) : words
  }

  /// How many tasks there are, done and not done.
  public var tasks: (done: Int, open: Int) {
    blocks.reduce((0, 0)) { sum, block in
      let (done, open) = block.tasks
      return (sum.0 + done, sum.1 + open)
    }
  }
}

// MARK: - Replacing words

extension RichText {
  /// The text with `new` in the place of `old`, and how often that was; `nil` if it never was.
  ///
  /// Finds without case and accents unless `matchesCase` is true. Text of code is changed as well; text across pieces
  /// that look different is not found.
  ///
  /// - Throws: A ``RichTextError`` if the text would be more than a note may have: it could not be read again.
  public func replacing(
    _ old: String,
    with new: String,
    matchesCase: Bool = false
  ) throws(RichTextError) -> (text: RichText, count: Int)? {
    if old.isEmpty { return nil }
    var count = 0
    // Counted while it grows: a letter may become ten thousand, a million times.
    var room = max(Self.maximumSize - size, 0)
    let text = mapWords { text in
      let (changed, hits) = Words.replacing(old, with: new, in: text, matchesCase, &room)
      count += hits
      return changed
    }
    if room < 0 { throw .tooLarge }
    return count > 0 ? (text, count) : nil
  }

  /// The text with other words in the place of its pieces and its code.
  func mapWords(_ change: (String) -> String) -> RichText {
    RichText(
      blocks.map { block in
        block.mapCode(change).mapLines { line in
          line.map { piece in
            guard case .text(let text, let marks) = piece else { return piece }
            return .text(change(text), marks)
          }
        }
      }
    )
  }
}

// MARK: - Mentions

extension RichText {
  /// The sentence with one of some names as plain words, without a link; `nil` if there is none.
  public func mention(of names: [String]) -> String? {
    var tries = Words.mostTries
    for line in lines {
      guard let place = Mention(of: names, in: line, &tries) else { continue }
      return LinkContext(
        before: Array(line[..<place.piece]).plainText + place.before,
        link: place.words,
        after: place.after + Array(line[(place.piece + 1)...]).plainText
      ).sentence
    }
    return nil
  }

  /// The text in which the first mention of one of some names is a link to a note; `nil` if there is none.
  public func linkingMention(of names: [String], to id: UUID) -> RichText? {
    var (isDone, tries) = (false, Words.mostTries)
    let text = mapLines { line in
      guard !isDone, let place = Mention(of: names, in: line, &tries),
        case .text(_, let marks) = line[place.piece]
      else { return line }
      isDone = true
      var linked = marks
      linked.link = .note(id)
      return Array(line[..<place.piece])
        + [.text(place.before, marks), .text(place.words, linked), .text(place.after, marks)]
        + Array(line[(place.piece + 1)...])
    }
    return isDone ? text : nil
  }
}

/// The place of a name in a line, as whole words.
private struct Mention {
  let piece: Int
  let before: String
  let words: String
  let after: String

  init?(of names: [String], in line: [RichText.Inline], _ tries: inout Int) {
    for (index, piece) in line.enumerated() {
      guard let text = piece.plainWords else { continue }
      for name in names where !name.isEmpty {
        guard let range = Words.range(of: name, in: text, &tries) else { continue }
        self.piece = index
        before = String(text[..<range.lowerBound])
        words = String(text[range])
        after = String(text[range.upperBound...])
        return
      }
    }
    return nil
  }
}

/// Finding and replacing in plain texts.
private enum Words {
  /// The most longer words in which a name is looked for in a text: a search for “an” in a text of “banana” would not
  /// end.
  static let mostTries = 2_000

  /// The first place of a text in another that is not a part of a longer word, or of a keyword: `#travel/rome`.
  static func range(of name: String, in text: String, _ tries: inout Int) -> Range<String.Index>? {
    var start = text.startIndex
    while tries > 0,
      let range = text.range(
        of: name,
        options: [.caseInsensitive, .diacriticInsensitive],
        range: start..<text.endIndex
      ), !range.isEmpty
    {
      let isWhole =
        !isLetter(text[..<range.lowerBound].last) && !isLetter(text[range.upperBound...].first)
      if isWhole, !isInKeyword(text[..<range.lowerBound]) { return range }
      tries -= 1
      start = text.index(after: range.lowerBound)
    }
    return nil
  }

  /// Whether the text before a word makes it a part of a keyword: `#` or `#travel/`, with nothing else right before it.
  private static func isInKeyword(_ before: Substring) -> Bool {
    let parts = before.suffix(longestKeyword).reversed().prefix {
      isLetter($0) || "/-_".contains($0)
    }
    let rest = before.dropLast(parts.count)
    return rest.last == "#" && !isLetter(rest.dropLast().last)
  }

  private static let longestKeyword = 200

  static func replacing(
    _ old: String,
    with new: String,
    in text: String,
    _ matchesCase: Bool,
    _ room: inout Int
  ) -> (text: String, count: Int) {
    let options: String.CompareOptions =
      matchesCase ? [] : [.caseInsensitive, .diacriticInsensitive]
    var (changed, count, start) = ("", 0, text.startIndex)
    while let range = text.range(of: old, options: options, range: start..<text.endIndex),
      !range.isEmpty
    {
      room += text[range].utf8.count - new.utf8.count
      if room < 0 { break }
      changed += text[start..<range.lowerBound] + new
      count += 1
      start = range.upperBound
    }
    return (changed + text[start...], count)
  }

  private static func isLetter(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber } ?? false
  }
}

// MARK: - Blocks

extension RichText.Block {
  func mapLines(_ change: ([RichText.Inline]) -> [RichText.Inline]) -> RichText.Block {
    mapInside {
      $0.mapLines(change)
    } lines: {
      change($0)
    } code: {
      $0
    }
  }

  fileprivate func mapCode(_ change: (String) -> String) -> RichText.Block {
    mapInside {
      $0.mapCode(change)
    } lines: {
      $0
    } code: {
      change($0)
    }
  }

  /// The same block with other blocks, lines and code in it.
  private func mapInside(
    _ inner: (RichText.Block) -> RichText.Block,
    lines: ([RichText.Inline]) -> [RichText.Inline],
    code: (String) -> String
  ) -> RichText.Block {
    switch self {
    case .horizontalRule, .picture, .file: return self
    case .paragraph(let line): return .paragraph(lines(line))
    case .heading(let level, let line): return .heading(level, lines(line))
    case .codeBlock(let language, let text): return .codeBlock(language: language, code(text))
    case .table(var table):
      table.rows = table.rows.map { $0.map(lines) }
      return .table(table)
    case .blockquote(let blocks): return .blockquote(blocks.map(inner))
    case .footnote(let label, let blocks): return .footnote(label: label, blocks.map(inner))
    case .callout(var callout):
      callout.title = lines(callout.title)
      callout.blocks = callout.blocks.map(inner)
      return .callout(callout)
    case .bulletList(let items): return .bulletList(items.map { .init($0.blocks.map(inner)) })
    case .orderedList(let start, let items):
      return .orderedList(start: start, items.map { .init($0.blocks.map(inner)) })
    case .taskList(let items):
      return .taskList(items.map { .init(isDone: $0.isDone, $0.blocks.map(inner)) })
    }
  }

  fileprivate var tasks: (done: Int, open: Int) {
    var sum = (done: 0, open: 0)
    if case .taskList(let items) = self {
      sum.done = items.count { $0.isDone }
      sum.open = items.count - sum.done
    }
    for block in inside {
      let (done, open) = block.tasks
      sum = (sum.done + done, sum.open + open)
    }
    return sum
  }
}
