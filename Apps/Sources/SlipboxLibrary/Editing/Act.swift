import CoreData
import Synchronization

/// Something that was done, can be undone, and done again.
protocol Undoable: Sendable {
  /// How many bytes it remembers, about.
  var weight: Int { get }

  /// Undoes it, or does it again after it was undone.
  ///
  /// If the store cannot be written at the moment, nothing has happened, and it may be tried again. Throws
  /// ``LibraryProblem/expired(_:)`` if it cannot be undone any more.
  func turn(by author: String?) throws
}

/// Edits that were saved and can be undone.
///
/// An act has a context of its own, whose undo manager remembers what the act has changed. Undoing is
/// `undo()` there, and a save: changes of others in between stay, except for the very properties that the act had
/// changed.
///
/// Texts are more than a property: an act that has changed the texts of notes cannot be undone once they were edited
/// again.
final class Act: Undoable {
  private let context: NSManagedObjectContext
  private let effect = Mutex(Effect())

  private struct Effect {
    var isUndone = false
    var weight = 0
    /// The notes whose text the act has changed or made; those that it made are gone while it is undone.
    var texts: Set<UUID> = []
    /// Those that are there, in the revision it has left them in.
    var revisions: [UUID: Int64] = [:]
  }

  init(_ context: NSManagedObjectContext) {
    self.context = context
    context.name = PersistenceController.contextName("act")
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.stalenessInterval = 0
  }

  /// Performs the act and saves.
  ///
  /// `texts` are notes whose text the act is about. Others whose text it changes are found: another name of a note, for one,
  /// turns what waited for it into links.
  func perform<Result>(
    by author: String?,
    texts: [UUID] = [],
    _ block: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try context.performAndWait {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      context.undoManager = undoManager
      context.transactionAuthor = author
      undoManager.beginUndoGrouping()
      let written = WrittenTexts()
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave,
        object: context,
        queue: nil
      ) { notification in
        guard let context = notification.object as? NSManagedObjectContext else { return }
        written.look(at: context.updatedObjects)
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      let result = try block(context)
      context.processPendingChanges()
      undoManager.endUndoGrouping()
      let weight = context.insertedObjects.union(context.updatedObjects)
        .union(context.deletedObjects).reduce(0) { $0 + $1.loadedBytes }
      if context.hasChanges { try context.save() }
      let texts = written.notes.union(texts)
      let revisions = try revisions(of: Array(texts))
      effect.withLock { ($0.texts, $0.revisions, $0.weight) = (texts, revisions, weight) }
      return result
    }
  }

  var weight: Int { effect.withLock(\.weight) }

  func turn(by author: String?) throws {
    try context.performAndWait {
      context.transactionAuthor = author
      let known = effect.withLock { $0 }
      guard try revisions(of: Array(known.texts)) == known.revisions else {
        throw LibraryProblem.expired("This cannot be undone any more: the text was edited since.")
      }
      step(back: !known.isUndone)
      do {
        // The merge policy would bring a deleted object back with the act's knowledge of it.
        guard try areThere(context.updatedObjects) else { throw Self.gone }
        count(known.revisions)
        try settle()
        if context.hasChanges { try save() }
      } catch let error as CocoaError where error.isOfTheStore {
        step(back: known.isUndone)
        for object in context.updatedObjects { context.refresh(object, mergeChanges: false) }
        throw error
      } catch {
        context.rollback()
        throw Self.gone
      }
      let revisions = try revisions(of: Array(known.texts))
      effect.withLock { effect in
        effect.isUndone.toggle()
        effect.revisions = revisions
      }
    }
  }

  /// Saves; the lineages of texts, which are kept at that moment, are no part of the act.
  private func save() throws {
    context.undoManager?.disableUndoRegistration()
    defer { context.undoManager?.enableUndoRegistration() }
    try context.save()
  }

  private func step(back: Bool) {
    if back { context.undoManager?.undo() } else { context.undoManager?.redo() }
    context.processPendingChanges()
  }

  /// Counts a revision of each note whose text has changed again, so that no two of its texts ever have the
  /// same number: edits say by it what they began from.
  private func count(_ revisions: [UUID: Int64]) {
    if revisions.isEmpty { return }
    context.undoManager?.disableUndoRegistration()
    defer { context.undoManager?.enableUndoRegistration() }
    for case let note as Note in context.updatedObjects {
      if let revision = revisions[note.uuid] { note.countRevision(after: revision) }
    }
    context.processPendingChanges()
  }

  private static let gone = LibraryProblem.expired(
    "This cannot be undone any more: what it was about has been changed or deleted since."
  )

