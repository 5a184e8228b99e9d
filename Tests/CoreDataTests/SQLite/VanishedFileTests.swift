import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A store whose files are removed or replaced while it is open.
@Suite struct VanishedFileTests {
  private let file = TestSupport.TemporaryFolder.file("Notes.sqlite")

  private func stack() throws -> NotesStack {
    let stack = try NotesStack(file: file, options: [:])
    _ = try stack.saved { $0.note("One") }
    return stack
  }

  private func expectRefusal(_ stack: NotesStack) throws {
    try stack.work { context in
      context.note("Two")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == 513 || error?.code == 134_030)
      let words = error?.localizedFailureReason ?? ""
      #expect(words.contains("was removed or replaced while"), "\(words)")
      #expect(context.insertedObjects.count == 1)
    }
    let store = try #require(stack.coordinator.persistentStores.first)
    let health = stack.coordinator.health(of: store)
    #expect(!health.isWritable)
    let warning = health.warnings.first { $0.contains("was removed or replaced while") }
    #expect(warning != nil)
  }

  @Test func `a save into a file that was removed was acknowledged`() throws {
    let stack = try stack()
    try FileManager.default.removeItem(at: file)
    try expectRefusal(stack)
    // No other file was made in its place.
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a save into a file that was replaced was acknowledged`() throws {
    let stack = try stack()
    let copy = file.appendingPathExtension("copy")
    try FileManager.default.copyItem(at: file, to: copy)
    #expect(rename(copy.path, file.path) == 0)
    try expectRefusal(stack)
  }

  @Test func `a save into a log that was removed was acknowledged`() throws {
    let stack = try stack()
    #expect(unlink(file.path + "-wal") == 0)
    try expectRefusal(stack)
  }

  @Test func `a file that comes back takes what was refused`() throws {
    let stack = try stack()
    let away = file.appendingPathExtension("away")
    #expect(rename(file.path, away.path) == 0)
    try stack.work { context in
      context.note("Two")
      #expect(throws: NSError.self) { try context.save() }
      #expect(rename(away.path, file.path) == 0)
      try context.save()
    }
    #expect(try stack.work { try $0.count(for: Note.fetchRequest()) } == 2)
  }

  @Test func `a batch into a file that was removed was acknowledged`() throws {
    let stack = try stack()
    try FileManager.default.removeItem(at: file)
    try stack.work { context in
      let request = NSBatchInsertRequest(entityName: "Note", objects: [["title": "Two"]])
      #expect(throws: NSError.self) { try context.execute(request) }
    }
  }
}
