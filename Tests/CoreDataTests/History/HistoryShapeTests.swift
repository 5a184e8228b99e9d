import CoreDataModel
import TestSupport
import Testing

@testable import CoreData

/// Files that are not as we would make them, or that must not be written.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct HistoryShapeTests {
  @Test func `a store with a history is read-only without the option (97)`() throws {
    let first = try HistoryStack()
    try first.save { $0.note("One") }
    for store in first.coordinator.persistentStores { try first.coordinator.remove(store) }
    let bytes = try Data(contentsOf: first.file)

    let stack = try NotesStack(file: first.file, options: [:])
    let store = try #require(stack.coordinator.persistentStores.first)
    #expect(store.isReadOnly)
    try stack.work { context in
      #expect(try context.titles() == ["One"])
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      note.title = "Two"
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .fileWriteNoPermission)
      #expect(
        (error as NSError?)?.localizedRecoverySuggestion
          == "Open the store with NSPersistentHistoryTrackingKey set to true."
      )
      #expect(context.updatedObjects == [note])
      // Nor does it help to say that it is not.
      store.isReadOnly = false
      #expect(errorCode { try context.save() } == CocoaError.fileWriteNoPermission.rawValue)
      // The rest can be read.
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?
      )
      let result = try context.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }
    try stack.coordinator.remove(store)
    #expect(try Data(contentsOf: first.file) == bytes)
  }

  @Test func `the older shape goes on in its own shape`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try NotesStack(file: file, options: [:]).saved { $0.note("old") }
    _ = try SQLiteShell.run(
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER,
        ZCOLUMNS BLOB );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR,
        ZPROCESSID VARCHAR );
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1);
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 5.5, 'old', 'b', NULL, 'p');
      INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 3, 1, 1, NULL);
      """,
      on: file.path
    )
    let stack = try HistoryStack(file: file)
    try stack.save(author: "new") { try $0.fetch(Note.fetchRequest()).first?.title = "new" }
    #expect(try stack.picture() == ["1 insert Note/1", "2 update Note/1 title"])
    #expect(try stack.transactions().map(\.author) == ["old", "new"])
    #expect(try stack.transactions().first?.timestamp == Date(timeIntervalSinceReferenceDate: 5.5))
    #expect(try stack.numbers(where: "author == %@", "old") == [1])
    #expect(try stack.numbers(where: "author BEGINSWITH[c] %@", "NE") == [2])
    #expect(
      try SQLiteShell.run("SELECT ZAUTHOR FROM ATRANSACTION ORDER BY Z_PK;", on: file.path)
        == ["old", "new"]
    )
  }

  @Test func `preserved values outlive their objects as they stood in the rows`() throws {
    let stack = try PreservingStack()
    let date = Date(timeIntervalSinceReferenceDate: 1000.5)
    let uuid = UUID()
    let context = stack.context
    try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("One", forKey: "title")
      note.setValue(7, forKey: "count")
      note.setValue(date, forKey: "when")
      note.setValue(uuid, forKey: "id")
      note.setValue("not kept", forKey: "text")
      let empty = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      let plain = NSEntityDescription.insertNewObject(forEntityName: "Plain", into: context)
      try context.save()
      // The values are read from the rows, whatever the objects have.
      context.refreshAllObjects()
      for object in [note, empty, plain] { context.delete(object) }
      try context.save()
    }
    let changes = try stack.lastChanges()
    #expect(changes.count == 3)
    let tombstone = try #require(changes[0].tombstone)
    #expect(tombstone.count == 4)
    #expect(tombstone["title"] as? String == "One")
    #expect(tombstone["count"] as? Int == 7)
    #expect(tombstone["when"] as? Date == date)
    #expect(tombstone["id"] as? UUID == uuid)
    #expect(changes[1].tombstone?.isEmpty == true)
    #expect(changes[2].tombstone == nil)
    #expect(
      try SQLiteShell.run(
        """
        SELECT ZTOMBSTONE0, length(ZTOMBSTONE1), ZTOMBSTONE2, ZTOMBSTONE3 FROM ACHANGE
        WHERE ZCHANGETYPE = 2;
        """,
        on: stack.file.path
      ) == ["7|16|One|1000.5", "|||", "|||"]
    )
  }

  @Test func `a model that preserves more values widens the table`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let count = { (stack: PreservingStack) in
      let columns = try SQLiteShell.run("PRAGMA table_info(ACHANGE);", on: stack.file.path)
      return columns.count { $0.contains("ZTOMBSTONE") }
    }
    #expect(try count(PreservingStack(file: file)) == 4)
    _ = try SQLiteShell.run("ALTER TABLE ACHANGE DROP COLUMN ZTOMBSTONE3;", on: file.path)
    #expect(try count(PreservingStack(file: file)) == 4)
  }

  @Test func `bits are superentity's first, and by name within each kind`() throws {
    let model = NotesStack.model.layout
    let names = { (entity: String) in
      let layout = try #require(model[entity])
      return HistoryBits(layout).slots.map { layout.describe(slot: $0) }.joined(separator: " ")
    }
    #expect(
      try names("Checklist") == """
        covers folder pinnedIn created image isFavourite keywords link price rating stars text \
        title uuid views itemCount related tags
        """
    )
    #expect(try names("Folder") == "cover entity of cover parent name children notes pinned")
    #expect(try names("Bin") == "name kept queue")
  }

  @Test func `bits come back as they went`() throws {
    let layout = try #require(NotesStack.model.layout["Checklist"])
    let bits = HistoryBits(layout)
    #expect(bits.byteCount == 3)
    for slot in bits.slots {
      let bytes = bits.bytes(for: SlotSet([slot]))
      #expect(bits.slots(in: bytes) == SlotSet([slot]))
    }
    #expect(bits.bytes(for: SlotSet(bits.slots)) == [0xFF, 0xFF, 0xC0])
    // Another model's bytes say nothing about this one's properties.
    #expect(bits.slots(in: [0xFF]) == nil)
    #expect(bits.slots(in: [0, 0, 0x01]) == nil)
  }
}

/// Notes of which some values are preserved.
private struct PreservingStack {
  let file: URL
  let context = NSManagedObjectContext(.privateQueue)

  init(file: URL = TestSupport.TemporaryFolder.file("Notes.sqlite")) throws {
    self.file = file
    let kept = [
      CodedModel.attribute("title"), CodedModel.attribute("count", .integer32AttributeType),
      CodedModel.attribute("when", .dateAttributeType),
      CodedModel.attribute("id", .UUIDAttributeType),
    ]
    for attribute in kept { attribute.preservesValueInHistoryOnDeletion = true }
    let note = CodedModel.entity("Note")
    note.properties = kept + [CodedModel.attribute("text")]
    let plain = CodedModel.entity("Plain", NSManagedObject.self, CodedModel.attribute("name"))
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: CodedModel.model(note, plain)
    )
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: HistoryStack.options
    )
    context.persistentStoreCoordinator = coordinator
  }

  func lastChanges() throws -> [NSPersistentHistoryChange] {
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?
      )
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let all = try #require(result?.result as? [NSPersistentHistoryTransaction])
      return try #require(all.last?.changes)
    }
  }
}
