import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of a new store's file as others see it.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct StoreFileTests {
  let stack: NotesStack
  private let path: String

  init() throws {
    stack = try NotesStack(.sqlite)
    path = try #require(stack.file).path
  }

  @Test(
    arguments: [
      ("auto_vacuum", "2"), ("page_size", "4096"), ("journal_mode", "wal"), ("encoding", "UTF-8"),
      ("user_version", "0"), ("application_id", "0"), ("integrity_check", "ok"),
    ]
  )
  func `a new file has Apple's settings`(pragma: String, value: String) throws {
    #expect(try SQLiteShell.run("PRAGMA \(pragma);", on: path) == [value])
  }

  @Test func `the tables are those of the model, in Apple's words`() throws {
    let tables = try SQLiteShell.run(
      "SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid;",
      on: path
    )
    #expect(
      tables == [
        "CREATE TABLE ZBIN ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZNAME VARCHAR )",
        "CREATE TABLE ZFOLDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZCOVER INTEGER, Z3_COVER INTEGER, ZPARENT INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZISFAVOURITE INTEGER, ZSTARS INTEGER, ZVIEWS INTEGER, ZCOVERS INTEGER,"
          + " ZFOLDER INTEGER, ZPINNEDIN INTEGER, ZITEMCOUNT INTEGER, Z_FOK_PINNEDIN INTEGER,"
          + " Z1KEPT INTEGER, Z1QUEUE INTEGER, Z_FOK_1QUEUE INTEGER, ZCREATED TIMESTAMP,"
          + " ZRATING FLOAT, ZPRICE DECIMAL, ZTEXT VARCHAR, ZTITLE VARCHAR, ZLINK VARCHAR,"
          + " ZUUID BLOB, ZKEYWORDS BLOB, ZIMAGE BLOB )",
        "CREATE TABLE Z_3RELATED ( Z_3RELATED INTEGER, REFLEXIVE INTEGER,"
          + " PRIMARY KEY (Z_3RELATED, REFLEXIVE) )",
        "CREATE TABLE Z_3TAGS ( Z_3NOTES INTEGER, Z_5TAGS INTEGER, Z_FOK_3NOTES INTEGER,"
          + " PRIMARY KEY (Z_3NOTES, Z_5TAGS) )",
        "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZNAME VARCHAR )",
        "CREATE TABLE Z_PRIMARYKEY"
          + " (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA"
          + " (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ]
    )
  }

  @Test func `every entity has a row in the table of keys`() throws {
    #expect(
      try SQLiteShell.run("SELECT * FROM Z_PRIMARYKEY;", on: path) == [
        "1|Bin|0|0", "2|Folder|0|0", "3|Note|0|0", "4|Checklist|3|0", "5|Tag|0|0",
      ]
    )
  }

  @Test func `the metadata has the model's hashes and digests`() throws {
    let identifier = try #require(stack.coordinator.persistentStores.first?.identifier)
    let row = try SQLiteShell.run("SELECT Z_VERSION, Z_UUID FROM Z_METADATA;", on: path)
    #expect(row == ["1|\(identifier)"])
    #expect(UUID(uuidString: identifier)?.uuidString == identifier)
    let bytes = try blob("SELECT hex(Z_PLIST) FROM Z_METADATA;", on: path)
    #expect(bytes.prefix(8) == Data("bplist00".utf8))
    let plist = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    let metadata = try #require(plist as? [String: Any])
    let schema = stack.coordinator.layout.schema
    #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == schema.entityVersionHashes)
    #expect(metadata["NSStoreModelVersionHashesVersion"] as? Int == 3)
    #expect(metadata["NSStoreModelVersionHashesDigest"] as? String == schema.versionHashesDigest)
    #expect(metadata["NSStoreModelVersionChecksumKey"] as? String == schema.versionChecksum)
    #expect(metadata["NSStoreModelVersionIdentifiers"] as? [String] == [""])
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
    #expect(metadata["NSPersistenceFrameworkVersion"] is Int)
    #expect(metadata.count == 8)
  }

  @Test func `the model cache is the model`() throws {
    let cache = try blob("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE;", on: path)
    let cached = try ModelCache.decode(cache)
    let schema = stack.coordinator.layout.schema
    #expect(cached.entityVersionHashes == schema.entityVersionHashes)
    #expect(cached.entities.map(\.name) == schema.entities.map(\.name))
    #expect(try ModelCache.decode(ModelCache.encode(cached)) == cached)
  }

  @Test func `an emptied file becomes a store`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try Data().write(to: file)
    let stack = try NotesStack(reopening: file)
    #expect(stack.coordinator.persistentStores.count == 1)
    #expect(try SQLiteShell.run("SELECT count(*) FROM Z_METADATA;", on: file.path) == ["1"])
  }

  @Test(arguments: 1...10)
  func `programs that make the same store at once share it`(round: Int) async throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let stack = try NotesStack(reopening: file)
          return try #require(stack.coordinator.persistentStores.first?.identifier)
        }
      }
      var identifiers: Set<String> = []
      for try await identifier in group { identifiers.insert(identifier) }
      #expect(identifiers.count == 1)
    }
  }

  private func blob(_ query: String, on path: String) throws -> Data {
    let digits = try #require(SQLiteShell.run(query, on: path).first)
    var bytes = Data()
    var rest = digits[...]
    while !rest.isEmpty {
      bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
