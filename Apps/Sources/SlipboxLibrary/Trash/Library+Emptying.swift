import CoreData
public import Foundation

// Deleting for good is done twice: at once nothing shows the notes any more, and an hour later, when
// it cannot be undone any more, they are deleted.

extension Library {
  /// Deletes a note that is in the trash, with its picture and versions.
  public func deleteForever(_ id: UUID, by author: String?) async throws -> String {
    try await erase(.note(id), by: author) { context in
      let request = Note.fetch(
        NSCompoundPredicate(
          andPredicateWithSubpredicates: [
            NotePlace.trashed,
            NSPredicate(format: "%K == %@", NoteProperties.uuid, id as any CVarArg),
          ]
        )
      )
      guard try context.count(for: request) == 0 else { return }
      throw LibraryProblem.refused(
        "“\(try context.note(id).title)” is not in the trash. Notes are deleted for good from there "
          + "only."
      )
    }.undo
  }

  /// Deletes everything in the trash; says how many notes that were.
  public func emptyTrash(by author: String?) async throws -> (count: Int, undo: String) {
    try await erase(.trash, by: author, Self.settle)
  }

  private func erase(
    _ scope: Erasure.Scope,
    by author: String?,
    _ prepare: @escaping @Sendable (NSManagedObjectContext) throws -> Void
  ) async throws -> (count: Int, undo: String) {
    let (context, acts, outlines, now) = (writing, acts, outlines, now)
    let erasure = Erasure(scope, now: now, in: context, readers: [reading, context])
    let result = try await context.perform {
      try Self.write(in: context, outlines, by: author, prepare)
      let count = try erasure.perform(by: author)
      outlines.forget()
      return (count, acts.keep(erasure, at: now()))
    }
    // If that fails, the notes are nowhere to be seen all the same, and housekeeping tries it again.
    try? await stopPublishingErased()
    return result
  }
}

// MARK: - Purging

extension Library {
  /// Deletes notes that have been in the trash for thirty days, and those that were deleted for good an hour ago;
  /// returns the number of notes.
  ///
  /// Thirty days are counted by a clock that a wrong date cannot hurry, if the library was opened with one.
  ///
  /// In portions, so that memory and other writers are spared.
  @discardableResult
  public func purgeTrash() async throws -> Int {
    let old = Old(at: now(), believed: try await believedNow())
    var count = 0
    while true {
      let portion = try await write(by: nil) { context in
        // Of the notes that another device has sent in between, only the intended ones are deleted.
        try context.bringBackErasedUnseen()
        let request = Note.fetch(old.predicate)
        request.fetchLimit = 200
        let notes = try context.fetch(request)
        for note in notes { Note.delete(note: note) }
        return notes.count
      }
      count += portion
      if portion == 0 { break }
    }
    try await write(by: nil) { context in
      let folders = try context.fetch(Folder.fetch(old.predicate))
      try context.takeOut(whatStaysIn: folders)
      for folder in folders { Folder.delete(folder) }
    }
    return count
  }
}

/// The notes that are old enough to go for good.
private struct Old: Sendable {
  private let trashed: Date
  private let erased: Date

  init(at now: Date, believed: Date) {
    trashed = believed - Self.patience
    erased = now - ActShelf.lifetime
  }

  var predicate: NSPredicate {
    NSPredicate(
      format: "%K != nil AND (%K < %@ OR %K < %@)",
      NoteProperties.trashedDate,
      NoteProperties.trashedDate,
      trashed as any CVarArg,
      NoteProperties.erasedDate,
      erased as any CVarArg
    )
  }

  /// Thirty days.
  private static let patience: TimeInterval = 30 * 86_400
}

extension NSManagedObjectContext {
  /// Moves objects that are not deleted out of folders that are, because deleting a folder takes along all that is in
  /// it: objects that another program has put there, or an act that was undone.
  fileprivate func takeOut(whatStaysIn folders: [Folder]) throws {
    if folders.isEmpty { return }
    let notes = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.folder, folders))
    for note in try fetch(notes) { note.folder = note.folder?.nearestAlive }
    let children = Folder.fetch(NSPredicate(format: "%K IN %@", FolderProperties.parent, folders))
    let going = Set(folders)
    for child in try fetch(children) where !going.contains(child) {
      child.parent = child.parent?.nearestAlive
    }
  }
}
