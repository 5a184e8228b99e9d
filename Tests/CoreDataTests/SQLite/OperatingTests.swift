import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Stores that are looked after while they are open.
@Suite struct OperatingTests {
  private let stack: NotesStack
  private let file: URL

  init() throws {
    stack = try NotesStack(.sqlite)
    file = try #require(stack.file)
    try stack.work { context in
      for number in 1...200 {
        context.note("Note \(number)").text = String(repeating: "x", count: 900)
      }
      try context.save()
    }
  }

  private func size(_ suffix: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path + suffix)
    return try #require(attributes[.size] as? Int)
  }

  // MARK: - Health

  @Test func `a store that is well has sizes and no warnings`() throws {
    let health = stack.coordinator.health(of: stack.store, checksPages: true)
    #expect(health.isReadable && health.isWritable)
    #expect(health.fileSize == Int64(try size("")))
    #expect(health.logSize == Int64(try size("-wal")))
    #expect(try #require(health.freeSpace) > 0)
    #expect(health.warnings.allSatisfy { $0.hasPrefix("The volume has") })
    #expect(health.description.hasPrefix("\(health.fileSize) bytes"))
  }

  @Test func `rows that were deleted leave unused room`() throws {
    try stack.work { context in
      for note in try context.fetch(Note.fetchRequest()) { context.delete(note) }
      try context.save()
    }
    #expect(stack.coordinator.health(of: stack.store).unusedSize > 100_000)
  }

  @Test func `a writer of another process that does not end is told`() throws {
    let stranger = try Connection(path: file.path, mode: .readWrite)
    try stranger.run("BEGIN IMMEDIATE")
    let health = stack.coordinator.health(of: stack.store)
    #expect(health.isReadable && !health.isWritable)
    #expect(health.warnings.contains { $0.hasPrefix("It cannot be written:") })
    try stranger.run("ROLLBACK")
    #expect(stack.coordinator.health(of: stack.store).isWritable)
  }

  @Test func `a damaged page is found when all are looked at`() throws {
    try stack.coordinator.checkpoint(stack.store, truncating: true)
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    var bytes = try Data(contentsOf: file)
    let page = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: file)
    let again = try NotesStack(reopening: file)
    #expect(again.coordinator.health(of: again.store).isReadable)
    let health = again.coordinator.health(of: again.store, checksPages: true)
    #expect(!health.isReadable)
    #expect(health.warnings.contains { $0.hasPrefix("It cannot be read:") })
  }

  @Test(arguments: StoreKind.allCases)
  func `every kind of store has a health`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let health = stack.coordinator.health(of: stack.store)
    #expect(health.isReadable && health.isWritable)
  }

  @Test func `little room and a large log are warned of`() {
    var health = StoreHealth()
    health.freeSpace = 1000
    health.logSize = 1 << 30
    health.warnOfSizes()
    #expect(health.warnings.count == 2)
    #expect(!health.isHealthy)
    var well = StoreHealth()
    well.warnOfSizes()
    #expect(well.isHealthy)
  }

  // MARK: - Checkpoints and statistics

  @Test func `a checkpoint moves the log, and empties its file if it shall`() throws {
    #expect(try size("-wal") > 0)
    let moved = try stack.coordinator.checkpoint(stack.store)
    #expect(moved.isComplete && moved.pagesInLog > 10)
    #expect(try size("-wal") > 0)
    let emptied = try stack.coordinator.checkpoint(stack.store, truncating: true)
    #expect(emptied.isComplete)
    #expect(try size("-wal") == 0)
    #expect(try stack.work { try $0.titles() }.count == 200)
  }

  @Test func `a reader of an earlier moment keeps a checkpoint from its end`() throws {
    try stack.coordinator.checkpoint(stack.store, truncating: true)
    let reader = stack.context()
    try reader.performAndWait {
      try reader.setQueryGenerationFrom(.current)
      _ = try reader.titles()
      try stack.work { context in
        for note in try context.fetch(Note.fetchRequest()) { note.stars = 4 }
        try context.save()
      }
      let kept = try stack.coordinator.checkpoint(stack.store, patience: .zero)
      #expect(!kept.isComplete && kept.pagesInLog > 0)
      #expect(throws: Never.self) {
        try stack.coordinator.checkpoint(stack.store, truncating: true, patience: .milliseconds(10))
      }
      try reader.setQueryGenerationFrom(nil)
      _ = try reader.titles()
    }
    #expect(try stack.coordinator.checkpoint(stack.store).isComplete)
  }

  @Test func `optimizing leaves statistics, which new readers use`() throws {
    try stack.coordinator.optimize(stack.store)
    let count = try Connection(path: file.path, mode: .readOnly)
      .integer("SELECT COUNT(*) FROM sqlite_stat1 WHERE tbl = 'ZNOTE'")
    #expect(try #require(count) > 0)
    #expect(try stack.work { try $0.titles() }.count == 200)
  }

  @Test(arguments: StoreKind.allCases.filter { !$0.isSQLite })
  func `a store that is not SQLite has no checkpoints and no statistics`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let errors = [
      #expect(throws: NSError.self) { try stack.coordinator.checkpoint(stack.store) },
      #expect(throws: NSError.self) { try stack.coordinator.optimize(stack.store) },
    ]
    #expect(errors.allSatisfy { $0?.code == NSPersistentStoreUnsupportedRequestTypeError })
    #expect(throws: NSError.self) { try self.stack.coordinator.checkpoint(stack.store) }
  }

  @Test func `a store that may not be written is not operated on`() throws {
    let reader = try NotesStack(file: file, options: [NSReadOnlyPersistentStoreOption: true])
    let error = #expect(throws: NSError.self) { try reader.coordinator.checkpoint(reader.store) }
    #expect(error?.code == CocoaError.fileWriteNoPermission.rawValue)
    #expect(reader.coordinator.health(of: reader.store).isReadable)
  }

  // MARK: - Backups

  @Test(arguments: [false, true])
  func `a backup is whole while others write, and tells how far it is`(isCompact: Bool) async throws
  {
    let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
    let steps = Mutex<Set<StoreBackupProgress.Step>>([])
    let stack = self.stack
    try await stack.coordinator.backUp(stack.store, to: copy, isCompact: isCompact) { progress in
      let isFirst = steps.withLock { $0.insert(progress.step).inserted }
      // Somebody saves in the middle of it; an error would show in the titles below.
      if isFirst {
        try? stack.work { context in
          context.note("Later")
          try context.save()
        }
      }
    }
    #expect(steps.withLock { $0 }.contains(isCompact ? .compacting : .copying))
    #expect(steps.withLock { $0 }.contains(.checking))
    let titles = try NotesStack(reopening: copy).work { try $0.titles() }
    #expect(titles.filter { $0 != "Later" }.count == 200)
    #expect(
      try stack.work { try $0.titles() }.filter { $0 == "Later" }.count == steps.withLock(\.count)
    )
  }

  @Test func `a backup that is canceled leaves nothing`() async throws {
    let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
    let stack = self.stack
    let running = Mutex<Task<Void, any Error>?>(nil)
    let isSet = DispatchSemaphore(value: 0)
    let task = Task {
      try await stack.coordinator.backUp(stack.store, to: copy) { progress in
        guard progress.step == .copying else { return }
        isSet.wait()
        isSet.signal()
        running.withLock { $0?.cancel() }
      }
    }
    running.withLock { $0 = task }
    isSet.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    let left = try FileManager.default.contentsOfDirectory(
      atPath: copy.deletingLastPathComponent().path
    )
    #expect(left.isEmpty)
  }

  @Test func `a store is not copied onto itself, and not without a file`() async throws {
    let stack = self.stack
    await #expect(throws: NSError.self) {
      try await stack.coordinator.backUp(stack.store, to: file)
    }
    let memory = try NotesStack(.sqliteInMemory)
    let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
    await #expect(throws: NSError.self) {
      try await memory.coordinator.backUp(memory.store, to: copy)
    }
  }
}
