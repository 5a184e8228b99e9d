import CoreData
import TestSupport
import Testing

/// A save that changes numbers alone takes the rest of the row over as it is.
@Suite struct NumberUpdateTests {
  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `numbers that are set or taken away leave all other values as they were`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("One", in: context.folder("F"))
      note.text = "A text that is longer than fifteen bytes"
      note.keywords = ["a", "b"]
      note.price = 3.5
      note.views = 7
      note.rating = 0.5
      return note
    }
    for round in 1...3 {
      try stack.work { context in
        let note = context.find(id)
        note.stars = Int16(round)
        note.isFavourite = round % 2 == 1
        note.views = round == 2 ? nil : NSNumber(value: round)
        note.created = round == 3 ? nil : Date(timeIntervalSinceReferenceDate: Double(round))
        try context.save()
        try expect(note, in: round)
      }
      // Another context has the row from the cache, and one of an empty cache from the store.
      try stack.work { try expect($0.find(id), in: round) }
      try stack.work { context in
        let note = context.find(id)
        context.stalenessInterval = 0
        context.refresh(note, mergeChanges: false)
        try expect(note, in: round)
      }
    }
  }

  private func expect(_ note: Note, in round: Int) throws {
    #expect(note.stars == round)
    #expect(note.isFavourite == (round % 2 == 1))
    #expect(note.views?.intValue == (round == 2 ? nil : round))
    let date = Date(timeIntervalSinceReferenceDate: Double(round))
    #expect(note.created == (round == 3 ? nil : date))
    #expect(note.rating == 0.5)
    #expect(note.title == "One")
    #expect(note.text == "A text that is longer than fifteen bytes")
    #expect(note.keywords == ["a", "b"])
    #expect(note.price == 3.5)
    #expect(note.folder?.name == "F")
  }

  @Test func `a number and a text that change together are both as they were set`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      note.stars = 4
      note.title = "A title that is longer than it was"
      try context.save()
      note.stars = 5
      try context.save()
    }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.stars == 5)
      #expect(note.title == "A title that is longer than it was")
      #expect(note.folder?.name == "F")
    }
  }
}
