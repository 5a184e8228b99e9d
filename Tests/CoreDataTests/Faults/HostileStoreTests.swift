import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Stores that somebody has made to harm the programs that open them.
@Suite struct HostileStoreTests {
  private let store: SoundStore

  init() throws { store = try SoundStore() }

  /// Opens the store, changes an object that is there and adds another.
  private func save() throws {
    let stack = try ModelStack(SoundStore.schema, file: store.file)
    try stack.work { context in
      for note in try context.all("Note") { note.setValue("changed", forKey: "title") }
      _ = context.new("Note", ["slug": UUID().uuidString, "title": "new"])
      try context.save()
    }
  }

  private static let numbers = [
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Note'",
    "UPDATE ZNOTE SET Z_OPT = 9223372036854775807 WHERE Z_PK = 2",
    "UPDATE ZNOTE SET Z_PK = 9223372036854775807 WHERE Z_PK = 8",
  ]

  @Test(arguments: numbers)
  func `a number at its end stopped the program at the next save`(statement: String) throws {
    try store.run([statement])
    let error = #expect(throws: NSError.self) { try save() }
    let reason = error?.localizedFailureReason ?? ""
    #expect(reason.contains("is 9223372036854775807"), "\(reason)")
    #expect(reason.contains("Z_"), "\(reason)")
    let report = try store.report()
    #expect(report.findings.contains { $0.severity == .error && $0.remedy != nil })
    let outcome = try store.repair().perform()
    #expect(outcome.after.isSound, "\(outcome.after.findings.map(\.words))")
    try save()
  }

  @Test func `a row with a key at its end keeps what leads to it`() throws {
    try store.run([
      "UPDATE ZNOTE SET Z_PK = 9223372036854775807 WHERE Z_PK = 8",
      "UPDATE ZNOTE SET Z_PK = 9223372036854775806 WHERE Z_PK = 7",
      "UPDATE ZFOLDER SET ZCOVER = 9223372036854775807 WHERE ZCOVER = 8",
    ])
    #expect(try store.repair().perform().after.isSound)
    let stack = try ModelStack(SoundStore.schema, file: store.file)
    try stack.work { context in
      let folder = try #require(try context.all("Folder", where: "name == 'Folder 2'").first)
      let cover = try #require(folder.value(forKey: "cover") as? NSManagedObject)
      #expect(cover.textValue("title") == "Note 8")
      #expect(try context.all("Note").count == 8)
    }
  }

  @Test(arguments: [Int64.min, -1, -2])
  func `a link to a negative number stopped the program, or led to an object that was never saved`(
    number: Int64
  ) throws {
    try store.run(["UPDATE ZNOTE SET ZFOLDER = \(number) WHERE Z_PK = 2"])
    let stack = try ModelStack(SoundStore.schema, file: store.file)
    try stack.work { context in
      let unsaved = (0..<8).map { context.new("Folder", ["name": "unsaved \($0)"]) }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.relationshipKeyPathsForPrefetching = ["folder"]
      let notes = try context.fetch(request)
      let folders = notes.compactMap { $0.value(forKey: "folder") as? NSManagedObject }
      #expect(folders.allSatisfy { !unsaved.contains($0) })
    }
  }

