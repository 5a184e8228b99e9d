public import Foundation

extension RichText {
  /// A link to a note that is not there yet: `[[Title]]`, in a text.
  ///
  /// ```
  /// See [[Slots]] and [[Faults#Firing|how they fire]].
  ///       title          title  heading  words
  /// ```
  ///
  /// It stays text until a note of that title comes; then ``RichText/resolvingLinks(_:)`` makes a link of it.
  public struct LooseLink: Hashable, Sendable {
    public let title: String
    /// The words of a heading, or the sign of a paragraph: `^a1b2`.
    public let heading: String?

    /// The words in the place of the link.
    public let words: String

    /// `Title#Heading` or `Title#^a1b2` in its two parts.
    static func parts(of name: String) -> (title: String, heading: String?) {
      let parts = name.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let title = Text.trimmed(parts[0])
      guard parts.count > 1 else { return (title, nil) }
      let heading = Text.trimmed(parts[1])
      return (title, heading.isEmpty ? nil : heading)
    }

    /// The words in the place of `[[Title#^a1b2]]`: the sign of a paragraph means nothing to a reader.
    static func words(of name: String) -> String {
      guard name.utf8.contains(UInt8(ascii: "#")), let sign = name.firstRange(of: "#^"),
        sign.lowerBound > name.startIndex
      else { return name }
      return String(name[..<sign.lowerBound])
    }
  }
}

extension RichText {
  /// The links to notes that are not there, in the order of the text.
  public var looseLinks: [LooseLink] {
    lines.joined().flatMap { piece -> [LooseLink] in
      guard let text = piece.plainWords, text.utf8.contains(UInt8(ascii: "[")) else { return [] }
      return LooseLinks(text).links.map(\.link)
    }
  }

  /// The text in which loose links lead to the notes that `note` knows by their titles; `nil` if it knows none.
  public func resolvingLinks(_ note: (_ title: String) -> UUID?) -> RichText? {
    var isNew = false
    let text = mapLines { line in
      line.flatMap { piece -> [Inline] in
        guard case .text(let text, let marks) = piece, let words = piece.plainWords else {
          return [piece]
        }
        let pieces = LooseLinks(words).resolved(marks, note)
        if pieces.count > 1 || pieces.first != .text(text, marks) { isNew = true }
        return pieces
      }
    }
    return isNew ? text : nil
  }
}

extension RichText {
  /// The text without its links to notes that go: each becomes the words that were typed before there was such a note;
  /// `nil` if the text has no such link.
  ///
  /// ```
  /// See [[Slots|0b8e…]], [[that one|0b8e…]]  →  See [[Slots]], [[Slots|that one]]
  /// ```
  ///
  /// `titleOf` gives the title of a note that goes, and `nil` for those that stay. If a title cannot be written like
  /// that, the words of the link are left.
  public func looseningLinks(_ titleOf: (UUID) -> String?) -> RichText? {
    var isNew = false
    let text = mapLines { line in
      var changed: [Inline] = []
      var rest = line[...]
      while let piece = rest.first {
        guard let link = piece.link, let id = link.note, let title = titleOf(id),
          case .text(_, var marks) = piece
        else {
          changed.append(piece)
          rest = rest.dropFirst()
          continue
        }
        let pieces = rest.prefix { $0.link == link }
        rest = rest[pieces.endIndex...]
        marks.link = nil
        changed.append(.text(Self.loose(Array(pieces).plainText, title, link.heading), marks))
        isNew = true
      }
      return changed
    }
    return isNew ? text : nil
  }

  private static func loose(_ words: String, _ title: String, _ heading: String?) -> String {
    guard MarkdownEscapes.isNoteTitle(title), heading.map(MarkdownEscapes.isPlace) ?? true else {
      return words
    }
    let name = heading.map { "\(title)#\($0)" } ?? title
    if words == name { return "[[\(name)]]" }
    return MarkdownEscapes.isNoteTitle(words) ? "[[\(name)|\(words)]]" : words
  }
}

extension RichText.Inline {
  /// The text of a piece that is neither code nor a link already.
  var plainWords: String? {
    guard case .text(let text, let marks) = self, marks.link == nil,
      !marks.styles.contains(.code)
    else { return nil }
    return text
  }
}

/// The loose links of a piece of text, with the text between them.
private struct LooseLinks {
  private(set) var links: [(link: RichText.LooseLink, range: Range<Int>)] = []
  private let scalars: [Unicode.Scalar]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var index = 0
    while index + 1 < scalars.count {
      guard scalars[index] == "[", scalars[index + 1] == "[",
        let note = MarkdownScan.note(scalars, from: index + 2), note.link == nil
      else {
        index += 1
        continue
      }
      let (title, heading) = RichText.LooseLink.parts(of: note.title)
      let end = index + 2 + note.length
      if !title.isEmpty, title.utf8.count <= 1_000 {
        let link = RichText.LooseLink(
          title: title,
          heading: heading,
          words: note.words ?? RichText.LooseLink.words(of: note.title)
        )
        links.append((link, index..<end))
      }
      index = end
    }
  }

  /// The piece as pieces, of which some are links now.
  func resolved(
    _ marks: RichText.Marks,
    _ note: (String) -> UUID?
  ) -> [RichText.Inline] {
    var pieces: [RichText.Inline] = []
    var start = 0
    for (link, range) in links {
      guard let id = note(link.title) else { continue }
      pieces.append(.text(text(start..<range.lowerBound), marks))
      var marked = marks
      marked.link = RichText.Link(note: id, heading: link.heading)
      pieces.append(.text(link.words, marked))
      start = range.upperBound
    }
    if pieces.isEmpty { return [.text(text(0..<scalars.count), marks)] }
    return pieces + [.text(text(start..<scalars.count), marks)]
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }
}
