import CoreData
import CoreDataSQL

/// An index of words on the rows themselves: the words of a row's texts as one value, which the server's own kind of
/// index (GIN) has by their beginnings.
///
/// ```
/// "ZNOTE", texts 1 and 2          coredata_kept_words(z_zone, "ZBODY", "ZTITLE")
/// "Six eggs"  "Crème"             c21f969b1eggs  c21f969b1six  c21f969b2creme
///
/// title CONTAINS[cdw] 'bru'       … @@ coredata_wanted_words($1, '(''~2bru'':*) | ''~''')
/// ```
///
/// In front of each word are eight signs of the zone, so that the words of one zone are together, and the number of
/// the column. A missing index makes a search slow, but not wrong: the server computes the value then.
///
/// The index cannot answer three things, so the texts of the rows that it gives are looked at: whether words are next
/// to each other, how words of hundreds of letters end, and the contents of texts of so many words that the value
/// would be too large. Such a row has a single sign, which every question finds.
struct KeptWords: WordIndexColumns {
  private static let function = "coredata_kept_words"
  private static let question = "coredata_wanted_words"

  func isFound(
    _ question: TextQuestion,
    in index: TextIndex,
    of alias: String
  ) -> SQLFragment {
    let texts = RowTexts(index: index, alias: alias)
    let wanted = WantedWords(question, in: index)
    if wanted.text.utf8.count > Self.longestQuestion { return "(\(texts.hold(question)))" }
    let value = Self.value(of: texts.columns, zone: .column("z_zone", of: alias))
    let check: SQLFragment =
      wanted.isWhole
      ? "(\(texts.areShort) OR \(texts.hold(question)))"
      : texts.hold(question)
    return """
      (\(value) @@ \(SQLFragment(stringLiteral: Self.question))($1, \(.text(wanted.text))) \
      AND \(check))
      """
  }

  private static func value(of columns: [SQLFragment], zone: SQLFragment) -> SQLFragment {
    let texts = columns.joined(separator: ", ")
    return "\(SQLFragment(stringLiteral: function))(\(zone), \(texts))"
  }
}

// MARK: - The server's side

extension KeptWords {
  /// The greatest value that the server accepts, in bytes, and a little less.
  private static let mostBytes = 1_000_000
  /// Texts of so many bytes together cannot become too much, however short their words are.
  fileprivate static let shortTexts = 120_000
  /// The longest question that the server can read, in bytes, and much less.
  private static let longestQuestion = 100_000
  /// How much of a word is kept, with the signs before it.
  fileprivate static let longestWord = 250

  private static let sign = "left(encode(sha256(convert_to(z, 'UTF8')), 'hex'), \(signLength))"
  fileprivate static let signLength = 8

  static let functions = [
    ServerFunction(
      function,
      of: "z text, VARIADIC texts text[]",
      returns: "tsvector",
      cost: 10_000,
      declaring: ["sign text := \(sign);", "words text := '';", "t text;"],
      [
        "FOR n IN 1..cardinality(texts) LOOP",
        "t := texts[n];",
        "IF t IS NULL THEN CONTINUE; END IF;",
      ] + WordsInPostgreSQL.lines + [
        "words := words || replace(rtrim(t, ' '), ' ', ' ' || sign || n);",
        "END LOOP;",
        "IF words ~ '[^ ]{\(longestWord + 1)}' THEN",
        "words := regexp_replace(words, '([^ ]{\(longestWord)})[^ ]+', '\\1', 'g');",
        "END IF;",
        "IF octet_length(words) > \(mostBytes) THEN words := ' ' || sign; END IF;",
        "RETURN array_to_tsvector(string_to_array(substr(words, 2), ' '));",
      ]
    ),
    ServerFunction(
      question,
      of: "z text, question text",
      returns: "tsquery",
      ["RETURN CAST(replace(question, '~', \(sign)) AS tsquery);"]
    ),
  ]

  /// The prefix of the names of the indexes.
  static let indexPrefix = "coredata_words_"

  static func indexName(_ index: TextIndex) -> String {
    indexPrefix + PostgreSQLSchema.hash(([index.table] + index.columns).joined(separator: "\n"))
  }

