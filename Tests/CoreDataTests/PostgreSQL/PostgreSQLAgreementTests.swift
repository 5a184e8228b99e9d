import CoreDataPredicates
import CoreDataSQL
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// A server has to find the objects that memory finds, or refuse with a sentence.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLAgreementTests {
  private let desk: Desk
  private let connection: PostgreSQLConnection

  init() throws {
    desk = try Desk(seed: 7)
    connection = try PostgreSQLServer.shared.connection()
    let schema = PostgreSQLSchema(map: .desk)
    try connection.run(plain: schema.statements.joined(separator: ";\n"))
    try desk.fill(connection, zone: "$1")
  }

  @Test func `hundreds of predicates find the same notes on a server and in memory`() throws {
    var predicates = RandomPredicates(random: SeededGenerator(state: 11), desk: desk)
    let notes = desk.objects(of: "Note")
    var refused = 0
    var differences: [String] = []
    for _ in 0..<Tries.count(500, long: 5_000) {
      let predicate = predicates.predicate()
      // Predicates that memory cannot answer are not compared.
      guard let expected = try? notes.filter({ try predicate.evaluate(with: $0) }) else { continue }
      do {
        let found = try numbers(predicate)
        if found != expected.map(\.number) {
          differences.append("\(predicate)\nmemory \(expected.map(\.number))\nserver \(found)")
        }
      } catch is PredicateCompilationError {
        refused += 1
      } catch {
        differences.append("\(predicate)\n\(error)")
      }
    }
    #expect(
      differences.isEmpty,
      "\(differences.count): \(differences.prefix(8).joined(separator: "\n"))"
    )
    // The test is worth nothing if most predicates are refused.
    #expect(refused < Tries.count(25, long: 250))
  }

  @Test func `rows of a server come in the order that memory sorts objects in`() throws {
    let keys = [
      "title", "body", "stars", "isDone", "createdAt", "price", "ratio", "code", "link", "payload",
      "folder.name", "folder.parent.rank", "tags.@count",
    ]
    let orders: [CoreDataPredicates.SortOrder] = [
      .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
    ]
    var terms = keys.map { CoreDataPredicates.SortTerm(keyPath: $0.keys, ascending: true) }
    terms += orders.map { SortTerm(keyPath: ["title"], ascending: true, order: $0) }
    for var term in terms {
      for ascending in [true, false] {
        term.ascending = ascending
        let expected = try desk.objects(of: "Note").enumerated().sorted { one, other in
          let order = try term.compare(one.element, to: other.element)
          return order == .orderedSame
            ? one.element.number < other.element.number : order == .orderedAscending
        }
        let found = try numbers(.constant(true), sortedBy: [term])
        #expect(found == expected.map(\.element.number), "\(term)")
      }
    }
  }

  @Test func `a hundred thousand constants are one value on a server too`() throws {
    let stars = Comparison(.path("stars"), .in, .constant(Constant(Array(2...100_001))))
    let expected = desk.objects(of: "Note").filter {
      ($0.values["stars"] as? Int).map { $0 >= 2 } ?? false
    }
    #expect(try numbers(.comparison(stars)) == expected.map(\.number))
  }

  private func numbers(
    _ predicate: CoreDataPredicates.PredicateTree,
    sortedBy terms: [SortTerm] = []
  ) throws -> [Int] {
    var compiler = try PredicateCompiler.desk(dialect: PostgreSQLDialect())
    var select = Select([.column("Z_PK", of: "t0")], from: "ZNOTE", as: "t0")
    select.filter = try compiler.condition(predicate)
    select.order = try compiler.order(terms)
    select.joins = compiler.joins
    let statement = try connection.statement(select.fragment)
    defer { statement.reset() }
    var numbers: [Int] = []
    while try statement.step() { numbers.append(Int(statement.integer(0))) }
    return numbers
  }
}

/// Texts are folded on a server as memory folds them.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLFoldingTests {
  private let connection: PostgreSQLConnection

  init() throws {
    connection = try PostgreSQLServer.shared.connection()
    let statements = TextsInPostgreSQL.functions.map(\.statement)
    try connection.run(plain: statements.joined(separator: ";\n"))
  }

  private static let options: [Comparison.Options] = [
    .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  @Test(arguments: options.indices)
  func `every letter is folded as memory folds it`(index: Int) throws {
    let options = Self.options[index]
    let ranges: [ClosedRange<UInt32>] = [
      1...0x52F, 0x1E00...0x24FF, 0xFB00...0xFB17, 0xFF21...0xFF5A, 0x10400...0x1044F,
    ]
    let letters = ranges.joined().compactMap(Unicode.Scalar.init).map { "x\($0)" }
    #expect(try folded(letters, options) == letters.map(options.folded).map { Array($0.utf8) })
  }

  @Test func `letters with marks of their own lose them`() throws {
    let texts = [
      "e\u{301}", "\u{301}e", "o\u{308}\u{304}x", "Ü\u{301}ber", "и\u{306}", "日本語\u{301}",
    ]
    for options in Self.options {
      #expect(try folded(texts, options) == texts.map(options.folded).map { Array($0.utf8) })
    }
  }

  private func folded(_ texts: [String], _ options: Comparison.Options) throws -> [[UInt8]] {
    let dialect = PostgreSQLDialect()
    let list = try #require(dialect.lists(.texts(texts)).first)
    let statement = try connection.statement(
      "SELECT \(dialect.folded("\"text\"", options)) FROM (\(list)) \"list\" (\"text\")"
    )
    var found: [[UInt8]] = []
    while try statement.step() { found.append(Array(statement.text(0).utf8)) }
    return found
  }
}

