import CoreData
import TestSupport

extension NSManagedObjectContext {
  /// A new context whose parent is this one.
  func child(_ type: ConcurrencyType = .privateQueue) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(type)
    child.parent = self
    return child
  }

  /// Works in a new child, on its queue.
  @discardableResult
  func inChild<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let child = child()
    return try child.performAndWait { try body(child) }
  }

  /// This context's object of the same identity.
  func same<Object: NSManagedObject>(_ object: Object) -> Object {
    find(object.objectID, as: Object.self)
  }

  func folders() throws -> [String] {
    try fetch(Folder.fetchRequest()).map { $0.name ?? "" }.sorted()
  }
}

extension NotesStack {
  /// Works in a new context and, on top of it, a child.
  func family<Result>(
    _ body: (_ parent: NSManagedObjectContext, _ child: NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try work { parent in try parent.inChild { try body(parent, $0) } }
  }
}

extension Tag {
  var noteTitles: [String] { (notes?.array as? [Note] ?? []).map { $0.title ?? "" } }
}

extension Note {
  var tagNames: [String] { (tags as? Set<Tag> ?? []).map { $0.name ?? "" }.sorted() }

  var relatedTitles: [String] { (related as? Set<Note> ?? []).map { $0.title ?? "" }.sorted() }
}

extension Bin {
  var keptTitles: [String] { (kept as? Set<Note> ?? []).map { $0.title ?? "" }.sorted() }

  var queueTitles: [String] { (queue?.array as? [Note] ?? []).map { $0.title ?? "" } }
}
