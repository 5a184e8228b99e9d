import CoreDataModel
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// A fetch takes the values of rows that are as they were from the cache.
@Suite struct KnownRowsTests {
  @Test func `rows that are fetched again are not unpacked again`() throws {
    let stack = try NotesStack(.sqlite)
    _ = try stack.saved { $0.note("One") }
    try stack.work { context in
      let first = try #require(try snapshots(in: context).first)
      let again = try #require(try snapshots(in: stack.context()).first)
      #expect(first.page === again.page)
    }
  }

  @Test(arguments: [100, 1000])
  func `of many known rows those with another version were taken for known`(count: Int) throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      for number in 1...count { _ = context.note("Note \(number)") }
      try context.save()
    }
    stack.store.rowCache.removeAll()
    try stack.work { _ = try snapshots(in: $0) }
    try stack.work { context in
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "title IN {'Note 7', 'Note 99'}")
      for note in try context.fetch(request) { note.title = "Other" }
      try context.save()
    }
    try stack.work { context in
      let titles = try context.titles()
      #expect(titles.count == count)
      #expect(titles.filter { $0 == "Other" }.count == 2)
    }
  }

  @Test func `a row that another program had written without its version was found as it was`()
    throws
  {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context throws in #expect(try context.titles() == ["One"]) }
    let other = try Connection(path: try #require(stack.file).path)
    try other.run("UPDATE ZNOTE SET ZTITLE = 'Two'" as String)
    try stack.work { context throws in
      #expect(try context.titles() == ["Two"])
      #expect(context.find(id).title == "Two")
    }
  }

  @Test func `a derived attribute was what it had been when the row was known`() throws {
    let schema = ModelSchema.model(
      .entity(
        "Folder",
        [.text("name"), .derived("noteCount", .integer64, from: "notes.@count")],
        [.many("notes", "Note", back: "folder")]
      ),
      .entity("Note", [.text("title")], [.one("folder", "Folder", back: "notes")])
    )
    let stack = try NotesStack(model: NSManagedObjectModel(schema: schema), .sqlite)
    func counts() throws -> [Int?] {
      try stack.work { context in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
          .map { $0.value(forKey: "noteCount") as? Int }
      }
    }
    let folder = try stack.work { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      try context.save()
      return folder.objectID
    }
    #expect(try counts() == [0])
    try stack.work { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(try context.existingObject(with: folder), forKey: "folder")
      try context.save()
    }
    #expect(try counts() == [1])
  }

  @Test func `a fetch after a save found values that the file does not have`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { context in
      let note = context.note("a\u{0}b\u{301}")
      note.price = NSDecimalNumber(string: "0.12345678901234567890123456789")
      note.rating = -0.0
      note.created = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
      note.views = NSNumber(value: Int64.min)
      note.text = ""
      return note
    }
    func values() throws -> [String] {
      try stack.work { context in
        let note = try #require(try context.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
        return note.entity.attributesByName.keys.sorted().map { name in
          "\(name) \(note.value(forKey: name).map { "\($0)" } ?? "nil")"
        }
      }
    }
    func expectFileValues() throws {
      let found = try values()
      stack.store.rowCache.removeAll()
      #expect(try values() == found)
    }
    try expectFileValues()
    try stack.work { context in
      context.find(id).price = NSDecimalNumber(string: "9.87654321098765432109876543211")
      try context.save()
    }
    try expectFileValues()
  }

  @Test func `the age of a row begins anew when a fetch finds it again (20)`() throws {
    let time = Mutex(0.0)
    let cache = RowCache { time.withLock { $0 } }
    let layout = try #require(NotesStack.model.entitiesByName["Note"]).layout
    let store = StoreNumber(rawValue: 7)
    var writer = SnapshotWriter()
    writer.begin(slotCount: layout.slots.count, version: 3)
    let key = ObjectKey(store: store, root: layout.rootNumber, number: 1)
    cache.set(writer.finish(), of: layout, for: key)

    time.withLock { $0 = 12 }
    let known = KnownRows(cache, of: store)
    #expect(known.snapshot(of: layout, 1, version: 4, at: 0) == nil)
    #expect(cache.age(of: try #require(cache[key])) == 12)
    #expect(known.snapshot(of: layout, 1, version: 3, at: 0) != nil)
    #expect(cache.age(of: try #require(cache[key])) == 0)
    #expect(known.count == 1)
  }

  /// The rows that objects of a fetch wait with.
  private func snapshots(in context: NSManagedObjectContext) throws -> [Snapshot] {
    try context.performAndWait {
      try context.fetch(NSFetchRequest<Note>(entityName: "Note")).compactMap(\.snapshot)
    }
  }
}