/// Words are cut and folded on a server as SQLite's tokenizer, and memory with it, does it.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLWordTests {
  private let connection: PostgreSQLConnection
  private static let folding: Comparison.Options = [
    .wordBased, .caseInsensitive, .diacriticInsensitive,
  ]

  init() throws {
    connection = try PostgreSQLServer.shared.connection()
    let statements = ServerFunction.all.map(\.statement)
    try connection.run(plain: statements.joined(separator: ";\n"))
  }

  @Test(arguments: [folding, [.wordBased]])
  func `every character is to words on a server what it is in memory`(
    options: Comparison.Options
  ) throws {
    let ranges: [ClosedRange<UInt32>] = [
      1...0x52F, 0x590...0x6FF, 0x900...0x97F, 0x1E00...0x24FF, 0x3000...0x30FF, 0xA640...0xA7FF,
      0xFB00...0xFB17, 0xFE00...0xFF5A, 0x10400...0x1044F, 0x1F600...0x1F640, 0xE0000...0xE0200,
    ]
    let texts = ranges.joined().compactMap(Unicode.Scalar.init).map { "x\($0)y" }
    let function: SQLFragment =
      options.foldsWords ? "coredata_words" : "coredata_words_alone"
    let found = try rows(texts) { "\(function)(\($0))" }.map { Array($0.utf8) }
    let wanted = texts.map { text in
      WordSearch(text, options).terms.flatMap { term in term.words.map { [UInt8(32)] + $0 } }
        .flatMap(\.self)
    }
    #expect(found == wanted)
  }

  @Test func `a random search for words finds the same on a server`() throws {
    var random = SeededGenerator(state: 1989)
    let texts = (0..<60).map { _ in
      WordTexts.text(&random).replacing("\u{0}", with: "")
    }
    var hits = 0
    for number in 0..<60 {
      var pattern = WordTexts.pattern(&random).replacing("\u{0}", with: "")
      if number % 3 == 0 { pattern = "\"\(pattern)\"" }
      for options in [Self.folding, [.wordBased]] {
        let search = WordSearch(pattern, options)
        if search.terms.isEmpty { continue }
        let wanted = texts.map { NSPredicate.words(pattern, options, in: $0) }
        let found = try rows(texts) { text in
          let condition = try #require(WordsInPostgreSQL.found(pattern, in: text, options))
          return "CAST(\(condition) AS TEXT)"
        }
        hits += wanted.count { $0 }
        #expect(found == wanted.map { $0 ? "true" : "false" }, "\(pattern) \(options.rawValue)")
      }
    }
    #expect(hits > 50)
  }

  @Test func `words are found with the options that a search has`() throws {
    let texts = ["Crème brûlée", "crème glacée", "creme brulee", "Décrème"]
    let wanted: [(Comparison.Options, [Bool])] = [
      ([.wordBased], [false, true, false, false]),
      ([.wordBased, .caseInsensitive], [true, true, false, false]),
      ([.wordBased, .diacriticInsensitive], [false, true, true, false]),
      (Self.folding, [true, true, true, false]),
    ]
    for (options, answers) in wanted {
      let found = try rows(texts) { text in
        let condition = try #require(WordsInPostgreSQL.found("crèm", in: text, options))
        return "CAST(\(condition) AS TEXT)"
      }
      #expect(found == answers.map { $0 ? "true" : "false" }, "\(options.rawValue)")
    }
  }

  /// The value of an expression for each text.
  private func rows(
    _ texts: [String],
    _ expression: (SQLFragment) throws -> SQLFragment
  ) throws -> [String] {
    let list = try #require(PostgreSQLDialect().lists(.texts(texts)).first)
    let value = try expression("\"text\"")
    let statement = try connection.statement(
      "SELECT \(value) FROM (\(list)) \"list\" (\"text\")"
    )
    defer { statement.reset() }
    var found: [String] = []
    while try statement.step() { found.append(statement.text(0)) }
    return found
  }
}

extension NSPredicate {
  /// Whether memory finds the words of a pattern in a text.
  fileprivate static func words(
    _ pattern: String,
    _ options: Comparison.Options,
    in text: String
  ) -> Bool {
    NSComparisonPredicate(
      leftExpression: .expressionForEvaluatedObject(),
      rightExpression: NSExpression(forConstantValue: pattern),
      modifier: .direct,
      type: .contains,
      options: options
    )
    .evaluate(with: text)
  }
}

extension PostgreSQLServer {
  /// A connection to an empty schema.
  func connection() throws -> PostgreSQLConnection {
    let address = try PostgreSQLAddress(place(), options: nil)
    return PostgreSQLConnection(
      try PostgreSQLShell.connect(address),
      zone: address.zone,
      namesStatements: true
    )
  }
}
