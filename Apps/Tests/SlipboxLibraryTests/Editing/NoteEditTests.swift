import CoreDataStrictJSON
import Foundation
import Testing

@testable import SlipboxLibrary

/// Edits as pages send them.
struct NoteEditTests {
  private func edit(_ json: String) throws -> NoteEdit {
    try JSONReading.decode(from: JSONValue(parsing: Data(json.utf8)))
  }

  @Test func `a note leaves its folder for null, and stays where no folder is named`() throws {
    let id = UUID()
    #expect(try edit(#"{"folder": "\#(id.uuidString)"}"#).folder == .folder(id))
    #expect(try edit(#"{"folder": null}"#).folder == .nowhere)
    #expect(try edit(#"{"title": "Slots"}"#).folder == .asBefore)
    #expect(throws: DecodingError.self) { try edit(#"{"folder": 7}"#) }
    #expect(throws: DecodingError.self) { try edit(#"{"folder": "Top"}"#) }
  }

  @Test func `what an edit does not name is nil`() throws {
    let edit = try edit(#"{"pinned": true, "addLinks": []}"#)
    #expect(edit.pinned == true)
    #expect(edit.favourite == nil)
    #expect(edit.addLinks == [])
    #expect(edit.removeLinks == nil)
  }
}
