/// Looks for words in texts: `CONTAINS[cdw]`.
///
/// ```
/// text      "Notes about crème brûlée"
/// wanted    "bru note"         found: one word begins with "bru", one with "note"
/// wanted    "out"              not found: no word begins with it
/// wanted    ""about cre""      found: "about", and next to it a word that begins with "cre"
/// wanted    ""notes cre""      not found: they are apart
/// wanted    "" or "-"          found: there is nothing to look for
/// ```
///
/// Each wanted word has to be found, in any place; those between quotation marks next to each other. With `c`
/// and `d` together words are compared as an index of words has them (`WordCharacters`); with one of the two
/// or none, as `CONTAINS` compares texts with these options.
package struct WordSearch: Sendable {
  /// The terms that are looked for, as they are compared.
  package let terms: [WordTerm]
  private let batches: [WordBatch]
  /// Whether words are folded one by one; otherwise texts come folded, or are compared as they are.
  private let folds: Bool
  private let longest: Int

  /// SQLite cuts longer words off, in the index and in searches.
  private static let byteLimit = 32768

  package init(_ pattern: String, _ options: NSComparisonPredicate.Options) {
    folds = options.foldsWords
    terms = Self.terms(of: folds ? pattern : options.folded(pattern), folds: folds)
    batches = WordBatch.batches(of: terms)
    longest = terms.flatMap(\.words).map(\.count).max() ?? 0
  }

  /// Whether a phrase has a word that SQLite may cut off elsewhere than we do, so that an index has another one.
  package var hasEndlessPhrase: Bool {
    longest > Self.byteLimit - 4 && terms.contains { $0.words.count > 1 }
  }
}

/// A word, or a phrase: words next to each other, of which the last one may go on.
package struct WordTerm: Hashable, Sendable {
  package let words: [[UInt8]]
}

// MARK: - Understanding a pattern

extension WordSearch {
  private static func terms(of pattern: String, folds: Bool) -> [WordTerm] {
    let pieces = pattern.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    var terms: [WordTerm] = []
    for (number, piece) in pieces.enumerated() {
      let words = words(of: String(Substring(piece)), folds: folds)
      // A quotation mark without another one begins no phrase.
      let isPhrase = number % 2 == 1 && number < pieces.count - 1
      for term in isPhrase ? phrases(of: words) : words.map({ WordTerm(words: [$0]) })
      where !terms.contains(term) {
        terms.append(term)
      }
    }
    return terms
  }

  /// Phrases of more words than a batch has room for are looked for in parts.
  private static func phrases(of words: [[UInt8]]) -> [WordTerm] {
    stride(from: 0, to: words.count, by: WordBatch.room).map { start in
      WordTerm(words: Array(words[start..<min(start + WordBatch.room, words.count)]))
    }
  }

  private static func words(of pattern: String, folds: Bool) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var text = pattern
    text.withUTF8 { bytes in
      var reader = WordReader(UnsafeRawBufferPointer(bytes), folds: folds)
      // No character is compared as one of more than twice its bytes.
      let size = min(byteLimit, bytes.count * 2)
      withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
        while let count = reader.next(into: buffer) { words.append([UInt8](buffer[..<count])) }
      }
    }
    return words
  }
}

// MARK: - Looking

extension WordSearch {
  /// Whether everything is there; the text comes folded where `foldsWords` is not set.
  package func isFound(in text: UnsafeRawBufferPointer) -> Bool {
    if terms.isEmpty { return true }
    // Room for one more character tells a word from one that goes on.
    let size = min(longest + 4, Self.byteLimit)
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      batches.allSatisfy { batch in
        var reader = WordReader(text, folds: folds)
        return batch.isFound {
          reader.next(into: buffer).map { UnsafeRawBufferPointer(rebasing: buffer[..<$0]) }
        }
      }
    }
  }

  func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
  }
}

/// As many words as a number has bits, which are looked for in one walk through a text.
///
/// ```
/// wanted    cre "about bru"        text    …  about  crème  about  brûlée
/// bits       0     1     2         seen          1      0      1      2
/// ```
///
/// The bit of a phrase's word is set when it and the words before it have just been seen.
private struct WordBatch: Sendable {
  static let room = UInt64.bitWidth

  private var words: [[UInt8]] = []
  private var firsts: UInt64 = 0
  private var lasts: UInt64 = 0

  static func batches(of terms: [WordTerm]) -> [WordBatch] {
    terms.reduce(into: []) { batches, term in
      if (batches.last?.words.count ?? room) + term.words.count > room {
        batches.append(WordBatch())
      }
      batches[batches.count - 1].append(term)
    }
  }

  private mutating func append(_ term: WordTerm) {
    firsts |= 1 << UInt64(words.count)
    words += term.words
    lasts |= 1 << UInt64(words.count - 1)
  }

