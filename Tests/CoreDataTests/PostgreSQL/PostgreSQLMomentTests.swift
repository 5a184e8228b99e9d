import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Contexts that are pinned to a moment of a PostgreSQL database, where something goes wrong.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLMomentTests {
  private func stack(named name: String) throws -> NotesStack {
    let text = PostgreSQLServer.shared.place().absoluteString + "&application_name=\(name)"
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: text)))
    let context = stack.context()
    try context.performAndWait {
      context.note("first")
      try context.save()
    }
    return stack
  }

  private func titles(_ context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait {
      try context.fetch(Note.fetchRequest()).compactMap(\.title).sorted()
    }
  }

  private func write(_ title: String, in stack: NotesStack) throws {
    let context = stack.context()
    try context.performAndWait {
      context.note(title)
      try context.save()
    }
  }

  @Test func `a request that the server refuses does not end the moment`() throws {
    let stack = try stack(named: "moment-\(UUID().uuidString)")
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try titles(context) == ["first"])
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "title == TERNARY(stars > 0, %@, 'c')", "a\0b")
      #expect(throws: CocoaError.self) { try context.fetch(request) }
      let division = Note.fetchRequest()
      division.predicate = NSPredicate(
        format: "stars * %lld * %lld == 1",
        Int64.max,
        Int64.max
      )
      // Whether it is refused is the server's affair.
      _ = try? context.fetch(division)
      try write("second", in: stack)
      #expect(try titles(context) == ["first"])
    }
  }

  @Test func `a moment whose connection is lost says so, and another one can be had`() throws {
    let name = "moment-\(UUID().uuidString)"
    let stack = try stack(named: name)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try titles(context) == ["first"])
      _ = try PostgreSQLShell.rows(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '\(name)'",
        at: PostgreSQLServer.shared.address
      )
      try write("second", in: stack)
      for _ in 1...2 {
        let error = #expect(throws: NSError.self) { try titles(context) }
        #expect(error?.localizedFailureReason?.contains("is pinned is gone") == true)
        #expect(error?.localizedRecoverySuggestion?.contains("read or write again") == true)
      }
      try context.setQueryGenerationFrom(.current)
      #expect(try titles(context) == ["first", "second"])
    }
  }

  @Test func `a moment gives its connection back`() throws {
    let name = "moment-\(UUID().uuidString)"
    let stack = try stack(named: name)
    let context = stack.context()
    try context.performAndWait {
      for _ in 1...40 {
        try context.setQueryGenerationFrom(.current)
        #expect(try titles(context) == ["first"])
      }
      try context.setQueryGenerationFrom(nil)
    }
    let busy = try PostgreSQLShell.rows(
      "SELECT pid FROM pg_stat_activity WHERE application_name = '\(name)' AND state <> 'idle'",
      at: PostgreSQLServer.shared.address
    )
    #expect(busy.isEmpty)
  }
}
