import CoreData
import Foundation
import TestSupport
import Testing

/// Tests of what counts as unique, when it is checked, and what the error says.
@Suite struct UniquenessTests {
  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `a value that a row has already refuses the save, with everything about it (58)`(
    kind: StoreKind
  ) throws {
    let notes = try UniqueNotes(kind)
    let id = try notes.work { context in
      let note = context.make("Note", ["slug": "a", "title": "One"])
      try context.save()
      return note.objectID
    }
    try notes.work { context in
      let new = context.make("Note", ["slug": "a", "title": "Two"])
      context.make("Note", ["slug": "b"])
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectConstraintMerge)
      let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
      let conflict = try #require(conflicts.first)
      #expect(conflicts.count == 1)
      #expect(conflict.constraint == ["slug"])
      #expect(conflict.constraintValues as? [String: String] == ["slug": "a"])
      #expect(conflict.databaseObject?.objectID == id)
      #expect(conflict.databaseSnapshot?["title"] as? String == "One")
      #expect(conflict.conflictingObjects == [new])
      #expect(conflict.conflictingSnapshots.count == 1)
      #expect(conflict.conflictingSnapshots.first?.isEmpty == true, "a new object has none")
      #expect((error as NSError).localizedFailureReason?.contains("slug “a”") == true)
      #expect(error.persistentStoreSaveConflicts?.isEmpty == true)
      #expect(new.isInserted)
      #expect(context.insertedObjects.count == 2)
      new.setValue("c", forKey: "slug")
      try context.save()
    }
    #expect(try notes.rows("Note", "slug", "title") == ["a One", "b –", "c Two"])
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `two new objects with one value have no database object (58)`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      let pair = [context.make("Tag", ["name": "swift"]), context.make("Tag", ["name": "swift"])]
      context.make("Tag", ["name": "linux"])
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectConstraintMerge)
      let conflict = try #require(
        (error.userInfo["conflictList"] as? [NSConstraintConflict])?.first
      )
      #expect(conflict.databaseObject == nil)
      #expect(conflict.databaseSnapshot == nil)
      #expect(conflict.conflictingObjects == pair)
      context.delete(pair[0])
      try context.save()
    }
    #expect(try notes.rows("Tag", "name") == ["linux", "swift"])
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `rows without a value share it with nobody`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      for _ in 0..<3 { context.make("Note", [:]) }
      for text in ["x", "y"] {
        context.make("Page", ["book": "B", "text": text])
        context.make("Page", ["number": 1, "text": text])
      }
      try context.save()
      context.make("Page", ["book": "B", "number": 1])
      context.make("Page", ["book": "B", "number": 2])
      context.make("Page", ["book": "C", "number": 1])
      try context.save()
      context.make("Page", ["book": "B", "number": 2])
      #expect(errorCode { try context.save() } == 133_021)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `subentities share their superentity's constraint (58)`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      context.make("Note", ["slug": "a"])
      try context.save()
      context.make("Checklist", ["slug": "a"])
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect((error.userInfo["conflictList"] as? [NSConstraintConflict])?.count == 1)
    }
  }

  @Test(arguments: [NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType])
  func `a store without tables enforces constraints as SQLite does (59)`(type: String) throws {
    let file = TestSupport.TemporaryFolder.file("Unique")
    let notes = try UniqueNotes(type: type, at: file)
    try notes.work { context in
      context.make("Note", ["slug": "a"])
      context.make("Page", ["book": "B", "number": 1])
      try context.save()
      context.make("Checklist", ["slug": "a"])
      #expect(errorCode { try context.save() } == 133_021)
    }
    guard type != NSInMemoryStoreType else { return }
    let again = try UniqueNotes(type: type, at: file)
    try again.work { context in
      context.make("Page", ["book": "B", "number": 2])
      try context.save()
      context.make("Page", ["book": "B", "number": 1])
      #expect(errorCode { try context.save() } == 133_021)
    }
    #expect(try again.rows("Note", "slug") == ["a"])
    #expect(try again.rows("Page", "number") == ["1", "2"])
  }

  @Test func `a constraint has a part in the version hash (59)`() throws {
    let model = try #require(UniqueNotes.model.copy() as? NSManagedObjectModel)
    let before = model.entityVersionHashesByName
    model.entitiesByName["Note"]?.uniquenessConstraints = []
    #expect(model.entityVersionHashesByName["Note"] != before["Note"])
    #expect(model.entityVersionHashesByName["Page"] == before["Page"])
  }

  /// Text is compared byte by byte, numbers by their values.
  static let pairs: [(String, String, any Sendable, any Sendable, Bool)] = [
    ("Note", "slug", "a", "A", false), ("Note", "slug", "é", "e\u{301}", false),
    ("Note", "slug", "a", "a", true),
    (
      "Key", "date", Date(timeIntervalSince1970: 1.5),
      Date(timeIntervalSince1970: 1.5), true
    ),
    ("Key", "price", Decimal(string: "1.10") ?? 0, Decimal(string: "1.1") ?? 1, true),
    ("Key", "price", Decimal(string: "1.10") ?? 0, Decimal(string: "1.11") ?? 1, false),
    ("Key", "ratio", 0.0, -0.0, true), ("Key", "ratio", 0.5, 0.25, false),
    (
      "Key", "id", UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), true
    ),
  ]

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness), pairs.indices)
  func `equal is what a unique index finds equal`(kind: StoreKind, place: Int) throws {
    let (entity, name, one, other, isEqual) = Self.pairs[place]
    for isInOneSave in [true, false] {
      let notes = try UniqueNotes(kind)
      try notes.work { context in
        context.make(entity, [name: one])
        if !isInOneSave { try context.save() }
        context.make(entity, [name: other])
        #expect(errorCode { try context.save() } == (isEqual ? 133_021 : nil))
      }
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `values are swapped in one save`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      let objects = ["a", "b", "c", "d"].map { context.make("Note", ["slug": $0, "title": $0]) }
      try context.save()
      // a ⟷ b, c → e, d → c
      for (object, slug) in zip(objects, ["b", "a", "e", "c"]) {
        object.setValue(slug, forKey: "slug")
      }
      try context.save()
      #expect(try notes.rows("Note", "title", "slug") == ["a b", "b a", "c e", "d c"])
      objects[0].setValue("a", forKey: "slug")
      objects[1].setValue(nil, forKey: "slug")
      context.delete(objects[3])
      context.make("Note", ["slug": "c", "title": "new"])
      try context.save()
      #expect(try notes.rows("Note", "title", "slug") == ["a a", "b –", "c e", "new c"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `pages change places`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      let pages = (1...5).map { (number: Int) in
        context.make("Page", ["book": "B", "number": number, "text": "\(number)"])
      }
      try context.save()
      for (index, page) in pages.enumerated() {
        page.setValue((index + 1) % 5 + 1, forKey: "number")
      }
      try context.save()
      #expect(
        try notes.rows("Page", "number", "text") == ["1 5", "2 1", "3 2", "4 3", "5 4"]
      )
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `both kinds of conflicts are in one error (54, 58)`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    try notes.work { context in
      let note = context.make("Note", ["slug": "a", "title": "One"])
      try context.save()
      try notes.work { there in
        try #require(try there.only("Note", "slug", "a")).setValue("Theirs", forKey: "title")
        try there.save()
      }
      note.setValue("Mine", forKey: "title")
      context.make("Tag", ["name": "x", "code": 1])
      context.make("Tag", ["name": "x", "code": 2])
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectMerge)
      let list = try #require(error.userInfo["conflictList"] as? [Any])
      #expect(list.count == 2)
      #expect(error.persistentStoreSaveConflicts?.map(\.sourceObject) == [note])
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try notes.rows("Note", "title") == ["Mine"])
    #expect(try notes.rows("Tag", "name", "code") == ["x 2"])
  }

  @Test func `another program's value is met as well`() throws {
    let notes = try UniqueNotes(.sqlite)
    let other = try UniqueNotes(reopening: try #require(notes.file))
    try notes.work { context in
      context.make("Note", ["slug": "a", "title": "Mine"])
      try other.work { there in
        there.make("Note", ["slug": "a", "title": "Theirs"])
        try there.save()
      }
      #expect(errorCode { try context.save() } == 133_021)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try notes.rows("Note", "title") == ["Mine"])
    #expect(try other.rows("Note", "title") == ["Mine"])
  }
}

// MARK: - Statements

extension UniquenessTests {
  /// The statements of a save that ask for values, by their number of rows.
  private func questions(
    _ count: Int,
    _ make: (NSManagedObjectContext, Int) -> Void
  ) throws -> [String] {
    let notes = try UniqueNotes(.sqlite)
    return try notes.work { context in
      for number in 0..<count { make(context, number) }
      let log = StatementLog(notes.coordinator)
      return try log.during { try context.save() }
        .filter { $0.hasPrefix("SELECT") && !$0.contains("Z_PRIMARYKEY") }
    }
  }

  @Test func `a save asks once for each constraint, and not at all without`() throws {
    #expect(try questions(200) { $0.make("Note", ["slug": "\($1)"]) }.count == 1)
    #expect(try questions(300) { $0.make("Note", ["slug": "\($1)"]) }.count == 2)
    #expect(try questions(50) { $0.make("Tag", ["name": "\($1)", "code": $1]) }.count == 2)
    #expect(try questions(50) { $0.make("Page", ["book": "B", "number": $1]) }.count == 1)
    #expect(try questions(50) { context, _ in context.make("Note", [:]) }.count == 0)
    #expect(try questions(50) { $0.make("Folder", ["name": "\($1)"]) }.count == 0)
  }

  @Test(arguments: ["Note", "Page"])
  func `the unique index answers`(entity: String) throws {
    let notes = try UniqueNotes(.sqlite)
    try notes.work { context in
      for number in 0..<20 {
        context.make(
          entity,
          entity == "Note" ? ["slug": "\(number)"] : ["book": "B", "number": number]
        )
      }
      let log = StatementLog(notes.coordinator)
      let statement = try #require(
        try log.during { try context.save() }
          .first { $0.hasPrefix("SELECT") && !$0.contains("Z_PRIMARYKEY") }
      )
      let plan = try SQLiteShell.run(
        "EXPLAIN QUERY PLAN \(statement);",
        on: try #require(notes.file).path
      ).joined(separator: "\n")
      #expect(plan.contains("_UNIQUE_"), "\(plan)")
      #expect(!plan.contains("SCAN t0"), "\(plan)")
    }
  }

  @Test func `a change of another property asks nothing`() throws {
    let notes = try UniqueNotes(.sqlite)
    try notes.work { context in
      let note = context.make("Note", ["slug": "a"])
      try context.save()
      note.setValue("Title", forKey: "title")
      let log = StatementLog(notes.coordinator)
      let statements = try log.during { try context.save() }
      #expect(!statements.contains { $0.hasPrefix("SELECT") }, "\(statements)")
    }
  }
}
