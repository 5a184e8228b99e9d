import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// The faults of a store are found, and nothing else.
@Suite struct StoreCheckerTests {
  @Test(arguments: [true, false])
  func `a sound store gives no finding`(deep: Bool) throws {
    let report = try SoundStore().report(deep: deep)
    #expect(report.findings.map(\.words) == [])
    #expect(report.isSound && report.hasCheckedRows)
  }

  @Test(arguments: Damage.all)
  func `each damage is found, with the right sentence`(_ damage: Damage) throws {
    let store = try SoundStore()
    try store.run(damage.statements)
    let report = try store.report()
    let found = report.findings.filter { $0.check == damage.check }
    #expect(
      found.contains { $0.place.description == damage.place && $0.sentence == damage.sentence },
      "\(report.findings.map(\.words))"
    )
    #expect(report.isSound == !report.findings.contains { $0.severity == .error })
  }

  /// Leftovers of Core Data itself, a batch, a migration or a purge in a store.
  @Test(arguments: [
    ["UPDATE ZFOLDER SET ZNAME = NULL"],
    ["DROP INDEX Z_Note_byTitle"],
    ["DELETE FROM Z_4TAGS", "INSERT INTO Z_4TAGS (Z_4NOTES, Z_6TAGS) VALUES (4711, 4712)"],
    history,
    ["UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1000"],
    ["CREATE TABLE Z_RT_1 (a)", "CREATE TABLE others (a)", "ALTER TABLE ZNOTE ADD COLUMN ZOLD"],
  ])
  func `what Apple leaves behind was called not sound`(statements: [String]) throws {
    let store = try SoundStore()
    try store.run(statements)
    let report = try store.report()
    #expect(report.isSound && report.hasCheckedRows, "\(report.findings.map(\.words))")
  }

  @Test(arguments: [true, false])
  func `a function that only a program has ended the check`(deep: Bool) throws {
    let store = try SoundStore()
    let connection = try Connection(path: store.file.path)
    connection.define("ours", argumentCount: 1, for: .schema) { _ in .null }
    try connection.run("CREATE TABLE mine (a)")
    try connection.run("CREATE INDEX byOurs ON mine (ours(a))")
    let report = try store.report(deep: deep)
    #expect(report.isSound && report.hasCheckedRows, "\(report.findings.map(\.words))")
  }

  @Test func `a file that waits for its deletion was called not sound`() throws {
    let store = try SoundStore()
    let file = store.externalFolder.appendingPathComponent(UUID().uuidString)
    try Data([1, 2, 3]).write(to: file)
    let finding = try #require(try store.report().findings.first)
    #expect(finding.severity == .note && finding.check == .externalData)
  }

  @Test func `a key that a deletion leaves behind by design is a warning`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4"])
    let strict = try #require(try store.report().findings.first { $0.check == .danglingKey })
    #expect(strict.severity == .error)
    var schema = SoundStore.schema
    for (entity, inverse) in [("Folder", "notes")] {
      for index in schema.entities.indices where schema.entities[index].name == entity {
        for place in schema.entities[index].relationships.indices
        where schema.entities[index].relationships[place].name == inverse {
          schema.entities[index].relationships[place].deleteRule = .noAction
        }
      }
    }
    let report = try StoreChecker(storeAt: store.file, model: schema).report()
    let finding = try #require(report.findings.first { $0.check == .danglingKey })
    #expect(finding.severity == .warning)
  }

  @Test func `the rows are named`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK IN (2, 5, 7)"])
    let finding = try #require(try store.report().findings.first { $0.check == .danglingKey })
    #expect(finding.examples == .rows([2, 5, 7]))
    #expect(finding.count == 3)
  }

  @Test func `only the first few of many rows are named, and all are counted`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDER = 99"])
    let finding = try #require(try store.report().findings.first { $0.check == .danglingKey })
    #expect(finding.examples == .rows([1, 2, 3, 4, 5]))
    #expect(finding.count == 8)
  }

  @Test func `two damages are two findings, the more serious first`() throws {
    let store = try SoundStore()
    try store.run([
      "DROP INDEX Z_Note_byTitle", "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Note'",
    ])
    #expect(try store.report().findings.map(\.check) == [.lastKey, .index])
  }

  @Test func `a check changes nothing`() throws {
    let store = try SoundStore()
    try store.run(Damage.all.filter { $0.outcome == .left }.flatMap(\.statements))
    let before = try Data(contentsOf: store.file)
    let picture = try store.picture()
    _ = try store.report()
    #expect(try Data(contentsOf: store.file) == before)
    #expect(try store.picture() == picture)
  }

  @Test func `a last key beyond all rows is none, for objects may have been deleted`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_NAME = 'Note'"])
    #expect(try store.report().findings == [])
  }

  @Test func `a pair of a reflexive relationship may stand either way round`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE Z_4RELATED SET Z_4RELATED = REFLEXIVE, REFLEXIVE = Z_4RELATED"])
    #expect(try store.report().findings == [])
  }

  @Test func `gaps in an order are room, and no fault`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET Z_FOK_PINNEDIN = Z_FOK_PINNEDIN * 9 - 1"])
    #expect(try store.report().findings == [])
  }

  @Test func `tables and columns of others are worth a note`() throws {
    let store = try SoundStore()
    try store.run([
      "CREATE TABLE diary (day)", "ALTER TABLE ZTAG ADD COLUMN colour",
      "CREATE INDEX mine ON ZTAG (colour)",
    ])
    let report = try store.report()
    #expect(report.isSound)
    #expect(report.findings.map(\.severity) == [.note, .note, .note])
    #expect(
      report.findings.map(\.examples) == [.names(["diary"]), .names(["colour"]), .names(["mine"])]
    )
  }

  @Test func `a file that a row names and that is not there is found`() throws {
    let store = try SoundStore()
    let name = try #require(ExternalFiles.names(besides: store.file).min())
    try FileManager.default.removeItem(at: store.externalFolder.appendingPathComponent(name))
    let finding = try #require(try store.report().findings.first)
    #expect(finding.words.contains("Note.image: 1 row names a file that is not in the folder"))
    #expect(finding.remedy == nil)
  }

  @Test func `of files that were not copied was not said where they are`() throws {
    let store = try SoundStore()
    let names = ExternalFiles.names(besides: store.file)
    let folder = store.externalFolder.deletingLastPathComponent()
    try FileManager.default.removeItem(at: folder)
    let finding = try #require(try store.report().findings.first)
    let advice = try #require(finding.advice)
    #expect(advice.contains("copy the hidden folder \(folder.lastPathComponent) from"), "\(advice)")
    #expect(names.contains { advice.contains("came from, which has \($0);") }, "\(advice)")
  }

  @Test func `a file that is too large to be read was said not to be there`() throws {
    let store = try SoundStore()
    let name = try #require(ExternalFiles.names(besides: store.file).min())
    let file = try FileHandle(forWritingTo: store.externalFolder.appendingPathComponent(name))
    // A hole: it takes no room on the disk, and would take all of the memory.
    try file.truncate(atOffset: UInt64(ExternalFiles.greatestSize) + 1)
    try file.close()
    let finding = try #require(try store.report().findings.first)
    #expect(
      finding.words
        == "Note.image: 1 row names a file of more than 2147483647 bytes, which is not read"
    )
    #expect(finding.remedy == nil && finding.advice != nil)
    #expect(ExternalFiles.data(named: name, besides: store.file) == nil)
  }

  @Test func `history whose transactions or texts are gone is found`() throws {
    let store = try SoundStore()
    try store.run(Self.history)
    #expect(
      try store.report().findings.map(\.words) == [
        "ACHANGE: 1 row belongs to a transaction that is not there",
        "ATRANSACTION: 1 row has a text in ZAUTHORTS that is not in ATRANSACTIONSTRING",
      ]
    )
  }

  @Test func `changes of unknown entities and kinds, and missing tables of a history, passed`()
    throws
  {
    let store = try SoundStore()
    let changes = [
      "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZAUTHORTS INTEGER)",
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZTRANSACTIONID INTEGER, ZENTITY INTEGER, \
      ZCHANGETYPE INTEGER)
      """,
      "INSERT INTO ATRANSACTION VALUES (1, NULL)",
      "INSERT INTO ACHANGE VALUES (1, 1, 4, 0), (2, 1, 99, 0), (3, 1, 4, 7), (4, 1, NULL, NULL)",
    ]
    try store.run(changes)
    let findings = try store.report().findings
    #expect(
      findings.map(\.words).sorted() == [
        "ACHANGE: 1 row is of a kind other than insertion, update and deletion,"
          + " and readers of the history miss it",
        "ACHANGE: 1 row is of an entity that the model does not have,"
          + " and readers of the history miss it",
        "ATRANSACTIONSTRING: the table is missing beside ACHANGE and ATRANSACTION,"
          + " so that the names of authors and programs are lost",
      ]
    )
    #expect(findings.allSatisfy { $0.severity == .warning && $0.remedy != nil })
    try store.run(["DROP TABLE ACHANGE"])
    let words = try store.report().findings.map(\.words)
    #expect(words.contains { $0.hasPrefix("ACHANGE: the table is missing beside ATRANSACTION") })
  }

  @Test(arguments: [
    ("'abc'", true), ("'1.5'", false), ("'-0.123456789012345678901234567890'", false),
    ("'1e3'", false), ("''", true), ("'1,5'", true),
  ])
  func `a text that is not a number passed for a decimal`(value: String, isFound: Bool) throws {
    let schema = ModelSchema.model(.entity("Item", [.attribute("price", .decimal)]))
    let stack = try ModelStack(schema)
    try stack.work { context in
      _ = context.new("Item", ["price": NSDecimalNumber(string: "2.5")])
      try context.save()
    }
    let file = try #require(stack.file)
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    try Connection(path: file.path).run("UPDATE ZITEM SET ZPRICE = \(value)" as String)
    let found = try StoreChecker(storeAt: file, model: nil).report().findings
      .filter { $0.sentence.contains("is not a decimal number") }
    #expect(found.count == (isFound ? 1 : 0))
    #expect(found.allSatisfy { $0.severity == .error })
  }

  static let history = [
    "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZTRANSACTIONID INTEGER)",
    "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZAUTHORTS INTEGER)",
    "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR)",
    "INSERT INTO ATRANSACTIONSTRING VALUES (1, 'me')",
    "INSERT INTO ATRANSACTION VALUES (1, 1), (2, 8)",
    "INSERT INTO ACHANGE VALUES (1, 1), (2, 2), (3, 7)",
  ]
}

// MARK: - Files that are not stores

extension StoreCheckerTests {
  @Test func `a model that is not the store's is told, and no row is held against it`() throws {
    let store = try SoundStore()
    let report = try StoreChecker(storeAt: store.file, model: .notes).report()
    #expect(!report.hasCheckedRows)
    let sentence = try #require(report.findings.first?.sentence)
    #expect(sentence.hasPrefix("the rows were not checked: the store was made with another model:"))
    // A model that does not fit says nothing of the store.
    #expect(report.isSound && report.modelDifference != nil)
  }

  @Test func `a store without its list of entities passed where no model was given`() throws {
    let store = try SoundStore()
    try store.run(["DROP TABLE Z_PRIMARYKEY"])
    let report = try store.report()
    let finding = try #require(report.findings.first)
    #expect(
      finding.words
        == "Z_PRIMARYKEY: the table is missing, without which nothing opens the store"
    )
    #expect(finding.severity == .error && finding.remedy == nil && finding.advice != nil)
    #expect(!report.isSound)
    let given = try StoreChecker(storeAt: store.file, model: SoundStore.schema).report()
    #expect(given.findings.first?.remedy != nil)
  }

  @Test(arguments: [13, 14, 526, 776, 778, 1034, 2570, 3850, 4618, 4874, 5386] as [Int32])
  func `what the system refuses beside a store was taken for damage of the store`(code: Int32) {
    #expect(!SQLiteError(code: code, message: "no").isDamage)
  }

  @Test(arguments: [10, 11, 266, 522, 779, 8202, 8458] as [Int32])
  func `what cannot be read is damage`(code: Int32) {
    #expect(SQLiteError(code: code, message: "no").isDamage)
  }

  @Test func `a store without a model says that its rows were not checked`() throws {
    let store = try SoundStore()
    try store.run(["DROP TABLE Z_MODELCACHE"])
    let report = try store.report()
    #expect(!report.hasCheckedRows && report.findings.map(\.severity) == [.warning])
    #expect(report.findings.map(\.check) == [.model])
    let given = try StoreChecker(storeAt: store.file, model: SoundStore.schema).report()
    #expect(given.findings == [] && given.hasCheckedRows)
  }

  @Test func `a file that is no database is a finding`() throws {
    let store = try SoundStore()
    try Data("These are my notes, and they are not in a database at all.".utf8).write(
      to: store.file
    )
    let report = try store.report()
    #expect(report.findings.map(\.check) == [.database])
    #expect(!report.isSound)
  }

  @Test func `a file that is not there is an error`() throws {
    let store = try SoundStore()
    try FileManager.default.removeItem(at: store.file)
    #expect(throws: NSError.self) { try store.report() }
  }

  @Test func `pages that cannot be read are named, and the rest is looked at`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Tag'"])
    let page = try store.breakPage(of: "ZBIN")
    let report = try store.report(deep: false)
    #expect(report.isDamagedFile)
    let damage = try #require(report.findings.first { $0.check == .database })
    #expect(damage.examples == .pages([page]))
    #expect(report.findings.contains { $0.check == .lastKey && $0.place == .entity("Tag") })
  }

  @Test func `each row of SQLite's own check is understood`() {
    let findings = DatabaseCheck.findings(for: [
      "row 3 missing from index ZNOTE_ZFOLDER_INDEX",
      "row 4 missing from index ZNOTE_ZFOLDER_INDEX",
      "wrong # of entries in index ZTAG_X", "On tree page 7 cell 3: 2nd reference to page 9",
      "Page 12 is never used",
    ])
    #expect(
      findings.map(\.words) == [
        "the file: SQLite finds the file damaged: On tree page 7 cell 3: 2nd reference to page 9",
        "the file: 1 page is neither used nor free",
        "the file: the index ZNOTE_ZFOLDER_INDEX does not agree with its table:"
          + " row 3 missing from index ZNOTE_ZFOLDER_INDEX",
        "the file: the index ZTAG_X does not agree with its table:"
          + " wrong # of entries in index ZTAG_X",
      ]
    )
    #expect(findings.map(\.examples)[0] == .pages([7, 9]))
    #expect(findings.map { $0.remedy != nil } == [false, false, true, true])
  }
}

// MARK: - Stores of others

@Suite(.enabled(if: !StoreCopy.names.isEmpty, "needs ../shared/fixtures/stores"))
struct AppleStoreCheckTests {
  @Test(arguments: StoreCopy.names)
  func `a store that Apple's framework wrote is sound`(_ name: String) throws {
    let copy = try StoreCopy(name)
    let isOldest = name == "TwitterSeed-iOS6"
    let checker = StoreChecker(storeAt: copy.file, model: nil, isDeep: true)
    let report = try checker.report()
    // One is from before stores carried their models.
    #expect(report.findings.map(\.check) == (isOldest ? [.model] : []))
    #expect(report.hasCheckedRows == !isOldest)
  }

  @Test(arguments: ["SampleModel2_V2", "Bookmarks_V2", "SampleModel_V1"])
  func `what is broken in such a store is found and mended`(_ name: String) throws {
    let copy = try StoreCopy(name)
    let connection = try Connection(path: copy.file.path)
    StoreChecker.prepare(connection)
    try connection.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 1")
    var repair = StoreRepair(storeAt: copy.file, model: nil)
    repair.makesBackup = false
    let outcome = try repair.perform()
    #expect(outcome.before.findings.map(\.check) == [.lastKey])
    #expect(outcome.after.findings == [])
  }
}

extension Finding {
  var words: String { "\(place): \(sentence)" }
}

extension SoundStore {
  /// Fills the first page of a table with zeros, and gives its number.
  func breakPage(of table: String) throws -> Int64 {
    try run(["PRAGMA wal_checkpoint(TRUNCATE)"])
    let connection = try Connection(path: file.path, mode: .readOnly)
    let page = try #require(
      try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = \(.text(table))")
    )
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(page - 1) * 4096)
    try handle.write(contentsOf: Data(count: 4096))
    try handle.close()
    return page
  }
}
