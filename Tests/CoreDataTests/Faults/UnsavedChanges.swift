import CoreData
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

/// A store with a few objects, and a context with changes of every kind that are not saved yet.
struct UnsavedChanges {
  let stack: NotesStack
  let context: NSManagedObjectContext

  init() throws {
    let stack = try NotesStack(.sqlite)
    try Self.populate(stack)
    try self.init(in: stack)
  }

  /// The changes alone, in a store that has the objects already.
  init(in stack: NotesStack) throws {
    self.stack = stack
    context = stack.context()
    try context.performAndWait { [context] in
      context.retainsRegisteredObjects = true
      try Self.change(context)
      context.processPendingChanges()
    }
  }

  /// Lets another program write to the file, nothing that anybody would see.
  func othersWrite() throws {
    let url = try #require(stack.coordinator.persistentStores.first?.url)
    try Connection(path: url.path).run("UPDATE Z_METADATA SET Z_VERSION = Z_VERSION")
  }

  static func populate(_ stack: NotesStack) throws {
    let context = stack.context()
    try context.performAndWait {
      populate(context)
      try context.save()
    }
  }

  private static func populate(_ context: NSManagedObjectContext) {
    let folder = Folder(context: context)
    folder.name = "Ideas"
    let notes = ["a", "b", "c", "d"].map { title in
      let note = Note(context: context)
      note.title = title
      note.folder = folder
      return note
    }
    folder.pinned = NSOrderedSet(array: Array(notes[0...2]))
    folder.cover = notes[0]
    notes[0].related = NSSet(array: [notes[1], notes[3]])
    let tag = Tag(context: context)
    tag.name = "swift"
    tag.notes = NSOrderedSet(array: notes)
    let bin = Bin(context: context)
    bin.queue = NSOrderedSet(array: [notes[3], notes[2]])
    bin.kept = NSSet(array: [notes[0]])
  }

  /// Inserts, updates and deletes, in to-one, to-many, ordered and many-to-many relationships.
  private static func change(_ context: NSManagedObjectContext) throws {
    let byTitle = Dictionary(
      uniqueKeysWithValues: try context.fetch(Note.fetchRequest()).map { ($0.title ?? "", $0) }
    )
    let a = try #require(byTitle["a"])
    let b = try #require(byTitle["b"])
    let c = try #require(byTitle["c"])
    let d = try #require(byTitle["d"])
    let folder = try #require(a.folder)
    let tag = try #require(context.fetch(TestSupport.Tag.fetchRequest()).first)
    let bin = try #require(context.fetch(Bin.fetchRequest()).first)
    let inner = Folder(context: context)
    inner.name = "Inner"
    inner.parent = folder
    let list = Checklist(context: context)
    list.title = "e"
    list.folder = inner
    list.itemCount = 3
    a.title = "A"
    c.folder = inner
    folder.pinned = NSOrderedSet(array: [c, list, a])
    a.related = NSSet(array: [c, list])
    tag.notes = NSOrderedSet(array: [list, d, a])
    let other = Tag(context: context)
    other.name = "linux"
    d.tags = NSSet(array: [tag, other])
    bin.queue = NSOrderedSet(array: [list, c])
    bin.kept = NSSet(array: [d])
    context.delete(b)
  }
}

// MARK: - Pictures

extension UnsavedChanges {
  /// Everything the context knows of its changes, as text.
  var contextPicture: [String] {
    context.performAndWait {
      let sets: [(String, Set<NSManagedObject>)] = [
        ("inserted", context.insertedObjects), ("updated", context.updatedObjects),
        ("deleted", context.deletedObjects),
      ]
      return sets.flatMap { word, objects in
        objects.map { "\(word) \($0.objectID) \(Self.values(of: $0))" }.sorted()
      }
    }
  }

  private static func values(of object: NSManagedObject) -> String {
    let names = object.entity.propertiesByName.keys.sorted()
    return names.filter { !["favourites", "scratch"].contains($0) }.map { name in
      switch object.value(forKey: name) {
      case let set as NSOrderedSet: "\(name): \(ids(set.array))"
      case let set as NSSet: "\(name): \(ids(set.allObjects).sorted())"
      case let other as NSManagedObject: "\(name): \(other.objectID)"
      case let value: "\(name): \(value.map { "\($0)" } ?? "nil")"
      }
    }.joined(separator: ", ")
  }

  private static func ids(_ objects: [Any]) -> [String] {
    objects.map { "\(($0 as? NSManagedObject)?.objectID.description ?? "?")" }
  }

  /// Every row of the file, as SQL; without what differs from store to store.
  func filePicture() throws -> [String] { try Self.picture(of: #require(stack.file)) }

  static func picture(of file: URL) throws -> [String] {
    try SQLiteShell.run(".dump", on: file.path)
      .filter { !$0.hasPrefix("INSERT INTO Z_METADATA") }
  }
}
