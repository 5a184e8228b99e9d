import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Our own program, killed in the middle of a save.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct KilledProgramTests {
  @Test(arguments: [1, 2, 4, 9, 14, 20, 26])
  func `a program killed at the n-th statement of a save has saved nothing`(
    place: Int
  ) async throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try UnsavedChanges.populate(NotesStack(file: file, options: [:]))
    let before = try UnsavedChanges.picture(of: file)
    let path = file.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, place = place as Int] in
      let stack = try NotesStack(file: URL(filePath: path), options: [:])
      let changes = try UnsavedChanges(in: stack)
      let pool = try #require(stack.coordinator.pool)
      // So small a cache lets pages of the unfinished save reach the file.
      try pool.write { try $0.run("PRAGMA cache_size = 1" as String) }
      let counted = Counter()
      pool.observe { _ throws(SQLiteError) in
        if counted.next() == place { kill(getpid(), SIGKILL) }
      }
      try changes.context.performAndWait { try changes.context.save() }
    }
    #expect(try UnsavedChanges.picture(of: file) == before)
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: path) == ["ok"])
    let again = try UnsavedChanges(in: NotesStack(file: file, options: [:]))
    try again.context.performAndWait { try again.context.save() }
    #expect(try again.filePicture() != before)
  }

  @Test func `a program killed while it makes a store leaves none, and the next makes it`()
    async throws
  {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let path = file.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let connection = try Connection(path: path)
      for statement in [
        "PRAGMA auto_vacuum = 2", "PRAGMA cache_size = 1", "BEGIN EXCLUSIVE",
        "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY)",
      ] {
        try connection.run(statement)
      }
      kill(getpid(), SIGKILL)
    }
    let stack = try NotesStack(file: file, options: [:])
    #expect(stack.coordinator.persistentStores.count == 1)
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: path) == ["ok"])
  }
}

/// Counts from 1.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
