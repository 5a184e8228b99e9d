import CoreData
import Foundation
import TestSupport
import Testing

/// Tests of the policies with values that are taken.
@Suite struct UpsertTests {
  static let policies: [(String, NSMergePolicy)] = [
    ("storeTrump", .mergeByPropertyStoreTrump), ("objectTrump", .mergeByPropertyObjectTrump),
    ("overwrite", .overwrite), ("rollback", .rollback),
  ]

  @Test(
    arguments: StoreKind.onServersToo(.everyRequest, .uniqueness),
    Array(zip(policies.map(\.1), ["a One 5", "a Two 5", "a Two –", "a One 5"]))
  )
  func `a new object meets a row that the context does not know (58)`(
    kind: StoreKind,
    row: (NSMergePolicy, String)
  ) throws {
    let (policy, expected) = row
    let notes = try UniqueNotes(kind)
    let id = try stored(in: notes)
    try notes.work(policy) { context in
      let new = context.make("Note", ["slug": "a", "title": "Two"])
      try context.save()
      #expect(!context.hasChanges)
      #expect(try notes.rows("Note", "slug", "title", "stars") == [expected])
      if policy === NSMergePolicy.rollback {
        #expect(new.managedObjectContext == nil)
        #expect(new.text("title") == "Two", "its values can still be read")
      } else {
        #expect(new.objectID == id, "the new object is the row's")
        #expect(context.object(with: id) === new)
        #expect(expected.contains(new.text("title") ?? "?"))
        new.setValue("Three", forKey: "title")
        try context.save()
        #expect(try notes.rows("Note", "slug", "title").first == "a Three")
      }
      #expect(checkInvariants(of: context) == [])
    }
  }

