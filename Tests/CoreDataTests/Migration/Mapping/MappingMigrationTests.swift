import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Stores that are migrated in place.
struct MappingMigrationTests {
  @discardableResult
  private func migrate(
    _ file: URL,
    _ type: String = NSSQLiteStoreType,
    progress: Progress? = nil,
    keepsBackup: Bool? = nil
  ) throws -> MappingMigration.Report {
    try MappingMigration.migrate(
      storeAt: file,
      ofType: type,
      from: TwoVersions.model(TwoVersions.old),
      to: TwoVersions.model(TwoVersions.new),
      mapping: TwoVersions.inferred(),
      progress: progress,
      keepsBackup: keepsBackup
    )
  }

  private func names(besides file: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func `a store is migrated in its place and stays the same store (106, 109)`(
    type: String
  ) throws {
    let file = try TwoVersions.store(20, type, largeData: true)
    let old = try VersionStore(TwoVersions.old, at: file, type)
    let (expected, uuid) = (try TwoVersions.lines(old), old.uuid)
    try old.close()
    let report = try migrate(file, type)
    let new = try VersionStore(TwoVersions.new, at: file, type)
    #expect(try TwoVersions.lines(new) == expected)
    #expect(new.uuid == uuid)
    try new.close()
    // The new model has no entity for the bin.
    #expect(report.leftOutCount == 1)
    let backup = try #require(report.backup)
    let kept = try VersionStore(TwoVersions.old, at: backup, type)
    #expect(try TwoVersions.lines(kept) == expected)
    try kept.close()
    let again = try migrate(file, type)
    #expect(again.leftOutCount == 0 && again.backup == nil)
  }

  @Test func `files of large data are those of the new store alone (106)`() throws {
    let file = try TwoVersions.store(20, largeData: true)
    let folder = ExternalFiles.folder(besides: file)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(try migrate(file, keepsBackup: false).backup == nil)
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(before.count == 5 && after.count == 5 && Set(before).isDisjoint(with: after))
    #expect(try names(besides: file) == [".Notes_SUPPORT", "Notes.store"])
  }

  @Test func `somebody who has the file open sees the new rows (106)`() throws {
    let file = try TwoVersions.store(3)
    let open = try Connection(path: file.path)
    #expect(try open.integer("SELECT COUNT(*) FROM ZNOTE") == 3)
    try migrate(file)
    #expect(try open.integer("SELECT COUNT(*) FROM ZMEMO") == 3)
  }

  @Test func `a cancelled migration leaves the store as it was (106, 109)`() throws {
    let file = try TwoVersions.store(20, largeData: true)
    let before = try TwoVersions.contents(besides: file)
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    #expect(errorCode { try migrate(file, progress: progress) } == NSMigrationCancelledError)
    #expect(try TwoVersions.contents(besides: file) == before)
    let other = Progress(totalUnitCount: 1)
    try migrate(file, progress: other, keepsBackup: false)
    #expect(other.fractionCompleted == 1)
  }

  @Test func `what somebody writes during the migration is migrated too (106)`() throws {
    let file = try TwoVersions.store(3)
    let mapping = try TwoVersions.inferred()
    mapping.entityMappings[1].entityMigrationPolicyClassName = "CoreDataTests.WritingPolicy"
    WritingPolicy.file.withLock { $0 = file }
    try MappingMigration.migrate(
      storeAt: file,
      ofType: NSSQLiteStoreType,
      from: TwoVersions.model(TwoVersions.old),
      to: TwoVersions.model(TwoVersions.new),
      mapping: mapping
    )
    let lines = try TwoVersions.lines(VersionStore(TwoVersions.new, at: file))
    #expect(lines.map { $0.prefix(6) } == ["note 0", "note 1", "note 2", "writte"])
  }

  @Test func `a migration that fails leaves the store as it was (106)`() throws {
    let file = try TwoVersions.store(3)
    let before = try TwoVersions.contents(besides: file)
    let mapping = try TwoVersions.inferred()
    mapping.entityMappings[1].attributeMappings = []
    mapping.entityMappings[1].entityMigrationPolicyClassName = "CoreDataTests.RefusingPolicy"
    let code = errorCode {
      try MappingMigration.migrate(
        storeAt: file,
        ofType: NSSQLiteStoreType,
        from: TwoVersions.model(TwoVersions.old),
        to: TwoVersions.model(TwoVersions.new),
        mapping: mapping
      )
    }
    #expect(code == NSEntityMigrationPolicyError)
    #expect(try TwoVersions.contents(besides: file) == before)
  }

  @Test(
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"),
    arguments: Tries.spread(6, of: 27)
  )
  func `a program killed at any moment leaves the old store or the new one (106)`(
    moment: Int
  ) async throws {
    let file = try TwoVersions.store(700, largeData: moment % 3 == 0)
    let old = try VersionStore(TwoVersions.old, at: file)
    let expected = try TwoVersions.lines(old)
    try old.close()
    let path = file.path
    let other = try TwoVersions.store(700, largeData: moment % 3 == 0)
    let whole = try ContinuousClock().measure { try migrate(other, keepsBackup: false) }
    let delay = Int(whole / .microseconds(1)) * (moment + 1) / 27
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, delay = delay as Int] in
      let file = URL(filePath: path)
      let mapping = try TwoVersions.inferred()
      Thread.detachNewThread {
        usleep(UInt32(delay))
        kill(getpid(), SIGKILL)
      }
      try MappingMigration.migrate(
        storeAt: file,
        ofType: NSSQLiteStoreType,
        from: TwoVersions.model(TwoVersions.old),
        to: TwoVersions.model(TwoVersions.new),
        mapping: mapping,
        keepsBackup: false
      )
      kill(getpid(), SIGKILL)
    }
    try check(file, expected, hasLargeData: moment % 3 == 0)
  }

  @Test(
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"),
    arguments: StoreReplacement.Step.allCases
  )
  func `a program killed while the store is replaced leaves the old one or the new one (106)`(
    step: StoreReplacement.Step
  ) async throws {
    let file = try TwoVersions.store(60, largeData: true)
    let old = try VersionStore(TwoVersions.old, at: file)
    let expected = try TwoVersions.lines(old)
    try old.close()
    let path = file.path
    let name = step.rawValue
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, name = name as String] in
      var migration = MappingMigration(url: URL(filePath: path), type: NSSQLiteStoreType)
      migration.observer = { step in
        if step.rawValue == name { kill(getpid(), SIGKILL) }
      }
      _ = try migration.perform(
        from: TwoVersions.model(TwoVersions.old),
        to: TwoVersions.model(TwoVersions.new),
        TwoVersions.inferred()
      )
    }
    let isNew = try isNew(file)
    #expect(isNew == (step != .filesBrought))
    if isNew {
      // Leftovers are tidied up although there is nothing to migrate.
      try MappingMigration.tidy(storeAt: file, ofType: NSSQLiteStoreType)
      #expect(try names(besides: file) == [".Notes_SUPPORT", "Notes.store"])
    }
    try check(file, expected, hasLargeData: true)
  }

  private func isNew(_ file: URL) throws -> Bool {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: file
    )
    return TwoVersions.model(TwoVersions.new)
      .isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
  }

  /// Whether the store is whole, and so after a migration that is completed now.
  private func check(_ file: URL, _ expected: [String], hasLargeData: Bool) throws {
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: file.path) == ["ok"])
    let left = try VersionStore(isNew(file) ? TwoVersions.new : TwoVersions.old, at: file)
    #expect(try TwoVersions.lines(left) == expected)
    try left.close()
    try migrate(file, keepsBackup: false)
    let new = try VersionStore(TwoVersions.new, at: file)
    #expect(try TwoVersions.lines(new) == expected)
    try new.close()
    #expect(
      try names(besides: file) == (hasLargeData ? [".Notes_SUPPORT"] : []) + ["Notes.store"]
    )
    guard hasLargeData else { return }
    let folder = ExternalFiles.folder(besides: file)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.count == expected.count / 4)
  }

  @Test func `what was written after a kill is not tidied away (106)`() async throws {
    let file = try TwoVersions.store(8, largeData: true)
    let path = file.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var migration = MappingMigration(url: URL(filePath: path), type: NSSQLiteStoreType)
      migration.observer = { _ in kill(getpid(), SIGKILL) }
      _ = try migration.perform(
        from: TwoVersions.model(TwoVersions.old),
        to: TwoVersions.model(TwoVersions.new),
        TwoVersions.inferred()
      )
    }
    let old = try VersionStore(TwoVersions.old, at: file)
    try old.work { context throws in
      let note = TwoVersions.make("Note", "title", "later", in: context)
      note.setValue(Data(repeating: 7, count: 200_000), forKey: "scan")
      try context.save()
    }
    let expected = try TwoVersions.lines(old)
    try old.close()
    try migrate(file, keepsBackup: false)
    #expect(try TwoVersions.lines(VersionStore(TwoVersions.new, at: file)) == expected)
    let folder = ExternalFiles.folder(besides: file)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
  }
}

/// Writes into the store that is being migrated, once.
final class WritingPolicy: NSEntityMigrationPolicy {
  static let file = Mutex<URL?>(nil)

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    let file = Self.file.withLock { file in
      defer { file = nil }
      return file
    }
    guard let file else { return }
    let store = try VersionStore(TwoVersions.old, at: file)
    try store.work { context throws in
      _ = TwoVersions.make("Note", "title", "written meanwhile", in: context)
      try context.save()
    }
    try store.close()
  }
}

final class RefusingPolicy: NSEntityMigrationPolicy {
  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    throw CocoaError(.userCancelled)
  }
}
