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
/// No index answers: the words of each text are cut anew. A millisecond is enough for one to four texts of a kilobyte.
enum WordsInPostgreSQL {
  private static let folding = "coredata_words"
  private static let plain = "coredata_words_alone"

  /// What holds for texts with all words and phrases of a pattern; nil where no text of the server can tell.
  ///
  /// Words have letters and digits only, so that none means anything to `LIKE`.
  static func found(
    _ pattern: String,
    in text: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment? {
    let search = WordSearch(pattern, options)
    if search.hasEndlessPhrase { return nil }
    let wanted = search.terms.map { term -> SQLFragment in
      let words = term.words.map { String(decoding: $0, as: UTF8.self) }
      return .value(.text("% \(words.joined(separator: " "))%"))
    }
    let function = SQLFragment(stringLiteral: options.foldsWords ? folding : plain)
    let text = options.foldsWords ? text : PostgreSQLDialect().folded(text, options)
    return "\(function)(\(text)) LIKE ALL (ARRAY[\(wanted.joined(separator: ", "))])"
  }
}

// MARK: - Functions

extension WordsInPostgreSQL {
  /// The statements that make the functions.
  static let statements = [
    function(folding, [cut, lowered, withoutMarks, "RETURN translate(t, '\(from)', '\(to)');"]),
    function(plain, [cut, "RETURN t;"]),
  ]

  /// One space stands in front of each word, and for all that separates words; marks belong to the word before them.
  private static let cut =
    "t := regexp_replace(t, '(?:^|[\(separators)])[\(separators)\(marks)]*', ' ', 'g');"

  private static let lowered =
    "IF octet_length(t) = char_length(t) THEN RETURN lower(t COLLATE \"C\"); END IF;"

  private static let withoutMarks = "t := regexp_replace(t, '[\(marks)]', '', 'g');"

  private static func function(_ name: String, _ lines: [String]) -> String {
    """
    CREATE OR REPLACE FUNCTION \(name)(t text) RETURNS text \
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $coredata$
    BEGIN
    \(lines.joined(separator: "\n"))
    END
    $coredata$
    """
  }
}

// MARK: - Characters

extension WordsInPostgreSQL {
  private static let separators = members(WordLists.separators)
  private static let marks = members(WordLists.marks)

  /// The server looks from the beginning for each character of a text: the most frequent come first.
  private static let frequent = " etaoinsrhldcumfpgwybvkxjqz0123456789"
  private static let from = frequent + text(WordLists.folds.map(\.character))
  private static let to = frequent + text(WordLists.folds.map(\.other))

  /// Ranges as a regular expression has them between brackets, without what is no character.
  private static func members(_ ranges: [ClosedRange<Int>]) -> String {
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

  private static func text(_ characters: [Int]) -> String {
    String(String.UnicodeScalarView(characters.compactMap { Unicode.Scalar(UInt32($0)) }))
  }
}