  @Test(
    arguments: StoreKind.onServersToo(.everyRequest, .uniqueness),
    Array(zip(policies.map(\.1), ["a One 5", "a Two 5", "a Two –", "a One 5"]))
  )
  func `a new object meets a row whose object the context has (58)`(
    kind: StoreKind,
    row: (NSMergePolicy, String)
  ) throws {
    let (policy, expected) = row
    let notes = try UniqueNotes(kind)
    let id = try stored(in: notes)
    try notes.work(policy) { context in
      let known = context.object(with: id)
      #expect(known.text("title") == "One")
      let new = context.make("Note", ["slug": "a", "title": "Two"])
      try context.save()
      #expect(try notes.rows("Note", "slug", "title", "stars") == [expected])
      #expect(expected.contains(known.text("title") ?? "?"))
      #expect(new.managedObjectContext == nil)
      #expect(new.text("title") == "Two", "its values can still be read")
      if policy !== NSMergePolicy.rollback { #expect(new.objectID == id) }
      #expect(!context.hasChanges)
      #expect(checkInvariants(of: context) == [])
      known.setValue("Three", forKey: "title")
      try context.save()
    }
  }

  @Test(
    arguments: StoreKind.onServersToo(.everyRequest, .uniqueness),
    Array(
      zip(
        policies.map(\.1),
        [["a One", "b Mine"], ["a Mine"], ["a Mine"], ["a One", "b Two"]]
      )
    )
  )
  func `a stored object wants the value of another row`(
    kind: StoreKind,
    row: (NSMergePolicy, [String])
  ) throws {
    let (policy, expected) = row
    let notes = try UniqueNotes(kind)
    try stored(in: notes)
    try notes.work(policy) { context in
      let note = context.make("Note", ["slug": "b", "title": "Two"])
      try context.save()
      note.setValue("a", forKey: "slug")
      note.setValue("Mine", forKey: "title")
      try context.save()
      #expect(try notes.rows("Note", "slug", "title") == expected)
      #expect(!context.hasChanges)
      #expect(try context.all("Note").count == expected.count)
      #expect(expected.contains("\(note.text("slug") ?? "") \(note.text("title") ?? "")"))
    }
  }

  @Test(
    arguments: StoreKind.onServersToo(.everyRequest, .uniqueness),
    Array(zip(policies.map(\.1), ["a 1 1", "a 3 2", "a 3 –", "a 1 1"]))
  )
  func `several new objects are as if saved one after another`(
    kind: StoreKind,
    row: (NSMergePolicy, String)
  ) throws {
    let (policy, expected) = row
    let notes = try UniqueNotes(kind)
    try notes.work(policy) { context in
      context.make("Note", ["slug": "a", "title": "1", "stars": 1])
      context.make("Note", ["slug": "a", "title": "2", "stars": 2])
      context.make("Note", ["slug": "a", "title": "3"])
      try context.save()
      #expect(try notes.rows("Note", "slug", "title", "stars") == [expected])
      #expect(context.registeredObjects.count <= 1)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `an import twice over makes nothing twice`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    for round in 1...3 {
      try notes.work(.mergeByPropertyObjectTrump) { context in
        for number in 0..<100 {
          context.make("Note", ["slug": "\(number % 70)", "title": "\(round)/\(number)"])
        }
        try context.save()
      }
    }
    let rows = try notes.rows("Note", "slug", "title")
    #expect(rows.count == 70)
    #expect(rows.contains("5 3/75"))
    #expect(rows.contains("42 3/42"))
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `an object that conflicts with two rows makes them one`(kind: StoreKind) throws {
    for (name, policy) in Self.policies {
      let notes = try UniqueNotes(kind)
      try notes.work { context in
        context.make("Tag", ["name": "a", "code": 1, "colour": "red"])
        context.make("Tag", ["name": "b", "code": 2, "colour": "blue"])
        try context.save()
      }
      try notes.work(policy) { context in
        context.make("Tag", ["name": "a", "code": 2, "colour": "green"])
        try context.save()
      }
      let isMine = name == "objectTrump" || name == "overwrite"
      #expect(
        try notes.rows("Tag", "name", "code", "colour")
          == (isMine ? ["a 2 green"] : ["a 1 red", "b 2 blue"]),
        "\(name)"
      )
    }
  }

  @discardableResult
  private func stored(in notes: UniqueNotes) throws -> NSManagedObjectID {
    try notes.work { context in
      let note = context.make("Note", ["slug": "a", "title": "One", "stars": 5])
      try context.save()
      return note.objectID
    }
  }
}

// MARK: - Relationships

extension UpsertTests {
  /// Twelve notes have the stored tag, and a new note the new one of the same name.
  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness), [false, true])
  func `relationships of the one that goes lead to the one that stays`(
    kind: StoreKind,
    isKnown: Bool
  ) throws {
    for (name, policy) in Self.policies {
      let notes = try UniqueNotes(kind)
      let id = try notes.work { context in
        let tag = context.make("Tag", ["name": "swift", "colour": "red"])
        for number in 0..<12 {
          context.make("Note", ["slug": "\(number)", "tags": NSSet(array: [tag])])
        }
        try context.save()
        return tag.objectID
      }
      try notes.work(policy) { context in
        let known = isKnown ? context.object(with: id) : nil
        if let known { #expect((known.value(forKey: "notes") as? NSOrderedSet)?.count == 12) }
        let tag = context.make("Tag", ["name": "swift", "colour": "blue"])
        let note = context.make("Note", ["slug": "new", "tags": NSSet(array: [tag])])
        let second = context.make("Note", ["slug": "second", "tags": NSSet(array: [tag])])
        try context.save()
        #expect(checkInvariants(of: context) == [])
        let stays = policy !== NSMergePolicy.rollback
        #expect((note.value(forKey: "tags") as? NSSet)?.count == (stays ? 1 : 0))
        #expect(second.managedObjectContext === context)
        #expect(
          try notes.rows("Tag", "name", "notes") == ["swift \(stays ? 14 : 12)"],
          "\(name)"
        )
        let stored = try #require(try context.only("Tag", "name", "swift"))
        let order = (stored.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject]
        #expect(order?.count == (stays ? 14 : 12))
        if stays { #expect(order?.last === second) }
      }
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `a folder is found by the upsert, and the notes of the other row follow`(
    kind: StoreKind
  ) throws {
    let notes = try UniqueNotes(kind)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      let home = context.make("Folder", ["name": "Home"])
      let work = context.make("Folder", ["name": "Work"])
      let tag = context.make("Tag", ["name": "a"])
      let other = context.make("Tag", ["name": "b"])
      context.make("Note", ["slug": "1", "folder": home, "tags": NSSet(array: [tag])])
      context.make("Note", ["slug": "2", "folder": home, "tags": NSSet(array: [other])])
      try context.save()
      context.make("Note", ["slug": "1", "folder": work])
      other.setValue("a", forKey: "name")
      try context.save()
      #expect(checkInvariants(of: context) == [])
    }
    #expect(try notes.rows("Note", "slug", "folder", "tags") == ["1 Work 1", "2 Home 1"])
    #expect(try notes.rows("Tag", "name", "notes") == ["a 2"])
    #expect(try notes.rows("Folder", "name", "notes") == ["Home 1", "Work 1"])
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `an object of a subentity gives its values to the row that is there`(kind: StoreKind) throws
  {
    let notes = try UniqueNotes(kind)
    let id = try stored(in: notes)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      context.make("Checklist", ["slug": "a", "title": "Two", "items": 3])
      try context.save()
      #expect(context.object(with: id).text("title") == "Two")
    }
    #expect(try notes.rows("Note", "slug", "title", "stars") == ["a Two 5"])
    #expect(try notes.rows("Checklist", "slug") == [])
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `a row that changed since it was read takes the new values too`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    let id = try stored(in: notes)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      let known = context.object(with: id)
      known.setValue(7, forKey: "stars")
      try notes.work { other in
        other.object(with: id).setValue(1, forKey: "price")
        try other.save()
      }
      context.make("Note", ["slug": "a", "title": "Two"])
      try context.save()
      #expect(known.value(forKey: "price") as? NSDecimalNumber == 1)
    }
    #expect(try notes.rows("Note", "slug", "title", "stars", "price") == ["a Two 7 1"])
  }
}

