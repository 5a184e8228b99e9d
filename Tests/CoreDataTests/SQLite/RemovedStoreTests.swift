import CoreData
import Foundation
import TestSupport
import Testing

/// A store that was taken away from its coordinator.
@Suite struct RemovedStoreTests {
  @Test func `a removed store lets go of its file, although somebody still has the store`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    let context = stack.context()
    try context.performAndWait {
      Note(context: context).title = "first"
      try context.save()
    }
    let store = try #require(stack.coordinator.persistentStores.first)
    try stack.coordinator.remove(store)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path
    )
    #expect(names == ["Notes.sqlite"])
    withExtendedLifetime(store) {}
  }

  @Test func `a store can be replaced by a new one under the same name`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    let context = stack.context()
    try context.performAndWait {
      Note(context: context).title = "old"
      try context.save()
      context.reset()
    }
    do {
      let old = try #require(stack.coordinator.persistentStores.first)
      try stack.coordinator.remove(old)
      try FileManager.default.removeItem(at: file)
      try stack.coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: file
      )
    }
    try context.performAndWait {
      let none = try context.count(for: Note.fetchRequest())
      #expect(none == 0)
      Note(context: context).title = "new"
      try context.save()
    }
    let again = try NotesStack(reopening: file).context()
    try again.performAndWait {
      let notes = try again.fetch(Note.fetchRequest())
      #expect(notes.map(\.title) == ["new"])
    }
  }
}
