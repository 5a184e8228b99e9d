import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Tests of questions that a server would answer differently from memory, if they were put in its
/// own words.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLAnswersTests {
  private let stack: NotesStack

  init() throws {
    stack = try NotesStack(type: NSPostgreSQLStoreType, at: PostgreSQLServer.shared.place())
  }

  /// The predicates by which the server does not find the texts that memory finds.
  private func differences(
    _ texts: [String],
    _ formats: [String],
    with arguments: [Any?] = []
  ) throws -> [String] {
    try stack.work { context -> [String] in
      for text in texts { context.note("note").text = text }
      try context.save()
      let notes = try context.fetch(Note.fetchRequest())
      return try formats.compactMap { format -> String? in
        let request = Note.fetchRequest()
        let predicate = try NSPredicate(parsing: format, arguments: arguments)
        request.predicate = predicate
        let found = try context.fetch(request).compactMap(\.text).sorted()
        let wanted = notes.filter { predicate.evaluate(with: $0) }.compactMap(\.text).sorted()
        return found == wanted ? nil : "\(format): \(found), and not \(wanted)"
      }
    }
  }

  @Test func `a small sigma at the end of a word was not what lowercase makes of it`() throws {
    let formats = [
      "lowercase:(text) == lowercase:('ΣΟΦΟΣ')", "lowercase:(text) ENDSWITH 'σ'",
      "lowercase:(text) CONTAINS 'ς'", "uppercase:(text) == 'ΣΟΦΟΣ'",
    ]
    #expect(try differences(["ΣΟΦΟΣ", "σοφος", "Σοφοσ", "ΟΔΟΣ Α"], formats) == [])
  }

  @Test func `MATCHES did not know all cases of a letter`() throws {
    let formats = [
      "text MATCHES[c] 'ΣΟΦΟΣ'", "text MATCHES[c] 'σοφος'", "text MATCHES[cd] '.*σ'",
      "text MATCHES[c] '[α-ω]+'", "text MATCHES[c] '[a-z]+'", "text MATCHES[c] '[^a-z]'",
      "text MATCHES[c] 'K'", "text MATCHES[c] 'ſ'", "text MATCHES[c] '[xs]'", "text MATCHES 's'",
    ]
    let texts = ["ΣΟΦΟΣ", "σοφος", "σοφοσ", "Kk", "k", "K", "K", "s", "S", "ſ", "x", "ς"]
    #expect(try differences(texts, formats) == [])
  }

  @Test func `MATCHES took accents and spaces of their own for no part of a word or a gap`() throws
  {
    let formats = [
      #"text MATCHES "\\w+""#, #"text MATCHES "[\\w ]+""#, #"text MATCHES "\\W""#,
      #"text MATCHES "a\\sb""#, #"text MATCHES "a\\Sb""#, #"text MATCHES "[\\s\\w]+""#,
    ]
    let texts = [
      "cafe\u{301}", "हिन्दी", "a‿b", "Ⅷ", "ⓐ", "a\u{200D}b", "a\u{1C}b", "a\u{A0}b", "a\u{85}b",
      "a\u{3000}b", "-", "word", "two words",
    ]
    #expect(try differences(texts, formats) == [])
  }

  @Test func `hyphens in brackets made ranges of other letters`() throws {
    let formats = [
      "text MATCHES[c] '[s-]+'", "text MATCHES[c] '[-s]+'", #"text MATCHES[c] "[\\w-.]+""#,
      #"text MATCHES[c] "[a-c\\-k]+""#, "text MATCHES[c] '[+-]+'",
    ]
    #expect(try differences(["s-", "t", "+-", ",", "a-K", "a.b-c", "u"], formats) == [])
  }

  @Test func `more repetitions than the server counts were an error of the server`() throws {
    #expect(try differences(["aaa", ""], ["text MATCHES 'a{1,255}'"]) == [])
    try stack.work { context in
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "text MATCHES 'a{1,300}'")
      let error = try #require(throws: NSError.self) { try context.fetch(request) }
      #expect(error.localizedFailureReason?.contains("SQLSTATE") != true)
    }
  }

  @Test func `MATCHES refused a beginning and an end that the text has anyway`() throws {
    let formats = [
      "^a", "a$", "^a$", "^a.*$", "^a|b$", "a$|^b", "^$", "^", "$", "^(a|b)+$", #"^\\^a\\$$"#,
    ]
    .map { "text MATCHES '\($0)'" }
    let texts = ["a", "ab", "b", "ba", "a\n", "\na", "", "a$", "^a", "^a$", "a|^b"]
    #expect(try differences(texts, formats) == [])
    for pattern in ["(^a)", "a^b", "(a$)", "a$b", "^^a", "a|(^b)"] {
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "text MATCHES %@", pattern)
      #expect(errorCode { try stack.work { _ = try $0.fetch(request) } } == 134_091, "\(pattern)")
    }
  }

  @Test func `LIKE took half a flag for a character, and a letter for one with an accent`() throws {
    let texts = [
      "🇩🇪", "🇩🇪🇪🇩", "👩‍👩‍👧 here", "❤️", "❤", "e\u{301}", "é", "e", "cafe\u{301}s", "cafés", "cafes",
      "한", "\u{1112}\u{1161}\u{11AB}", "क्षि", "\r\n", "\n\n", "K", "\u{212A}", "100 %", "a_b", "a(b",
      "", "\u{301}",
      "กำ", "\u{600}1", "\u{10FFFF}",
    ]
    let patterns = [
      "?", "??", "*?", "?*", "*", "e*", "*e", "é", "e\u{301}", "*é*", "caf?s", "cafe*s", "🇩🇪*", "*🇪🇩",
      "한",
      "?क*", "क*", "K", "\u{212A}", "* %", "a?b", "a\\?b", "a(?", "❤*", "\r*", "?\n", "",
      "\u{10FFFF}",
    ]
    for pattern in patterns {
      let formats = ["text LIKE %@", "NOT text LIKE %@"]
      #expect(try differences(texts, formats, with: [pattern]) == [], "\(pattern.debugDescription)")
    }
  }

  @Test func `LIKE without case and accents finds what memory finds`() throws {
    let texts = [
      "Cafés", "CAFE\u{301}S", "cafes", "Straße", "STRASSE", "ΣΟΦΟΣ", "naïve", "nai\u{308}ve",
    ]
    for pattern in ["caf?s", "*É*", "stra*e", "σοφο?", "na?ve", "NAÏVE", "?????", "*e"] {
      let formats = ["text LIKE[c] %@", "text LIKE[cd] %@", "text LIKE[d] %@"]
      #expect(try differences(texts, formats, with: [pattern]) == [], "\(pattern)")
    }
  }

  @Test func `a product too close to zero was told as a number that is too large`() throws {
    try stack.work { context in
      context.note("tiny").rating = 1e-200
      try context.save()
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "rating * rating >= 0")
      let error = try #require(throws: NSError.self) { try context.fetch(request) }
      #expect(error.localizedFailureReason?.contains("22003") == true)
      #expect(error.localizedFailureReason?.contains("too large or too close to zero") == true)
    }
  }

  @Test(arguments: [
    "a\0", "a\0b", "\0", "\0a", "a", "é\0", "b\0\0a",
  ])
  func `a constant with U+0000 was an error, and not a text that no object has`(
    constant: String
  ) throws {
    let formats = [
      "text == %@", "text != %@", "NOT text == %@", "text ==[cd] %@", "text < %@", "text <= %@",
      "text > %@", "text >= %@", "%@ < text", "%@ <= text", "%@ > text", "%@ >= text",
      "text <[c] %@", "text >=[cd] %@", "text CONTAINS %@", "text CONTAINS[cd] %@",
      "text BEGINSWITH %@", "text ENDSWITH[c] %@", "text LIKE %@", "NOT text CONTAINS %@",
      "%@ CONTAINS text", "%@ BEGINSWITH text", "%@ ENDSWITH text", "text IN %@", "%@ IN text",
    ]
    let texts = ["a", "ab", "A", "a\u{1}", "b", "", "á", "é", "éa"]
    #expect(try differences(texts, formats, with: [constant]) == [])
    let bounds = [
      "text BETWEEN {%@, 'b'}", "text BETWEEN {'a', %@}", "text IN {%@, 'a'}", "NOT text IN {%@}",
    ]
    #expect(try differences(texts, bounds, with: [constant]) == [])
  }

  @Test(arguments: [StoreKind.sqlite, .postgreSQL])
  func `a decimal that is no number was larger than all numbers, and not nil`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.note("none").price = .notANumber
      context.note("ten").price = NSDecimalNumber(value: 10)
      try context.save()
      context.reset()
      for (format, titles) in [
        ("price > 5", ["ten"]), ("price == nil", ["none"]), ("price != nil", ["ten"]),
      ] {
        let request = Note.fetchRequest()
        request.predicate = NSPredicate(format: format)
        #expect(try context.fetch(request).compactMap(\.title) == titles, "\(format)")
      }
    }
  }

  @Test func `what is divided by a floating-point zero was nil and not infinite`() throws {
    let values: [(Int?, Double)] = [(3, 0), (-3, 0), (0, 0), (3, 2), (nil, 0)]
    try stack.work { context in
      for (views, rating) in values {
        let note = context.note("note")
        note.views = views.map { NSNumber(value: $0) }
        note.rating = rating
      }
      try context.save()
      let notes = try context.fetch(Note.fetchRequest())
      let formats = [
        "views / rating > 100", "views / rating < -100", "views / rating == nil",
        "views / rating == 1.5", "rating / views > 100", "1.5 / views < 0", "1.5 / rating > 100",
        "views / rating + 1 > 100", "NOT views / rating > 100",
      ]
      for format in formats {
        let request = Note.fetchRequest()
        let predicate = try NSPredicate(parsing: format)
        request.predicate = predicate
        let found = try context.fetch(request).map(\.objectID)
        let wanted = notes.filter { predicate.evaluate(with: $0) }.map(\.objectID)
        #expect(Set(found) == Set(wanted), "\(format)")
      }
    }
  }
}
