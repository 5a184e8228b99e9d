import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Stores that may have so many connections to their server and no more.
struct ConnectionLimitTests {
  private func shares(_ limit: Any?, asksReplicas: Bool = false) throws -> ConnectionShares {
    var options: [AnyHashable: Any] = [:]
    options[NSPostgreSQLConnectionLimitOption] = limit
    let url = URL(string: "postgresql://ada:swordfish@db.example.org/notes")
    return try ConnectionShares(options, of: url, asksReplicas: asksReplicas)
  }

  @Test(arguments: [
    (8, false, 2, 4), (8, true, 2, 3), (20, false, 7, 11), (42, false, 16, 24), (42, true, 14, 22),
    (1000, false, 399, 599),
  ])
  func `a limit is that of all connections to the store's own server`(
    limit: Int,
    asksReplicas: Bool,
    work: Int,
    moments: Int
  ) throws {
    let shares = try shares(limit, asksReplicas: asksReplicas)
    #expect(shares.work == work && shares.moments == moments, "\(shares)")
    let others = asksReplicas ? 2 + shares.questions : 2
    #expect(work + moments + others == limit)
  }

  @Test func `without the option a store has as many connections as ever`() throws {
    #expect(try shares(nil) == shares(42))
    let shares = try shares(nil, asksReplicas: true)
    #expect(shares.work == 16 && shares.moments == 24 && shares.questions == 4)
  }

  @Test(arguments: [7, 1001, 0, -8, 8.5, Double.nan, true, "20"] as [any Sendable])
  func `what is no number of connections is refused`(given: any Sendable) throws {
    let error = try #require(throws: CocoaError.self) { _ = try shares(given) }
    #expect(error.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
    let reason = try #require((error as NSError).localizedFailureReason)
    #expect(reason.hasPrefix("postgresql://ada@db.example.org/notes"))
    #expect(reason.hasSuffix("is not a whole number from 8 to 1000."))
    let remedy = (error as NSError).localizedRecoverySuggestion
    #expect(remedy == "Give the option such a value, or leave it out.")
  }

  // Waits for connections that are not there.
  @Test(.enabled(if: PostgreSQLServer.isInstalled && Tries.areMany))
  func `a store took 42 connections, and no program could have it take fewer`() throws {
    let stack = try NotesStack(
      type: NSPostgreSQLStoreType,
      at: PostgreSQLServer.shared.place(),
      options: [NSPostgreSQLConnectionLimitOption: 8, NSPersistentStoreTimeoutOption: 10]
    )
    try stack.saved { $0.note("first") }
    let pinned = (1...4).map { _ in stack.context() }
    for context in pinned { #expect(try pinnedTitles(context) == ["first"]) }
    let error = #expect(throws: CocoaError.self) { try pinnedTitles(stack.context()) }
    #expect(error?.code.rawValue == NSPersistentStoreTimeoutError)
    let words = error.map { $0 as NSError }
    #expect(words?.localizedFailureReason?.contains("all 4 connections were in use") == true)
    #expect(
      words?.localizedRecoverySuggestion?.contains("NSPostgreSQLConnectionLimitOption") == true
    )
    try stack.saved { $0.note("second") }
    try pinned[0].performAndWait { try pinned[0].setQueryGenerationFrom(nil) }
    #expect(try pinnedTitles(stack.context()) == ["first", "second"])
  }

  private func pinnedTitles(_ context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      return try context.titles()
    }
  }
}
