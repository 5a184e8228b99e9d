import Foundation

/// The words of a search, and their places in a text.
enum SearchWords {
  /// The spellings of a word: people without ł or ß on the keyboard type l and ss.
  ///
  /// ```
  /// strasse    strasse  straße                lodz    lodz  łodz
  /// straße     straße   strasse
  /// ```
  ///
  /// The word itself comes first. Accents need no other spelling, the index has letters without them.
  static func spellings(of word: String) -> [String] {
    let plain = others.reduce(word) { text, other in
      text.replacing(other.letter, with: other.plain)
        .replacing(other.letter.uppercased(), with: other.plain)
    }
    var found = [word]
    func add(_ text: String) {
      if found.count < mostSpellings, !found.contains(text) { found.append(text) }
    }
    add(plain)
    let small = plain.lowercased()
    for other in others where small.contains(other.plain) {
      // Each of those that are there alone, and with one more.
      for base in found where found.count < mostSpellings {
        add(base.lowercased().replacing(other.plain, with: other.letter))
      }
    }
    return found
  }

  private static let mostSpellings = 12

  /// Letters that are not accented ones, and the letters that people type for them.
  private static let others: [(letter: String, plain: String)] = [
    ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ø", "oe"), ("ø", "o"), ("ł", "l"), ("đ", "d"),
    ("ð", "d"), ("þ", "th"), ("ı", "i"), ("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("å", "aa"),
  ]

  /// Whether a word has signs that tell it from others: "C++", "C#", "10 €", "a/b", ".NET".
  static func hasSigns(_ word: String) -> Bool {
    word.unicodeScalars.first == "."
      || word.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: true
        default: "#@&*/\\".unicodeScalars.contains(scalar)
        }
      }
  }

  /// Whether a word is of a script without blanks between words: Chinese, Japanese, Thai.
  static func hasNoBlanks(_ word: String) -> Bool {
    word.unicodeScalars.contains(where: hasNoBlanks)
  }

  /// Whether a letter is of such a script.
  static func hasNoBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x3040...0x30ff, 0x3400...0x9fff,
      0xf900...0xfaff, 0x2_0000...0x3_ffff:
      true
    default: false
    }
  }

  /// The places of words and phrases in a text, in order and apart from one another, in UTF-16 units.
  static func hits(of words: [String], in text: String) -> [TextRange] {
    guard !words.isEmpty, !text.isEmpty else { return [] }
    let whole = text as NSString
    var found: [NSRange] = []
    for word in words.flatMap(spellings) where !word.isEmpty {
      let pieces = pieces(of: word)
      var start = 0
      while let first = whole.place(of: pieces[0], from: start) {
        start = NSMaxRange(first)
        guard let hit = whole.place(of: pieces.dropFirst(), behind: first) else { continue }
        if hasNoBlanks(word) || !(word.first?.isLetter ?? false)
          || isBeginning(hit.location, of: whole)
        {
          found.append(hit)
          start = NSMaxRange(hit)
        }
      }
    }
    return merged(found)
  }

  /// The words of a phrase, with anything between them; one piece if signs count.
  private static func pieces(of words: String) -> [String] {
    if hasSigns(words) || hasNoBlanks(words) { return [words] }
    let pieces = words.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return pieces.count < 2 ? [words] : pieces
  }

  /// Whether a word begins there, as searches by words have it.
  private static func isBeginning(_ location: Int, of text: NSString) -> Bool {
    guard location > 0 else { return true }
    return !text.isInWord(text.rangeOfComposedCharacterSequence(at: location - 1))
  }

  private static func merged(_ hits: [NSRange]) -> [TextRange] {
    let found = hits.sorted { $0.location < $1.location }
    var merged: [TextRange] = []
    for hit in found {
      if let last = merged.last, hit.location <= last.start + last.length {
        let end = max(last.start + last.length, NSMaxRange(hit))
        merged[merged.count - 1] = TextRange(start: last.start, length: end - last.start)
      } else {
        merged.append(TextRange(start: hit.location, length: hit.length))
      }
    }
    return merged
  }
}

extension NSString {
  private static let options: CompareOptions = [.caseInsensitive, .diacriticInsensitive]

  fileprivate func isInWord(_ character: NSRange) -> Bool {
    substring(with: character).contains { $0.isLetter || $0.isNumber }
  }

  /// The next place of a word.
  fileprivate func place(of word: String, from start: Int) -> NSRange? {
    if start >= length { return nil }
    let rest = NSRange(location: start, length: length - start)
    let hit = range(of: word, options: Self.options, range: rest)
    return hit.location == NSNotFound || hit.length == 0 ? nil : hit
  }

  /// A place together with the words that follow right after it.
  fileprivate func place(of words: ArraySlice<String>, behind first: NSRange) -> NSRange? {
    var end = NSMaxRange(first)
    for word in words {
      let start = endOfGap(from: end)
      if start == end || start >= length { return nil }
      let rest = NSRange(location: start, length: length - start)
      let hit = range(of: word, options: Self.options.union(.anchored), range: rest)
      if hit.location == NSNotFound || hit.length == 0 { return nil }
      end = NSMaxRange(hit)
    }
    return NSRange(location: first.location, length: end - first.location)
  }

  private func endOfGap(from start: Int) -> Int {
    var end = start
    while end < length {
      let character = rangeOfComposedCharacterSequence(at: end)
      if isInWord(character) { break }
      end = NSMaxRange(character)
    }
    return end
  }
}

/// A part of a text in UTF-16 units, as browsers count; `[4, 3]` in JSON.
public struct TextRange: Hashable, Sendable, Encodable {
  public let start: Int
  public let length: Int

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(start)
    try container.encode(length)
  }
}
