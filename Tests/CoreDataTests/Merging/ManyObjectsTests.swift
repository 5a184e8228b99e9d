import CoreData
import TestSupport
import Testing

/// A hundred thousand objects take a time that grows with their number, not with its square.
@Suite(.serialized) struct ManyObjectsTests {
  /// Seconds per object of a family's work on that many.
  private func cost(_ count: Int) throws -> Double {
    let stack = try NotesStack()
    let id = try stack.saved { $0.folder("F") }
    let clock = ContinuousClock()
    return try stack.family { parent, child in
      let time = try clock.measure {
        let folder = child.find(id, as: Folder.self)
        for number in 0..<count { child.note("\(number)", in: folder).stars = 1 }
        try child.save()
        for note in try child.fetch(Note.fetchRequest()) { note.stars = 2 }
        try child.save()
      }
      #expect(parent.insertedObjects.count == count)
      return time / .seconds(1) / Double(count)
    }
  }

  @Test func `pushing 100,000 objects is not quadratic`() throws {
    let few = try cost(5_000)
    let many = try cost(100_000)
    #expect(many < few * 6, "\(few * 1e6) µs each, then \(many * 1e6) µs each")
  }
}
