import ChildPrograms
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Stores that do not wait for every answer of the server.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct StatementTimeoutTests {
  private static let second = [NSPostgreSQLStatementTimeoutOption: 1]

  /// Expects an error of a time that is over, which says so.
  private func expectTimeout(
    saying words: String,
    _ body: () throws -> Void
  ) throws {
    let start = ContinuousClock.now
    let error = try #require(throws: CocoaError.self, performing: body)
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(error.code.rawValue == NSPersistentStoreTimeoutError)
    #expect((error as NSError).localizedFailureReason?.contains(words) == true)
  }

  @Test func `a server that stood still within a statement was waited for`() throws {
    let name = "still-\(UUID().uuidString)"
    let place = PostgreSQLServer.shared.place().absoluteString + "&application_name=\(name)"
    let stack = try NotesStack(
      type: NSPostgreSQLStoreType,
      at: #require(URL(string: place)),
      options: Self.second
    )
    try stack.saved { $0.note("before") }
    let found = try PostgreSQLShell.rows(
      "SELECT pid FROM pg_stat_activity WHERE application_name = '\(name)'",
      at: PostgreSQLServer.shared.address
    )
    let processes = found.compactMap { $0.first?.flatMap { Int32($0) } }
    #expect(!processes.isEmpty)
    do {
      for process in processes { #expect(kill(process, SIGSTOP) == 0) }
      defer { for process in processes { kill(process, SIGCONT) } }
      let words = "the server has not answered in time"
      try expectTimeout(saying: words) { _ = try stack.work { try $0.titles() } }
    }
    #expect(try stack.work { try $0.titles() } == ["before"])
  }

  @Test func `a save that has to wait for too long keeps its changes`() throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: Self.second)
    try stack.saved { $0.note("before") }
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run("BEGIN; LOCK TABLE \"ZNOTE\" IN ACCESS EXCLUSIVE MODE")
    let context = stack.context()
    try context.performAndWait {
      // More than a socket takes at once.
      context.note("waits").text = String(repeating: "long ", count: 100_000)
      try expectTimeout(saying: "no answer came within 1.0 seconds") { try context.save() }
      #expect(context.hasChanges)
      try other.run("COMMIT")
      try context.save()
    }
    #expect(try stack.work { try $0.titles() } == ["before", "waits"])
  }

  @Test func `a commit that has not answered in time is asked about`() throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: Self.second)
    try PostgreSQLShell.run(
      """
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER dawdles AFTER INSERT ON "ZNOTE" DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION dawdle()
      """,
      at: place
    )
    let start = ContinuousClock.now
    try stack.saved { $0.note("committed") }
    #expect(ContinuousClock.now - start > .seconds(1))
    #expect(try stack.work { try $0.titles() } == ["committed"])
  }

  @Test func `a context whose moment has not answered in time says so, and can be pinned anew`()
    throws
  {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: Self.second)
    try stack.saved { $0.note("before") }
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try context.count(for: Folder.fetchRequest()) == 0)
      try other.run("BEGIN; LOCK TABLE \"ZNOTE\" IN ACCESS EXCLUSIVE MODE")
      try expectTimeout(saying: "no answer came within") { _ = try context.titles() }
      try other.run("COMMIT")
      let error = #expect(throws: NSError.self) { try context.titles() }
      #expect(error?.localizedFailureReason?.contains("is pinned is gone") == true)
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["before"])
    }
  }

  @Test func `whoever makes tables is waited for`() throws {
    let place = try #require(URL(string: DatabaseServer.shared.makeDatabase()))
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    // The lock of those who make or change tables.
    try other.run("BEGIN; SELECT pg_advisory_xact_lock(\(0x436F_7265_4461_7461))")
    let lent = Handover(other)
    let start = ContinuousClock.now
    let ending = Thread {
      usleep(2_000_000)
      #expect(throws: Never.self) { try lent.value.run("COMMIT") }
    }
    ending.start()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: Self.second)
    #expect(ContinuousClock.now - start > .seconds(1))
    try stack.saved { $0.note("first") }
  }

  @Test func `the server's own time-out is told with the same code`() throws {
    let place = PostgreSQLServer.shared.place()
    // The tables are made without it.
    try NotesStack(type: NSPostgreSQLStoreType, at: place).saved { $0.note("before") }
    let text = place.absoluteString + "%20-cstatement_timeout%3D500"
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: text)))
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run("BEGIN; LOCK TABLE \"ZNOTE\" IN ACCESS EXCLUSIVE MODE")
    try expectTimeout(saying: "the server gave the statement up") {
      _ = try stack.work { try $0.titles() }
    }
    try other.run("COMMIT")
    #expect(try stack.work { try $0.titles() } == ["before"])
  }

  @Test(arguments: ["5", "soon", 0, -1, 1e9, Double.nan] as [any Sendable])
  func `what is no time to wait for is refused`(given: any Sendable) throws {
    let error = try #require(throws: CocoaError.self) {
      _ = try PostgreSQLAddress(
        URL(string: "postgresql://db.example.org/notes"),
        options: [NSPostgreSQLStatementTimeoutOption: given]
      )
    }
    #expect(error.code.rawValue == NSPersistentStoreUnsupportedRequestTypeError)
    let reason = (error as NSError).localizedFailureReason
    #expect(reason?.contains("a number of seconds, from 0.1 to 86400") == true)
    let remedy = (error as NSError).localizedRecoverySuggestion
    #expect(remedy == "Give the option such a value, or leave it out.")
  }
}
