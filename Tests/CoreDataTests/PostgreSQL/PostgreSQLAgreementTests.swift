import CoreDataPostgreSQL
import CoreDataPredicates
import CoreDataSQL
import TestSupport
import Testing

@testable import CoreData

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
      // What memory has no answer to is not compared.
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
    try connection.run(plain: TextsInPostgreSQL.statements.joined(separator: ";\n"))
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
