import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct NotedObjectsTests {
  @Test func `objects keep their order when others are taken out`() throws {
    let stack = try NotesStack(.memory)
    try stack.work { context in
      let notes = (0..<5).map { context.note("\($0)") }
      var noted = NotedObjects()
      #expect(noted.isEmpty && noted.objects == [])
      for note in notes { noted.append(note) }
      noted.remove(notes[0])
      noted.remove(notes[3])
      noted.remove(notes[3])
      #expect(noted.objects == [notes[1], notes[2], notes[4]])
      noted.append(notes[0])
      #expect(noted.objects == [notes[1], notes[2], notes[4], notes[0]])
      for note in noted.objects { noted.remove(note) }
      #expect(noted.isEmpty && noted.objects == [])
      noted.append(notes[2])
      #expect(noted.objects == [notes[2]])
    }
  }
}
