import CoreData
public import Foundation

// A note in the trash has a date. A folder goes there with everything in it, under one date, and
// comes back with the notes of that date: a note that was in the trash before stays there.

// MARK: - Notes

extension Library {
  /// Moves notes to the trash.
  public func trash(_ ids: [UUID], by author: String?) async throws -> String {
    let now = now()
    return try await act(by: author) { context in
      for note in try context.notes(ids) where !note.isTrashed { note.trashedDate_ = now }
    }.undo
  }

  /// Takes a note out of the trash, to its folder, or to the next one above that is not in the trash.
  public func restore(_ id: UUID, by author: String?) async throws -> EditedNote {
    let (note, undo) = try await act(by: author) { context in
      let note = try context.note(id)
      note.trashedDate_ = nil
      note.folder = note.folder?.nearestAlive
      try context.save()
      return try NoteContent(note, withBacklinks: false)
    }
    return EditedNote(note: try await completed(note), undo: undo)
  }

  /// Puts notes into a folder, or into none.
  public func move(_ ids: [UUID], to folder: UUID?, by author: String?) async throws -> String {
    try await act(by: author) { context in
      let folder = try folder.map { try context.openFolder($0) }
      for note in try context.notes(ids) { note.folder = folder }
    }.undo
  }
}

extension Folder {
  /// This folder, or the next one above that is not in the trash.
  var nearestAlive: Folder? {
    var place: Folder? = self
    var seen: Set<Folder> = []
    while let folder = place, folder.isTrashed {
      // Devices that did not know of each other may have put folders into each other.
      guard seen.insert(folder).inserted else { return nil }
      place = folder.parent
    }
    return place
  }
}

// MARK: - Folders

extension Library {
  /// Moves a folder to the trash with its subfolders and notes; says how many notes went.
  public func trash(folder id: UUID, by author: String?) async throws -> (undo: String, notes: Int)
  {
    let now = now()
    let (count, undo) = try await act(by: author) { context in
      let folders = try context.folder(id).withDescendants.filter { !$0.isTrashed }
      let notes = try context.notes(in: folders).filter { !$0.isTrashed }
      for folder in folders { folder.trashedDate_ = now }
      for note in notes { note.trashedDate_ = now }
      return notes.count
    }
    return (undo, count)
  }

  /// Takes a folder out of the trash with everything that went there with it.
  public func restore(
    folder id: UUID,
    by author: String?
  ) async throws -> (folder: FolderRow, undo: String) {
    let (row, undo) = try await act(by: author) { context in
      let folder = try context.folder(id)
      if let date = folder.trashedDate_ {
        let folders = folder.withDescendants.filter {
          $0.trashedDate_ == date && $0.erasedDate_ == nil
        }
        for note in try context.notes(in: folders) where note.trashedDate_ == date {
          note.trashedDate_ = nil
        }
        for folder in folders { folder.trashedDate_ = nil }
        folder.parent = folder.parent?.nearestAlive
      }
      try context.save()
      return FolderRow(folder, count: try context.aliveCount(in: folder))
    }
    return (row, undo)
  }
}

extension NSManagedObjectContext {
  /// The notes of some folders, but those that were deleted for good.
  func notes(in folders: [Folder]) throws -> [Note] {
    let inside = NSPredicate(format: "%K IN %@", NoteProperties.folder, folders)
    return try fetch(Note.fetch(NotePlace.there(inside)))
  }
}
