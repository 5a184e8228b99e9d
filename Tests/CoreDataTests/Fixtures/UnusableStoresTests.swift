import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Apple's stores, damaged in every way that a file can be: an error in words, and not a byte changed.
@Suite(
  .enabled(
    if: StoreCopy.names.contains("Moody") && SQLiteShell.isPresent,
    "needs ../shared/fixtures/stores and the sqlite3 tool"
  )
)
struct UnusableStoresTests {
  /// Ways to look at a store.
  enum Look: CaseIterable {
    case open
    case openReadOnly
    case metadata
    case model
    case tables

    func perform(_ copy: StoreCopy) throws {
      switch self {
      case .open: try copy.readEverything([NSPersistentStoreTimeoutOption: 0.2])
      case .openReadOnly:
        try copy.readEverything([
          NSReadOnlyPersistentStoreOption: true, NSPersistentStoreTimeoutOption: 0.2,
        ])
      case .metadata:
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
          type: .sqlite,
          at: copy.file,
          options: [NSPersistentStoreTimeoutOption: 0.2]
        )
      case .model: _ = try NSManagedObjectModel(contentsOfStoreAt: copy.file)
      case .tables: _ = try NSManagedObjectModel(contentsOfStoreAt: copy.file, from: .tables)
      }
    }
  }

  /// The error of a look, which must leave all files as they were.
  private func failure(_ look: Look, _ copy: StoreCopy) throws -> NSError? {
    let before = try copy.folderContents()
    defer {
      let after = try? copy.folderContents()
      #expect(after?.filter { !$0.key.hasSuffix("-shm") } == before, "\(look)")
    }
    do {
      try look.perform(copy)
      return nil
    } catch {
      return error as NSError
    }
  }

  private func expect(
    _ error: NSError?,
    _ code: Int,
    _ copy: StoreCopy,
    _ words: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: location)
    #expect(error?.code == code, sourceLocation: location)
    let reason = error?.localizedFailureReason ?? ""
    #expect(reason.contains(copy.file.path), "\(reason)", sourceLocation: location)
    #expect(reason.contains(words), "\(reason)", sourceLocation: location)
    let remedy = error?.localizedRecoverySuggestion ?? ""
    #expect(remedy.hasSuffix("."), "\(remedy)", sourceLocation: location)
  }

  private func copy(_ name: String = "Moody", _ script: String? = nil) throws -> StoreCopy {
    let copy = try StoreCopy(name)
    if let script { _ = try SQLiteShell.run(script, on: copy.file.path) }
    return copy
  }

  @Test(arguments: Look.allCases)
  func `something else`(look: Look) throws {
    let copy = try copy()
    try Data(String(repeating: "These are notes in plain words.\n", count: 400).utf8)
      .write(to: copy.file)
    expect(try failure(look, copy), 259, copy, "is not a database that SQLite can read")
  }

  @Test(arguments: Look.allCases)
  func `an encrypted file`(look: Look) throws {
    let copy = try copy()
    var dice = Dice(seed: 3)
    let bytes = (0..<40_960).map { _ in UInt8.random(in: 0...255, using: &dice) }
    try Data(bytes).write(to: copy.file)
    expect(try failure(look, copy), 259, copy, "or encrypted")
  }

  @Test(arguments: Look.allCases.dropFirst())
  func `an empty file, for those who only look`(look: Look) throws {
    let copy = try copy()
    try Data().write(to: copy.file)
    expect(try failure(look, copy), 259, copy, "has no tables")
  }

  @Test(arguments: Look.allCases)
  func `a database of another program`(look: Look) throws {
    let copy = try copy()
    try FileManager.default.removeItem(at: copy.file)
    _ = try SQLiteShell.run("CREATE TABLE songs (title);", on: copy.file.path)
    expect(try failure(look, copy), 259, copy, "has no table Z_METADATA")
  }

  @Test(arguments: Look.allCases, [16, 99, 100, 1000, 4096, 20_480, 40_000])
  func `a file that ends too early`(look: Look, length: Int) throws {
    let copy = try copy()
    try Data(contentsOf: copy.file).prefix(length).write(to: copy.file)
    let error = try failure(look, copy)
    // This look may not need the missing part.
    if error == nil, [.metadata, .model].contains(look) { return }
    expect(error, 259, copy, length < 99 ? "is not a database" : "it is damaged")
  }

  @Test(arguments: Look.allCases)
  func `a page that is overwritten`(look: Look) throws {
    let copy = try copy()
    let rows = try SQLiteShell.run(
      "SELECT rootpage FROM sqlite_master WHERE name IN ('ZMOOD', 'Z_METADATA', 'Z_MODELCACHE');",
      on: copy.file.path
    )
    var bytes = try Data(contentsOf: copy.file)
    for page in rows.compactMap(Int.init) {
      bytes.replaceSubrange(
        (page - 1) * 4096..<page * 4096,
        with: Data(repeating: 0xAB, count: 4096)
      )
    }
    try bytes.write(to: copy.file)
    expect(try failure(look, copy), 259, copy, "it is damaged")
  }

  @Test(arguments: [Look.open, .openReadOnly, .metadata])
  func `metadata that are no list`(look: Look) throws {
    let copy = try copy("Moody", "UPDATE Z_METADATA SET Z_PLIST = x'62706c6973743030ffff';")
    expect(try failure(look, copy), 259, copy, "has no metadata that can be read")
  }

  @Test func `rows behind damaged metadata can still be read by those who ask for it`() throws {
    let copy = try copy("Moody", "UPDATE Z_METADATA SET Z_PLIST = x'00';")
    let store = try copy.open([
      NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
    ])
    #expect(
      store.identifier
        == (try SQLiteShell.run("SELECT Z_UUID FROM Z_METADATA;", on: copy.file.path)).first
    )
    let comparison = try RowComparison(copy, StoreCopy.plainSQL("Moody"))
    #expect(comparison.differences == [])
    #expect(comparison.count > 0)
  }

  @Test(arguments: ["x'00'", "substr(Z_CONTENT, 1, 200)", "NULL", "zeroblob(1000)", "'text'"])
  func `a model cache that is no model, and the tables instead`(content: String) throws {
    let copy = try copy("Moody", "UPDATE Z_MODELCACHE SET Z_CONTENT = \(content);")
    expect(try failure(.model, copy), 259, copy, "has a damaged model cache")
    let told = try StoredModel(inStoreAt: copy.file, from: .best)
    #expect(told.source == .tables)
    #expect(told.schema.entities.map(\.name) == copy.schema.entities.map(\.name))
    // The application has its own model, and does not need the cache.
    #expect(try failure(.open, copy) == nil)
  }

  @Test func `a store without a model in it says what may be done`() throws {
    let copy = try copy("TwitterSeed-iOS6")
    let error = try failure(.model, copy)
    expect(error, 259, copy, "has no model cache")
    #expect(error?.localizedRecoverySuggestion?.contains("from: .tables") == true)
    #expect(try StoredModel(inStoreAt: copy.file, from: .best).source == .tables)
  }

  @Test(arguments: [Look.open, .openReadOnly])
  func `metadata of a version to come`(look: Look) throws {
    let copy = try copy("Moody", "UPDATE Z_METADATA SET Z_VERSION = 2;")
    expect(try failure(look, copy), 134_000, copy, "metadata of the version 2")
    #expect(try failure(.metadata, copy) == nil)
  }

  @Test(arguments: [Look.open, .openReadOnly])
  func `hashes of a version to come`(look: Look) throws {
    let copy = try copy()
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: copy.file
    )
    metadata[NSStoreModelVersionHashesVersionKey] = 4
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: copy.file)
    expect(try failure(look, copy), 134_000, copy, "hashes of the version 4")
    // A program that only reads may read.
    try copy.readEverything([
      NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
    ])
  }

  @Test(arguments: [
    ("DELETE FROM Z_PRIMARYKEY;", "has no entity in its table Z_PRIMARYKEY"),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 2;", "has no entity number 2"),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 4 WHERE Z_ENT = 2;", "Continent inherits from an entity 4"),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 2;", "Continent inherits from an entity 2"),
    (
      "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL WHERE Z_ENT = 2;",
      "has no name for the entity number 2"
    ),
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Mood' WHERE Z_ENT = 2;", "two entities of the name Mood"),
    ("DROP TABLE ZMOOD;", "has no table ZMOOD"),
    (
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'X' WHERE Z_ENT = 2;"
        + "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Continent' WHERE Z_ENT = 3;"
        + "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Country' WHERE Z_ENT = 2;",
      "in another order"
    ),
  ])
  func `tables that no model makes`(script: String, words: String) throws {
    let copy = try copy("Moody", script)
    expect(try failure(.tables, copy), 259, copy, words)
  }

  @Test(arguments: Look.allCases)
  func `a folder of that name`(look: Look) throws {
    let copy = try copy()
    try FileManager.default.removeItem(at: copy.file)
    try FileManager.default.createDirectory(at: copy.file, withIntermediateDirectories: true)
    let error = #expect(throws: NSError.self) { try look.perform(copy) }
    expect(error, 256, copy, "there is a folder of that name")
  }

  @Test(arguments: Look.allCases)
  func `a store that another program keeps to itself`(look: Look) throws {
    let copy = try copy()
    let other = try OtherProgram(copy.file.path)
    try other.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE ZMOOD SET ZDATE = 1;")
    defer { other.kill() }
    // The reading of the model waits as long as stores usually do.
    if [.model, .tables].contains(look) { return }
    let error = #expect(throws: NSError.self) { try look.perform(copy) }
    expect(error, 134_090, copy, "another program keeps it locked")
  }

  @Test func `a file whose log is gone is read as it was before, or is an error`() throws {
    for name in StoreCopy.names.filter({ $0.hasPrefix("Bookmarks") }) {
      let copy = try StoreCopy(name)
      try FileManager.default.removeItem(atPath: copy.file.path + "-wal")
      for look in Look.allCases.dropFirst() {
        let error = try failure(look, copy)
        if let error { #expect(error.localizedFailureReason?.contains(copy.file.path) == true) }
      }
    }
  }

  @Test func `a log that belongs to another file is passed over`() throws {
    let copy = try StoreCopy("Moody")
    let other = try StoreCopy("Bookmarks_V1")
    try Data(contentsOf: URL(filePath: other.file.path + "-wal")).prefix(9000)
      .write(to: URL(filePath: copy.file.path + "-wal"))
    do {
      try copy.readEverything([NSReadOnlyPersistentStoreOption: true])
    } catch let error as NSError {
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.localizedFailureReason?.contains(copy.file.path) == true)
    }
  }
}

