import CoreData
import Foundation
import TestSupport
import Testing

/// Stores that are opened for reading alone.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct ReadOnlyTests {
  private let file = TestSupport.TemporaryFolder.file("Notes.sqlite")

  init() throws {
    let stack = try NotesStack(file: file, options: [:])
    let context = stack.context()
    try context.performAndWait {
      Note(context: context).title = "first"
      try context.save()
    }
  }

  private func open() throws -> NotesStack {
    try NotesStack(file: file, options: [NSReadOnlyPersistentStoreOption: true])
  }

  private func titles(_ stack: NotesStack) throws -> [String?] {
    let context = stack.context()
    return try context.performAndWait { try context.fetch(Note.fetchRequest()).map(\.title) }
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
    }
  }

  @Test func `reading makes no files, and changes none`() throws {
    let before = try Data(contentsOf: file)
    let stack = try open()
    #expect(try titles(stack) == ["first"])
    #expect(stack.coordinator.persistentStores.first?.isReadOnly == true)
    #expect(try names == ["Notes.sqlite"])
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `what another program writes while it is open is seen`() throws {
    let stack = try open()
    #expect(try titles(stack) == ["first"])
    let other = try OtherProgram(file.path)
    try other.run("UPDATE ZNOTE SET ZTITLE = 'second', Z_OPT = 2;")
    #expect(try titles(stack) == ["second"])
    try other.run("UPDATE ZNOTE SET ZTITLE = 'third', Z_OPT = 3;")
    #expect(try titles(stack) == ["third"])
  }

  @Test func `what another program wrote, and closed, is seen`() throws {
    let stack = try open()
    #expect(try titles(stack) == ["first"])
    _ = try SQLiteShell.run("UPDATE ZNOTE SET ZTITLE = 'second', Z_OPT = 2;", on: file.path)
    #expect(try names == ["Notes.sqlite"])
    #expect(try titles(stack) == ["second"])
    #expect(try names == ["Notes.sqlite"])
  }

  @Test func `a log that a killed program left is read`() throws {
    let other = try OtherProgram(file.path)
    try other.run("UPDATE ZNOTE SET ZTITLE = 'second', Z_OPT = 2;")
    other.kill()
    #expect(try names.contains("Notes.sqlite-wal"))
    #expect(try titles(open()) == ["second"])
  }

  @Test func `changes cannot be saved, and stay in the context`() throws {
    let context = try open().context()
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      note.title = "changed"
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .fileWriteNoPermission)
      #expect(context.updatedObjects == [note])
      context.rollback()
      _ = Note(context: context)
      let refused = #expect(throws: CocoaError.self) { try context.save() }
      #expect(refused?.code == .persistentStoreSave)
    }
  }
}
