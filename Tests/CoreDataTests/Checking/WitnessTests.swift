import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// One damaged value against many that agree: a repair took the one for the truth.
@Suite struct WitnessTests {
  /// Note 1 becomes another kind of note, or something that no row of its table can be.
  @Test(arguments: [5, 3, 200])
  func `a damaged entity was written over the right ones of all keys that led to the row`(
    _ entity: Int
  ) throws {
    let store = try SoundStore.withAttachments(119, to: [1])
    let sound = try store.picture()
    try store.run(["UPDATE ZNOTE SET Z_ENT = \(entity) WHERE Z_PK = 1"])
    let outcome = try store.repair().perform()
    #expect(try store.picture().differences(from: sound) == [])
    #expect(outcome.after.findings.map(\.words) == [])
    #expect(outcome.performed.flatMap(\.findings).contains { $0.check == .rowEntity })
  }

  @Test func `pairs were deleted because the entity of a row was damaged`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET Z_ENT = 3 WHERE Z_PK = 5"])
    let damaged = try store.picture()
    let outcome = try store.repair().perform()
    #expect(try store.picture().differences(from: damaged) == [])
    let left = outcome.after.findings.filter { $0.check == .pair }
    #expect(!left.isEmpty && left.allSatisfy { $0.advice != nil })
  }

  /// An entity that no row of the table can have; references to some of the notes show which it
  /// was.
  @Test(arguments: 1...8)
  func `a damaged entity is mended or left, and nothing else changes`(_ note: Int) throws {
    for entity in ["NULL", "0", "3", "77", "-4"] {
      let store = try SoundStore()
      let sound = try store.picture()
      try store.run(["UPDATE ZNOTE SET Z_ENT = \(entity) WHERE Z_PK = \(note)"])
      let damaged = try store.picture()
      #expect(try store.repair().perform().wasKept)
      let mended = try store.picture()
      let differences = mended.differences(from: damaged)
      #expect(mended == damaged || mended == sound, "\(entity): \(differences)")
    }
  }

  @Test func `keys were taken out, and pairs deleted, because their one destination was damaged`()
    throws
  {
    let file = try Shelf.store(folders: 3, pages: 20, labels: 6)
    let sound = try SoundStore(file: file).picture()
    try SoundStore(file: file).run([Shelf.makesPage(ofFolder: 1)])
    let outcome = try StoreRepair(storeAt: file, model: nil).perform()
    #expect(try SoundStore(file: file).picture().differences(from: sound) == [])
    #expect(outcome.after.findings.map(\.words) == [])
  }

  /// Only pages have texts: that the row has one speaks for its own entity.
  @Test func `a row with a value that only its own entity has stays what it is`() throws {
    let file = try Shelf.store(folders: 3, pages: 20, labels: 6)
    try SoundStore(file: file)
      .run([Shelf.makesPage(ofFolder: 1), "UPDATE ZITEM SET ZTEXT = 'a text' WHERE Z_PK = 1"])
    let damaged = try SoundStore(file: file).picture()
    let outcome = try StoreRepair(storeAt: file, model: nil).perform()
    #expect(outcome.wasKept)
    #expect(try SoundStore(file: file).picture().differences(from: damaged) == [])
  }

  /// Either all notes are wrong or all that leads to them is; nothing in the file says which.
  @Test func `keys that are all of one other opinion change no row, and no row changes them`()
    throws
  {
    let store = try SoundStore.withAttachments(120, to: [2, 3, 5, 6])
    try store.run(["UPDATE ZATTACHMENT SET Z4_NOTE = 5 WHERE ZNOTE <> 4"])
    let damaged = try store.picture()
    let outcome = try store.repair().perform()
    #expect(try store.picture().differences(from: damaged) == [])
    #expect(
      outcome.after.findings.contains {
        $0.check == .rowEntity && $0.count == 4 && $0.advice != nil
      }
    )
  }

  @Test func `a single key that disagrees gets the entity of the row`() throws {
    let store = try SoundStore.withAttachments(119, to: [1])
    let sound = try store.picture()
    try store.run(["UPDATE ZATTACHMENT SET Z4_NOTE = 5 WHERE Z_PK = 20"])
    _ = try store.repair().perform()
    #expect(try store.picture().differences(from: sound) == [])
  }

  @Test func `rows were renumbered although the list of entities agrees with them`() throws {
    let store = try SoundStore()
    try store.run([
      "UPDATE Z_PRIMARYKEY SET Z_ENT = 60 WHERE Z_NAME = 'Tag'", "UPDATE ZTAG SET Z_ENT = 60",
    ])
    _ = try store.repair().perform()
    let connection = try Connection(path: store.file.path)
    #expect(try connection.integer("SELECT COUNT(*) FROM ZTAG WHERE Z_ENT = 60") == 3)
  }

  /// All pages require the one folder, and a page that the folder seems to be would require another.
  @Test func `objects were deleted because the entity of a row was damaged`() throws {
    let file = try Shelf.store(folders: 1, pages: 20, labels: 0)
    try SoundStore(file: file).run([Shelf.makesPage(ofFolder: 1)])
    let rows = try SoundStore(file: file).picture().keys.filter { $0.hasPrefix("ZITEM") }.sorted()
    var repair = StoreRepair(storeAt: file, model: nil)
    repair.deletesBroken = true
    let outcome = try repair.perform()
    #expect(outcome.deletedRows == [:])
    let mended = try SoundStore(file: file).picture()
    #expect(mended.keys.filter { $0.hasPrefix("ZITEM") }.sorted() == rows)
  }
}

