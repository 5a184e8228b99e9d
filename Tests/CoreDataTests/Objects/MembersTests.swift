import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// The objects of to-many relationships as arrays, which the sets of the properties are compared with.
@Suite struct MembersTests {
  @Test(arguments: StoreKind.allCases)
  func `the members of a relationship are those of its set, with unsaved changes`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let folder = context.folder("Home")
      for number in 0..<20 { context.note("\(number)", in: folder) }
      try context.save()
      context.refreshAllObjects()
      #expect(Set(folder.members(of: \.notes, as: Note.self)) == Set<Note>(folder.notes))
      #expect(folder.members(of: \.notes, as: Note.self).count == 20)
      let added = context.note("more", in: folder)
      // In no particular order: the first one can be the one that was added.
      let removed = try #require(
        folder.members(of: \.notes, as: Note.self).first { $0 !== added }
      )
      removed.folder = nil
      let members = Set(folder.members(of: \.notes, as: Note.self))
      #expect(members.contains(added))
      #expect(!members.contains(removed))
      #expect(members == Set<Note>(folder.notes))
      let objects: [NSManagedObject] = folder.members(of: \.notes)
      #expect(objects.count == 20, "a class above that of the members will do")
    }
  }

  @Test func `the members of an ordered relationship have its order`() throws {
    try NotesStack(.sqlite).work { context throws in
      let tag = context.tag("red")
      let notes = (0..<10).map { context.note("\($0)") }
      tag.notes = NSOrderedSet(array: notes.reversed())
      try context.save()
      context.refreshAllObjects()
      #expect(tag.members(of: \.notes, as: Note.self) == notes.reversed())
    }
  }

  @Test func `reading members is seen by observation`() throws {
    try NotesStack(.sqlite).work { context throws in
      context.allowsObservationTracking = true
      let folder = context.folder("Home")
      try context.save()
      let isTold = Mutex(false)
      let count = withObservationTracking {
        folder.members(of: \.notes, as: Note.self).count
      } onChange: {
        isTold.withLock { $0 = true }
      }
      #expect(count == 0)
      folder.addToNotes(context.note("new"))
      #expect(isTold.withLock { $0 })
    }
  }
}
