import CoreData
import Synchronization

/// The objects that were deleted for good, for as long as that can be undone.
///
/// ```
/// perform          UPDATE … SET erasedDate_ = now, erasedEdit_ = modificationDate_ …
///                                                   WHERE in the trash      nowhere to be seen
/// turn             UPDATE … SET erasedDate_ = NULL  WHERE = that now        in the trash again
/// an hour later    DELETE                                                   gone
/// ```
///
/// Only identities are read and kept in memory while it is undone, so that a trash of any size can be emptied, and that
/// be undone.
final class Erasure: Undoable {
  enum Scope {
    case note(UUID)
    /// All notes and folders in the trash.
    case trash
  }

  private let scope: Scope
  private let now: @Sendable () -> Date
  private let context: NSManagedObjectContext
  /// The contexts that show the notes, and must be told what a batch has changed.
  private let readers: [NSManagedObjectContext]
  private let current: Mutex<Mark>

  private struct Mark {
    /// The mark of the objects that it has deleted.
    var date: Date
    /// The objects that it had deleted before it was undone.
    var undone: Marked?
  }

  private struct Marked {
    var folders: [NSManagedObjectID] = []
    var notes: [NSManagedObjectID] = []

    var count: Int { folders.count + notes.count }
  }

  init(
    _ scope: Scope,
    now: @escaping @Sendable () -> Date,
    in context: NSManagedObjectContext,
    readers: [NSManagedObjectContext]
  ) {
    self.scope = scope
    self.now = now
    current = Mutex(Mark(date: now()))
    self.context = context
    self.readers = readers
  }

  var weight: Int { current.withLock { ($0.undone?.count ?? 0) * Self.identityWeight } }

  private static let identityWeight = 64

  /// Deletes for good what is in the trash now; says how many notes that were.
  func perform(by author: String?) throws -> Int {
    context.transactionAuthor = author
    let date = current.withLock(\.date)
    return try mark(date, folders: NotePlace.trashed, notes: NotePlace.trashed).notes.count
  }

  func turn(by author: String?) throws {
    context.transactionAuthor = author
    let (date, undone) = current.withLock { ($0.date, $0.undone) }
    if let undone {
      let now = now()
      func again(_ ids: [NSManagedObjectID]) -> NSPredicate {
        let these = NSPredicate(format: "SELF IN %@", ids)
        return NSCompoundPredicate(andPredicateWithSubpredicates: [NotePlace.trashed, these])
      }
      _ = try mark(now, folders: again(undone.folders), notes: again(undone.notes))
      current.withLock { $0 = Mark(date: now) }
    } else {
      let erased = NSPredicate(format: "%K == %@", NoteProperties.erasedDate, date as any CVarArg)
      let marked = try mark(nil, folders: erased, notes: erased)
      current.withLock { $0.undone = marked }
    }
  }
}

// MARK: - Batches

extension Erasure {
  /// Marks notes, and folders before them, or takes the mark from them.
  ///
  /// Where the second statement fails, the first can be done again without harm.
  private func mark(
    _ date: Date?,
    folders: NSPredicate,
    notes: NSPredicate
  ) throws -> Marked {
    switch scope {
    case .note(let id):
      let itself = NSPredicate(format: "%K == %@", NoteProperties.uuid, id as any CVarArg)
      let both = NSCompoundPredicate(andPredicateWithSubpredicates: [itself, notes])
      return Marked(notes: try mark("Note", date, where: both))
    case .trash:
      return Marked(
        folders: try mark("Folder", date, where: folders),
        notes: try mark("Note", date, where: notes)
      )
    }
  }

  /// One statement, of which contexts know nothing until they are told.
  private func mark(
    _ entity: String,
    _ date: Date?,
    where predicate: NSPredicate
  ) throws -> [NSManagedObjectID] {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.predicate = predicate
    request.propertiesToUpdate = Self.marks(date, of: entity)
    request.resultType = .updatedObjectIDsResultType
    let result = try context.execute(request) as? NSBatchUpdateResult
    let ids = result?.result as? [NSManagedObjectID] ?? []
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: ids],
      into: readers
    )
    return ids
  }

  /// Returns the values that hide the objects of an entity as deleted for good, or show them again if `date` is `nil`.
  ///
  /// A note keeps with its mark which of its edits, titles and texts was deleted, so that every device can tell whether
  /// another one has written something that the deleting device had not seen.
  static func marks(_ date: Date?, of entity: String) -> [String: NSExpression] {
    var values = [NoteProperties.erasedDate: NSExpression(forConstantValue: date)]
    guard date != nil, entity == "Note" else { return values }
    for (seen, property) in Note.seenByErasure {
      values[seen] = NSExpression(forKeyPath: property)
    }
    return values
  }
}
