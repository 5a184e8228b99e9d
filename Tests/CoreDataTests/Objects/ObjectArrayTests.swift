import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct ObjectArrayTests {
  @Test func `objects of an entity and those below it are an array of its class`() throws {
    let stack = try NotesStack(.memory)
    try stack.work { context in
      let objects: [NSManagedObject] = [context.note("a"), Checklist(context: context)]
      var notes = try #require(ObjectArray.cast(objects) as [Note]?)
      #expect(notes.map(\.title) == ["a", nil])
      notes.append(context.note("b"))
      #expect(notes.last?.title == "b" && objects.count == 2)
      #expect(ObjectArray.cast(objects) as [NSManagedObject]? == objects)
    }
  }

  @Test func `one object of another class, and the array is none of the class`() throws {
    let stack = try NotesStack(.memory)
    try stack.work { context in
      let note = context.note("a")
      #expect(ObjectArray.cast([Checklist(context: context), note]) as [Checklist]? == nil)
      #expect(ObjectArray.cast([note]) as [Folder]? == nil)
      #expect(ObjectArray.cast([note]) as [any NSFetchRequestResult]? == nil)
      #expect((ObjectArray.cast([]) as [Folder]?)?.isEmpty == true)
    }
  }

  @Test func `objects are one of Foundation's sets, which Swift casts back`() throws {
    let stack = try NotesStack(.memory)
    try stack.work { context in
      let notes = [context.note("a"), context.note("b")]
      let set = ObjectArray.set(of: notes)
      #expect(set.count == 2 && set.contains(notes[1]))
      #expect(set as? Set<Note> == Set(notes))
      #expect(set as? Set<Folder> == nil)
      #expect(set.isEqual(NSSet(array: notes)))
      #expect(ObjectArray.set(of: []).count == 0)
    }
  }
}