  @Test func `a place in an order at its end is no place`() throws {
    try store.run(["UPDATE ZNOTE SET Z_FOK_PINNEDIN = 9223372036854775807 WHERE Z_PK = 2"])
    let stack = try ModelStack(SoundStore.schema, file: store.file)
    try stack.work { context in
      let folder = try #require(try context.all("Folder", where: "name == 'Folder 1'").first)
      let pinned = folder.mutableOrderedSetValue(forKey: "pinned")
      pinned.add(try #require(try context.all("Note").last))
      try context.save()
      let places = OrderPlaces.places(for: [1, .max, nil, .max - 1, nil])
      #expect(places == places.sorted() && Set(places).count == 5)
    }
  }

  @Test(arguments: [
    "UPDATE ACHANGE SET Z_PK = 9223372036854775807 WHERE Z_PK = 1",
    "UPDATE ATRANSACTION SET Z_PK = 9223372036854775807 WHERE Z_PK = 1",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT > 16000",
  ])
  func `a history at the end of its numbers stopped the program`(statement: String) throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    func save() throws {
      let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: NSManagedObjectModel(schema: SoundStore.schema)
      )
      let store = try coordinator.addPersistentStore(
        type: .sqlite,
        at: file,
        options: [NSPersistentHistoryTrackingKey: true]
      )
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        _ = context.new("Tag", ["label": "a"])
        try context.save()
      }
      try coordinator.remove(store)
    }
    try save()
    try Connection(path: file.path).run(statement)
    let error = #expect(throws: NSError.self) { try save() }
    #expect(error?.localizedFailureReason?.contains("9223372036854775807") == true)
    #expect(try !StoreChecker(storeAt: file, model: nil).report().isSound)
    #expect(try StoreRepair(storeAt: file, model: nil).perform().after.isSound)
    try save()
  }

  @Test func `an entity's number beyond its type was taken for another's`() throws {
    try store.run(["UPDATE ZTAG SET Z_ENT = 4294967302 WHERE Z_PK = 1"])
    let stack = try ModelStack(SoundStore.schema, file: store.file)
    try stack.work { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
      request.resultType = .managedObjectIDResultType
      let (ids, tags) = (try context.fetch(request), try context.all("Tag"))
      // Keys of an entity that is alone in its table come from an index, which does not know entities. Reading such a
      // row is an error, and never gives an object of another entity.
      #expect(ids.count == 3 && tags.count == 2)
      let strangers = ids.filter { id in !tags.contains { $0.objectID == id } }
      #expect(strangers.count == 1)
      for stranger in strangers {
        #expect(throws: NSError.self) { try context.existingObject(with: stranger) }
      }
    }
  }

  @Test func `keys at both ends are counted, estimated and salvaged`() throws {
    try store.run([
      "UPDATE ZTAG SET Z_PK = 9223372036854775807 WHERE Z_PK = 3",
      "UPDATE ZTAG SET Z_PK = -9223372036854775808 WHERE Z_PK = 1",
    ])
    let connection = try Connection(path: store.file.path)
    let counter = RowCounter(table: "ZTAG", hasSubentities: false)
    #expect(try counter.estimate(on: connection).values.allSatisfy { $0 > 0 })
    let target = TestSupport.TemporaryFolder.file("Salvaged.sqlite")
    let outcome = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    #expect(outcome.tables.first { $0.name == "ZTAG" }?.copied == 3)
  }
}

// MARK: - Triggers and views

extension StrangeCode {
  fileprivate var isEmpty: Bool { triggers.isEmpty && views.isEmpty && computations.isEmpty }
}

extension HostileStoreTests {
  private func code() throws -> StrangeCode {
    try StrangeCode(inStoreAt: store.file, model: SoundStore.schema)
  }

  @Test func `the triggers of the model are explained`() throws {
    #expect(try code().isEmpty)
    #expect(try store.report().findings.map(\.words) == [])
  }

