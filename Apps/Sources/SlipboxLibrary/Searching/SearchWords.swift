import Foundation

/// The words of a search, and where a text has them.
enum SearchWords {
  /// Splits at spaces; each word once, at most twelve.
  static func words(of text: String) -> [String] {
    var seen: Set<String> = []
    return text.split(whereSeparator: \.isWhitespace)
      .map(String.init)
      .filter { seen.insert($0.lowercased()).inserted }
      .prefix(12).map { $0 }
  }

  /// Whether a word is of a script that has no blanks between words: Chinese, Japanese, Thai.
  static func hasNoBlanks(_ word: String) -> Bool {
    word.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x3040...0x30ff, 0x3400...0x9fff,
        0xf900...0xfaff, 0x2_0000...0x3_ffff:
        true
      default: false
      }
    }
  }

  /// The places of the words in a text, in order and apart from one another, in UTF-16 units.
  static func hits(of words: [String], in text: String) -> [TextRange] {
    guard !words.isEmpty, !text.isEmpty else { return [] }
    let whole = text as NSString
    var found: [NSRange] = []
    for word in words where !word.isEmpty {
      var rest = NSRange(location: 0, length: whole.length)
      while rest.length > 0 {
        let hit = whole.range(
          of: word,
          options: [.caseInsensitive, .diacriticInsensitive],
          range: rest
        )
        if hit.location == NSNotFound || hit.length == 0 { break }
        if hasNoBlanks(word) || isBeginning(hit.location, of: whole) { found.append(hit) }
        rest = NSRange(
          location: NSMaxRange(hit),
          length: whole.length - NSMaxRange(hit)
        )
      }
    }
    return merged(found)
  }

  /// Whether a word begins there, as searches by words have it.
  private static func isBeginning(_ location: Int, of text: NSString) -> Bool {
    guard location > 0 else { return true }
    let before = text.rangeOfComposedCharacterSequence(at: location - 1)
    return text.substring(with: before).allSatisfy { !$0.isLetter && !$0.isNumber }
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
