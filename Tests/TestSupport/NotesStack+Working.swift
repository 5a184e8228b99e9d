public import CoreData

extension NotesStack {
  /// Works in a new context, on its queue.
  @discardableResult
  public func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = context()
    return try context.performAndWait { try body(context) }
  }

  /// Saves what the body makes, in a context of its own, and gives the identity of its result.
  @discardableResult
  public func saved(
    _ make: (NSManagedObjectContext) throws -> NSManagedObject
  ) throws -> NSManagedObjectID {
    try work { context in
      let object = try make(context)
      try context.save()
      return object.objectID
    }
  }
}

// MARK: - Making and finding

extension NSManagedObjectContext {
  @discardableResult
  public func note(_ title: String, in folder: Folder? = nil) -> Note {
    let note = Note(context: self)
    note.title = title
    if let folder { note.folder = folder }
    return note
  }

  @discardableResult
  public func folder(_ name: String, in parent: Folder? = nil) -> Folder {
    let folder = Folder(context: self)
    folder.name = name
    if let parent { folder.parent = parent }
    return folder
  }

  @discardableResult
  public func tag(_ name: String) -> Tag {
    let tag = Tag(context: self)
    tag.name = name
    return tag
  }

  /// The titles of all notes, in the order of the alphabet.
  public func titles() throws -> [String] {
    try fetch(Note.fetchRequest()).map { $0.title ?? "" }.sorted()
  }

  /// The object with that identity, as its class.
  public func find<Object: NSManagedObject>(
    _ id: NSManagedObjectID,
    as type: Object.Type = Note.self
  ) -> Object {
    guard let object = object(with: id) as? Object else {
      fatalError("\(id) is no \(type)")
    }
    return object
  }
}

extension Folder {
  /// The titles of the folder's notes, in the order of the alphabet.
  public var titles: [String] {
    (notes as? Set<Note> ?? []).map { $0.title ?? "" }.sorted()
  }

  /// The titles of the pinned notes, in their order.
  public var pinnedTitles: [String] {
    (pinned?.array as? [Note] ?? []).map { $0.title ?? "" }
  }
}
