import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// A write-ahead log that SQLite does not read to its end is not sound.
@Suite struct LogCheckTests {
  /// A copy of a store and of its log, made while a program has them open.
  private func copy(
    writing body: (Connection) throws -> Void = { _ in }
  ) throws -> (store: URL, log: URL) {
    let store = try SoundStore()
    let connection = try Connection(path: store.file.path)
    StoreChecker.prepare(connection)
    try connection.run("PRAGMA journal_mode = WAL" as String)
    try connection.run("PRAGMA wal_autocheckpoint = 0" as String)
    for number in 1...20 {
      try connection.run("UPDATE ZTAG SET ZLABEL = 'tag \(number)' WHERE Z_PK = 1" as String)
    }
    try body(connection)
    let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store.file.path + ending, toPath: copy.path + ending)
    }
    try FileManager.default.copyItem(
      at: ExternalFiles.folder(besides: store.file).deletingLastPathComponent(),
      to: copy.deletingLastPathComponent().appendingPathComponent(".Copy_SUPPORT")
    )
    return (copy, URL(filePath: copy.path + "-wal"))
  }

  private func words(_ store: URL) throws -> [String] {
    try StoreChecker(storeAt: store, model: nil).report().findings.map(\.words)
  }

  private func change(_ file: URL, at offset: UInt64) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: offset)
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data([byte ^ 0xFF]))
    try handle.close()
  }

  private func cut(_ file: URL, to length: UInt64) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.truncate(atOffset: length)
    try handle.close()
  }

  @Test func `a log that is whole gives no finding`() throws {
    let copy = try copy()
    let log = try #require(WriteAheadLog(besides: copy.store))
    #expect(log.frameCount >= 3 && log.readCount == log.frameCount && !log.isDamaged)
    #expect(try words(copy.store) == [])
  }

  @Test func `a log with a damaged frame does not count as sound`() throws {
    let copy = try copy()
    try change(copy.log, at: 100)
    let log = try #require(WriteAheadLog(besides: copy.store))
    #expect(log.damagedCount == 1 && log.readCount == 0)
    let report = try StoreChecker(storeAt: copy.store, model: nil).report()
    #expect(report.findings.map(\.check) == [.log] && !report.isSound)
    let sentence = try #require(report.findings.first?.sentence)
    #expect(sentence.hasPrefix("1 of \(log.frameCount) frames of the -wal beside it fail their"))
    #expect(sentence.contains("SQLite reads nothing of it"))
  }

  @Test func `what stands before a damaged frame is read, and the rest is said to be missing`()
    throws
  {
    let copy = try copy()
    let frames = try #require(WriteAheadLog(besides: copy.store)).frameCount
    try change(copy.log, at: UInt64(32 + (frames - 1) * 4120 + 1000))
    let log = try #require(WriteAheadLog(besides: copy.store))
    #expect(log.damagedCount == 1 && log.readCount < frames && log.readCount > 0)
    #expect(try words(copy.store)[0].contains("SQLite reads only the first \(log.readCount)"))
  }

  @Test func `a log that is cut off is a warning, for a program may have been ended`() throws {
    let copy = try copy()
    try cut(copy.log, to: 9000)
    let report = try StoreChecker(storeAt: copy.store, model: nil).report()
    let finding = try #require(report.findings.first { $0.check == .log })
    #expect(finding.severity == .warning)
    #expect(finding.sentence.contains("ends inside a frame, after 2 whole ones"))
  }

  @Test func `a log whose beginning is damaged does not count as sound`() throws {
    let copy = try copy()
    try change(copy.log, at: 17)
    #expect(try words(copy.store)[0].contains("the beginning of the -wal beside it is damaged"))
  }

  @Test func `frames from before a checkpoint are no damage`() throws {
    let copy = try copy { connection in
      try connection.run("PRAGMA wal_checkpoint(RESTART)" as String)
      try connection.run("UPDATE ZTAG SET ZLABEL = 'new' WHERE Z_PK = 1" as String)
    }
    let size = try Data(contentsOf: copy.log).count
    let log = try #require(WriteAheadLog(besides: copy.store))
    #expect(log.frameCount > 0 && 32 + log.frameCount * 4120 < size && !log.isDamaged)
    #expect(try words(copy.store) == [])
    // Nor is an old frame that was cut off.
    try cut(copy.log, to: UInt64(size - 100))
    #expect(try words(copy.store) == [])
  }

  @Test(.timeLimit(.minutes(60)))
  func `a log with nothing but a hole behind its frames was read for as long as the hole is`()
    throws
  {
    let copy = try copy()
    let whole = try #require(WriteAheadLog(besides: copy.store))
    try cut(copy.log, to: 64 << 30)
    #expect(WriteAheadLog(besides: copy.store) == whole)
  }

  @Test func `frames behind others of another log are looked for`() throws {
    let copy = try copy()
    let frames = try #require(WriteAheadLog(besides: copy.store)).frameCount
    // A salt of the first frame.
    try change(copy.log, at: 32 + 8)
    let log = try #require(WriteAheadLog(besides: copy.store))
    #expect(log.frameCount == frames && log.damagedCount == 1 && log.readCount == 0)
  }

  @Test func `a program that ended while it was writing has left no damage`() throws {
    let copy = try copy()
    let bytes = try Data(contentsOf: copy.log)
    // SQLite writes the 24 bytes before a page by themselves.
    try (bytes + bytes[32..<56]).write(to: copy.log)
    #expect(try words(copy.store) == [])
  }

  @Test func `a repair does not throw a damaged log away`() throws {
    let copy = try copy { connection in
      try connection.run("PRAGMA wal_checkpoint(TRUNCATE)" as String)
      try connection.run("DROP INDEX Z_Note_byTitle" as String)
      try connection.run("PRAGMA wal_checkpoint(TRUNCATE)" as String)
      try connection.run("UPDATE ZTAG SET ZLABEL = 'newest' WHERE Z_PK = 1" as String)
    }
    try change(copy.log, at: 100)
    let damaged = try Data(contentsOf: copy.log)
    let outcome = try StoreRepair(storeAt: copy.store, model: nil).perform()
    #expect(outcome.performed.count == 1)
    let kept = try #require(outcome.damagedLog)
    #expect(try Data(contentsOf: kept) == damaged)
  }

  @Test func `what is left of a transaction that was rolled back is no damage`() throws {
    let copy = try copy { connection in
      try connection.run("PRAGMA cache_size = 5" as String)
      try connection.run("BEGIN" as String)
      try connection.run(
        """
        CREATE TABLE X AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
        SELECT randomblob(3000) FROM c
        """ as String
      )
      try connection.run("ROLLBACK" as String)
      try connection.run("UPDATE ZTAG SET ZLABEL = 'new' WHERE Z_PK = 1" as String)
    }
    let log = try #require(WriteAheadLog(besides: copy.store))
    let size = try Data(contentsOf: copy.log).count
    #expect(log.readCount == log.frameCount && 32 + log.frameCount * 4120 < size)
    #expect(try words(copy.store) == [])
  }

  @Test func `a salvage that lacks a part of the log does not say that it has everything`() throws {
    let copy = try copy()
    try change(copy.log, at: 100)
    let saved = copy.store.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
    let outcome = try StoreSalvage(storeAt: copy.store, model: nil, to: saved).perform()
    #expect(outcome.log == .part && !outcome.isComplete)
  }

  /// A log that has a page of something else for every page of a store of notes but the first ones.
  private func storeWithLogOfAnother() throws -> URL {
    let other = TestSupport.TemporaryFolder.file("Other.sqlite")
    let connection = try Connection(path: other.path)
    try connection.run("PRAGMA journal_mode = WAL" as String)
    try connection.run("PRAGMA wal_autocheckpoint = 0" as String)
    try connection.run("CREATE TABLE X (BYTES)" as String)
    try connection.run(
      """
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 4000)
      INSERT INTO X SELECT zeroblob(200) FROM c
      """ as String
    )
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)" as String)
    try connection.run("UPDATE X SET BYTES = randomblob(200)" as String)
    let store = try SoundStore().file
    try Connection(path: store.path).run("PRAGMA journal_mode = WAL" as String)
    // The last program to close the other store removes its log.
    try withExtendedLifetime(connection) {
      try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: store.path + "-wal")
    }
    return store
  }

  @Test func `a log of another store that hides the metadata was moved into a sound file`() throws {
    let store = try storeWithLogOfAnother()
    let before = try Data(contentsOf: store)
    let report = try StoreChecker(storeAt: store, model: nil).report()
    #expect(report.findings == [LogCheck.ofAnother])
    #expect(report.isDamagedFile && !report.hasCheckedRows)
    let error = #expect(throws: NSError.self) {
      try StoreRepair(storeAt: store, model: nil).perform()
    }
    #expect(error?.localizedDescription == "The -wal file beside the store is another store's.")
    #expect(try Data(contentsOf: store) == before)
    #expect(FileManager.default.fileExists(atPath: store.path + "-wal"))
  }
  @Test func `nothing of a sound store was salvaged, because another store's log was believed`()
    throws
  {
    let store = try storeWithLogOfAnother()
    let before = try Data(contentsOf: store)
    let saved = store.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
    let outcome = try StoreSalvage(storeAt: store, model: nil, to: saved).perform()
    #expect(outcome.log == .leftOut && outcome.isComplete && outcome.report.isKnownSound)
    #expect(outcome.tables.contains { $0.name == "ZTAG" && $0.copied > 0 })
    #expect(try Data(contentsOf: store) == before)
    #expect(FileManager.default.fileExists(atPath: store.path + "-wal"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: store.deletingLastPathComponent().path
    )
    #expect(!names.contains { $0.contains("unfinished") })
  }

  @Test func `a damaged store with another store's log was salvaged from both`() throws {
    let store = try storeWithLogOfAnother()
    let root = try #require(
      try Connection(path: store.path, mode: .immutable).integer(
        "SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE'"
      )
    )
    let handle = try FileHandle(forUpdating: store)
    try handle.seek(toOffset: UInt64(root - 1) * 4096)
    try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    try handle.close()
    let saved = store.deletingLastPathComponent().appendingPathComponent("Saved.sqlite")
    let outcome = try StoreSalvage(storeAt: store, model: nil, to: saved).perform()
    #expect(outcome.log == .leftOut && !outcome.isComplete)
    #expect(outcome.tables.contains { $0.name == "ZTAG" && $0.copied > 0 && $0.lost.isEmpty })
  }
}
