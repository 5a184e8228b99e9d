import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A save that meets conflicts, resolves them and then fails has changed nothing either.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct RefusedResolutionTests {
  static let policies: [NSMergePolicy] = [
    .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  @Test(arguments: policies.indices)
  func `the n-th statement of a resolved save fails, for every n`(place: Int) throws {
    let policy = Self.policies[place]
    let reference = try ConflictingChanges(policy)
    try reference.context.performAndWait { try reference.context.save() }
    let finished = try reference.filePicture()
    var statement = 1
    while try refusing(statement, policy, finished: finished) { statement += 1 }
    #expect(statement > 18)
  }

  /// Whether there was such a statement.
  private func refusing(_ place: Int, _ policy: NSMergePolicy, finished: [String]) throws -> Bool {
    let changes = try ConflictingChanges(policy)
    let (memory, file) = (changes.contextPicture, try changes.filePicture())
    let pool = try #require(changes.notes.coordinator.pool)
    let refusal = Refusal(ofStatement: place)
    // Statements that SQLite cannot refuse are not refused here.
    pool.observe { sql throws(SQLiteError) in
      if sql != "ROLLBACK" { try refusal.observe(sql) }
    }
    let error = changes.context.performAndWait { () -> NSError? in
      do { try changes.context.save() } catch { return error as NSError }
      return nil
    }
    pool.observe(nil)
    if !refusal.happened {
      #expect(error == nil)
      return false
    }
    #expect(error?.domain == NSCocoaErrorDomain, "statement \(place)")
    #expect(changes.contextPicture == memory, "statement \(place)")
    #expect(try changes.filePicture() == file, "statement \(place)")
    try changes.context.performAndWait {
      #expect(checkInvariants(of: changes.context) == [], "statement \(place)")
      try changes.context.save()
      #expect(!changes.context.hasChanges)
      #expect(checkInvariants(of: changes.context) == [], "statement \(place)")
    }
    #expect(try changes.filePicture() == finished, "statement \(place)")
    let cached = try changes.notes.picture()
    changes.notes.coordinator.persistentStores.first?.rowCache.removeAll()
    #expect(try changes.notes.picture() == cached, "the row cache is wrong, statement \(place)")
    return true
  }
}

/// A context whose changes meet other versions, rows that are gone and values that are taken.
private struct ConflictingChanges {
  let notes: UniqueNotes
  let context: NSManagedObjectContext

  init(_ policy: NSMergePolicy) throws {
    let notes = try UniqueNotes(.sqlite)
    self.notes = notes
    try notes.work { context in
      let folder = context.make("Folder", ["name": "F"])
      context.make("Folder", ["name": "G"])
      let tag = context.make("Tag", ["name": "swift", "code": 1])
      for slug in ["a", "b", "c", "d"] {
        context.make("Note", ["slug": slug, "folder": folder, "tags": NSSet(array: [tag])])
      }
      try context.save()
    }
    let context = notes.context(policy)
    context.retainsRegisteredObjects = true
    self.context = context
    try context.performAndWait {
      try Self.change(context)
      context.processPendingChanges()
    }
    try notes.work { other in
      try Self.interfere(other)
      try other.save()
    }
  }

  private static func change(_ context: NSManagedObjectContext) throws {
    for entity in ["Note", "Tag", "Folder"] {
      for object in try context.all(entity) {
        for name in object.entity.relationshipsByName.keys { _ = object.value(forKey: name) }
      }
    }
    let all = Dictionary(
      uniqueKeysWithValues: try context.all("Note").map { ($0.text("slug") ?? "", $0) }
    )
    let folder = try #require(try context.only("Folder", "name", "G"))
    all["a"]?.setValue("Mine", forKey: "title")
    all["a"]?.setValue(folder, forKey: "folder")
    all["b"]?.setValue("Mine", forKey: "title")
    if let deleted = all["c"] { context.delete(deleted) }
    all["d"]?.setValue(7, forKey: "stars")
    let tag = context.make("Tag", ["name": "swift", "colour": "red"])
    context.make("Note", ["slug": "new", "tags": NSSet(array: [tag]), "folder": folder])
    context.make("Note", ["slug": "theirs", "title": "Mine"])
    context.make("Note", ["slug": "twice", "title": "1"])
    context.make("Note", ["slug": "twice", "title": "2"])
  }

  private static func interfere(_ context: NSManagedObjectContext) throws {
    let all = Dictionary(
      uniqueKeysWithValues: try context.all("Note").map { ($0.text("slug") ?? "", $0) }
    )
    all["a"]?.setValue("Theirs", forKey: "title")
    all["a"]?.setValue(nil, forKey: "folder")
    if let deleted = all["b"] { context.delete(deleted) }
    all["c"]?.setValue("Theirs", forKey: "title")
    all["d"]?.setValue(9, forKey: "price")
    context.make("Note", ["slug": "theirs", "title": "Theirs"])
  }

  var contextPicture: [String] {
    context.performAndWait {
      let sets = [context.insertedObjects, context.updatedObjects, context.deletedObjects]
      return zip(["inserted", "updated", "deleted"], sets).flatMap { word, objects in
        objects.map { "\(word) \($0.objectID) \(values(of: $0))" }.sorted()
      }
    }
  }

  private func values(of object: NSManagedObject) -> String {
    object.entity.propertiesByName.keys.sorted().map { name in
      let value: String
      switch object.value(forKey: name) {
      case let set as NSOrderedSet: value = ids(set.array)
      case let set as NSSet: value = ids(set.allObjects)
      case let other as NSManagedObject: value = "\(other.objectID)"
      case let other: value = other.map { "\($0)" } ?? "nil"
      }
      return "\(name): \(value)"
    }.joined(separator: ", ") + " changed: \(object.changedValues().keys.sorted())"
  }

  private func ids(_ objects: [Any]) -> String {
    "\(objects.map { "\(($0 as? NSManagedObject)?.objectID.description ?? "?")" }.sorted())"
  }

  func filePicture() throws -> [String] {
    try SQLiteShell.run(".dump", on: #require(notes.file).path)
      .filter { !$0.hasPrefix("INSERT INTO Z_METADATA") && !$0.contains("Z_PRIMARYKEY") }
  }
}

extension UniqueNotes {
  /// All notes and tags as a new context sees them.
  fileprivate func picture() throws -> [String] {
    try rows("Note", "slug", "title", "stars", "price", "folder", "tags")
      + rows("Tag", "name", "colour", "code", "notes") + rows("Folder", "name", "notes")
  }
}