/// For those whom permissions concern.
@Suite(
  .enabled(
    if: StoreCopy.names.contains("Moody") && geteuid() != 0,
    "needs ../shared/fixtures/stores and a user whom permissions concern"
  )
)
struct ForbiddenStoresTests {
  private func setPermissions(_ permissions: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }

  @Test func `a file that may not be read`() throws {
    let copy = try StoreCopy("Moody")
    try setPermissions(0, copy.file.path)
    for look in UnusableStoresTests.Look.allCases {
      let error = #expect(throws: CocoaError.self) { try look.perform(copy) }
      #expect(error?.code == .fileReadNoPermission, "\(look)")
    }
  }

  @Test func `a store in a folder that may not be written is read, and nothing is made`() throws {
    let copy = try StoreCopy("Moody")
    let folder = copy.file.deletingLastPathComponent().path
    let before = try copy.folderContents()
    try setPermissions(0o555, folder)
    defer { try? setPermissions(0o755, folder) }
    for look in UnusableStoresTests.Look.allCases { try look.perform(copy) }
    #expect(try copy.folderContents() == before)
  }

  @Test func `a log in a folder that may not be written cannot be read, and it is said why`() throws
  {
    let copy = try StoreCopy("Bookmarks_V1")
    let folder = copy.file.deletingLastPathComponent().path
    let before = try copy.folderContents()
    try setPermissions(0o555, folder)
    defer { try? setPermissions(0o755, folder) }
    for look in UnusableStoresTests.Look.allCases {
      let error = #expect(throws: NSError.self) { try look.perform(copy) }
      #expect(error?.code == CocoaError.fileReadUnknown.rawValue, "\(look)")
      #expect(error?.localizedRecoverySuggestion?.contains("-wal") == true, "\(look)")
    }
    #expect(try copy.folderContents() == before)
  }
}
