import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The connections of a store that stay at a moment.
@Suite struct PinnedPoolsTests {
  private let stack: NotesStack
  private let store: SQLiteStore
  private let pools = PinnedPools()

  init() throws {
    stack = try NotesStack(.sqlite)
    store = try #require(stack.store.backend as? SQLiteStore)
    try write("first")
  }

  private func write(_ title: String) throws {
    try stack.work { context in
      context.note(title)
      try context.save()
    }
  }

  private func moment() throws -> PinnedMoment {
    try #require(try pools.moment(of: store.file, for: "a test"))
  }

  private func noteCount(_ moment: PinnedMoment) throws -> Int64? {
    try moment.pool.read { try $0.integer("SELECT COUNT(*) FROM ZNOTE") }
  }

  @Test func `a moment that has ended leaves its connection to the next, which sees what is new`()
    throws
  {
    var moment: PinnedMoment? = try moment()
    let pool = moment?.pool
    let before = try moment.map(noteCount)
    try write("second")
    let after = try moment.map(noteCount)
    #expect(before == 1 && after == 1)
    moment = nil
    let next = try self.moment()
    #expect(next.pool === pool)
    #expect(try noteCount(next) == 2)
  }

  @Test func `moments at the same time have connections of their own`() throws {
    let first = try moment()
    try write("second")
    let second = try moment()
    #expect(first.pool !== second.pool)
    #expect(try noteCount(first) == 1)
    #expect(try noteCount(second) == 2)
  }

  @Test func `statistics that were made are seen by the next moment`() throws {
    var moment: PinnedMoment? = try moment()
    let pool = moment?.pool
    moment = nil
    pools.forgetIdle()
    #expect(try self.moment().pool !== pool)
  }

  @Test func `when the store is closed its moments end, and no other begins`() throws {
    let moment = try moment()
    pools.close()
    #expect(throws: SQLiteError.self) { try noteCount(moment) }
    #expect(throws: (any Error).self) { try self.moment() }
  }

  @Test func `a connection whose transaction cannot be ended is not used again`() throws {
    var moment: PinnedMoment? = try moment()
    let pool = moment?.pool
    pool?.observe { sql throws(SQLiteError) in
      if sql == "COMMIT" { throw SQLiteError(code: 10, message: "no") }
    }
    moment = nil
    #expect(try self.moment().pool !== pool)
  }

  @Test func `moments that began and ended on many threads waited for each other for ever`()
    async throws
  {
    try await withThrowingTaskGroup(of: Int64?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<49 { _ = try noteCount(moment()) }
          return try noteCount(moment())
        }
      }
      for try await count in group { #expect(count == 1) }
    }
  }

  @Test func `a file without a write-ahead log has no moments`() throws {
    let file = TestSupport.TemporaryFolder.file("Rollback.sqlite")
    let pragmas = ["journal_mode": "DELETE"] as NSDictionary
    let other = try NotesStack(file: file, options: [NSSQLitePragmasOption: pragmas])
    let store = try #require(other.store.backend as? SQLiteStore)
    #expect(try pools.moment(of: store.file, for: "a test")?.pool.path == nil)
  }
}
