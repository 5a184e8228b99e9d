import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Features that Apple's stores at hand lack, in one of ours: pairs, and files beside the store.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct PairsAndFilesTests {
  private let stack: NotesStack
  private let file: URL

  init() throws {
    stack = try NotesStack(.sqlite)
    file = try #require(stack.file)
    try stack.work { context in
      let note = context.note("first")
      note.tags = NSSet(array: [context.tag("red"), context.tag("blue")])
      context.note("second").tags = note.tags
      _ = context.tag("green")
      try context.save()
    }
  }

  private func changes(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
    let before = try FileSnapshot(file)
    try stack.work { context in
      try body(context)
      try context.save()
    }
    return try FileSnapshot(file).changes(since: before)
  }

  private func note(_ title: String, _ context: NSManagedObjectContext) throws -> Note {
    try #require(try context.fetch(Note.fetchRequest()).first { $0.title == title })
  }

  @Test func `a pair that is added is one row, and the versions of both its ends`() throws {
    let changed = try changes { context in
      let green = try context.fetch(TestSupport.Tag.fetchRequest()).first { $0.name == "green" }
      try note("first", context).mutableSetValue(forKey: "tags").add(try #require(green))
    }
    let pairs = changed.filter { $0.hasPrefix("+Z_3TAGS/") }
    #expect(pairs.count == 1)
    for change in changed where !pairs.contains(change) {
      #expect(change.hasPrefix("ZNOTE/") || change.hasPrefix("ZTAG/"), "\(change)")
      #expect(change.hasSuffix(": Z_OPT"), "\(change)")
    }
  }

  @Test func `a pair that is removed is one row less`() throws {
    let changed = try changes { context in
      let red = try context.fetch(TestSupport.Tag.fetchRequest()).first { $0.name == "red" }
      try note("first", context).mutableSetValue(forKey: "tags").remove(try #require(red))
    }
    let pairs = changed.filter { $0.hasPrefix("-Z_3TAGS/") }
    #expect(pairs.count == 1)
    for change in changed where !pairs.contains(change) {
      // The tag's other notes may get new places, in the order that they had.
      let isVersion = change.hasSuffix(": Z_OPT")
      #expect(isVersion || change.hasPrefix("Z_3TAGS/") && change.hasSuffix(": Z_FOK_3NOTES"))
    }
  }

  @Test func `large data is a file beside the store, and gone with its row`() throws {
    let folder = file.deletingLastPathComponent()
      .appending(path: ".Notes_SUPPORT/_EXTERNAL_DATA")
    let files = { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
    let changed = try changes { context in
      try note("first", context).image = Data(repeating: 7, count: 500_000)
    }
    #expect(changed.count == 1 && changed.first?.hasSuffix(": ZIMAGE Z_OPT") == true)
    #expect(files().count == 1)
    let name = try #require(files().first)
    let stored = try Data(contentsOf: folder.appending(path: name))
    #expect(stored == Data(repeating: 7, count: 500_000))
    _ = try changes { context in context.delete(try note("first", context)) }
    #expect(files() == [])
  }

  @Test func `the model that the tables tell of has pairs, orders and owners`() throws {
    let told = try StoredModel(inStoreAt: file, from: .tables)
    let map = TableMap(told.schema)
    let ours = TableMap(stack.coordinator.layout.schema)
    #expect(map.joinTables == ours.joinTables)
    #expect(map.tables.map(\.name) == ours.tables.map(\.name))
    for (one, other) in zip(map.tables, ours.tables) {
      // Without any pin, nobody knows the target of a pin, or that it has an order.
      #expect(
        Set(other.columns.map { "\($0.name) \($0.type)" })
          .symmetricDifference(one.columns.map { "\($0.name) \($0.type)" })
          .isSubset(of: ["Z_FOK_PINNEDIN integer"])
      )
    }
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel(contentsOfStoreAt: file, from: .tables)
    )
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: file,
      options: [
        NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
      ]
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title = 'first'")
      let note = try #require(try context.fetch(request).first)
      let tags = note.value(forKey: "tags") as? NSSet
      #expect(tags?.count == 2)
      let names = tags?.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
      #expect(names?.sorted() == ["blue", "red"])
    }
  }
}
