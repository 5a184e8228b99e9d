/// A word, a sign, a break or the end of a line, with the blanks before it.
///
/// ```
/// Sow **them** now.      Sow │ ␣them (bold) │ ␣now │ . │ end of a paragraph
/// ```
///
/// Two words are equal if they say and look the same; blanks do not count. So lines can be compared and put together
/// word by word, and a line that came together so has a blank wherever one belongs.
struct Word: Hashable {
  enum Content: Hashable {
    case text(String, RichText.Marks)
    case footnoteMark(String)
    case hardBreak
    case end(Line)
  }

  /// The kind of a line.
  enum Line: Hashable {
    case paragraph
    case heading(RichText.HeadingLevel)
  }

  let content: Content

  /// The blanks before it, with the marks that they have.
  var blanks: [RichText.Inline] = []

  /// Whether it is the first of its line.
  var isFirst = false

  /// The letters directly before it, where a word consists of letters that look different.
  var joint: String?

  static func == (one: Word, other: Word) -> Bool { one.content == other.content }

  func hash(into hasher: inout Hasher) { hasher.combine(content) }

  var isEnd: Bool { if case .end = content { true } else { false } }
}

// MARK: - From lines

extension Word {
  /// The words of blocks, or `nil` if one of them is not a line.
  static func words(of blocks: [RichText.Block]) -> [Word]? {
    var words: [Word] = []
    for block in blocks {
      switch block {
      case .paragraph(let line): append(line, .paragraph, to: &words)
      case .heading(let level, let line): append(line, .heading(level), to: &words)
      default: return nil
      }
    }
    return words
  }

  private static func append(_ line: [RichText.Inline], _ kind: Line, to words: inout [Word]) {
    var blanks: [RichText.Inline] = []
    var isFirst = true
    func add(_ content: Content) {
      var word = Word(content: content, blanks: blanks, isFirst: isFirst)
      if blanks.isEmpty, !isFirst, let before = words.last?.letters, word.letters != nil {
        word.joint = before
      }
      words.append(word)
      (blanks, isFirst) = ([], content == .hardBreak)
    }
    for piece in line {
      switch piece {
      case .hardBreak: add(.hardBreak)
      case .footnoteMark(let label): add(.footnoteMark(label))
      case .text(let text, let marks):
        for part in parts(of: text) {
          if part.first?.isWhitespace == true {
            blanks.append(.text(String(part), marks))
          } else {
            add(.text(String(part), marks))
          }
        }
      }
    }
    add(.end(kind))
  }

  /// Runs of blanks and of letters, and every other character for itself.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      let kind = Kind(text[start])
      var end = text.index(after: start)
      while kind != .single, end < text.endIndex, Kind(text[end]) == kind {
        end = text.index(after: end)
      }
      parts.append(text[start..<end])
      start = end
    }
    return parts
  }

  private enum Kind {
    case blank, letter, single

    init(_ character: Character) {
      if character.isWhitespace {
        self = .blank
      } else if character == "_" || character.isLetter || character.isNumber {
        let first = character.unicodeScalars.first?.value ?? 0
        self = Self.withoutBlanks.contains { $0.contains(first) } ? .single : .letter
      } else {
        self = .single
      }
    }

    /// Thai, and the scripts of China and Japan, which write words without blanks between them.
    private static let withoutBlanks: [ClosedRange<UInt32>] = [
      0x0E00...0x0E7F, 0x2E80...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF,
    ]
  }

  /// Whether it is a word or a sign, and not a mark, a break or an end.
  var isText: Bool { if case .text = content { true } else { false } }

  /// Whether it is a word of letters, and not a sign.
  var hasLetters: Bool { letters != nil }

  /// The text of a word of letters.
  private var letters: String? {
    guard case .text(let text, _) = content, let first = text.first, Kind(first) == .letter else {
      return nil
    }
    return text
  }
}

// MARK: - Into lines

extension Word {
  /// The lines that the words make.
  static func blocks(of words: [Word]) -> [RichText.Block] {
    var blocks: [RichText.Block] = []
    var line: [RichText.Inline] = []
    var last: Word?
    for word in words {
      line += gap(between: last, and: word)
      last = word
      switch word.content {
      case .text(let text, let marks): line.append(.text(text, marks))
      case .footnoteMark(let label): line.append(.footnoteMark(label))
      case .hardBreak: line.append(.hardBreak)
      case .end(let kind):
        switch kind {
        case .paragraph: blocks.append(.paragraph(line))
        case .heading(let level): blocks.append(.heading(level, line))
        }
        (line, last) = ([], nil)
      }
    }
    if !line.isEmpty { blocks.append(.paragraph(line)) }
    return blocks
  }

  /// The blanks between two words, which may never have been beside each other before.
  private static func gap(between last: Word?, and word: Word) -> [RichText.Inline] {
    guard let last, last.content != .hardBreak else {
      return word.isFirst || word.isEnd ? word.blanks : []
    }
    if !word.blanks.isEmpty && !word.isFirst || word.isEnd { return word.blanks }
    let isJoined = word.joint == nil || word.joint == last.letters
    return word.isFirst && word.content != .hardBreak || !isJoined ? [.text(" ")] : []
  }
}