// MARK: - Relatives

extension UpsertTests {
  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness), [false, true])
  func `a child finds the row's object under the name that the new one had`(
    kind: StoreKind,
    isKnown: Bool
  ) throws {
    let notes = try UniqueNotes(kind)
    let id = try stored(in: notes)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      let known = isKnown ? context.object(with: id) : nil
      let new = context.make("Note", ["slug": "a", "title": "Two"])
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      let temporary = new.objectID
      child.performAndWait {
        #expect(child.object(with: temporary).text("title") == "Two")
      }
      try context.save()
      try child.performAndWait {
        let object = child.object(with: temporary)
        child.refresh(object, mergeChanges: false)
        #expect(object.text("title") == "Two")
        object.setValue("Three", forKey: "title")
        try child.save()
      }
      try context.save()
      #expect((known ?? new).text("title") == "Three")
    }
    #expect(try notes.rows("Note", "slug", "title") == ["a Three"])
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `a save that fails after an upsert leaves a child its names`(kind: StoreKind) throws {
    let notes = try UniqueNotes(kind)
    try stored(in: notes)
    try notes.work(TwiceTheSame(merge: .mergeByPropertyObjectTrumpMergePolicyType)) { context in
      let new = context.make("Note", ["slug": "a", "title": "Two"])
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      #expect(errorCode { try context.save() } == 7)
      #expect(new.objectID.isTemporaryID)
      child.performAndWait {
        #expect(child.object(with: new.objectID).text("title") == "Two")
      }
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(!new.objectID.isTemporaryID)
    }
  }

  @Test func `what a policy does is no step to undo`() throws {
    let notes = try UniqueNotes(.memory)
    try stored(in: notes)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      context.undoManager = UndoManager()
      let known = try #require(try context.only("Note", "slug", "a"))
      context.make("Note", ["slug": "a", "title": "Two"])
      try context.save()
      #expect(known.text("title") == "Two")
      #expect(checkInvariants(of: context) == [])
      known.setValue("Three", forKey: "title")
      context.undo()
      #expect(known.text("title") == "Two")
    }
  }
}

private final class TwiceTheSame: NSMergePolicy, @unchecked Sendable {
  override func resolve(mergeConflicts list: [Any]) throws {
    try super.resolve(mergeConflicts: list)
    throw NSError(domain: "Test", code: 7)
  }
}