  @Test(arguments: [
    "CREATE TRIGGER cleaner AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZNOTE; END",
    "CREATE TRIGGER Z_DA_ZNOTE_Note_folderName_X AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZTAG; END",
    """
    CREATE TRIGGER Z_DA_ZNOTE_Note_folderName_X BEFORE DELETE ON ZNOTE BEGIN \
    SELECT RAISE(IGNORE); END
    """,
    """
    CREATE TRIGGER Z_DA_ZNOTE_Note_folderName_X AFTER UPDATE ON ZNOTE BEGIN \
    UPDATE ZNOTE SET ZFOLDERNAME = (WITH RECURSIVE c(x) AS \
    (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c); END
    """,
    """
    CREATE TRIGGER Z_DA_ZNOTE_Note_folderName_X AFTER UPDATE ON ZNOTE BEGIN \
    UPDATE ZNOTE SET ZTITLE = 'gone'; END
    """,
    "CREATE TRIGGER lost AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZNOBODY; END",
  ])
  func `a check called a file with a stranger's trigger sound`(statement: String) throws {
    try store.run([statement])
    let trigger = try #require(try code().triggers.first)
    #expect(try code().triggers.count == 1)
    let report = try store.report()
    #expect(
      report.findings.contains {
        $0.severity != .note && $0.examples.words == [trigger.name] && $0.remedy == nil
      }
    )
  }

  @Test(arguments: [
    "CREATE INDEX large ON ZNOTE (zeroblob(1000))",
    "CREATE INDEX large ON ZNOTE (ZTITLE) WHERE length(hex(ZTITLE)) > 3",
    "CREATE UNIQUE INDEX large ON ZTAG (\"upper\"(ZLABEL))",
  ])
  func `a stranger's index took gigabytes for a row, and no check spoke of it`(
    statement: String
  ) throws {
    try store.run([statement])
    #expect(try code().computations.map(\.name) == ["large"])
    let findings = try store.report().findings.filter { $0.severity == .warning }
    #expect(findings.map(\.examples.words) == [["large"]])
    #expect(findings.allSatisfy { $0.check == .index && $0.remedy == nil && $0.advice != nil })
  }

  @Test func `a column that a stranger has computed was not spoken of`() throws {
    try store.run(["ALTER TABLE ZNOTE ADD COLUMN ZLARGE AS (hex(ZTITLE))"])
    #expect(try code().computations.map(\.name) == ["ZNOTE"])
    let report = try store.report()
    #expect(report.findings.contains { $0.severity == .warning && $0.examples.words == ["ZNOTE"] })
  }

  @Test func `what a program computes in tables of its own, or only compares, is its own`() throws {
    try store.run([
      "CREATE TABLE LOG (TITLE CHECK (length(TITLE) > 0), SIZE AS (length(TITLE)))",
      "CREATE INDEX sizes ON LOG (length(TITLE))",
      "CREATE INDEX good ON ZNOTE (ZTITLE COLLATE NOCASE DESC) WHERE (ZSTARS > 3 OR ZSTARS IS NULL)",
    ])
    #expect(try code().isEmpty)
  }

  @Test(arguments: [
    ("CREATE INDEX i ON t (ZA COLLATE BINARY ASC, \"ZB\" DESC)", false),
    ("CREATE UNIQUE INDEX \"ON\" ON [t] (ZA) WHERE ZA IN ('a(', 2) AND NOT (ZB <= -1.5e3)", false),
    ("CREATE INDEX i ON t (ZA) /* upper(ZA) */ -- upper(ZA)", false),
    ("CREATE INDEX i ON t (ZA, upper (ZB))", true),
    ("CREATE INDEX i ON t (ZA, upper/**/(ZB))", true),
    ("CREATE INDEX i ON t (ZA, upper(\u{301}ZB))", true),
    ("CREATE INDEX i ON t (ZA || ZB)", true),
    ("CREATE INDEX i ON t (ZA ->> 'b')", true),
    ("CREATE INDEX i ON t (ZA) WHERE ZA like '%a%a%'", true),
    ("CREATE INDEX i ON t (ZA) WHERE 'a", true),
  ])
  func `an index that computes is told from one that compares`(sql: String, isComputed: Bool) {
    #expect(ComputedSQL.isComputed(index: sql) == isComputed)
  }

  @Test(arguments: [
    (
      "CREATE TABLE t (\"CHECK\" VARCHAR(255) DEFAULT 'AS', ZB DECIMAL(10, 2), PRIMARY KEY (ZB))",
      false
    ),
    ("CREATE TABLE t (ZA CHECK (ZA > 1))", true),
    ("CREATE TABLE t (ZA, ZB generated always as (hex(ZA)) STORED)", true),
    ("CREATE TABLE t (ZA DEFAULT (zeroblob(9)))", true),
  ])
  func `a table that computes is told from others`(sql: String, isComputed: Bool) {
    #expect(ComputedSQL.isComputed(table: sql) == isComputed)
  }

  @Test func `a trigger that Apple may spell otherwise is explained by what it does`() throws {
    try store.run([
      """
      CREATE TRIGGER Z_DA_ZNOTE_Note_folderName_ELSE AFTER UPDATE OF ZFOLDER ON ZNOTE BEGIN \
      UPDATE ZNOTE SET ZFOLDERNAME = (SELECT ZNAME FROM ZFOLDER WHERE Z_PK = NEW.ZFOLDER) \
      WHERE Z_PK = NEW.Z_PK; END
      """
    ])
    #expect(try code().isEmpty)
  }

  @Test func `a program's own trigger in its own store works`() throws {
    try store.run([
      "CREATE TABLE LOG (TITLE)",
      "CREATE TRIGGER log AFTER UPDATE OF ZTITLE ON ZNOTE BEGIN INSERT INTO LOG VALUES (NEW.ZTITLE); END",
    ])
    try save()
    let connection = try Connection(path: store.file.path, mode: .readOnly)
    #expect(try connection.integer("SELECT COUNT(*) FROM LOG") == 8)
  }

  @Test func `a view in place of a table is no store`() throws {
    try store.run([
      "DROP TABLE ZATTACHMENT",
      """
      CREATE VIEW ZATTACHMENT AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) \
      SELECT x AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT, 1 AS ZNOTE, 'a' AS ZNAME FROM c
      """,
    ])
    let error = #expect(throws: NSError.self) {
      try ModelStack(SoundStore.schema, file: store.file)
    }
    #expect(error?.localizedFailureReason?.contains("a view in place of the table") == true)
    #expect(try store.report().findings.contains { $0.sentence.contains("a view in place") })
  }

  @Test func `salvage computed what a stranger's index says`() throws {
    let index = "CREATE INDEX large ON LOG (hex(TITLE))"
    try store.run(["CREATE TABLE LOG (TITLE)", "INSERT INTO LOG VALUES ('a')", index])
    let target = TestSupport.TemporaryFolder.file("Salvaged.sqlite")
    let salvage = StoreSalvage(storeAt: store.file, model: SoundStore.schema, to: target)
    let outcome = try salvage.perform()
    #expect(outcome.leftOut == [index])
    #expect(outcome.tables.first { $0.name == "LOG" }?.copied == 1)
  }

  @Test func `salvage ran whatever text stood in the list of tables`() throws {
    let connection = try Connection(path: store.file.path)
    try connection.tolerateDamagedSchema()
    try connection.run(
      """
      INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) \
      VALUES ('table', 'EVIL', 'EVIL', 0, 'DELETE FROM ZNOTE')
      """ as String
    )
    let target = TestSupport.TemporaryFolder.file("Salvaged.sqlite")
    let outcome = try StoreSalvage(
      storeAt: store.file,
      model: SoundStore.schema,
      to: target
    ).perform()
    #expect(outcome.tables.first { $0.name == "ZNOTE" }?.copied == 8)
    #expect(!outcome.tables.contains { $0.name == "EVIL" })
    let salvaged = try Connection(path: target.path, mode: .readOnly)
    #expect(try salvaged.integer("SELECT COUNT(*) FROM ZNOTE") == 8)
  }
}

// MARK: - Metadata

extension HostileStoreTests {
  @Test func `metadata of shared lists hung whoever opened the store`() throws {
    // Thirty lists, each of which names the next one twice.
    var bytes = [UInt8]("bplist00".utf8)
    var places: [UInt8] = []
    for number in 0..<30 {
      places.append(UInt8(bytes.count))
      bytes += [0xA2, UInt8(number + 1), UInt8(number + 1)]
    }
    places.append(UInt8(bytes.count))
    bytes += [0x10, 0x07]
    let table = UInt8(bytes.count)
    bytes += places + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 31]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, table]
    let list = bytes.map { String(format: "%02x", $0) }.joined()
    try store.run(["UPDATE Z_METADATA SET Z_PLIST = x'\(list)'"])
    #expect(throws: NSError.self) { try ModelStack(SoundStore.schema, file: store.file) }
    #expect(try !StoreFacts(at: store.file, counting: .zero).hasReadableMetadata)
    #expect(try !store.report().isSound)
  }
}
