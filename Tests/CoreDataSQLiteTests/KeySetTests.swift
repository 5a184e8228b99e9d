import CoreDataSQL
import Foundation
import Testing

@testable import CoreDataSQLite

/// Keys that a question finds, asked of each row.
struct KeySetTests {
  @Test(arguments: [
    [], [7], [0, 1, 2, 63, 64, 65, 1000], [5, 5, 5], [3, 1, 2], [-3, 900, 12],
    [1, 1_000_000, 2_000_000_000], [Int64.min, 0, Int64.max], [Int64.max - 1, Int64.max],
  ])
  func `a set has its keys and no others`(keys: [Int64]) {
    let set = KeySet(keys)
    for key in keys { #expect(set.contains(key)) }
    let near = keys.flatMap { [$0 &- 1, $0 &+ 1, $0 &- 64, $0 &+ 64] } + [0, .min, .max]
    for key in near { #expect(set.contains(key) == keys.contains(key), "\(key)") }
  }

  /// A table of numbers, and a function that finds those that a factor divides.
  private struct Numbers {
    let connection: Connection
    let asked: Asked

    final class Asked {
      var questions: [String] = []
    }

    init(_ path: String) throws {
      connection = try Connection(path: path)
      let asked = Asked()
      self.asked = asked
      connection.define(keySets: "DIVISIBLE") { table, factor in
        asked.questions.append(factor)
        return """
          SELECT "n" FROM \(name: table) WHERE "n" % CAST(\(.text(factor)) AS INTEGER) = 0
          """
      }
    }

    func fill() throws {
      try connection.run("CREATE TABLE \"t\" (\"n\" INTEGER PRIMARY KEY)")
      try connection.run(
        """
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100)
        INSERT INTO "t" SELECT n FROM c
        """
      )
    }

    func count(_ factor: String) throws -> Int64? {
      try connection.integer(
        "SELECT COUNT(*) FROM \"t\" WHERE DIVISIBLE(\(.text("t")), \(.text(factor)), \"n\")"
      )
    }
  }

  @Test func `a question is asked once, until somebody writes`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let numbers = try Numbers(file.path)
    try numbers.fill()
    #expect(try numbers.count("7") == 14)
    #expect(try numbers.count("7") == 14)
    #expect(numbers.asked.questions == ["7"])
    #expect(try numbers.count("10") == 10)
    #expect(try numbers.count("7") == 14)
    #expect(numbers.asked.questions == ["7", "10"])
    try numbers.connection.run("DELETE FROM \"t\" WHERE \"n\" = 7")
    #expect(try numbers.count("7") == 13)
    let other = try Connection(path: file.path)
    try other.run("DELETE FROM \"t\" WHERE \"n\" = 14")
    #expect(try numbers.count("7") == 12)
    #expect(numbers.asked.questions == ["7", "10", "7", "7"])
  }

  @Test func `what a transaction saw that was rolled back is not kept`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let numbers = try Numbers(file.path)
    try numbers.fill()
    #expect(try numbers.count("7") == 14)
    try numbers.connection.run("BEGIN")
    try numbers.connection.run("DELETE FROM \"t\" WHERE \"n\" < 50")
    #expect(try numbers.count("7") == 7)
    try numbers.connection.run("ROLLBACK")
    #expect(try numbers.count("7") == 14)
  }

  @Test func `a question that cannot be asked is the statement's error`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let numbers = try Numbers(file.path)
    try numbers.fill()
    let error = #expect(throws: SQLiteError.self) {
      try numbers.connection.integer(
        "SELECT COUNT(*) FROM \"t\" WHERE DIVISIBLE(\(.text("none")), \(.text("2")), \"n\")"
      )
    }
    #expect(error?.message.contains("no such table: none") == true)
    #expect(try numbers.count("50") == 2)
  }
}
