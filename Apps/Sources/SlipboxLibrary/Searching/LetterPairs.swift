import Foundation

/// The letters of scripts without blanks between words, as words that an index can find: each with the next one.
///
/// ```
/// 検索する、本     検索 索す する る 本       each letter as its number, in four digits after a “w”
/// ```
///
/// Every letter begins a word: a search for one letter looks for words that begin with it, one for more, for all pairs.
enum LetterPairs {
  /// Each word once and in order.
  static func words(of texts: some Sequence<String>) -> [String] {
    var words: Set<String> = []
    for run in texts.flatMap(runs) {
      for (first, second) in zip(run, run.dropFirst()) { words.insert(word(first, second)) }
      if let last = run.last { words.insert(word(last)) }
    }
    return words.sorted()
  }

  /// The words that a search looks up in the index; empty if the text has no such letters.
  static func words(sought text: String) -> [String] {
    let words = runs(of: text).flatMap { run in
      run.count == 1 ? [word(run[0])] : zip(run, run.dropFirst()).map { word($0, $1) }
    }
    return Set(words).sorted()
  }

  /// Whether one word covers the whole search text: a letter, or two next to each other.
  static func isOneWord(_ text: String) -> Bool {
    runs(of: text).map(\.count).reduce(0, +) == text.canonical.unicodeScalars.count
      && words(sought: text).count == 1
  }

  /// Letters of such scripts next to each other, without case and accents.
  private static func runs(of text: String) -> [[Unicode.Scalar]] {
    guard SearchWords.hasNoBlanks(text) else { return [] }
    // Signs for the looks of a letter are between two that are next to each other.
    let letters = text.unicodeScalars.filter { !$0.properties.isVariationSelector }
    return letters.split { !SearchWords.hasNoBlanks($0) }.map { run in
      Array(String(String.UnicodeScalarView(run)).canonical.unicodeScalars)
    }
  }

  private static func word(_ scalars: Unicode.Scalar...) -> String {
    "w"
      + scalars.map { scalar in
        let digits = String(scalar.value, radix: 36)
        return String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
  }
}