  /// Whether each term is among the words that `next` gives, one after the other.
  func isFound(_ next: () -> UnsafeRawBufferPointer?) -> Bool {
    let singles = firsts & lasts
    var (missing, seen) = (lasts, UInt64(0))
    while let word = next() {
      // The terms that may come now: beginnings, and those that follow the words just seen.
      var possible = (((seen & ~lasts) << 1) | firsts) & ~(singles & ~missing)
      seen = 0
      while possible != 0 {
        let place = possible.trailingZeroBitCount
        possible &= possible - 1
        if isAt(place, word) { seen |= 1 << UInt64(place) }
      }
      missing &= ~seen
      if missing == 0 { return true }
    }
    return false
  }

  private func isAt(_ place: Int, _ word: UnsafeRawBufferPointer) -> Bool {
    let wanted = words[place]
    let mayGoOn = lasts & (1 << UInt64(place)) != 0
    guard mayGoOn ? wanted.count <= word.count : wanted.count == word.count else { return false }
    return wanted.withUnsafeBytes { $0.elementsEqual(word[..<$0.count]) }
  }
}

// MARK: - Words of a text

/// Cuts a text into words, one after the other.
private struct WordReader {
  private let text: UnsafeRawBufferPointer
  private let folds: Bool
  private let characters = WordCharacters.shared
  private var place = 0

  init(_ text: UnsafeRawBufferPointer, folds: Bool) {
    self.text = text
    self.folds = folds
  }

  /// Writes the beginning of the next word, as many characters as there is room for, and tells how
  /// long that is; nil when there is no further word.
  mutating func next(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    characters.ascii.withUnsafeBufferPointer { ascii in
      var word = WordBuffer(buffer)
      while place < text.count {
        let byte = text[place]
        if byte < 0x80 {
          let folded = ascii[Int(byte)]
          if folded != 0 {
            word.append(folds ? folded : byte)
          } else if word.isBegun {
            return word.count
          }
          place += 1
          continue
        }
        let start = place
        let scalar = nextScalar()
        switch characters.kind(of: scalar) {
        case .separator:
          if word.isBegun { return word.count }
        case .mark:
          if word.isBegun, !folds { word.append(text[start..<place]) }
        case .letter(let other):
          if folds, other != scalar {
            word.append(scalar: other)
          } else {
            word.append(text[start..<place])
          }
        }
      }
      return word.isBegun ? word.count : nil
    }
  }

  /// Bytes that are not UTF-8 do not end the program: bytes of characters that are cut off count as characters.
  private mutating func nextScalar() -> UInt32 {
    let lead = UInt32(text[place])
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    var scalar = length == 1 ? lead : lead & (0x7F >> UInt32(length))
    place += 1
    var left = length - 1
    while left > 0, place < text.count, text[place] & 0xC0 == 0x80 {
      scalar = (scalar << 6) | UInt32(text[place] & 0x3F)
      place += 1
      left -= 1
    }
    return scalar
  }
}

/// The beginning of a word; if there is no room for a character, it and the rest are left out.
private struct WordBuffer {
  private let bytes: UnsafeMutableRawBufferPointer
  private(set) var count = 0
  private(set) var isBegun = false
  private var isFull = false

  init(_ bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func append(_ byte: UInt8) {
    isBegun = true
    guard hasRoom(for: 1) else { return }
    bytes[count] = byte
    count += 1
  }

  mutating func append(_ character: Slice<UnsafeRawBufferPointer>) {
    isBegun = true
    guard hasRoom(for: character.count) else { return }
    for byte in character {
      bytes[count] = byte
      count += 1
    }
  }

  mutating func append(scalar: UInt32) {
    isBegun = true
    guard let scalar = Unicode.Scalar(scalar), let character = UTF8.encode(scalar),
      hasRoom(for: character.count)
    else { return }
    for byte in character {
      bytes[count] = byte
      count += 1
    }
  }

  private mutating func hasRoom(for more: Int) -> Bool {
    if !isFull, count + more > bytes.count { isFull = true }
    return !isFull
  }
}

// MARK: - Options

extension NSComparisonPredicate.Options {
  /// Whether words are compared without case and diacritics, as an index of words has them.
  package var foldsWords: Bool {
    contains([.wordBased, .caseInsensitive, .diacriticInsensitive]) && !contains(.normalized)
  }
}

extension NSComparisonPredicate.Operator {
  /// The problem with options of this operator; `nil` if there is none.
  package func problem(with options: NSComparisonPredicate.Options) -> String? {
    guard options.contains(.wordBased) else { return nil }
    if self != .contains { return "the option w looks for words with CONTAINS, not with \(sign)" }
    return options.contains(.localeSensitive) ? "the options w and l do not go together" : nil
  }

  package static let collectionProblem =
    "the option w looks for words in a text, not in a collection, which takes ANY or ALL"
}
