import CoreData
import Synchronization

/// Something that was done and can be undone.
///
/// An act has a context of its own, whose undo manager remembers what the act has changed. Undoing is
/// `undo()` there, and a save: what others have changed in between stays, except for the very
/// properties that the act had changed.
final class Act: Sendable {
  private let context: NSManagedObjectContext
  private let isUndone = Mutex(false)

  init(_ context: NSManagedObjectContext) {
    self.context = context
    context.name = PersistenceController.contextName("act")
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.stalenessInterval = 0
  }

  /// Performs the act and saves.
  func perform<Result>(
    by author: String?,
    _ block: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try context.performAndWait {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      context.undoManager = undoManager
      context.transactionAuthor = author
      undoManager.beginUndoGrouping()
      let result = try block(context)
      context.processPendingChanges()
      undoManager.endUndoGrouping()
      if context.hasChanges { try context.save() }
      return result
    }
  }

  /// Undoes the act, or does it again after it was undone, and saves.
  func turn(by author: String?) throws {
    try context.performAndWait {
      context.transactionAuthor = author
      let undone = isUndone.withLock { $0 }
      if undone { context.undoManager?.redo() } else { context.undoManager?.undo() }
      context.processPendingChanges()
      do {
        if context.hasChanges { try context.save() }
      } catch {
        context.rollback()
        throw LibraryProblem.expired(
          "This cannot be undone any more: what it was about has been changed or deleted since.")
      }
      isUndone.withLock { $0.toggle() }
    }
  }
}

/// The last acts, each under a token that is good for an hour.
final class ActShelf: Sendable {
  private struct Kept {
    let token: String
    let act: Act
    let date: Date
  }

  static let capacity = 50
  static let lifetime: TimeInterval = 3600
  private let kept = Mutex<[Kept]>([])

  /// Keeps an act, and lets go of the oldest where there are too many.
  func keep(_ act: Act, at now: Date) -> String {
    let token = UUID().text
    kept.withLock { kept in
      kept.append(Kept(token: token, act: act, date: now))
      kept.removeFirst(max(kept.count - Self.capacity, 0))
    }
    return token
  }

  /// Takes an act off the shelf; a token is good once.
  func take(_ token: String, at now: Date) throws -> Act {
    try kept.withLock { kept in
      kept.removeAll { now.timeIntervalSince($0.date) > Self.lifetime }
      guard let index = kept.firstIndex(where: { $0.token == token }) else {
        throw LibraryProblem.expired(
          "This cannot be undone any more: that is possible for an hour, and for the last 50 acts.")
      }
      return kept.remove(at: index).act
    }
  }
}
