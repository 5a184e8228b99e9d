import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

/// The database and memory have to find the same objects, whatever they are asked.
struct PredicateAgreementTests {
  @Test func `two thousand predicates find the same notes in SQL and in memory`() throws {
    let desk = try Desk(seed: 7)
    var predicates = RandomPredicates(random: SeededGenerator(state: 11), desk: desk)
    let notes = desk.objects(of: "Note")
    var unanswered = 0
    var differences: [String] = []
    var sizes: Set<Int> = []
    for _ in 0..<2_000 {
      let predicate = predicates.predicate()
      guard let expected = try? notes.filter({ try predicate.evaluate(with: $0) }) else {
        unanswered += 1
        continue
      }
      let found = try desk.numbers(predicate)
      sizes.insert(found.count)
      if found != expected.map(\.number) {
        differences.append("\(predicate)\nmemory \(expected.map(\.number))\nSQL    \(found)")
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    // The test is worth nothing if most predicates find nothing, or are not answered.
    #expect(sizes.count > 40)
    #expect(unanswered < 100)
  }

  @Test(arguments: [
    "createdAt + 3600 > createdAt", "createdAt - 60 == createdAt", "createdAt < createdAt + stars",
    "sqrt(0 - stars) == nil", "NOT ln(0 - stars) > 1",
  ])
  func `dates in calculations, and functions without a result, are the same`(
    format: String
  ) throws {
    let desk = try Desk(seed: 7)
    let predicate = try PredicateFormat.predicate(format, arguments: [])
    let expected = try desk.objects(of: "Note").filter { try predicate.evaluate(with: $0) }
    #expect(try desk.numbers(predicate) == expected.map(\.number))
  }

  @Test func `a hundred thousand constants are one value`() throws {
    let desk = try Desk(seed: 7)
    let stars = Comparison(.path("stars"), .in, .constant(Constant(Array(2...100_001))))
    let notes = desk.objects(of: "Note")
    let expected = notes.filter { ($0.values["stars"] as? Int).map { $0 >= 2 } ?? false }
    #expect(try desk.numbers(.comparison(stars)) == expected.map(\.number))
    let objects = Comparison(.evaluatedObject, .in, .constant(Constant(notes)))
    #expect(try desk.numbers(.comparison(objects)).count == notes.count)
  }

  @Test func `a chain of ten thousand conditions is not too deep`() throws {
    let desk = try Desk(seed: 7)
    let terms = (1...10_000).map { number in
      CoreDataPredicates.PredicateTree.comparison(
        Comparison(.path("stars"), .equalTo, .constant(Constant(number)))
      )
    }
    let expected = desk.objects(of: "Note").filter {
      ($0.values["stars"] as? Int).map { $0 > 0 } ?? false
    }
    #expect(try desk.numbers(.or(terms)) == expected.map(\.number))
  }

  @Test func `rows come in the order that memory sorts objects in`() throws {
    let desk = try Desk(seed: 7)
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
        let found = try desk.numbers(.constant(true), sortedBy: [term])
        #expect(found == expected.map(\.element.number), "\(term)")
      }
    }
  }
}

struct TextOrderTests {
  @Test func `ASCII without regard to case has the order that Foundation gives it`() {
    var random = SeededGenerator(state: 3)
    var differences: [String] = []
    for _ in 0..<20_000 {
      let texts = (0..<2).map { _ in
        String(
          decoding: (0..<random.index(below: 4)).map { _ in
            UInt8(1 + random.index(below: 127))
          },
          as: UTF8.self
        )
      }
      let fast = CoreDataPredicates.SortOrder.caseInsensitive.compareTexts(texts[0], texts[1])
      if fast != texts[0].caseInsensitiveCompare(texts[1]) { differences.append("\(texts)") }
    }
    #expect(differences.isEmpty, "\(differences.prefix(5))")
  }
}

extension Desk {
  /// The keys of the notes that the database finds.
  fileprivate func numbers(
    _ predicate: CoreDataPredicates.PredicateTree,
    sortedBy terms: [SortTerm] = []
  ) throws -> [Int] {
    var compiler = try PredicateCompiler.desk()
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
