import CoreData
import Glibc
import TestSupport
import Testing

/// Many objects take a time that grows with their number, not with its square.
@Suite(.serialized) struct ManyObjectsTests {
  /// Seconds of this thread's processor per object, of a family's work on that many; what else the
  /// machine does takes no part.
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
}
