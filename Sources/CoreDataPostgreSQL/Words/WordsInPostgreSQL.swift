import CoreData
import CoreDataPredicates
import CoreDataSQL

/// Words of texts on the server, cut and folded as SQLite's tokenizer does it: `CONTAINS[cdw]`.
///
/// ```
/// coredata_words          "Crème brûlée, 2 €"  →  " creme brulee 2 "
/// coredata_words_alone    "Crème brûlée, 2 €"  →  " Crème brûlée 2 "
///
/// title CONTAINS[cdw] 'bru "2 eg"'     coredata_words("ZTITLE") LIKE ALL (ARRAY['% bru%', '% 2 eg%'])
/// ```
///
/// The words of each text are cut at each search, which takes a millisecond for one to four texts of a kilobyte;
/// ``KeptWords`` are an index of them.
enum WordsInPostgreSQL {
  private static let folding = "coredata_words"
  private static let plain = "coredata_words_alone"

  /// A condition for texts with all words and phrases of a pattern; `nil` if the server cannot answer it.
  ///
  /// Words have letters and digits only, so that none means anything to `LIKE`.
  static func found(
    _ pattern: String,
    in text: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment? {
    let search = WordSearch(pattern, options)
    if search.hasEndlessPhrase { return nil }
    let terms = search.terms.map { term in term.words.map { String(decoding: $0, as: UTF8.self) } }
    if options.foldsWords { return found(terms, in: text) }
    return found(terms, by: plain, in: PostgreSQLDialect().folded(text, options))
  }

  /// A condition for texts with all terms, each of which is a word or a phrase without case and diacritics.
  static func found(_ terms: [[String]], in text: SQLFragment) -> SQLFragment {
    found(terms, by: folding, in: text)
  }

  private static func found(
    _ terms: [[String]],
    by function: String,
    in text: SQLFragment
  ) -> SQLFragment {
    let wanted = terms.map { SQLFragment.value(.text("% \($0.joined(separator: " "))%")) }
    let list = wanted.joined(separator: ", ")
    return "\(SQLFragment(stringLiteral: function))(\(text)) LIKE ALL (ARRAY[\(list)])"
  }
}

// MARK: - Functions

extension WordsInPostgreSQL {
  static let functions = [
    ServerFunction(folding, lines + ["RETURN t;"]),
    ServerFunction(plain, [cut, "RETURN t;"]),
  ]

  /// The lines that turn the variable `t` into its words, without case and diacritics.
  static let lines =
    [
      cut, "t := lower(t COLLATE \"C\");", "IF octet_length(t) <> char_length(t) THEN",
      "t := regexp_replace(t, '[\(marks)]', '', 'g');",
    ] + FoldedScript.all.map(\.line) + ["END IF;"]

  /// One space comes before each word, and replaces all separators; marks belong to the word before them.
  private static let cut =
    "t := regexp_replace(t, '(?:^|[\(separators)])[\(separators)\(marks)]*', ' ', 'g');"
}

// MARK: - Characters

extension WordsInPostgreSQL {
  private static let separators = members(WordLists.separators)
  private static let marks = members(WordLists.marks)

  /// Ranges as a regular expression has them between brackets, without code points that are not characters.
  fileprivate static func members(_ ranges: [ClosedRange<Int>]) -> String {
    ranges.flatMap { range in
      [1...0xD7FF, 0xE000...0x10FFFF].compactMap { characters -> String? in
        guard range.overlaps(characters) else { return nil }
        let part = range.clamped(to: characters)
        return "\(escaped(part.lowerBound))-\(escaped(part.upperBound))"
      }
    }
    .joined()
  }

  private static func escaped(_ character: Int) -> String {
    let digits = String(character, radix: 16)
    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// The characters of some scripts that fold to others.
///
/// The server looks through all of them for each character of a text, from the beginning: so it does that for the scripts
/// that a text has, and finds the most frequent characters, which stay as they are, at once.
private struct FoldedScript {
  /// The line that folds the variable `t`.
  let line: String

  static let all = [
    FoldedScript(0x80...0x36F, frequent: "etaoinsrhldcumfpgwybvkxjqz0123456789"),
    FoldedScript(0x370...0x3FF, frequent: "αοιετσνηυρπκμλδγωχθφβξζψ"),
    FoldedScript(0x400...0x52F, frequent: "оеаинтсрвлкмдпуяыьгзбчхжшюцщэфъ"),
    FoldedScript(0x530...0x10FFFF, frequent: ""),
  ]

  private init(_ range: ClosedRange<Int>, frequent: String) {
    let folds = WordLists.folds.filter { range.contains($0.character) }
    let members = WordsInPostgreSQL.members(folds.map { $0.character...$0.character })
    let from = " " + frequent + Self.text(folds.map(\.character))
    let to = " " + frequent + Self.text(folds.map(\.other))
    line = "IF t ~ '[\(members)]' THEN t := translate(t, '\(from)', '\(to)'); END IF;"
  }

  private static func text(_ characters: [Int]) -> String {
    String(String.UnicodeScalarView(characters.compactMap { Unicode.Scalar(UInt32($0)) }))
  }
}
