import CoreData
import Foundation
import Testing

@testable import SlipboxLibrary

/// Numbers from files and from others, at their ends.
struct NumberTests {
  @Test(arguments: [Int.min, .max, -1441, 1441])
  func `an offset of a clock that no place has stopped the program`(offset: Int) async throws {
    let box = try Box()
    let note = try await box.note("title")
    var edit = NoteEdit()
    edit.base = note.revision - 1
    edit.utcOffset = offset
    edit.title = "other"
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.edit(note.id.uuid, edit, by: nil)
    }
    #expect(try await box.library.note(note.id.uuid).title == "title")
  }

  @Test func `a revision at the end of all numbers stopped the program`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    try await box.library.write(by: nil) { try $0.note(id).revision = .max }
    var edit = NoteEdit()
    edit.base = .max
    edit.title = "edited"
    let edited = try await box.library.edit(id, edit, by: nil).note
    #expect(edited.title == "edited")
    #expect(edited.revision == 1)
  }

  @Test(arguments: [
    "9223372036854775807-1-1", "2026-9223372036854775807-1", "2026-11-9223372036854775807",
    "2026-0-1", "2026-13-1", "--", "x", "",
  ])
  func `a day that is none stopped the program`(key: String) {
    #expect(Day(key: key).title(today: Date(timeIntervalSince1970: 0)) == key)
  }
}
