import CoreData
import Foundation
import Testing

@testable import SlipboxLibrary

/// The notes that a browser keeps for the time without a network.
struct OfflinePortionTests {
  @Test func `every note outside of the trash is in one portion, the latest edit first`()
    async throws
  {
    let box = try Box()
    // Three notes have each date, so that portions end between notes of one date.
    try await box.library.write(by: nil) { context in
      for number in 0..<450 {
        let note = Note(title: "Note \(number)", context: context)
        note.modificationDate_ = Date(timeIntervalSinceReferenceDate: Double(number / 3))
        if number % 50 == 7 { note.trashedDate_ = Date() }
      }
      try context.save()
    }
    var (place, titles, portions, edits) = (String?.none, [String](), 0, [Date]())
    repeat {
      let portion = try await box.library.offlineNotes(after: place)
      titles += portion.notes.map(\.title)
      edits += portion.notes.map(\.modified)
      #expect(portion.total == 441)
      place = portion.next
      portions += 1
    } while place != nil && portions < 20
    #expect(titles.count == 441 && Set(titles).count == 441)
    #expect(edits == edits.sorted(by: >))
    #expect(portions == 3)
  }

  @Test func `long texts make a portion short`() async throws {
    let box = try Box()
    for number in 0..<4 {
      var new = NewNote(title: "Long \(number)", folder: nil)
      new.document = .document(String(repeating: "words and more words ", count: 30_000))
      _ = try await box.library.make(new, by: nil)
    }
    let portion = try await box.library.offlineNotes(after: nil)
    #expect(portion.notes.count < 4 && portion.next != nil)
  }

  @Test(arguments: [
    "", "_", "x_y", "7ff8000000000000_0b1d4d4e-7e57-4b0e-8f0e-6b0a3c5d7e9f", "1_2_3",
  ])
  func `a place that is not one is refused`(place: String) async throws {
    let box = try Box()
    await #expect(throws: LibraryProblem.self) {
      try await box.library.offlineNotes(after: place)
    }
  }
}
