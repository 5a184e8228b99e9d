import CoreData
import Foundation
import TestSupport
import Testing

/// Two programs with one store.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct OtherProgramTests {
  let stack: NotesStack
  private let path: String

  init() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    stack = try NotesStack(file: file, options: [NSPersistentStoreTimeoutOption: 0.2])
    path = file.path
    let context = stack.context()
    try context.performAndWait {
      let note = Note(context: context)
      note.title = "first"
      try context.save()
    }
  }

  @Test func `it sees new rows as soon as they are saved`() throws {
    let other = try OtherProgram(path)
    #expect(try other.run("SELECT ZTITLE FROM ZNOTE;") == ["first"])
    let context = stack.context()
    try context.performAndWait {
      let note = Note(context: context)
      note.title = "second"
      try context.save()
    }
    #expect(try other.run("SELECT ZTITLE FROM ZNOTE;") == ["first", "second"])
  }

  @Test func `a long read elsewhere does not hinder a save`() throws {
    let other = try OtherProgram(path)
    try other.run("BEGIN; SELECT count(*) FROM ZNOTE;")
    let context = stack.context()
    try context.performAndWait {
      _ = Note(context: context)
      try context.save()
    }
    #expect(try other.run("SELECT count(*) FROM ZNOTE;") == ["1"])
    #expect(try other.run("COMMIT; SELECT count(*) FROM ZNOTE;") == ["2"])
  }

  @Test(arguments: ["UPDATE ZNOTE SET ZTITLE = 'theirs', Z_OPT = Z_OPT + 1;", "DELETE FROM ZNOTE;"])
  func `what it wrote meanwhile is a conflict, and ours is kept`(script: String) throws {
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      note.title = "ours"
      _ = try SQLiteShell.run(script, on: path)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey]
      let conflict = try #require((conflicts as? [NSMergeConflict])?.first)
      #expect(conflict.sourceObject === note)
      #expect(conflict.oldVersionNumber == 1)
      #expect(conflict.newVersionNumber == (script.hasPrefix("DELETE") ? 0 : 2))
      #expect(conflict.cachedSnapshot?["title"] as? String == "first")
      #expect(
        conflict.persistedSnapshot?["title"] as? String
          == (script.hasPrefix("DELETE") ? nil : "theirs")
      )
      #expect(note.title == "ours")
      #expect(context.updatedObjects == [note])
    }
  }

  @Test func `a row in the cache does not outlive a fetch after another program has written`()
    throws
  {
    let reader = stack.context()
    let id = try reader.performAndWait {
      try #require(try reader.fetch(Note.fetchRequest()).first).objectID
    }
    _ = try SQLiteShell.run("UPDATE ZNOTE SET ZTITLE = 'theirs', Z_OPT = 2;", on: path)
    let other = stack.context()
    try other.performAndWait {
      _ = try other.fetch(Folder.fetchRequest())
      let note = try other.existingObject(with: id) as? Note
      #expect(note?.title == "theirs")
    }
  }

  @Test func `after a conflict, refreshing and saving again keeps our changes`() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      note.title = "ours"
      _ = try SQLiteShell.run("UPDATE ZNOTE SET ZTEXT = 'theirs', Z_OPT = 2;", on: path)
      #expect(throws: CocoaError.self) { try context.save() }
      context.refresh(note, mergeChanges: true)
      #expect(note.text == "theirs")
      #expect(note.title == "ours")
      try context.save()
    }
    #expect(
      try SQLiteShell.run("SELECT ZTITLE, ZTEXT, Z_OPT FROM ZNOTE;", on: path) == [
        "ours|theirs|3"
      ]
    )
  }

  @Test func `deleting what it has changed is a conflict too`() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      _ = note.title
      context.delete(note)
      _ = try SQLiteShell.run("UPDATE ZNOTE SET Z_OPT = 2;", on: path)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      #expect(context.deletedObjects == [note])
    }
    #expect(try SQLiteShell.run("SELECT count(*) FROM ZNOTE;", on: path) == ["1"])
  }

  @Test func `a save waits while it writes, and gives up when told to`() throws {
    let other = try OtherProgram(path)
    try other.run("BEGIN IMMEDIATE; UPDATE ZNOTE SET ZTEXT = 'theirs';")
    let context = stack.context()
    try context.performAndWait {
      let note = Note(context: context)
      note.title = "ours"
      let start = ContinuousClock.now
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .persistentStoreTimeout)
      #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 5)
      #expect(ContinuousClock.now - start >= .milliseconds(150))
      #expect(context.insertedObjects == [note])
      #expect(note.objectID.isTemporaryID)
      try other.run("COMMIT;")
      try context.save()
      #expect(!note.objectID.isTemporaryID)
    }
    #expect(
      try SQLiteShell.run("SELECT ZTITLE, ZTEXT FROM ZNOTE ORDER BY Z_PK;", on: path) == [
        "first|theirs", "ours|",
      ]
    )
  }

  @Test func `a store was refused when another program wrote while its journal was changed`() throws
  {
    let options = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    _ = try NotesStack(file: file, options: options)
    let other = try OtherProgram(file.path)
    try other.run("BEGIN IMMEDIATE; UPDATE Z_METADATA SET Z_VERSION = 1;")
    let opened = Outcome()
    Thread { opened.set { _ = try NotesStack(reopening: file) } }.start()
    Thread.sleep(forTimeInterval: 0.3)
    #expect(!opened.isKnown)
    try other.run("COMMIT;")
    try opened.wait()
    #expect(try SQLiteShell.run("PRAGMA journal_mode;", on: file.path) == ["wal"])
  }

  @Test func `a save that waits long enough succeeds`() throws {
    let patient = try NotesStack(
      file: URL(filePath: path),
      options: [NSPersistentStoreTimeoutOption: 20]
    )
    let other = try OtherProgram(path)
    try other.run("BEGIN IMMEDIATE; UPDATE ZNOTE SET ZTEXT = 'theirs';")
    let context = patient.context()
    context.performAndWait { _ = Note(context: context) }
    let saved = Outcome()
    let thread = Thread { saved.set { try context.performAndWait { try context.save() } } }
    thread.start()
    Thread.sleep(forTimeInterval: 0.3)
    #expect(!saved.isKnown)
    try other.run("COMMIT;")
    try saved.wait()
    #expect(try other.run("SELECT count(*) FROM ZNOTE;") == ["2"])
  }

  @Test(arguments: 1...3)
  func `a program killed in the middle of writing leaves a store that works`(round: Int) throws {
    let other = try OtherProgram(path)
    try other.run(
      """
      PRAGMA cache_size = 5; BEGIN IMMEDIATE; UPDATE ZNOTE SET ZTITLE = 'half';
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(round * 500))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT i, 3, 1, hex(randomblob(200)) FROM n;
      """
    )
    other.kill()
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.fetch(Note.fetchRequest())
      #expect(notes.map(\.title) == ["first"])
      notes.first?.title = "second"
      try context.save()
    }
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: path) == ["ok"])
    #expect(try SQLiteShell.run("SELECT ZTITLE FROM ZNOTE;", on: path) == ["second"])
  }

  @Test func `a rollback journal left by a killed program is played back`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let journal = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    do {
      let stack = try NotesStack(file: file, options: journal)
      let context = stack.context()
      try context.performAndWait {
        Note(context: context).title = "first"
        try context.save()
      }
    }
    let other = try OtherProgram(file.path)
    try other.run(
      """
      PRAGMA cache_size = 5; BEGIN IMMEDIATE; UPDATE ZNOTE SET ZTITLE = 'half';
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT i, 3, 1, hex(randomblob(200)) FROM n;
      """
    )
    other.kill()
    #expect(FileManager.default.fileExists(atPath: file.path + "-journal"))
    let again = try NotesStack(file: file, options: journal)
    let context = again.context()
    try context.performAndWait {
      let notes = try context.fetch(Note.fetchRequest())
      #expect(notes.map(\.title) == ["first"])
    }
  }
}

/// The result of a thread.
///
/// Safety: everything is behind the condition.
private final class Outcome: @unchecked Sendable {
  private let condition = NSCondition()
  private var result: Result<Void, any Error>?

  func set(_ body: () throws -> Void) {
    let result = Result { try body() }
    condition.lock()
    self.result = result
    condition.broadcast()
    condition.unlock()
  }

  var isKnown: Bool {
    condition.lock()
    defer { condition.unlock() }
    return result != nil
  }

  func wait() throws {
    condition.lock()
    defer { condition.unlock() }
    while result == nil { condition.wait() }
    try result?.get()
  }
}
