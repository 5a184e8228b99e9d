import CoreDataModel
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Files that are not stores of the model: a clear error, and not a byte is changed.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct BadFileTests {
  private let file = TestSupport.TemporaryFolder.file("Notes.sqlite")

  /// Opens the file, and gives the error.
  private func failure(_ options: [String: Any] = [:]) throws -> NSError {
    do {
      _ = try NotesStack(file: file, options: options)
    } catch {
      return error as NSError
    }
    throw Unexpected.success
  }

  private enum Unexpected: Error { case success }

  private func makeStore() throws {
    let stack = try NotesStack(file: file, options: [:])
    let context = stack.context()
    try context.performAndWait {
      Note(context: context).title = "first"
      try context.save()
    }
  }

  private func sql(_ script: String) throws {
    _ = try SQLiteShell.run(script, on: file.path)
  }

  private func expect(
    _ error: NSError,
    _ code: Int,
    _ sentence: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(error.domain == NSCocoaErrorDomain, sourceLocation: location)
    #expect(error.code == code, sourceLocation: location)
    let reason = error.localizedFailureReason ?? ""
    #expect(reason.contains(sentence), "\(reason)", sourceLocation: location)
    #expect(reason.contains(file.path), "\(reason)", sourceLocation: location)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path, sourceLocation: location)
  }

  @Test func `a file that is not SQLite stays as it is`() throws {
    let bytes = Data("These are my notes, in plain words; they are long enough to be read.\n".utf8)
    for length in [5, 60] {
      try bytes.prefix(length).write(to: file)
      expect(try failure(), 259, "is not a database that SQLite can read")
      #expect(try Data(contentsOf: file) == bytes.prefix(length))
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path
    )
    #expect(names == ["Notes.sqlite"])
  }

  @Test func `a database of another program stays as it is`() throws {
    try sql("CREATE TABLE songs (title); INSERT INTO songs VALUES ('one');")
    let bytes = try Data(contentsOf: file)
    expect(try failure(), 259, "has no table Z_METADATA")
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `a store without metadata is no store`() throws {
    try makeStore()
    try sql("DELETE FROM Z_METADATA;")
    expect(try failure(), 259, "has no metadata that can be read")
    try sql("DROP TABLE Z_METADATA;")
    expect(try failure(), 259, "has no table Z_METADATA")
  }

  @Test(
    arguments: [
      "NULL", "x''", "x'62706c6973743030'", "'text'", "42", "CAST('<plist' AS BLOB)",
      "substr(Z_PLIST, 1, length(Z_PLIST) - 40)", "CAST('[1, 2]' AS BLOB)",
    ]
  )
  func `damaged metadata is said to be damaged`(plist: String) throws {
    try makeStore()
    try sql("UPDATE Z_METADATA SET Z_PLIST = \(plist);")
    let before = try Data(contentsOf: file)
    expect(try failure(), 259, "has no metadata that can be read")
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `metadata with values of other types is a store of another model`() throws {
    try makeStore()
    let list: [String: Any] = ["NSStoreModelVersionHashes": "none", "NSStoreType": 7]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list,
      format: .xml,
      options: 0
    )
    let digits = bytes.map { String(format: "%02x", $0) }.joined()
    try sql("UPDATE Z_METADATA SET Z_PLIST = x'\(digits)';")
    expect(try failure(), 134100, "are only in the model")
  }

  @Test func `another model's store names the entities that differ`() throws {
    let model = NSManagedObjectModel(
      schema: ModelSchema(
        entities: [
          .entity("Note", [.text("title")]), .entity("Song", [.text("name")]),
        ]
      )
    )
    try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file
    )
    let before = try Data(contentsOf: file)
    let error = try failure()
    expect(
      error,
      134100,
      "Note differs; Bin, Checklist, Folder and Tag are only in the model; "
        + "Song is only in the store."
    )
    let stored = error.userInfo[StoreFailure.storeHashesKey] as? [String: Data]
    let ours = error.userInfo[StoreFailure.modelHashesKey] as? [String: Data]
    #expect(stored?.keys.sorted() == ["Note", "Song"])
    #expect(ours == NotesStack.model.layout.schema.entityVersionHashes)
    #expect(error.userInfo[StoreFailure.metadataKey] is [String: Any])
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `a file that numbers entities otherwise is not touched`() throws {
    try makeStore()
    try sql(
      """
      UPDATE Z_PRIMARYKEY SET Z_NAME = 'x' WHERE Z_ENT = 2;
      UPDATE Z_PRIMARYKEY SET Z_NAME = 'Folder' WHERE Z_ENT = 3;
      UPDATE Z_PRIMARYKEY SET Z_NAME = 'Note' WHERE Z_ENT = 2;
      """
    )
    let before = try Data(contentsOf: file)
    expect(try failure(), 259, "gives the entity Note the number 2, and the model 3")
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `a folder in the file's place is said to be one`() throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    expect(try failure(), 256, "there is a folder of that name")
  }

  @Test func `a missing folder is named`() throws {
    let folder = file.deletingLastPathComponent()
    try FileManager.default.removeItem(at: folder)
    expect(try failure(), 256, "the folder \(folder.path) does not exist")
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `a missing file is not made for reading`() throws {
    expect(try failure([NSReadOnlyPersistentStoreOption: true]), 260, "There is no file at")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a symbolic link that leads nowhere was said not to be there`() throws {
    let target = file.deletingLastPathComponent().appending(path: "Nowhere/Notes.sqlite")
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    let words = "is a symbolic link to \(target.path)"
    expect(try failure([NSReadOnlyPersistentStoreOption: true]), 260, words)
    expect(try failure(), 256, words)
  }

  @Test func `a URL that is no file is refused`() throws {
    let url = try #require(URL(string: "https://example.org/Notes.sqlite"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    for url in [url, nil] {
      let error = #expect(throws: CocoaError.self) {
        try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType,
          configurationName: nil,
          at: url
        )
      }
      #expect(error?.code == .fileReadNoSuchFile)
    }
  }

  @Test(arguments: [0.02, 0.3, 0.6, 0.9])
  func `a truncated file is an error, never a crash`(share: Double) throws {
    try makeStore()
    let bytes = try Data(contentsOf: file)
    let part = bytes.prefix(Int(Double(bytes.count) * share))
    try part.write(to: file)
    do {
      let stack = try NotesStack(file: file, options: [:])
      let context = stack.context()
      try context.performAndWait {
        _ = try context.fetch(Note.fetchRequest())
        _ = try context.fetch(TestSupport.Tag.fetchRequest())
        Issue.record("half a file was read without complaint")
      }
    } catch let error as NSError {
      #expect(error.domain == NSCocoaErrorDomain)
      #expect([259, 134180].contains(error.code))
    }
  }

  @Test func `any byte that is wrong is at worst an error`() throws {
    try makeStore()
    let bytes = try Data(contentsOf: file)
    var generator = Numbers(state: 7)
    for _ in 0..<60 {
      var damaged = bytes
      for _ in 0..<20 {
        damaged[Int.random(in: 0..<bytes.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      try damaged.write(to: file)
      for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
      do {
        let stack = try NotesStack(file: file, options: [:])
        let context = stack.context()
        try context.performAndWait {
          for note in try context.fetch(Note.fetchRequest()) { _ = note.title }
          _ = Note(context: context)
          try context.save()
        }
      } catch let error as NSError {
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.localizedFailureReason != nil)
      }
    }
  }

  /// A random sequence that is the same each time.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test func `a table that is missing is an error of the fetch and of the save`() throws {
    try makeStore()
    try sql("DROP TABLE ZNOTE;")
    let stack = try NotesStack(file: file, options: [:])
    let context = stack.context()
    context.performAndWait {
      let error = #expect(throws: CocoaError.self) { try context.fetch(Note.fetchRequest()) }
      #expect(error?.code == .sqlite)
      _ = Note(context: context)
      let refused = #expect(throws: CocoaError.self) { try context.save() }
      #expect(refused?.code == .persistentStoreSave)
      #expect(context.insertedObjects.count == 1)
    }
  }

  @Test(arguments: [Double.nan, -1, .infinity, 1e300])
  func `a timeout that is no time does not stop the program`(timeout: Double) throws {
    _ = try NotesStack(file: file, options: [NSPersistentStoreTimeoutOption: timeout])
  }
}