  /// Reads every text of the table.
  static func creation(of index: TextIndex) -> String {
    let value = value(of: index.columns.map { .column($0) }, zone: "z_zone")
    let statement: SQLFragment = """
      CREATE INDEX \(name: indexName(index)) ON \(name: index.table) USING gin (\(value))
      """
    return statement.rendered(for: .postgreSQL).sql
  }
}

// MARK: - A question to the index

/// A question in the server's language, with `~` for the signs of the zone.
///
/// Words have letters and digits only, so that no text can be anything else.
private struct WantedWords {
  let text: String
  /// Whether the index finds what the question means, and nothing else.
  let isWhole: Bool

  private init(_ text: String, isWhole: Bool) {
    self.text = text
    self.isWhole = isWhole
  }

  init(_ question: TextQuestion, in index: TextIndex) {
    let part = Self.part(question, index)
    text = "(\(part.text)) | '~'"
    isWhole = part.isWhole
  }

  private static func part(_ question: TextQuestion, _ index: TextIndex) -> WantedWords {
    switch question {
    case .terms(let terms, let columns):
      return joined(
        columns.map { column in
          let number = (index.columns.firstIndex(of: column) ?? 0) + 1
          return joined(terms.map { part($0, number) }, by: " & ")
        },
        by: " | "
      )
    case .all(let parts): return joined(parts.map { part($0, index) }, by: " & ")
    case .any(let parts): return joined(parts.map { part($0, index) }, by: " | ")
    case .without(let wanted, let unwanted):
      let (wanted, unwanted) = (part(wanted, index), part(unwanted, index))
      // A question that finds too much must not be subtracted.
      if !unwanted.isWhole { return WantedWords(wanted.text, isWhole: false) }
      return WantedWords("(\(wanted.text)) & !(\(unwanted.text))", isWhole: wanted.isWhole)
    }
  }

  private static func part(_ term: TextQuestion.Term, _ column: Int) -> WantedWords {
    let room = KeptWords.longestWord - KeptWords.signLength - String(column).count
    let words = term.words.map { String($0.unicodeScalars.prefix(room)) }
    let names = words.map { "'~\(column)\($0)'" }.joined(separator: " & ")
    return WantedWords(names + ":*", isWhole: words == term.words && words.count == 1)
  }

  private static func joined(_ parts: [WantedWords], by sign: String) -> WantedWords {
    WantedWords(
      parts.map { parts.count == 1 ? $0.text : "(\($0.text))" }.joined(separator: sign),
      isWhole: parts.allSatisfy(\.isWhole)
    )
  }
}

// MARK: - The texts of a row

/// The texts behind an index, which answer everything.
private struct RowTexts {
  let index: TextIndex
  let alias: String

  var columns: [SQLFragment] { index.columns.map { .column($0, of: alias) } }

  /// Whether they have so few bytes that the index knows all their words; the server can answer this without reading
  /// them.
  var areShort: SQLFragment {
    let sizes = columns.map { "octet_length(\($0))" as SQLFragment }.joined(separator: ", ")
    let size = Int64(KeptWords.shortTexts / columns.count)
    return "GREATEST(0, \(sizes)) <= \(.integer(size))"
  }

  /// Whether a question finds the row; never NULL.
  func hold(_ question: TextQuestion) -> SQLFragment {
    switch question {
    case .terms(let terms, let columns):
      return joined(
        columns.map { column in
          let found = WordsInPostgreSQL.found(terms.map(\.words), in: .column(column, of: alias))
          return "COALESCE(\(found), FALSE)"
        },
        by: " OR "
      )
    case .all(let parts): return joined(parts.map(hold), by: " AND ")
    case .any(let parts): return joined(parts.map(hold), by: " OR ")
    case .without(let wanted, let unwanted): return "(\(hold(wanted)) AND NOT \(hold(unwanted)))"
    }
  }

  private func joined(_ parts: [SQLFragment], by sign: String) -> SQLFragment {
    parts.count == 1 ? parts[0] : "(\(parts.joined(separator: sign)))"
  }
}
