import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Memory cuts and folds words as SQLite's tokenizer does, which indexes of words are made with.
@Suite struct WordTokenizerTests {
  private static let options: Comparison.Options = [
    .caseInsensitive, .diacriticInsensitive, .wordBased,
  ]

  private func index() throws -> Connection {
    let connection = try Connection(path: ":memory:")
    try connection.run(
      """
      CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'unicode61 remove_diacritics 2', \
      prefix = '1 2 3', detail = 'full')
      """
    )
    try connection.run("CREATE VIRTUAL TABLE tokens USING fts5vocab(words, instance)")
    return connection
  }

  /// The different words of each text, as the tokenizer has them.
  private func tokens(of texts: [String]) throws -> [Set<String>] {
    let connection = try index()
    for (number, text) in texts.enumerated() {
      try connection.run(
        "INSERT INTO words (rowid, text) VALUES (\(.integer(Int64(number))), \(.text(text)))"
          as SQLFragment
      )
    }
    var tokens = [Set<String>](repeating: [], count: texts.count)
    let statement = try connection.statement("SELECT doc, term FROM tokens")
    defer { statement.reset() }
    while try statement.step() { tokens[Int(statement.integer(0))].insert(statement.text(1)) }
    return tokens
  }

  private func words(of text: String) -> Set<String> {
    Set(
      WordSearch(text, Self.options).terms.flatMap(\.words).map {
        String(decoding: $0, as: UTF8.self)
      }
    )
  }

  /// Alone, within a word and at its end; sixty characters in a text.
  @Test(arguments: [
    0x1...0x2FFF, 0x3000...0x33FF, 0xA000...0xABFF, 0xF900...0x10FFF, 0x1D000...0x1D7FF,
    0x1E800...0x1FFFF, 0xDFF00...0xE01FF,
  ]) func `every character is to words what it is to SQLite`(range: ClosedRange<UInt32>) throws {
    let scalars = range.compactMap(Unicode.Scalar.init)
    let texts = stride(from: 0, to: scalars.count, by: 60).map { start in
      scalars[start..<min(start + 60, scalars.count)]
        .map { "x\($0)y \($0) z\($0)" }
        .joined(separator: "\n")
    }
    for (text, tokens) in zip(texts, try tokens(of: texts)) {
      // Swift compares SQLite's strings by their characters; the bytes decide here.
      #expect(Set(words(of: text).map { Array($0.utf8) }) == Set(tokens.map { Array($0.utf8) }))
    }
  }

  @Test func `random texts have the words that SQLite finds`() throws {
    var random = SeededGenerator(state: 61)
    let texts = (0..<400).map { _ in WordTexts.text(&random) }
    for (text, tokens) in zip(texts, try tokens(of: texts)) {
      #expect(
        Set(words(of: text).map { Array($0.utf8) }) == Set(tokens.map { Array($0.utf8) }),
        "\(text.unicodeScalars.map(\.value))"
      )
    }
  }

  @Test func `words longer than SQLite keeps are found by their beginnings`() throws {
    let connection = try index()
    let long = String(repeating: "é", count: 20_000) + String(repeating: "日", count: 20_000)
    try connection.run("INSERT INTO words (rowid, text) VALUES (1, \(.text(long)))" as SQLFragment)
    for count in [1, 2, 10_000, 30_000, 39_999, 40_000] {
      let pattern = String(long.prefix(count))
      let search = WordSearch(pattern, Self.options)
      let question = "\"\(String(decoding: search.terms[0].words[0], as: UTF8.self))\"*"
      let found = try connection.integer(
        "SELECT COUNT(*) FROM words WHERE words MATCH \(.text(question))" as SQLFragment
      )
      #expect(found == 1, "\(count) characters")
      #expect(
        NSPredicate(format: "SELF CONTAINS[cdw] %@", pattern).evaluate(with: long),
        "\(count) characters"
      )
    }
  }

  @Test func `bytes that are no text are no words either`() throws {
    let connection = try Connection(path: ":memory:")
    TextFunctions.register(on: connection)
    for bytes in ["C3", "E282", "F09F98", "FFFE61", "61C3", "80BF61"] {
      let text: SQLFragment = "CAST(x'\(SQLFragment(stringLiteral: bytes))' AS TEXT)"
      let found = try connection.integer("SELECT COREDATA_WORDS(\(text), 'zz', 65539)")
      #expect(found == 0)
    }
  }
}

/// Texts of many scripts, with everything that makes cutting them hard.
enum WordTexts {
  static let pieces: [String] = [
    "a", "b", "A", "Z", "th", "The", "e\u{301}", "é", "É", "ß", "ẞ", "ı", "İ", "ſ", "ﬁ", "Ǆ", "œ",
    "Ω", "ω", "ς", "Σ", "ά", "Й", "й", "ё", "한", "글", "日", "本", "ー", "ア", "नमस्ते", "ไทย", "שָׁלוֹם",
    "مَرْحَبًا", "\u{345}", "\u{308}", "\u{20E3}", "1", "2", "٣", "½", "²", "Ⅳ", "❤️", "🚀", "🫠", "🇩🇪",
    "_", "-", "'", "’", "\"", "*", "(", ")", "{", "}", ":", "^", "+", " AND ", " OR ", " NOT ",
    " NEAR(", ".", ",", "\n", "\t", "\u{0}", "\u{A0}", "\u{200B}", "\u{200D}", "\u{FEFF}",
    "\u{FFFD}", "\u{E000}", "\u{10FFFF}", "%", "€", "中", "Ａ", "ａ", "𝐀", "𐐀", "ȿ", "Ⱥ", "ᾳ", "ṩ",
  ]

  static func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<random.index(below: 24) {
      text += random.one(of: pieces)
      if random.chance(1, of: 4) { text += " " }
    }
    return text
  }

  /// Texts that somebody might look for: beginnings of words, and anything else.
  static func pattern(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<1 + random.index(below: 3) {
      text += random.one(of: pieces)
      if random.chance(1, of: 2) { text += " " }
    }
    return text
  }
}