  /// Puts right what the act could not know of: folders that others have moved or put into the trash.
  ///
  /// ```
  /// a folder in itself             the act cannot be undone
  /// a note in a trashed folder     goes to the next folder above that is there
  /// ```
  private func settle() throws {
    let changed = context.updatedObjects.union(context.insertedObjects)
    let folders = Set(changed.compactMap { ($0 as? Note)?.folder ?? $0 as? Folder })
    for folder in folders { folder.refreshUpwards() }
    if folders.contains(where: \.isInCircle) { throw Self.gone }
    let shut = folders.filter(\.isTrashed)
    if shut.isEmpty { return }
    // Doing the act again has nothing to do with this.
    context.undoManager?.disableUndoRegistration()
    defer { context.undoManager?.enableUndoRegistration() }
    for note in try context.fetch(Note.fetch(Self.inside(NoteProperties.folder, shut))) {
      note.refreshKeepingChanges()
      if !note.isTrashed { note.folder = note.folder?.nearestAlive }
    }
    for folder in try context.fetch(Folder.fetch(Self.inside(FolderProperties.parent, shut))) {
      folder.refreshKeepingChanges()
      if !folder.isTrashed { folder.parent = folder.parent?.nearestAlive }
    }
    context.processPendingChanges()
  }

  private static func inside(_ place: String, _ folders: Set<Folder>) -> NSPredicate {
    NSPredicate(format: "%K IN %@", place, Array(folders))
  }

  /// Whether the objects are still there, and not deleted for good; a statement for each entity.
  private func areThere(_ objects: Set<NSManagedObject>) throws -> Bool {
    let byEntity = Dictionary(grouping: objects) { $0.entity.name ?? "" }
    return try byEntity.allSatisfy { entity, objects in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
      request.resultType = .managedObjectIDResultType
      request.includesPendingChanges = false
      let itself = NSPredicate(format: "SELF IN %@", objects.map(\.objectID))
      let canBeErased = objects.first?.entity.attributesByName[NoteProperties.erasedDate] != nil
      request.predicate = canBeErased ? NotePlace.there(itself) : itself
      return try context.fetch(request).count == objects.count
    }
  }

  /// The revisions in the store; deleted notes do not have one.
  private func revisions(of notes: [UUID]) throws -> [UUID: Int64] {
    if notes.isEmpty { return [:] }
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [NoteProperties.uuid, NoteProperties.revision]
    request.predicate = NSPredicate(format: "%K IN %@", NoteProperties.uuid, notes)
    return try context.fetch(request).reduce(into: [:]) { revisions, record in
      guard let id = record[NoteProperties.uuid] as? UUID else { return }
      revisions[id] = (record[NoteProperties.revision] as? NSNumber)?.int64Value
    }
  }
}

/// The notes whose text a context was about to save.
private final class WrittenTexts: Sendable {
  private let found = Mutex<Set<UUID>>([])

  var notes: Set<UUID> { found.withLock { $0 } }

  func look(at objects: Set<NSManagedObject>) {
    let key = NoteProperties.document
    for case let note as Note in objects where note.changedValues()[key] != nil {
      found.withLock { _ = $0.insert(note.uuid) }
    }
  }
}

extension CocoaError {
  /// Whether the store could not be read or written: it is locked, full, or not to be reached.
  fileprivate var isOfTheStore: Bool { userInfo[NSSQLiteErrorDomain] != nil || serverState != nil }
}

extension NSManagedObject {
  /// Reads the changes of others again; unsaved changes stay.
  fileprivate func refreshKeepingChanges() {
    guard !isInserted, !isDeleted else { return }
    managedObjectContext?.refresh(self, mergeChanges: true)
  }
}

extension Folder {
  /// Reads the folder and all above it again.
  fileprivate func refreshUpwards() {
    var place: Folder? = self
    var seen: Set<Folder> = []
    while let folder = place, seen.insert(folder).inserted {
      folder.refreshKeepingChanges()
      place = folder.parent
    }
  }

  /// Whether the folder lies in itself.
  fileprivate var isInCircle: Bool {
    parent?.isOrLies(in: self) ?? false
  }
}

extension NSManagedObject {
  /// How many bytes the texts and data of the object take that are in memory.
  fileprivate var loadedBytes: Int {
    if isFault { return 0 }
    return entity.attributesByName.keys.reduce(0) { bytes, name in
      switch primitiveValue(forKey: name) {
      case let text as String: bytes + text.utf8.count
      case let data as Data: bytes + data.count
      case _: bytes
      }
    }
  }
}
