import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The index of words: made, kept by every writer, removed.
@Suite struct TextIndexTests {
  private static let names = [
    "COREDATA_ZFOLDER_TEXT", "COREDATA_ZFOLDER_TEXT_DELETE", "COREDATA_ZFOLDER_TEXT_INSERT",
    "COREDATA_ZFOLDER_TEXT_UPDATE", "COREDATA_ZNOTE_TEXT", "COREDATA_ZNOTE_TEXT_DELETE",
    "COREDATA_ZNOTE_TEXT_INSERT", "COREDATA_ZNOTE_TEXT_UPDATE",
  ]

  func filled(_ index: WordStore.Index = .kept) throws -> WordStore {
    let store = try WordStore(.sqlite, index)
    try store.work { context throws in
      for (number, title) in ["Crème brûlée", "Green tea", "Plum cake"].enumerated() {
        _ = context.new("Note", ["title": title, "body": "number \(number)", "number": number])
      }
      try context.save()
    }
    return store
  }

  @Test func `it is there when the option asks for it`() throws {
    #expect(try WordStore(.sqlite, .unasked).extras() == [])
    #expect(try WordStore(.sqlite, .removed).extras() == [])
    #expect(try WordStore(.sqlite, .kept).extras() == Self.names)
  }

  @Test func `texts in Spotlight have a column and derived ones have none`() throws {
    let store = try WordStore()
    let sql = try store.connection().text(
      "SELECT sql FROM sqlite_master WHERE name = 'COREDATA_ZNOTE_TEXT'"
    )
    #expect(
      sql == """
        CREATE VIRTUAL TABLE COREDATA_ZNOTE_TEXT USING fts5(ZADDRESS, ZBODY, ZTITLE, \
        content = 'ZNOTE', content_rowid = 'Z_PK', columnsize = 0, \
        tokenize = 'unicode61 remove_diacritics 2', detail = 'full', prefix = '1 2 3')
        """
    )
  }

  @Test func `opened again it is left as it is`() throws {
    let store = try filled()
    let file = try #require(store.file)
    let before = try store.connection().integer("PRAGMA schema_version")
    try store.close()
    let again = try WordStore(file: file)
    #expect(try again.connection().integer("PRAGMA schema_version") == before)
    #expect(try again.numbers("title CONTAINS[cdw] 'creme'") == [0])
  }

  @Test func `a store without it gets it with what is there`() throws {
    let store = try filled(.unasked)
    try store.close()
    let again = try WordStore(file: store.file)
    #expect(try again.numbers("title CONTAINS[cdw] 'creme'") == [0])
    #expect(try again.query("title CONTAINS[cdw] 'creme'").sql.contains("COREDATA_ZNOTE_TEXT"))
    try again.checkIndex()
  }

  @Test func `without the option it stays and is kept, with false it goes`() throws {
    let store = try filled()
    try store.close()
    let unasked = try WordStore(.sqlite, .unasked, file: store.file)
    #expect(try unasked.extras() == Self.names)
    #expect(try !unasked.query("title CONTAINS[cdw] 'creme'").sql.contains("_TEXT"))
    try unasked.work { context throws in
      _ = context.new("Note", ["title": "Crema catalana", "number": 7])
      try context.save()
    }
    try unasked.checkIndex()
    try unasked.close()
    let kept = try WordStore(.sqlite, .kept, file: store.file)
    #expect(try kept.numbers("title CONTAINS[cdw] 'crem'") == [0, 7])
    try kept.close()
    let removed = try WordStore(.sqlite, .removed, file: store.file)
    #expect(
      try removed.connection().integer(
        "SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'COREDATA%'"
      ) == 0
    )
    #expect(try removed.numbers("title CONTAINS[cdw] 'crem'") == [0, 7])
  }

  @Test func `saves keep it`() throws {
    let store = try filled()
    try store.work { context throws in
      let notes = try context.all("Note")
      notes[0].setValue("Tarte tatin", forKey: "title")
      notes[1].setValue(nil, forKey: "title")
      context.delete(notes[2])
      _ = context.new("Letter", ["title": "Dear Anna", "address": "Elm street", "number": 9])
      try context.save()
    }
    #expect(try store.numbers("title CONTAINS[cdw] 'creme'") == [])
    #expect(try store.numbers("title CONTAINS[cdw] 'tat'") == [0])
    #expect(try store.numbers("title CONTAINS[cdw] 'green'") == [])
    #expect(try store.numbers("title CONTAINS[cdw] 'plum'") == [])
    #expect(try store.numbers("title CONTAINS[cdw] 'anna'") == [9])
    #expect(
      try store.numbers(NSPredicate(format: "address CONTAINS[cdw] 'elm'"), of: "Letter") == [9]
    )
    try store.checkIndex()
  }

  @Test func `batches keep it`() throws {
    let store = try filled()
    try store.work { context throws in
      let objects: [[String: Any]] = (10..<60).map { ["title": "Recipe \($0)", "number": $0] }
      try context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.predicate = NSPredicate(format: "title CONTAINS[cdw] 'recipe 1'")
      update.propertiesToUpdate = ["title": "Old recipe"]
      try context.execute(update)
      let notes = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      notes.predicate = NSPredicate(format: "title CONTAINS[cdw] 'recipe 2'")
      try context.execute(NSBatchDeleteRequest(fetchRequest: notes))
    }
    #expect(try store.numbers("title CONTAINS[cdw] 'old'") == Array(10..<20))
    #expect(try store.numbers("title CONTAINS[cdw] 'recipe'") == Array(10..<20) + Array(30..<60))
    try store.checkIndex()
  }

  @Test(.enabled(if: SQLiteShell.isPresent)) func `other programs keep it`() throws {
    let store = try filled()
    let lines = try SQLiteShell.run(
      """
      UPDATE ZNOTE SET ZTITLE = 'Früchtebrot' WHERE ZNUMBER = 0;
      DELETE FROM ZNOTE WHERE ZNUMBER = 1;
      INSERT INTO ZNOTE (Z_ENT, Z_OPT, ZTITLE, ZNUMBER) VALUES (2, 1, 'Fruit salad', 5);
      """,
      on: try #require(store.file).path
    )
    #expect(lines == [])
    #expect(try store.numbers("title CONTAINS[cdw] 'fru'") == [0, 5])
    #expect(try store.numbers("title CONTAINS[cdw] 'green'") == [])
    try store.checkIndex()
  }

  @Test(arguments: [
    [
      "DROP TRIGGER COREDATA_ZNOTE_TEXT_UPDATE", "UPDATE ZNOTE SET ZTITLE = 'Crema' WHERE Z_PK = 2",
    ],
    [
      "DROP TRIGGER COREDATA_ZNOTE_TEXT_INSERT", "DROP TRIGGER COREDATA_ZNOTE_TEXT_UPDATE",
      "DROP TRIGGER COREDATA_ZNOTE_TEXT_DELETE", "DROP TABLE COREDATA_ZNOTE_TEXT",
      "UPDATE ZNOTE SET ZTITLE = 'Crema' WHERE Z_PK = 2",
      "CREATE VIRTUAL TABLE COREDATA_ZNOTE_TEXT USING fts5(ZTITLE)",
    ],
    earlier,
    [
      "CREATE TRIGGER COREDATA_ZOTHER_TEXT_DELETE AFTER DELETE ON ZNOTE BEGIN SELECT 1; END",
      "DROP TRIGGER COREDATA_ZNOTE_TEXT_DELETE", "UPDATE ZNOTE SET ZTITLE = 'Crema' WHERE Z_PK = 2",
    ],
  ]) func `what does not fit is made anew`(statements: [String]) throws {
    let store = try filled()
    try store.close()
    let connection = try store.connection()
    connection.trustSchema()
    for statement in statements { try connection.run(statement) }
    let readOnly = try WordStore(.sqlite, .readOnly, file: store.file)
    #expect(try readOnly.numbers("title CONTAINS[cdw] 'creme'") == [0])
    #expect(try readOnly.numbers("title CONTAINS[cdw] 'crema'") == [1])
    #expect(try !readOnly.query("title CONTAINS[cdw] 'creme'").sql.contains("_TEXT"))
    try readOnly.close()
    let again = try WordStore(.sqlite, .kept, file: store.file)
    #expect(try again.extras() == Self.names)
    #expect(try again.numbers("title CONTAINS[cdw] 'crema'") == [1])
    try again.checkIndex()
  }

  /// The index as it was when it knew no places of words, and so no phrases.
  private static let earlier = [
    "DROP TABLE COREDATA_ZNOTE_TEXT",
    """
    CREATE VIRTUAL TABLE COREDATA_ZNOTE_TEXT USING fts5(ZADDRESS, ZBODY, ZTITLE, \
    content = 'ZNOTE', content_rowid = 'Z_PK', columnsize = 0, \
    tokenize = 'unicode61 remove_diacritics 2', detail = 'column', prefix = '1 2 3')
    """,
    "INSERT INTO COREDATA_ZNOTE_TEXT (COREDATA_ZNOTE_TEXT) VALUES ('rebuild')",
    "UPDATE ZNOTE SET ZTITLE = 'Crema' WHERE Z_PK = 2",
  ]

  @Test func `a store with an index of an earlier version finds phrases`() throws {
    let store = try filled()
    try store.close()
    let connection = try store.connection()
    connection.trustSchema()
    for statement in Self.earlier { try connection.run(statement) }
    let phrase = "title CONTAINS[cdw] '\"creme bru\"'"
    for index in [WordStore.Index.readOnly, .unasked, .kept] {
      let again = try WordStore(.sqlite, index, file: store.file)
      #expect(try again.numbers(phrase) == [0])
      #expect(try again.query(phrase).sql.contains("_TEXT") == (index == .kept))
      try again.close()
    }
  }

  @Test func `a store that is only read uses it`() throws {
    let store = try filled()
    try store.close()
    let again = try WordStore(.sqlite, .readOnly, file: store.file)
    #expect(try again.query("title CONTAINS[cdw] 'creme'").sql.contains("COREDATA_ZNOTE_TEXT"))
    #expect(try again.numbers("title CONTAINS[cdw] 'creme'") == [0])
  }

  @Test func `a store in memory has it too`() throws {
    let store = try WordStore(.sqliteInMemory)
    try store.work { context throws in
      _ = context.new("Note", ["title": "Crème", "number": 1])
      try context.save()
    }
    #expect(try store.query("title CONTAINS[cdw] 'creme'").sql.contains("COREDATA_ZNOTE_TEXT"))
    #expect(try store.numbers("title CONTAINS[cdw] 'creme'") == [1])
  }

  @Test func `a save that is refused leaves no words`() throws {
    let store = try filled()
    try store.connection().run(
      "CREATE TRIGGER refusal BEFORE INSERT ON ZFOLDER BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    try store.work { context throws in
      _ = context.new("Note", ["title": "Unsaved", "number": 4])
      _ = context.new("Folder", ["name": "Unsaved"])
      #expect(throws: (any Error).self) { try context.save() }
    }
    #expect(try store.numbers("title CONTAINS[cdw] 'unsaved'") == [])
    try store.checkIndex()
  }
}

