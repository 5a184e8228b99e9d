import CoreData
import Glibc
import TestSupport
import Testing

/// Many objects take a time that grows with their number, not with its square.
@Suite(.serialized) struct ManyObjectsTests {
  /// Seconds of this thread's processor per object, of a family's work on that many; other work of the machine does not
  /// count.
  private func cost(_ count: Int) throws -> Double {
    let stack = try NotesStack()
    let id = try stack.saved { $0.folder("F") }
    return try stack.family { parent, child in
      let start = processorSeconds()
      let folder = child.find(id, as: Folder.self)
      for number in 0..<count { child.note("\(number)", in: folder).stars = 1 }
      try child.save()
      for note in try child.fetch(Note.fetchRequest()) { note.stars = 2 }
      try child.save()
      let time = processorSeconds() - start
      #expect(parent.insertedObjects.count == count)
      #expect(time > 0)
      return time / Double(count)
    }
  }

  /// The same of giving up the changes of that many objects and deletions of them, one by one.
  private func costOfGivingUp(_ count: Int) throws -> Double {
    try NotesStack().work { context in
      let notes = (0..<count).map { context.note("\($0)") }
      try context.save()
      for note in notes { note.stars = 1 }
      let start = processorSeconds()
      for note in notes { context.refresh(note, mergeChanges: false) }
      context.processPendingChanges()
      for note in notes { context.delete(note) }
      for note in notes { context.insert(note) }
      context.processPendingChanges()
      let time = processorSeconds() - start
      #expect(context.updatedObjects.count == count)
      #expect(time > 0)
      return time / Double(count)
    }
  }

  /// The same of that many members that come and go, one by one, through the proxies of two relationships.
  private func costOfMembers(_ count: Int) throws -> Double {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let notes = (0..<count).map { context.note("\($0)") }
      try context.save()
      let start = processorSeconds()
      let queue = folder.mutableOrderedSetValue(forKey: "pinned")
      let members = folder.mutableSetValue(forKey: "notes")
      for note in notes {
        queue.add(note)
        members.add(note)
        #expect(queue.count == members.count && members.contains(note))
      }
      for note in notes { queue.remove(note) }
      let time = processorSeconds() - start
      #expect(queue.count == 0 && folder.notes?.count == count)
      #expect(time > 0)
      return time / Double(count)
    }
  }

  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  @Test func `pushing many objects is not quadratic`() throws {
    let few = try cost(2_000)
    let many = try cost(Tries.count(30_000, long: 100_000))
    #expect(many < few * 6, "\(few * 1e6) µs each, then \(many * 1e6) µs each")
  }

  @Test func `giving up the changes of many objects, one by one, was quadratic`() throws {
    let few = try costOfGivingUp(1_000)
    let many = try costOfGivingUp(Tries.count(15_000, long: 50_000))
    #expect(many < few * 6, "\(few * 1e6) µs each, then \(many * 1e6) µs each")
  }

  @Test func `adding many members through a relationship's mutable set, one by one, was quadratic`()
    throws
  {
    let few = try costOfMembers(1_000)
    let many = try costOfMembers(Tries.count(8_000, long: 30_000))
    #expect(many < few * 5, "\(few * 1e6) µs each, then \(many * 1e6) µs each")
  }
}
