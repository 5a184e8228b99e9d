import CoreData
import TestSupport
import Testing

/// Tests of a save's rows in the history's tables, in Apple's format.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct HistoryWritingTests {
  private let stack: HistoryStack

  init() throws {
    stack = try HistoryStack()
  }

  private func sql(_ query: String) throws -> [String] {
    try SQLiteShell.run(query, on: stack.file.path)
  }

  @Test func `the tables and their places among the keys are Apple's, to the letter`() throws {
    #expect(
      try sql("SELECT sql FROM sqlite_master WHERE tbl_name LIKE 'A%' AND sql NOT NULL;") == [
        "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER,"
          + " ZCOLUMNS BLOB )",
        "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
          + " ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER,"
          + " ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR,"
          + " ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
        "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,"
          + " Z_OPT INTEGER, ZNAME VARCHAR )",
        "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
        "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
        "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
        "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex"
          + " ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex"
          + " ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME"
          + " ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
      ]
    )
    #expect(
      try sql("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000;") == [
        "16001|CHANGE|0|0", "16002|TRANSACTION|0|0", "16003|TRANSACTIONSTRING|0|0",
      ]
    )
  }

  @Test func `a save is a transaction, and each row it writes a change (97)`() throws {
    let context = stack.context("editor", author: "app")
    try context.performAndWait {
      let note = context.note("One", in: context.folder("F"))
      context.note("Two")
      try context.save()
      note.title = "Eins"
      try context.save()
      context.delete(note)
      try context.save()
    }
    #expect(
      try sql("SELECT Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZTRANSACTIONID FROM ACHANGE;")
        == [
          "1|16001||0|2|1", "2|16001||0|3|1", "3|16001||0|3|1", "4|16001||1|3|2",
          "5|16001||2|3|3", "6|16001||1|2|3",
        ]
    )
    #expect(try sql("SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE Z_PK IN (4, 6);") == ["000800", "04"])
    #expect(
      try sql(
        """
        SELECT t.Z_PK, t.Z_ENT, t.Z_OPT, a.ZNAME, c.ZNAME, ZAUTHOR, ZCONTEXTNAME, ZBUNDLEID,
        ZPROCESSID, ZQUERYGEN FROM ATRANSACTION t JOIN ATRANSACTIONSTRING a ON a.Z_PK = ZAUTHORTS
        JOIN ATRANSACTIONSTRING c ON c.Z_PK = ZCONTEXTNAMETS;
        """
      ) == ["1|16002||app|editor|||||", "2|16002||app|editor|||||", "3|16002||app|editor|||||"]
    )
    #expect(
      try sql("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16002;")
        == ["16001|6", "16002|3"]
    )
    // Author, context, program and process, the last two of which may have one name: each once.
    #expect(
      try sql("SELECT count(*) - count(DISTINCT ZNAME), count(*) > 2 FROM ATRANSACTIONSTRING;")
        == ["0|1"]
    )
  }

  @Test func `times are seconds since 2001, and texts stand once`() throws {
    let before = Date()
    for _ in 0..<3 { try stack.save(author: "app") { $0.note("One") } }
    let times = try stack.transactions().map(\.timestamp)
    #expect(times == times.sorted())
    #expect(times.allSatisfy { $0 >= before && $0 <= Date() })
    #expect(try sql("SELECT count(*) FROM ATRANSACTIONSTRING WHERE ZNAME = 'app';") == ["1"])
  }

  @Test func `relationships are changes of both their ends`() throws {
    let (note, folder, tag) = try stack.save { context in
      let objects = (context.note("One"), context.folder("F"), context.tag("T"))
      try context.obtainPermanentIDs(for: [objects.0, objects.1, objects.2])
      return (objects.0.objectID, objects.1.objectID, objects.2.objectID)
    }
    let token = stack.token
    try stack.save { context in
      let found: Note = context.find(note)
      found.folder = context.find(folder, as: Folder.self)
      found.addToTags(context.find(tag, as: Tag.self))
    }
    try stack.save { context in
      context.find(folder, as: Folder.self).cover = context.find(note, as: Note.self)
    }
    #expect(
      try stack.picture(after: token).sorted() == [
        "2 update Folder/1 notes", "2 update Note/1 folder tags", "2 update Tag/1 notes",
        "3 update Folder/1 cover", "3 update Note/1 covers",
      ]
    )
    // A relationship to one of several entities has two bits.
    #expect(
      try sql("SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZENTITY = 2 AND ZTRANSACTIONID = 3;")
        == ["C0"]
    )
  }

  @Test func `a save without changes is no transaction, nor are reserved keys`() throws {
    let context = stack.context()
    try context.performAndWait {
      try context.save()
      try context.obtainPermanentIDs(for: [context.note("One")])
      context.rollback()
    }
    #expect(try stack.transactions().isEmpty)
    #expect(try sql("SELECT count(*) FROM ATRANSACTION;") == ["0"])
  }

  @Test func `a save that is refused leaves no history`() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = context.note("One")
      try context.save()
      try stack.save { $0.find(note.objectID, as: Note.self).title = "theirs" }
      note.title = "ours"
      #expect(throws: CocoaError.self) { try context.save() }
    }
    #expect(try stack.picture() == ["1 insert Note/1", "2 update Note/1 title"])
  }

  @Test func `a child's changes are written by the context that saves to the store`() throws {
    let parent = stack.context("parent", author: "app")
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    child.name = "child"
    child.transactionAuthor = "child"
    try child.performAndWait {
      child.note("One")
      try child.save()
    }
    #expect(try stack.transactions().isEmpty)
    try parent.performAndWait { try parent.save() }
    let transaction = try #require(try stack.transactions().first)
    #expect(transaction.author == "app")
    #expect(transaction.contextName == "parent")
  }

  @Test func `members that only change their places are no changes of their own`() throws {
    let folder = try stack.save { context in
      let folder = context.folder("F")
      for title in ["One", "Two", "Three"] { folder.addToPinned(context.note(title)) }
      try context.obtainPermanentIDs(for: [folder])
      return folder.objectID
    }
    let token = stack.token
    try stack.save { context in
      let folder: Folder = context.find(folder, as: Folder.self)
      let pinned = try #require(folder.pinned)
      folder.pinned = NSOrderedSet(array: pinned.array.reversed())
    }
    #expect(try stack.picture(after: token) == ["2 update Folder/1 pinned"])
  }

  @Test func `a store that had none gets its history when the option is there`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try NotesStack(file: file, options: [:]).saved { $0.note("old") }
    let stack = try HistoryStack(file: file)
    #expect(try stack.transactions().isEmpty)
    try stack.save { $0.note("new") }
    #expect(try stack.picture() == ["1 insert Note/2"])
  }
}
