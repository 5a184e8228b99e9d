import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of a batch insertion if rows already have values that must be unique.
struct BatchUpsertTests {
  /// With and without the indexes that keep values unique.
  static let stacks: [(kind: StoreKind, hasIndexes: Bool)] = [
    (.sqlite, true), (.sqlite, false), (.sqliteInMemory, true),
  ]

  private func stack(_ kind: StoreKind, hasIndexes: Bool) throws -> UniqueNotes {
    let notes = try UniqueNotes(kind)
    if !hasIndexes {
      try notes.coordinator.pool?.write { connection in
        for name in ["Note_UNIQUE_slug", "Tag_UNIQUE_name", "Tag_UNIQUE_code"] {
          try connection.run("DROP INDEX \(name: "Z_\(name)")")
        }
      }
    }
    try notes.work { context in
      context.make("Note", ["slug": "a", "title": "old", "stars": 1])
      context.make("Checklist", ["slug": "list", "title": "old list", "items": 3])
      try context.save()
    }
    return notes
  }

  private let rows: [[String: Any]] = [
    ["slug": "a", "title": "new"], ["slug": "b", "title": "second"], ["slug": "b", "stars": 5],
    ["title": "without"],
  ]

  @Test(arguments: stacks)
  func `the policy of errors inserts nothing (58)`(
    _ kind: StoreKind,
    hasIndexes: Bool
  ) throws {
    let notes = try stack(kind, hasIndexes: hasIndexes)
    try notes.work { context throws in
      #expect(errorCode { try context.insert("Note", rows) } == NSManagedObjectConstraintMergeError)
    }
    #expect(try notes.rows("Note", "slug", "title") == ["a old", "list old list"])
  }

  @Test(arguments: stacks)
  func `a batch that was refused did not say which of its rows was`(
    _ kind: StoreKind,
    hasIndexes: Bool
  ) throws {
    let notes = try stack(kind, hasIndexes: hasIndexes)
    try notes.work { context throws in
      #expect(words { try context.insert("Note", rows) }.contains("(row 1 of the batch)"))
      // The second with the slug “b”.
      let others = Array(rows.dropFirst())
      #expect(words { try context.insert("Note", others) }.contains("(row 2 of the batch)"))
    }
  }

