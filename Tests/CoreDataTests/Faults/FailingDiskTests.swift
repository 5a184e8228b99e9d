import CoreDataModel
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Disks that are full, or may only be read, from any write on: a save, a batch and a migration fail
/// with a sentence, nothing is lost, and the failed work succeeds when the disk takes it.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "needs /proc"))
struct FailingDiskTests {
  private let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
  private var folder: URL { file.deletingLastPathComponent() }

  @Test(arguments: FailingDisk.Refusal.allCases)
  func `a save on a failing disk changes nothing, and succeeds on a mended one`(
    _ refusal: FailingDisk.Refusal
  ) throws {
    let refused = try forEveryWrite(refusal) { file, failing in
      let stack = try NotesStack(file: file, options: HistoryStack.options)
      try UnsavedChanges.populate(stack)
      let changes = try UnsavedChanges(in: stack)
      let (memory, rows) = (changes.contextPicture, try Self.picture(file))
      let isRefused = try failing {
        try changes.context.performAndWait { try changes.context.save() }
      }
      if isRefused {
        #expect(changes.contextPicture == memory)
        #expect(try Self.picture(file) == rows)
        try changes.context.performAndWait { try changes.context.save() }
      }
      #expect(!changes.context.hasChanges)
      #expect(try Self.picture(file) != rows)
      return isRefused
    }
    #expect(refused > 3)
  }

  @Test(arguments: FailingDisk.Refusal.allCases)
  func `a batch on a failing disk changes nothing, and succeeds on a mended one`(
    _ refusal: FailingDisk.Refusal
  ) throws {
    let works: [(NSManagedObjectContext) throws -> Void] = [
      { context in
        let rows = (0..<300).map { ["title": "note \($0)", "text": "words and words"] }
        try context.insert("Note", rows)
      },
      { try $0.update("Note", ["text": "other words"]) },
      { try $0.delete("Folder") },
    ]
    for work in works {
      let refused = try forEveryWrite(refusal) { file, failing in
        let stack = try NotesStack(file: file, options: HistoryStack.options)
        try UnsavedChanges.populate(stack)
        let rows = try Self.picture(file)
        return try stack.work { context in
          let isRefused = try failing { try work(context) }
          if isRefused {
            #expect(try Self.picture(file) == rows)
            try work(context)
          }
          #expect(try Self.picture(file) != rows)
          return isRefused
        }
      }
      #expect(refused > 0)
    }
  }

  @Test(arguments: FailingDisk.Refusal.allCases)
  func `a migration on a failing disk changes nothing, and succeeds on a mended one (108)`(
    _ refusal: FailingDisk.Refusal
  ) throws {
    let refused = try forEveryWrite(refusal) { file, failing in
      let upgrade = Upgrade(of: file)
      try Upgrade.work(with: LightweightMigrationTests.first, at: file) { context in
        try LightweightMigrationTests.fill(context)
        try context.save()
      }
      let rows = try Self.picture(file)
      let isRefused = try failing { _ = try upgrade.lines(FailedMigrationTests.second) }
      if isRefused, try Self.picture(file) != rows {
        // The failed step was opening the migrated store.
        #expect(try StoredModel(inStoreAt: file).schema.entity(named: "Page") != nil)
        try upgrade.expectShape(of: FailedMigrationTests.second)
      }
      #expect(try upgrade.lines(FailedMigrationTests.second).contains("Page/1 folders = 1"))
      try upgrade.expectShape(of: FailedMigrationTests.second)
      #expect(try upgrade.companions().filter { $0.hasSuffix(".unfinished") } == [])
      return isRefused
    }
    #expect(refused > 3)
  }

  @Test func `a disk without room for a copy was said to be that of the store`() throws {
    let stack = try NotesStack(file: file, options: [:])
    try stack.saved { $0.note("first") }
    let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
    let place = copy.deletingLastPathComponent()
    let disk = FailingDisk(place, .full, afterWrites: 1)
    defer { disk.mend() }
    let error = #expect(throws: CocoaError.self) {
      _ = try FileCopy(of: file, to: copy).perform { _, _, _ in true }
    }
    #expect(error?.code == .fileWriteOutOfSpace)
    #expect((error as NSError?)?.localizedFailureReason == "\(place.path): the disk is full.")
  }

  @Test func `a store on a disk that is read-only already can be read`() throws {
    let stack = try NotesStack(file: file, options: [:])
    try stack.saved { $0.note("first") }
    let disk = FailingDisk(folder, .readOnly)
    defer { disk.mend() }
    let other = try NotesStack(file: file, options: [:])
    try other.work { context in
      let titles = try context.titles()
      #expect(titles == ["first"])
      let note = context.note("second")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      Self.expectSentence(error, .readOnly)
      #expect(context.insertedObjects == [note])
      disk.mend()
    }
  }
}

