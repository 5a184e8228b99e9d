import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of refusals of the disk.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct FullDiskTests {
  @Test func `a full disk refuses the save, and room lets it through`() throws {
    let changes = try UnsavedChanges()
    let (memory, file) = (changes.contextPicture, try changes.filePicture())
    let pool = try #require(changes.stack.coordinator.pool)
    let pages = try pool.write { try $0.integer("PRAGMA page_count") ?? 0 }
    try pool.write { try $0.run("PRAGMA max_page_count = \(pages)") }
    let large = changes.context.performAndWait {
      let note = Note(context: changes.context)
      note.text = String(repeating: "many words ", count: 10_000)
      let error = #expect(throws: CocoaError.self) { try changes.context.save() }
      #expect(error?.code == .fileWriteOutOfSpace)
      #expect(error?.userInfo[NSSQLiteErrorDomain] as? Int == 13)
      return note
    }
    #expect(try changes.filePicture() == file)
    try pool.write { try $0.run("PRAGMA max_page_count = 1000000") }
    try changes.context.performAndWait {
      changes.context.delete(large)
      #expect(changes.contextPicture == memory)
      try changes.context.save()
    }
  }

  @Test func `a disk too full for a new store leaves no half of one`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let error = #expect(throws: CocoaError.self) {
      try NotesStack(file: file, options: [NSSQLitePragmasOption: ["max_page_count": "10"]])
    }
    #expect(error?.code == .fileWriteOutOfSpace)
    #expect(try SQLiteShell.run("SELECT name FROM sqlite_master;", on: file.path) == [])
    let stack = try NotesStack(file: file, options: [:])
    #expect(stack.coordinator.persistentStores.count == 1)
  }
}

/// Tests of refusals by permissions, which do not concern the superuser.
@Suite(.enabled(if: geteuid() != 0, "needs a user whom permissions concern"))
struct PermissionTests {
  private let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
  private var folder: URL { file.deletingLastPathComponent() }

  init() throws {
    let stack = try NotesStack(file: file, options: [:])
    let context = stack.context()
    try context.performAndWait {
      Note(context: context).title = "first"
      try context.save()
    }
  }

  private func allow(_ permissions: Int, _ url: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
  }

  private func expectReadable(_ options: [String: Any] = [:]) throws {
    let stack = try NotesStack(file: file, options: options)
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      #expect(note.title == "first")
      note.title = "second"
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .fileWriteNoPermission)
      #expect(context.updatedObjects == [note])
    }
  }

  @Test func `a file that may not be written can be read, and a save says why not`() throws {
    try allow(0o444, file)
    try expectReadable()
    try expectReadable([NSReadOnlyPersistentStoreOption: true])
  }

  @Test func `a folder that may not be written can be read from`() throws {
    try allow(0o555, folder)
    defer { try? allow(0o755, folder) }
    try expectReadable()
    try expectReadable([NSReadOnlyPersistentStoreOption: true])
  }

  @Test func `no store can be made in a folder that may not be written`() throws {
    try FileManager.default.removeItem(at: file)
    try allow(0o555, folder)
    defer { try? allow(0o755, folder) }
    let error = #expect(throws: CocoaError.self) { try NotesStack(file: file, options: [:]) }
    #expect(error?.code == .fileWriteNoPermission)
  }

  @Test func `a file that may not be read is said to be such`() throws {
    try allow(0o000, file)
    let error = #expect(throws: CocoaError.self) { try NotesStack(file: file, options: [:]) }
    #expect(error?.code == .fileReadNoPermission)
  }
}