  @Test(arguments: stacks)
  func `the object's values are written onto the row that is there (58)`(
    _ kind: StoreKind,
    hasIndexes: Bool
  ) throws {
    let notes = try stack(kind, hasIndexes: hasIndexes)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      let ids = try context.insert("Note", rows)
      #expect(ids.count == 4)
      #expect(ids[1] == ids[2])
      #expect(try context.only("Note", "slug", "a")?.storedVersion == 2)
    }
    #expect(
      try notes.rows("Note", "slug", "title", "stars")
        == ["a new 1", "b second 5", "list old list –", "– without –"]
    )
  }

  @Test(arguments: stacks)
  func `a batch did not ask a policy of which type it says to be`(
    _ kind: StoreKind,
    hasIndexes: Bool
  ) throws {
    let notes = try stack(kind, hasIndexes: hasIndexes)
    try notes.work(AlwaysOurs(merge: .error)) {
      try $0.insert("Note", [["slug": "a", "title": "new"]])
    }
    #expect(try notes.rows("Note", "slug", "title") == ["a new", "list old list"])
  }

  @Test(arguments: stacks)
  func `overwriting writes what was not given too (58)`(
    _ kind: StoreKind,
    hasIndexes: Bool
  ) throws {
    let notes = try stack(kind, hasIndexes: hasIndexes)
    try notes.work(.overwrite) { try $0.insert("Note", rows) }
    #expect(
      try notes.rows("Note", "slug", "title", "stars")
        == ["a new –", "b – 5", "list old list –", "– without –"]
    )
  }

  @Test(arguments: stacks, [NSMergePolicyType.storeTrump, .rollback])
  func `the row that is there stays (58)`(
    _ stack: (kind: StoreKind, hasIndexes: Bool),
    _ policy: NSMergePolicyType
  ) throws {
    let notes = try self.stack(stack.kind, hasIndexes: stack.hasIndexes)
    try notes.work(NSMergePolicy(merge: policy)) { context throws in
      #expect(try context.insert("Note", rows).count == 2)
      let request = NSBatchInsertRequest(
        entityName: "Note",
        objects: [["slug": "a"], ["slug": "c"]]
      )
      request.resultType = .count
      #expect((try context.execute(request) as? NSBatchInsertResult)?.result as? Int == 1)
    }
    #expect(
      try notes.rows("Note", "slug", "title", "stars")
        == ["a old 1", "b second –", "c – –", "list old list –", "– without –"]
    )
  }

  @Test(arguments: stacks)
  func `a row of another entity keeps it, and gets what it can have`(
    _ kind: StoreKind,
    hasIndexes: Bool
  ) throws {
    let notes = try stack(kind, hasIndexes: hasIndexes)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      let ids = try context.insert("Checklist", [["slug": "a", "title": "x", "items": 9]])
      #expect(ids.map(\.entity.name) == ["Note"])
      let other = try context.insert("Note", [["slug": "list", "title": "y"]])
      #expect(other.map(\.entity.name) == ["Checklist"])
    }
    #expect(try notes.rows("Note", "slug", "title") == ["a x", "list y"])
    #expect(try notes.rows("Checklist", "slug", "items") == ["list 3"])
    let stray = try notes.coordinator.pool?.read { connection in
      try connection.integer("SELECT \(column: "ZITEMS") FROM ZNOTE WHERE ZSLUG = 'a'")
    }
    #expect(stray == .some(nil))
  }

  @Test(arguments: stacks)
  func `a row that two others stand against is refused`(
    _ kind: StoreKind,
    hasIndexes: Bool
  ) throws {
    let notes = try stack(kind, hasIndexes: hasIndexes)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      try context.insert("Tag", [["name": "a", "code": 1], ["name": "b", "code": 2]])
      try context.insert("Tag", [["name": "a", "colour": "red"], ["code": 2, "colour": "blue"]])
      #expect(
        errorCode { try context.insert("Tag", [["name": "a", "code": 2]]) }
          == NSManagedObjectConstraintMergeError
      )
    }
    #expect(try notes.rows("Tag", "name", "code", "colour") == ["a 1 red", "b 2 blue"])
  }

  @Test func `values that are unique together`() throws {
    let notes = try UniqueNotes(.sqlite)
    try notes.work(.mergeByPropertyObjectTrump) { context in
      try context.insert("Page", (1...3).map { ["book": "b", "number": $0, "text": "first"] })
      try context.insert("Page", [["book": "b", "number": 2, "text": "second"], ["book": "c"]])
    }
    #expect(
      try notes.rows("Page", "book", "number", "text")
        == ["b 1 first", "b 2 second", "b 3 first", "c – –"]
    )
  }

  @Test func `an update that makes values equal is refused, and changes nothing (58)`() throws {
    let notes = try stack(.sqlite, hasIndexes: true)
    try notes.work(.overwrite) { context throws in
      #expect(
        errorCode { try context.update("Note", ["slug": "same"]) }
          == NSManagedObjectConstraintMergeError
      )
    }
    #expect(try notes.rows("Note", "slug") == ["a", "list"])
  }

  @Test func `files of rows that stay or are written over are removed`() throws {
    let stack = try NotesStack(model: Self.pictures, .sqlite)
    let large = Data(repeating: 1, count: 150_000)
    let context = stack.context()
    try context.performAndWait {
      try context.insert("Picture", [["name": "a", "data": large]])
      let first = stack.externalFiles
      #expect(first.count == 1)
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try context.insert("Picture", [["name": "a", "data": large]])
      #expect(stack.externalFiles == first)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.insert("Picture", [["name": "a"], ["name": "a", "data": large + large]])
      #expect(stack.externalFiles.count == 1)
      #expect(stack.externalFiles != first)
      context.mergePolicy = NSMergePolicy.overwrite
      try context.insert("Picture", [["name": "a"]])
      #expect(stack.externalFiles.isEmpty)
    }
  }

  private static let pictures: NSManagedObjectModel = {
    let entity = NSEntityDescription()
    entity.name = "Picture"
    let (name, data) = (NSAttributeDescription(), NSAttributeDescription())
    name.name = "name"
    name.type = .string
    data.name = "data"
    data.type = .binaryData
    data.allowsExternalBinaryDataStorage = true
    entity.properties = [name, data]
    entity.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()
}

private final class AlwaysOurs: NSMergePolicy, @unchecked Sendable {
  override var mergeType: NSMergePolicyType { .objectTrump }
}