extension TextIndexTests {
  @Test func `a store that is locked for its history uses it and is not written`() throws {
    let tracking: [String: Any] = [NSPersistentHistoryTrackingKey: true]
    let store = try WordStore(.sqlite, .unasked, more: tracking)
    try store.work { context throws in
      _ = context.new("Note", ["title": "Crème", "number": 1])
      try context.save()
    }
    try store.close()
    let locked = try WordStore(file: store.file)
    #expect(try locked.extras() == [])
    #expect(try locked.numbers("title CONTAINS[cdw] 'creme'") == [1])
    try locked.close()
    try WordStore(file: store.file, more: tracking).close()
    let again = try WordStore(file: store.file)
    #expect(try again.query("title CONTAINS[cdw] 'creme'").sql.contains("COREDATA_ZNOTE_TEXT"))
    #expect(try again.numbers("title CONTAINS[cdw] 'creme'") == [1])
  }

  @Test func `dictionaries are found by words too`() throws {
    let store = try filled()
    let log = StatementLog(store.coordinator)
    let statements = try log.during {
      try store.work { context throws in
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["number"]
        request.predicate = NSPredicate(format: "title CONTAINS[cdw] 'creme'")
        #expect(try context.fetch(request).map { $0["number"] as? Int } == [0])
      }
    }
    #expect(statements.last?.contains("COREDATA_ZNOTE_TEXT") == true, "\(statements)")
  }

  @Test func `a moment that was kept finds the words of then`() throws {
    let store = try filled()
    try store.work { context throws in
      try context.setQueryGenerationFrom(.current)
      #expect(try context.all("Note", where: "title CONTAINS[cdw] 'creme'").count == 1)
      try store.work { other throws in
        try other.all("Note", where: "number == 0").first?.setValue("Flan", forKey: "title")
        try other.save()
      }
      #expect(try context.all("Note", where: "title CONTAINS[cdw] 'creme'").count == 1)
      #expect(try context.all("Note", where: "title CONTAINS[cdw] 'flan'").isEmpty)
    }
    #expect(try store.numbers("title CONTAINS[cdw] 'flan'") == [0])
  }
}
