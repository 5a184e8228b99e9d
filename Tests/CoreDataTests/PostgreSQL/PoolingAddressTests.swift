import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Addresses that say how a pooler in front of the server lends connections.
@Suite struct PoolingAddressTests {
  private func address(
    _ text: String,
    _ options: [String: Any] = [:]
  ) throws -> PostgreSQLAddress {
    try PostgreSQLAddress(URL(string: text), options: options)
  }

  /// The database name that libpq gets.
  private func place(_ address: PostgreSQLAddress) -> String? {
    address.settings.first { $0.name == "dbname" }?.value
  }

  @Test(arguments: [
    ("postgresql://ada@db/notes?pooling=transaction", "postgresql://ada@db/notes", true),
    (
      "postgresql://db/notes?sslmode=require&pooling=session",
      "postgresql://db/notes?sslmode=require", false
    ),
    (
      "postgresql:///notes?host=run/a%20b&pooling=transaction&port=6432",
      "postgresql:///notes?host=run/a%20b&port=6432", true
    ),
    (
      "postgresql://db/n?options=-csearch_path%3Dpooling",
      "postgresql://db/n?options=-csearch_path%3Dpooling",
      false
    ),
  ])
  func `libpq does not hear of a pooler, and refused the address that named it`(
    given: String,
    taken: String,
    isLent: Bool
  ) throws {
    let address = try address(given)
    #expect(place(address) == taken)
    #expect(address.isLentByTransaction == isLent)
  }

  @Test func `the option may say the same as the address`() throws {
    let text = "postgresql://db/notes?pooling=transaction"
    #expect(try address(text, [NSPostgreSQLPoolingOption: "transaction"]).isLentByTransaction)
    let plain = "postgresql://db/notes"
    #expect(try address(plain, [NSPostgreSQLPoolingOption: "transaction"]).isLentByTransaction)
  }

  @Test(
    arguments: [
      ("?pooling=statement", nil, "by “statement”."),
      ("?pooling", nil, "by “”."),
      ("?pooling=session&pooling=transaction", nil, "by “session” and “transaction”."),
      ("?pooling=transaction", "session", "by “session” and “transaction”."),
      ("", "Transaction", "by “Transaction”."),
      ("", 6432, "by “6432”."),
    ] as [(String, (any Sendable)?, String)]
  )
  func `an unknown manner of pooling is refused with a sentence`(
    query: String,
    option: (any Sendable)?,
    words: String
  ) throws {
    var options: [String: Any] = [:]
    options[NSPostgreSQLPoolingOption] = option
    let error = try #require(throws: CocoaError.self) {
      _ = try address("postgresql://ada:swordfish@db/notes" + query, options)
    }
    #expect(error.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
    let reason = try #require((error as NSError).localizedFailureReason)
    #expect(reason.hasPrefix("postgresql://ada@db/notes"))
    #expect(reason.hasSuffix(words))
    let remedy = try #require((error as NSError).localizedRecoverySuggestion)
    #expect(remedy.contains("?pooling=transaction"))
  }

  @Test func `a replica has the store's pooler unless its own address says something else`() throws
  {
    let address = try address("postgresql://ada@db/notes?pooling=transaction")
    let list = ["postgresql://db2", "postgresql://db3?pooling=session"] as NSArray
    let replicas = try address.replicas([NSPostgreSQLReplicasOption: list])
    #expect(replicas.map(\.isLentByTransaction) == [true, false])
    #expect(replicas.map(place) == ["postgresql://ada@db2/notes", "postgresql://ada@db3/notes"])
    #expect(throws: CocoaError.self) {
      try address.replicas([NSPostgreSQLReplicasOption: ["postgresql://db4?pooling=no"] as NSArray])
    }
  }

  @Test func `a statement that another connection had compiled says that there is a pooler`() {
    let error = PostgreSQLError(state: "26000", message: "prepared statement \"a\" does not exist")
    let text = error.text(.reading, path: "postgresql://db/notes")
    #expect(text.reason.contains("the server has forgotten a statement"))
    #expect(text.advice.sentence.contains("?pooling=transaction"))
  }
}
