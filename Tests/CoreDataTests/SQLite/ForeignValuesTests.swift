import CoreData
import Foundation
import TestSupport
import Testing

/// Values that we have not written ourselves.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct ForeignValuesTests {
  private let file = TestSupport.TemporaryFolder.file("Notes.sqlite")

  init() throws {
    let stack = try NotesStack(file: file, options: [:])
    let context = stack.context()
    try context.performAndWait {
      let note = Note(context: context)
      note.title = "first"
      let folder = Folder(context: context)
      folder.cover = note
      try context.save()
    }
  }

  /// Changes the file, and returns the value that is read then.
  private func reading<Value>(
    after script: String,
    _ read: (Note) throws -> Value
  ) throws -> Value {
    _ = try SQLiteShell.run(script, on: file.path)
    let context = try NotesStack(reopening: file).context()
    return try context.performAndWait {
      let notes = try context.fetch(Note.fetchRequest())
      return try read(#require(notes.first))
    }
  }

  @Test func `numbers out of range, and values of other types, are read as best they can be`()
    throws
  {
    let script = """
      UPDATE ZNOTE SET ZSTARS = 70000, ZISFAVOURITE = 7, ZVIEWS = 'many', ZCREATED = '12.5',
      ZTITLE = 42, ZUUID = x'0102', ZPRICE = 'dear', ZRATING = '1e400', ZLINK = 'a b';
      """
    try reading(after: script) { note in
      #expect(note.stars == 4464)
      #expect(note.isFavourite)
      #expect(note.views == 0)
      #expect(note.created?.timeIntervalSinceReferenceDate == 12.5)
      #expect(note.title == "42")
      #expect(note.uuid == nil)
      #expect(note.price == nil)
      #expect(note.rating == .infinity)
    }
  }

  @Test(arguments: ["99999999999", "-1", "1", "'Note'", "NULL"])
  func `a to-one relationship to an entity that cannot be is no crash`(entity: String) throws {
    _ = try SQLiteShell.run("UPDATE ZFOLDER SET Z3_COVER = \(entity);", on: file.path)
    let context = try NotesStack(reopening: file).context()
    try context.performAndWait {
      let folder = try #require(context.fetch(Folder.fetchRequest()).first)
      #expect(folder.cover == nil || folder.cover?.title == "first")
    }
  }

  @Test func `bytes that Apple keeps in a file beside the store are found there`() throws {
    let name = "6C8B1D0E-4C43-4E0B-9F0A-000000000001"
    let folder = file.deletingLastPathComponent()
      .appending(path: ".Notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([7, 8, 9]).write(to: folder.appending(path: name))
    let script = "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB);"
    let image = try reading(after: script) { note in
      let image = note.image
      note.title = "second"
      try note.managedObjectContext?.save()
      return image
    }
    #expect(image == Data([7, 8, 9]))
    #expect(
      try SQLiteShell.run(
        "SELECT hex(substr(ZIMAGE, 1, 4)), length(ZIMAGE) FROM ZNOTE;",
        on: file.path
      )
        == ["02364338|38"]
    )
  }

  @Test(arguments: ["../../Notes.sqlite", "no-such-file", ""])
  func `a name that leads elsewhere is not followed`(name: String) throws {
    let folder = file.deletingLastPathComponent()
      .appending(path: ".Notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = "UPDATE ZNOTE SET ZIMAGE = CAST(x'02' || '\(name)' || x'00' AS BLOB);"
    #expect(try reading(after: script) { $0.image } == nil)
  }

  @Test(
    arguments: [
      "10.11", "-0.1", "3.3333333333", "100000000000000000000", "0.00000000000000000001", "0",
      "123456789012345", "-9223372036854775808",
    ]
  )
  func `a decimal number comes back`(text: String) throws {
    let stack = try NotesStack(reopening: file)
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      note.price = NSDecimalNumber(string: text)
      try context.save()
    }
    let price = try reading(after: "SELECT 1;") { $0.price }
    #expect(price?.decimalValue == Decimal(string: text))
  }

  @Test func `a row that only moves in an order keeps the version that others gave it`() throws {
    let stack = try NotesStack(reopening: file)
    let context = stack.context()
    try context.performAndWait {
      let folder = try #require(context.fetch(Folder.fetchRequest()).first)
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      let other = Note(context: context)
      folder.pinned = NSOrderedSet(array: [note, other])
      try context.save()
      _ = try SQLiteShell.run("UPDATE ZNOTE SET Z_OPT = 9;", on: file.path)
      folder.pinned = NSOrderedSet(array: [other, note])
      try context.save()
    }
    #expect(try SQLiteShell.run("SELECT DISTINCT Z_OPT FROM ZNOTE;", on: file.path) == ["9"])
  }

  @Test func `a row of an entity that the model does not have is left alone`() throws {
    let script = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (7, 4711, 1);"
    let context = try reading(after: script) { note in note.managedObjectContext }
    try context?.performAndWait {
      let notes = try context?.fetch(Note.fetchRequest())
      #expect(notes?.count == 1)
    }
  }
}
