import TestSupport
import Testing

@testable import CoreData

/// Sets of objects by their addresses, beside Swift's own.
@Suite struct ObjectAddressesTests {
  @Test(arguments: Tries.seeds(4, long: 100))
  func `it has what a set of identities has, whatever comes and goes`(seed: UInt64) throws {
    try NotesStack(.memory).work { context in
      let notes = (0..<600).map { context.note("\($0)") }
      var random = SeededGenerator(state: seed)
      var addresses = ObjectAddresses(capacity: random.one(of: [0, 10, 600]))
      var model: Set<ObjectIdentifier> = []
      for _ in 0..<4_000 {
        let note = random.one(of: notes)
        // First mostly more, then mostly fewer.
        if random.chance(model.count < 300 ? 2 : 1, of: 3) {
          addresses.insert(note)
          model.insert(ObjectIdentifier(note))
        } else {
          addresses.remove(note)
          model.remove(ObjectIdentifier(note))
        }
        try #require(addresses.count == model.count)
      }
      for note in notes {
        #expect(addresses.contains(note) == model.contains(ObjectIdentifier(note)))
      }
      let all = addresses.all.map { $0 }.sorted()
      #expect(all == model.map { UInt(bitPattern: $0) }.sorted())
    }
  }

  @Test func `an empty one has nothing`() throws {
    try NotesStack(.memory).work { context in
      var none = ObjectAddresses(capacity: 0)
      let note = context.note("one")
      #expect(!none.contains(note))
      none.remove(note)
      #expect(none.count == 0 && Array(none.all).isEmpty)
    }
  }
}
