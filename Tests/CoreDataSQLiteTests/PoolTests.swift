import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import Testing

@Suite struct PoolTests {
  private let path: String
  private let opened = Counter()

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "pool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "notes.sqlite").path
  }

  private func pool(readers: Int) throws -> Pool {
    let (path, opened) = (path, opened)
    let pool = try Pool(readerLimit: readers) { isReader throws(SQLiteError) in
      opened.increment()
      let connection = try Connection(path: path, mode: isReader ? .readOnly : .readWriteCreate)
      connection.setBusyTimeout(milliseconds: 10_000)
      return connection
    }
    try pool.write { connection in
      try connection.run("PRAGMA journal_mode = WAL" as String)
      try connection.run("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZSTARS)" as String)
    }
    return pool
  }

  @Test func `the log's mark changes when anybody commits, and only then`() throws {
    let (pool, stranger) = (
      try pool(readers: 1), try Connection(path: path, mode: .readWriteCreate)
    )
    try pool.write { writer in
      #expect(try writer.sharesLog())
      let version = try writer.dataVersion()
      let mark = try #require(writer.logMark())
      #expect(try stranger.integer("SELECT COUNT(*) FROM ZNOTE") == 0)
      try stranger.run("BEGIN IMMEDIATE" as String)
      try stranger.run("INSERT INTO ZNOTE (ZSTARS) VALUES (3)" as String)
      #expect(writer.logMark() == mark)
      try stranger.run("COMMIT" as String)
      let next = try #require(writer.logMark())
      #expect(next != mark)
      #expect(try writer.dataVersion() != version)
      try writer.run("DELETE FROM ZNOTE" as String)
      #expect(writer.logMark() != next)
    }
  }

  @Test(arguments: ["PRAGMA journal_mode = DELETE", "PRAGMA locking_mode = EXCLUSIVE"])
  func `a connection that shares no log says so`(pragma: String) throws {
    let connection = try Connection(path: path, mode: .readWriteCreate)
    try connection.run("PRAGMA journal_mode = WAL" as String)
    #expect(try connection.sharesLog())
    _ = try connection.statement(pragma).step()
    #expect(try connection.sharesLog() == false)
  }

  @Test func `many threads read and write, and each sees whole transactions`() async throws {
    let pool = try pool(readers: 3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            try pool.write { connection in
              try connection.run("BEGIN IMMEDIATE" as String)
              for _ in 0..<2 {
                try connection.run(
                  "INSERT INTO ZNOTE (ZSTARS) VALUES (\(.integer(Int64(writer))))" as SQLFragment
                )
              }
              try connection.run("COMMIT" as String)
            }
          }
        }
        group.addTask {
          for _ in 0..<50 {
            let count = try pool.read { try $0.integer("SELECT COUNT(*) FROM ZNOTE") ?? 0 }
            #expect(count.isMultiple(of: 2))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try pool.read { try $0.integer("SELECT COUNT(*) FROM ZNOTE") } == 200)
    // The writer, and no more readers than were allowed.
    #expect(opened.value <= 4)
  }

  @Test func `a reader does not see what is not committed, and can be used again`() throws {
    let pool = try pool(readers: 1)
    let writer = try pool.takeWriter()
    try writer.run("BEGIN IMMEDIATE" as String)
    try writer.run("INSERT INTO ZNOTE (ZSTARS) VALUES (1)" as String)
    #expect(writer.isInTransaction)
    #expect(try pool.read { try $0.integer("SELECT COUNT(*) FROM ZNOTE") } == 0)
    try writer.run("COMMIT" as String)
    pool.returnWriter()
    #expect(try pool.read { try $0.integer("SELECT COUNT(*) FROM ZNOTE") } == 1)
    #expect(opened.value == 2)
    #expect(throws: SQLiteError.self) {
      try pool.read { try $0.run("DELETE FROM ZNOTE" as String) }
    }
  }

  @Test func `a reader that failed is not lost to the pool`() throws {
    let pool = try pool(readers: 1)
    for _ in 0..<3 {
      #expect(throws: SQLiteError.self) { try pool.read { try $0.run("SELEKT" as String) } }
    }
    #expect(try pool.read { try $0.integer("SELECT 1") } == 1)
    #expect(opened.value == 2)
  }

  @Test func `a database in memory has one connection for all`() throws {
    let opened = opened
    let pool = try Pool(readerLimit: 0) { _ throws(SQLiteError) in
      opened.increment()
      return try Connection(path: ":memory:")
    }
    try pool.write { try $0.run("CREATE TABLE ZNOTE (Z_PK)" as String) }
    let count = try pool.write { _ in
      try pool.read { try $0.integer("SELECT COUNT(*) FROM ZNOTE") }
    }
    #expect(count == 0)
    #expect(opened.value == 1)
  }

  @Test func `a stale reader is replaced`() throws {
    let (path, opened) = (path, opened)
    let isStale = Flag()
    let pool = try Pool(
      readerLimit: 2,
      open: { _ throws(SQLiteError) in
        opened.increment()
        return try Connection(path: path)
      },
      isStale: { _ in isStale.value }
    )
    for _ in 0..<2 { _ = try pool.read { try $0.integer("SELECT 1") } }
    #expect(opened.value == 2)
    isStale.value = true
    for _ in 0..<2 { _ = try pool.read { try $0.integer("SELECT 1") } }
    #expect(opened.value == 4)
  }

  @Test func `an observer hears of every connection, present and future`() throws {
    let pool = try pool(readers: 2)
    let count = Counter()
    pool.observe { _ throws(SQLiteError) in count.increment() }
    _ = try pool.read { _ in try pool.read { try $0.integer("SELECT 1") } }
    _ = try pool.read { try $0.integer("SELECT 2") }
    _ = try pool.write { try $0.integer("SELECT 3") }
    #expect(count.value == 3)
    pool.observe(nil)
    _ = try pool.read { try $0.integer("SELECT 1") }
    #expect(count.value == 3)
  }

  @Test func `a closed pool has let go of its file, and says so`() throws {
    let pool = try pool(readers: 2)
    try pool.write { try $0.run("INSERT INTO ZNOTE (ZSTARS) VALUES (1)" as String) }
    _ = try pool.read { try $0.integer("SELECT 1") }
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    try pool.read { _ in pool.close() }
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let closed = SQLiteError(code: 21, message: "the database has been closed")
    #expect(throws: closed) { try pool.read { _ in } }
    #expect(throws: closed) { try pool.write { _ in } }
  }

  @Test func `a database that cannot be opened is found at once`() {
    #expect(throws: SQLiteError.self) {
      try Pool(readerLimit: 1) { _ throws(SQLiteError) in
        try Connection(path: "/no such folder/notes.sqlite")
      }
    }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
}

private final class Flag: Sendable {
  private let flag = Mutex(false)

  var value: Bool {
    get { flag.withLock { $0 } }
    set { flag.withLock { $0 = newValue } }
  }
}
