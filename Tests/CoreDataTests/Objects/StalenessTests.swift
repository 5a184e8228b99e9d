import Foundation
import TestSupport
import Testing

@testable import CoreData

/// How old a row may be that fills a fault.
@Suite struct StalenessTests {
  @Test func `rows in the cache serve for ever, unless they may not be old (20)`() throws {
    let (stack, id) = try changedByAnotherProgram()
    try stack.work { context in
      #expect(context.stalenessInterval == -1)
      #expect(context.find(id).title == "One", "the cache has a row")
    }
    try stack.work { context in
      context.stalenessInterval = 3600
      #expect(context.find(id).title == "One", "it is young enough")
    }
    try stack.work { context throws in
      context.stalenessInterval = 0
      let note = context.find(id)
      #expect(note.title == "Two")
      #expect(try context.titles() == ["Two"])
    }
    try stack.work { #expect($0.find(id).title == "Two", "the cache has it now") }
  }

  @Test func `an object with values is never read anew by itself, but by a refresh (18, 20)`()
    throws
  {
    let (stack, id) = try changedByAnotherProgram()
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "One")
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "One", "the cache's row has no age")
      context.stalenessInterval = 0
      #expect(note.title == "One")
      note.stars = 2
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "Two")
      #expect(note.stars == 2)
      context.refresh(note, mergeChanges: false)
      #expect(note.stars == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `faults of a fetch are read again when rows may not be old (20)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      context.stalenessInterval = 0
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.isFault)
      try stack.work { other in
        other.find(id).title = "Two"
        try other.save()
      }
      #expect(note.title == "Two")
      #expect(note.folder?.titles == ["Two"])
    }
  }

  @Test func `the cache knows how long ago a row was read (20)`() throws {
    let time = Clock()
    let cache = RowCache { time.seconds }
    let layout = try #require(NotesStack.model.entitiesByName["Note"]).layout
    var writer = SnapshotWriter()
    writer.begin(slotCount: layout.slots.count, version: 1)
    let key = ObjectKey(store: StoreNumber(rawValue: 7), root: layout.rootNumber, number: 1)
    cache.set(writer.finish(), of: layout, for: key)
    time.seconds = 12
    let row = try #require(cache[key])
    #expect(cache.age(of: row) == 12)
  }

  /// A store whose row another program has changed, while the cache still has the old one.
  private func changedByAnotherProgram() throws -> (NotesStack, NSManagedObjectID) {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("One") }
    let other = try NotesStack(reopening: try #require(stack.file))
    try other.work { context in
      try #require(try context.fetch(Note.fetchRequest()).first).title = "Two"
      try context.save()
    }
    return (stack, id)
  }
}

/// A clock that a test sets.
///
/// Safety: used by one thread.
private final class Clock: @unchecked Sendable {
  var seconds: TimeInterval = 0
}
