import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct ObjectLineTests {
  @Test func `objects keep their order when others leave`() throws {
    let stack = try NotesStack(.memory)
    try stack.work { context in
      let notes = (0..<5).map { context.note("\($0)") }
      var line = ObjectLine()
      #expect(line.isEmpty && line.objects == [])
      for note in notes { line.append(note) }
      line.append(notes[1])
      line.remove(notes[0])
      line.remove(notes[3])
      line.remove(notes[3])
      #expect(line.objects == [notes[1], notes[2], notes[4]])
      line.append(notes[0])
      #expect(line.objects == [notes[1], notes[2], notes[4], notes[0]])
      for note in line.objects { line.remove(note) }
      #expect(line.isEmpty && line.objects == [])
      line.append(notes[2])
      #expect(line.objects == [notes[2]])
    }
  }
}
