import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The connections behind moments, which are opened once and used again.
@Suite struct PinnedConnectionTests {
  private let stack: NotesStack

  init() throws {
    stack = try NotesStack(.sqlite)
    try stack.saved { $0.note("first") }
  }

  private func pins() throws -> PinnedPools {
    try #require(stack.store.backend as? SQLiteStore).pins
  }

  /// Looks at a moment of its own, and lets go of it.
  private func look() throws -> [String] {
    let context = stack.context()
    return try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      return try context.titles()
    }
  }

  /// Waits until the contexts that are of no use any more have gone.
  private func idleCount(_ expected: Int) throws -> Int {
    let pins = try pins()
    for _ in 0..<2_000 where pins.idleCount != expected { usleep(1_000) }
    return pins.idleCount
  }

  @Test func `a connection is used for one moment after the other, each the newest`() throws {
    for number in 1...5 {
      #expect(try look().count == number)
      #expect(try idleCount(1) == 1)
      try stack.saved { $0.note("\(number)") }
    }
  }

  @Test func `of many moments at once a few connections stay`() throws {
    var contexts: [NSManagedObjectContext] = []
    for number in 1...7 {
      let context = stack.context()
      try context.performAndWait {
        try context.setQueryGenerationFrom(.current)
        _ = try context.titles()
      }
      contexts.append(context)
      try stack.saved { $0.note("\(number)") }
    }
    for (place, context) in contexts.enumerated() {
      context.performAndWait { context.refreshAllObjects() }
      let count = try context.performAndWait { try context.count(for: Note.fetchRequest()) }
      #expect(count == place + 1)
    }
    #expect(try pins().idleCount == 0)
    contexts.removeAll()
    #expect(try idleCount(4) == 4)
    #expect(try look().count == 8)
  }

  @Test func `a store that is removed has no connections left`() throws {
    _ = try look()
    #expect(try idleCount(1) == 1)
    let pins = try pins()
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      _ = try context.titles()
    }
    try stack.coordinator.remove(stack.store)
    #expect(pins.idleCount == 0)
    context.performAndWait { context.reset() }
    #expect(pins.idleCount == 0)
  }

  @Test func `a transaction that a moment left is over when the connection is used again`() throws {
    _ = try look()
    #expect(try idleCount(1) == 1)
    let checkpoint = try stack.coordinator.checkpoint(stack.store, truncating: true)
    #expect(checkpoint.isComplete)
    let connection = try pins().connection { () throws(SQLiteError) in
      throw SQLiteError(code: 1, message: "none is open")
    }
    #expect(!connection.isInTransaction)
  }
}
