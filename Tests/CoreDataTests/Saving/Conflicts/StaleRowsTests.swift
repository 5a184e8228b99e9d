import CoreDataModel
import TestSupport
import Testing

@testable import CoreData

/// Tests of the state after a save that meets a conflict when it has written already.
@Suite struct StaleRowsTests {
  /// Lets another context change the colour of the tag with a name.
  private func paint(_ name: String, in notes: UniqueNotes) throws {
    try notes.work { there in
      try #require(try there.only("Tag", "name", name)).setValue("dark", forKey: "colour")
      try there.save()
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `a value that a new object was to take was nil for all once the save had met a conflict`(
    kind: StoreKind
  ) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      let tag = context.make("Tag", ["name": "red", "colour": "light"])
      try context.save()
      try paint("red", in: notes)
      tag.setValue("grey", forKey: "name")
      context.make("Tag", ["name": "red", "colour": "new"])
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectMerge)
      let stored = error.persistentStoreSaveConflicts?.first?.cachedSnapshot
      #expect(stored?["name"] as? String == "red")
      #expect(try notes.rows("Tag", "name", "colour") == ["red dark"])

      // Nobody else has changed the name.
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try context.save()
    }
    #expect(try notes.rows("Tag", "name", "colour") == ["grey dark", "red new"])
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `two that change places keep their values where one of them was changed`(
    kind: StoreKind
  ) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      let tags = ["red", "blue"].map { context.make("Tag", ["name": $0, "colour": "light"]) }
      try context.save()
      try paint("blue", in: notes)
      tags[0].setValue("blue", forKey: "name")
      tags[1].setValue("red", forKey: "name")
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectMerge)
      #expect(error.persistentStoreSaveConflicts?.map(\.sourceObject) == [tags[1]])
      #expect(try notes.rows("Tag", "name", "colour") == ["blue dark", "red light"])

      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try notes.rows("Tag", "name", "colour") == ["blue light", "red dark"])
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness), [true, false])
  func `a value of a deleted object that somebody has changed was said to be taken`(
    kind: StoreKind,
    isTakenByNew: Bool
  ) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      let tags = ["red", "blue"].map { context.make("Tag", ["name": $0, "colour": "light"]) }
      try context.save()
      try paint("red", in: notes)
      context.delete(tags[0])
      if isTakenByNew {
        context.make("Tag", ["name": "red"])
      } else {
        tags[1].setValue("red", forKey: "name")
      }
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectMerge)
      #expect(error.persistentStoreSaveConflicts?.map(\.sourceObject) == [tags[0]])
    }
    #expect(try notes.rows("Tag", "name", "colour") == ["blue light", "red dark"])
  }

  private static let folders = ModelSchema.model(
    .entity(
      "Folder",
      [.text("name"), .derived("noteCount", .integer64, from: "notes.@count")],
      [.many("notes", "Note", back: "folder")]
    ),
    .entity("Note", [.text("title")], [.one("folder", "Folder", back: "notes")])
  )

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `a count that a refused save would have changed was read by all`(kind: StoreKind) throws {
    let stack = try ModelStack(Self.folders, kind)
    try stack.work { context in
      let folder = context.new("Folder", ["name": "Home"])
      let notes = ["Tea", "Milk"].map { context.new("Note", ["title": $0, "folder": folder]) }
      try context.save()
      try stack.work { there in
        try #require(try there.all("Folder").first).setValue("Away", forKey: "name")
        try there.save()
      }
      context.delete(notes[0])
      folder.setValue("Mine", forKey: "name")
      #expect(errorCode { try context.save() } == 133_020)
    }
    try stack.work { context in
      let folder = try #require(try context.all("Folder").first)
      #expect(folder.numberValue("noteCount") == 2)
      #expect(folder.textValue("name") == "Away")
    }
  }
}
