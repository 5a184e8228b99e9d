import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Objects that are looked up by a value, and made if they are missing.
@Suite struct FindOrCreateTests {
  private struct Refused: Error {}

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object is found in the store and among unsaved ones, and made once`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context throws in
      let stored = context.note("stored")
      try context.save()
      let unsaved = context.note("unsaved")
      #expect(try context.findOrCreate(Note.self, where: \.title, is: "stored") === stored)
      #expect(try context.findOrCreate(Note.self, where: \.title, is: "unsaved") === unsaved)
      let made = try context.findOrCreate(Note.self, where: \.title, is: "new") { $0.stars = 3 }
      #expect(made.isInserted)
      #expect(made.title == "new")
      #expect(made.stars == 3)
      let again = try context.findOrCreate(Note.self, where: \.title, is: "new") { _ in
        Issue.record("the object is there already")
      }
      #expect(again === made)
      #expect(context.insertedObjects == [unsaved, made])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a value that was changed or deleted and not saved is not found`(kind: StoreKind) throws {
    try NotesStack(kind).work { context throws in
      let (renamed, deleted) = (context.note("one"), context.note("two"))
      try context.save()
      renamed.title = "other"
      context.delete(deleted)
      let found = try context.findOrCreate(Note.self, where: \.title, in: ["one", "two", "other"])
      #expect(found[0] !== renamed)
      #expect(found[1] !== deleted)
      #expect(found[2] === renamed)
      try context.save()
      let titles = try context.fetch(NSFetchRequest<Note>(entityName: "Note")).compactMap(\.title)
      #expect(titles.sorted() == ["one", "other", "two"])
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `many values are found or made as one by one`(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let values = (0..<1_700).map { _ in
      DifferentialValues.code(Int.random(in: 0..<1_200, using: &random))
    }
    let stored = Set(values.filter { _ in Bool.random(using: &random) })
    try NotesStack(.sqlite).work { context throws in
      for value in stored { context.note("stored").uuid = value }
      try context.save()
      var created: Set<UUID> = []
      let found = try context.findOrCreate(Note.self, where: \.uuid, in: values) { note, value in
        note.title = "made"
        #expect(note.uuid == value)
        #expect(created.insert(value).inserted, "each value once")
      }
      #expect(found.map(\.uuid) == values)
      #expect(created == Set(values).subtracting(stored))
      #expect(found.allSatisfy { ($0.title == "stored") == stored.contains($0.uuid ?? UUID()) })
      try context.save()
      #expect(
        try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == Set(values).count
      )
    }
  }

  @Test func `nothing is inserted if a new object is refused`() throws {
    try NotesStack(.sqlite).work { context throws in
      context.note("a")
      try context.save()
      #expect(throws: Refused.self) {
        try context.findOrCreate(Note.self, where: \.title, in: ["a", "b", "c"]) { _, title in
          if title == "c" { throw Refused() }
        }
      }
      #expect(!context.hasChanges)
    }
  }

  @Test func `no values cost no statement`() throws {
    try NotesStack(.sqlite).work { context throws in
      #expect(try context.findOrCreate(Note.self, where: \.title, in: []).isEmpty)
    }
  }
}
