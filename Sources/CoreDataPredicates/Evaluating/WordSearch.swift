/// Looks for words in texts: `CONTAINS[cdw]`.
///
/// ```
/// text      "Notes about crème brûlée"
/// wanted    "bru note"         found: one word begins with "bru", one with "note"
/// wanted    "out"              not found: no word begins with it
/// wanted    "" or "-"          found: there is nothing to look for
/// ```
///
/// Each wanted word has to be found, in any place. With `c` and `d` together words are compared as an
/// index of words has them (`WordCharacters`); with one of the two or none, as `CONTAINS` compares
/// texts with these options.
package struct WordSearch: Sendable {
  /// The words that are looked for, as they are compared.
  package let words: [[UInt8]]
  /// Whether words are folded one by one; otherwise texts come folded, or are compared as they are.
  private let folds: Bool
  private let longest: Int

  /// SQLite cuts longer words off, in the index and in what is looked for.
  private static let byteLimit = 32768

  package init(_ pattern: String, _ options: NSComparisonPredicate.Options) {
    folds = options.foldsWords
    words = Self.words(of: folds ? pattern : options.folded(pattern), folds: folds)
    longest = words.map(\.count).max() ?? 0
  }

  private static func words(of pattern: String, folds: Bool) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var text = pattern
    text.withUTF8 { bytes in
      var reader = WordReader(UnsafeRawBufferPointer(bytes), folds: folds)
      // No character is compared as one of more than twice its bytes.
      let size = min(byteLimit, bytes.count * 2)
      withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
        while let count = reader.next(into: buffer) {
          let word = [UInt8](buffer[..<count])
          if !words.contains(word) { words.append(word) }
        }
      }
    }
    return words
  }
}

// MARK: - Looking

extension WordSearch {
  /// Whether every word is there; the text comes folded where `foldsWords` is not set.
  package func isFound(in text: UnsafeRawBufferPointer) -> Bool {
    if words.isEmpty { return true }
    return withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { buffer in
      stride(from: 0, to: words.count, by: UInt64.bitWidth).allSatisfy { start in
        isFound(in: text, words[start..<min(start + UInt64.bitWidth, words.count)], buffer)
      }
    }
  }

  func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
  }

  /// A bit for each word that is missing still.
  private func isFound(
    in text: UnsafeRawBufferPointer,
    _ wanted: ArraySlice<[UInt8]>,
    _ buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var missing = UInt64.max >> UInt64(UInt64.bitWidth - wanted.count)
    var reader = WordReader(text, folds: folds)
    while let count = reader.next(into: buffer) {
      for (place, word) in wanted.enumerated()
      where missing & (1 << place) != 0 && word.count <= count {
        let begins = word.withUnsafeBytes { $0.elementsEqual(buffer[..<$0.count]) }
        if begins { missing &= ~(1 << place) }
      }
      if missing == 0 { return true }
    }
    return false
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

  /// What is no UTF-8 does not end the program: bytes of characters that are cut off count as such.
  private mutating func nextScalar() -> UInt32 {
    let lead = UInt32(text[place])
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    var scalar = length == 1 ? lead : lead & (0x7F >> UInt32(length))
    place += 1
    var left = length - 1
    while left > 0, place < text.count, text[place] & 0xC0 == 0x80 {
      scalar = scalar << 6 | UInt32(text[place] & 0x3F)
      place += 1
      left -= 1
    }
    return scalar
  }
}

/// The beginning of a word; what there is no room for is left out, from the first such character on.
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
  /// What is wrong with options of this operator; nil if nothing is.
  package func problem(with options: NSComparisonPredicate.Options) -> String? {
    guard options.contains(.wordBased) else { return nil }
    if self != .contains { return "the option w looks for words with CONTAINS, not with \(sign)" }
    return options.contains(.localeSensitive) ? "the options w and l do not go together" : nil
  }

  package static let collectionProblem =
    "the option w looks for words in a text, not in a collection, which takes ANY or ALL"
}