// MARK: - Files, copies, and the result

extension WitnessTests {
  @Test func `files of a row whose entity is damaged were moved away`() throws {
    let store = try SoundStore()
    let named = ExternalFiles.names(besides: store.file)
    try store.run([
      "UPDATE ZATTACHMENT SET Z4_NOTE = NULL WHERE ZNOTE = 2",
      "UPDATE ZNOTE SET Z_ENT = 200 WHERE Z_PK = 2",
    ])
    #expect(try store.repair().perform().movedFiles == [])
    #expect(ExternalFiles.names(besides: store.file) == named)
  }

  @Test func `copies that agree were overwritten with another original, and nobody was told`()
    throws
  {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDERNAME = 'Recipes' WHERE ZFOLDER = 2"])
    let (report, _) = try store.repair().plan()
    #expect(
      report.findings.map(\.words) == [
        "Note.folderName: 3 rows have a value that is not what the model derives;"
          + " 3 of them are copies that agree with each other, and not with their original"
      ]
    )
  }

  @Test func `a repair that takes readable values away was kept`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZFOLDER SET ZPARENT = 50 WHERE Z_PK = 3"])
    let trigger = "CREATE TRIGGER forgetful AFTER UPDATE OF ZPARENT ON ZFOLDER BEGIN"
    try store.run([
      "\(trigger) UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK < 4; DELETE FROM Z_4TAGS; END"
    ])
    let damaged = try store.picture()
    let outcome = try store.repair().perform()
    #expect(!outcome.wasKept)
    #expect(outcome.losses == ["11 pairs of Note.tags", "3 values of Note.title"])
    #expect(try store.picture().differences(from: damaged) == [])
  }
}

extension SoundStore {
  /// A sound store with more attachments, which belong to some notes in turn.
  fileprivate static func withAttachments(_ count: Int, to notes: [Int]) throws -> SoundStore {
    let store = try SoundStore()
    let rows = (0..<count).map { "(\(4 + $0), 1, 1, \(notes[$0 % notes.count]), 4, 'more')" }
    try store.run([
      "INSERT INTO ZATTACHMENT (Z_PK, Z_ENT, Z_OPT, ZNOTE, Z4_NOTE, ZNAME) VALUES "
        + rows.joined(separator: ", "),
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(3 + count) WHERE Z_NAME = 'Attachment'",
    ])
    return store
  }
}

/// Items in one table, of which only folders have pages and labels.
private enum Shelf {
  static let schema = ModelSchema.model(
    .entity("Item", [.text("name")]),
    .entity(
      "Folder",
      below: "Item",
      [],
      [.many("labels", "Label", back: "folders"), .many("pages", "Page", back: "folder")]
    ),
    .entity("Label", [.text("name")], [.many("folders", "Folder", back: "labels")]),
    .entity(
      "Page",
      below: "Item",
      [.text("text")],
      [.one("folder", "Folder", back: "pages").required]
    )
  )
  .withoutOwnClasses

  /// Folders have the first keys; pages and labels belong to them in turn.
  static func store(folders: Int, pages: Int, labels: Int) throws -> URL {
    let stack = try ModelStack(schema)
    try stack.work { context in
      let all = try (1...folders).map { number in
        let folder = context.new("Folder", ["name": "Folder \(number)"])
        try context.save()
        return folder
      }
      for number in 0..<pages {
        _ = context.new("Page", ["name": "Page \(number)", "folder": all[number % folders]])
      }
      for number in 0..<labels {
        _ = context.new("Label", ["folders": NSSet(object: all[number % folders])])
      }
      try context.save()
    }
    let file = try #require(stack.file)
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    return file
  }

  static func makesPage(ofFolder key: Int) -> String {
    """
    UPDATE ZITEM SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Page') \
    WHERE Z_PK = \(key)
    """
  }
}