// MARK: - Every write

extension FailingDiskTests {
  /// Refuses the first write and all that follow, then the second, and so on, until nothing is refused;
  /// gives how many times something was.
  private func forEveryWrite(
    _ refusal: FailingDisk.Refusal,
    _ body: (URL, _ failing: (() throws -> Void) throws -> Bool) throws -> Bool
  ) throws -> Int {
    defer { try? FileManager.default.removeItem(at: folder) }
    var (count, refused) = (0, 0)
    while count < 1000 {
      let place = folder.appending(path: "\(count)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let isRefused = try body(place.appending(path: "Notes.sqlite")) { work in
        let disk = FailingDisk(place, refusal, afterWrites: count)
        defer { disk.mend() }
        do {
          try work()
          return false
        } catch let error as CocoaError {
          #expect(disk.refusalCount > 0)
          Self.expectSentence(error, refusal, "write \(count)")
          return true
        }
      }
      if !isRefused { return refused }
      try FileManager.default.removeItem(at: place)
      refused += 1
      // Every one of the first, then fewer and fewer.
      count += 1 + count / Tries.count(2, long: 4)
    }
    Issue.record("there is no end of writes")
    return 0
  }

  private static func expectSentence(
    _ error: CocoaError?,
    _ refusal: FailingDisk.Refusal,
    _ place: String = ""
  ) {
    let reason = (error as NSError?)?.localizedFailureReason ?? ""
    // A copy that cannot be written is a failure of the migration.
    let isCopy = error?.code.rawValue == NSMigrationError && reason.contains("to fall back on")
    // SQLite itself does not say why its log or the log's index cannot be made.
    let isLog = reason.contains("a file that SQLite needs beside it, cannot be opened")
    if isCopy || isLog { return }
    switch refusal {
    case .full:
      #expect(error?.code == .fileWriteOutOfSpace, "\(place): \(reason)")
      #expect(reason.contains("the disk is full"), "\(place): \(reason)")
    case .readOnly:
      // Nor why a page could not be written.
      let words = ["may not be written", "is read-only", "could not read or write it"]
      #expect(words.contains { reason.contains($0) }, "\(place): \(reason)")
    }
  }

  private static func picture(_ file: URL) throws -> [String] {
    let connection = try Connection(path: file.path)
    let shape = try FileShape(connection)
    var lines: [String] = []
    for table in shape.tables.keys.sorted() where table != "Z_METADATA" {
      lines.append(shape.tables[table]?.sql ?? "")
      let statement = try connection.statement("SELECT * FROM \(table) ORDER BY 1")
      defer { statement.reset() }
      while try statement.step() {
        lines.append((0..<statement.columnCount).map { "\(statement.value($0))" }.joined())
      }
    }
    return lines
  }
}

/// Large data on a disk that takes no file of its size.
struct FullDiskForLargeDataTests {
  @Test func `large data that finds no room leaves the save undone, and is saved with room`()
    async throws
  {
    let path = TestSupport.TemporaryFolder.file("Notes.sqlite").path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let stack = try NotesStack(file: URL(filePath: path), options: [:])
      try stack.saved { $0.note("first") }
      try stack.work { context in
        let note = try #require(try context.fetch(Note.fetchRequest()).first)
        note.title = "second"
        note.image = plainData(1, count: 3_000_000)
        // The store's own writes stay below this size.
        try FileSize.limited(to: 2_000_000) {
          let error = #expect(throws: CocoaError.self) { try context.save() }
          #expect(error?.code == .fileWriteOutOfSpace)
          let reason = (error as NSError?)?.localizedFailureReason ?? ""
          #expect(reason.contains("_EXTERNAL_DATA"), "\(reason)")
        }
        #expect(context.updatedObjects == [note])
        #expect(stack.externalFiles == [])
        #expect(try stack.work { try $0.titles() } == ["first"])
        let rows: [[String: Any]] = [["title": "third", "image": plainData(2, count: 3_000_000)]]
        try FileSize.limited(to: 2_000_000) {
          let code = errorCode { try context.insert("Note", rows) }
          #expect(code == CocoaError.fileWriteOutOfSpace.rawValue)
        }
        #expect(stack.externalFiles == [])
        try context.save()
        try context.insert("Note", rows)
        #expect(stack.externalFiles.count == 2)
      }
      #expect(try stack.work { try $0.titles() } == ["second", "third"])
    }
    try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
  }
}

/// How large files of this process may become.
private enum FileSize {
  static func limited(to size: UInt, _ body: () throws -> Void) throws {
    // The system would rather end the program than refuse a write.
    signal(SIGXFSZ, SIG_IGN)
    var before = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) == 0)
    var limit = before
    limit.rlim_cur = size
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) }
    try body()
  }
}
