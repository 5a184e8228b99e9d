import CoreData
import Foundation
import TestSupport
import Testing

/// Rows in the file, read by SQLite's own tool.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct StoredRowsTests {
  let stack: NotesStack
  private let path: String

  init() throws {
    stack = try NotesStack(.sqlite)
    path = try #require(stack.file).path
  }

  private func sql(_ query: String) throws -> [String] { try SQLiteShell.run(query, on: path) }

  @Test func `a value of every type is stored as Apple stores it`() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = Note(context: context)
      note.title = "Größe “O'Brien” 🗒"
      note.text = ""
      note.created = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
      note.isFavourite = true
      note.stars = 5
      note.rating = 3
      note.views = NSNumber(value: Int64.max)
      note.price = NSDecimalNumber(string: "10.11")
      note.uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")
      note.link = URL(string: "https://example.org/a?b=c#d")
      note.image = Data([1, 2, 3])
      note.keywords = ["a", "b"] as NSArray
      try context.save()
    }
    let values = { (columns: String) in try sql("SELECT \(columns) FROM ZNOTE;").first }
    #expect(try values("Z_PK, Z_ENT, Z_OPT") == "1|3|1")
    #expect(try values("ZTITLE, typeof(ZTITLE)") == "Größe “O'Brien” 🗒|text")
    #expect(try values("ZTEXT = '', typeof(ZTEXT)") == "1|text")
    #expect(try values("ZCREATED, typeof(ZCREATED)") == "700000000.25|real")
    #expect(try values("ZISFAVOURITE, ZSTARS") == "1|5")
    #expect(try values("ZRATING, typeof(ZRATING)") == "3.0|real")
    #expect(try values("ZVIEWS") == "9223372036854775807")
    #expect(try values("ZPRICE, typeof(ZPRICE)") == "10.11|real")
    #expect(try values("hex(ZUUID)") == "00112233445566778899AABBCCDDEEFF")
    #expect(try values("ZLINK") == "https://example.org/a?b=c#d")
    #expect(try values("hex(ZIMAGE)") == "01010203")
    #expect(try values("hex(substr(ZKEYWORDS, 1, 8))") == "62706C6973743030")
  }

  @Test func `what is nil is NULL, and whole dates are integers`() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = Note(context: context)
      note.created = Date(timeIntervalSinceReferenceDate: 86_400)
      note.price = NSDecimalNumber(string: "7")
      try context.save()
    }
    let row = try sql(
      """
      SELECT typeof(ZCREATED), typeof(ZPRICE), typeof(ZTITLE), typeof(ZUUID), typeof(ZIMAGE),
      typeof(ZVIEWS), typeof(ZFOLDER), ZISFAVOURITE, ZSTARS, ZITEMCOUNT IS NULL FROM ZNOTE;
      """
    )
    #expect(row == ["integer|integer|null|null|null|null|null|0|0|1"])
  }

  @Test func `a row's version begins at 1 and grows with each update`() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = Note(context: context)
      let other = Note(context: context)
      other.title = "untouched"
      for title in ["a", "b", "c"] {
        note.title = title
        try context.save()
      }
    }
    #expect(
      try sql("SELECT Z_OPT, ZTITLE FROM ZNOTE ORDER BY ZTITLE;") == ["3|c", "1|untouched"]
    )
  }

  @Test func `a subentity's row is in its root's table and counts its keys there`() throws {
    let context = stack.context()
    try context.performAndWait {
      _ = Note(context: context)
      try context.save()
      let list = Checklist(context: context)
      list.itemCount = 4
      let folder = Folder(context: context)
      folder.cover = list
      try context.save()
    }
    #expect(
      try sql("SELECT Z_PK, Z_ENT, ZITEMCOUNT FROM ZNOTE ORDER BY Z_PK;") == ["1|3|", "2|4|4"]
    )
    #expect(try sql("SELECT ZCOVER, Z3_COVER FROM ZFOLDER;") == ["2|4"])
    #expect(
      try sql("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (3, 4);") == [
        "Note|2", "Checklist|0",
      ]
    )
  }

  @Test func `ordered members have numbers with room between them`() throws {
    let context = stack.context()
    try context.performAndWait {
      let folder = Folder(context: context)
      let notes = ["a", "b", "c"].map { title in
        let note = Note(context: context)
        note.title = title
        return note
      }
      folder.pinned = NSOrderedSet(array: notes)
      try context.save()
    }
    let places = "SELECT ZTITLE, Z_FOK_PINNEDIN, Z_OPT FROM ZNOTE ORDER BY Z_FOK_PINNEDIN;"
    #expect(try sql(places) == ["a|2048|1", "b|3072|1", "c|4096|1"])
    try context.performAndWait {
      let folder = try #require(context.fetch(Folder.fetchRequest()).first)
      let notes = try #require(folder.pinned?.array)
      let new = Note(context: context)
      new.title = "x"
      folder.pinned = NSOrderedSet(array: [notes[2], notes[0], new, notes[1]])
      try context.save()
    }
    #expect(
      try sql("SELECT ZTITLE, Z_FOK_PINNEDIN FROM ZNOTE ORDER BY Z_FOK_PINNEDIN;") == [
        "c|1024", "a|2048", "x|2560", "b|3072",
      ]
    )
  }

  @Test func `pairs stand in join tables, with the places of the ordered end`() throws {
    let context = stack.context()
    try context.performAndWait {
      let notes = (0..<3).map { _ in Note(context: context) }
      let tag = Tag(context: context)
      tag.name = "swift"
      try context.save()
      tag.notes = NSOrderedSet(array: [notes[2], notes[0], notes[1]])
      notes[0].related = NSSet(array: [notes[1]])
      try context.save()
    }
    #expect(
      try sql(
        """
        SELECT Z_PK, Z_FOK_3NOTES FROM Z_3TAGS JOIN ZNOTE ON Z_PK = Z_3NOTES
        ORDER BY Z_FOK_3NOTES;
        """
      ).map { $0.split(separator: "|")[1] } == ["2048", "3072", "4096"]
    )
    #expect(try sql("SELECT count(*) FROM Z_3RELATED;") == ["1"])
  }

  @Test func `deleting an object takes its pairs with it`() throws {
    let context = stack.context()
    try context.performAndWait {
      let (note, other) = (Note(context: context), Note(context: context))
      let tag = Tag(context: context)
      tag.name = "swift"
      note.tags = NSSet(array: [tag])
      other.tags = NSSet(array: [tag])
      note.related = NSSet(array: [other])
      try context.save()
      context.delete(note)
      try context.save()
    }
    #expect(try sql("SELECT count(*) FROM ZNOTE;") == ["1"])
    #expect(try sql("SELECT count(*) FROM Z_3TAGS;") == ["1"])
    #expect(try sql("SELECT count(*) FROM Z_3RELATED;") == ["0"])
  }

  @Test func `keys of deleted rows are never used again, not even after reopening`() throws {
    let context = stack.context()
    try context.performAndWait {
      let notes = (0..<3).map { _ in Note(context: context) }
      try context.save()
      for note in notes { context.delete(note) }
      try context.save()
    }
    let again = try NotesStack(reopening: #require(stack.file))
    let later = again.context()
    try later.performAndWait {
      _ = Note(context: later)
      try later.save()
    }
    #expect(try sql("SELECT Z_PK FROM ZNOTE;") == ["4"])
    #expect(try sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 3;") == ["4"])
  }

  @Test func `a store that admits to fewer keys than it has rows does not refuse new ones`() throws
  {
    let context = stack.context()
    try context.performAndWait {
      _ = (0..<3).map { _ in Note(context: context) }
      try context.save()
    }
    _ = try sql("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 3;")
    try context.performAndWait {
      _ = Note(context: context)
      try context.save()
    }
    #expect(try sql("SELECT max(Z_PK) FROM ZNOTE;") == ["4"])
    _ = try sql("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 3;")
    try context.performAndWait {
      _ = Note(context: context)
      try context.save()
    }
    #expect(try sql("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 3;") == ["Note|5"])
  }
}
