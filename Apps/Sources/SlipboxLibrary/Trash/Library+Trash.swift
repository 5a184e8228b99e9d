import CoreData
public import Foundation

// What is in the trash has a date. A folder goes there with everything in it, under one date, and
// comes back with what has that date: a note that was in the trash before stays there.

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
      return NoteContent(note)
    }
    return EditedNote(note: note, undo: undo)
  }

  /// Puts notes into a folder, or into none.
  public func move(_ ids: [UUID], to folder: UUID?, by author: String?) async throws -> String {
    try await act(by: author) { context in
      let folder = try folder.map { try context.openFolder($0) }
      for note in try context.notes(ids) { note.folder = folder }
    }.undo
  }

  /// Deletes a note that is in the trash, with its picture and versions.
  public func deleteForever(_ id: UUID, by author: String?) async throws -> String {
    try await act(by: author) { context in
      let note = try context.note(id)
      guard note.isTrashed else {
        throw LibraryProblem.refused(
          "“\(note.title)” is not in the trash. Notes are deleted for good from there only."
        )
      }
      note.deleteRemembering()
    }.undo
  }
}

extension Folder {
  /// This folder, or the next one above that is not in the trash.
  var nearestAlive: Folder? {
    var place: Folder? = self
    while let folder = place, folder.isTrashed { place = folder.parent }
    return place
  }
}

extension Note {
  /// Deletes the note after everything that undoing would need has been read.
  fileprivate func deleteRemembering() {
    _ = attachment?.fullImageData
    for version in versions { _ = version.document_ }
    _ = (keywords.count, linkedNotes.count, backLinkedNotes.count)
    Note.delete(note: self)
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

  /// Takes a folder out of the trash with what went there with it.
  public func restore(
    folder id: UUID,
    by author: String?
  ) async throws -> (folder: FolderRow, undo: String) {
    let (row, undo) = try await act(by: author) { context in
      let folder = try context.folder(id)
      if let date = folder.trashedDate_ {
        let folders = folder.withDescendants.filter { $0.trashedDate_ == date }
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
  fileprivate func notes(in folders: [Folder]) throws -> [Note] {
    try fetch(Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.folder, folders)))
  }

  /// Moves what is not deleted with folders out of them, because deleting them takes along all that
  /// is in them: what another program has put there, or an act that was undone.
  fileprivate func takeOut(whatStaysIn folders: [Folder]) throws {
    if folders.isEmpty { return }
    let going = Set(folders)
    for note in try notes(in: folders) { note.folder = note.folder?.nearestAlive }
    for folder in folders {
      for child in folder.children where !going.contains(child) {
        child.parent = folder.nearestAlive
      }
    }
  }
}

// MARK: - Emptying

extension Library {
  /// Deletes everything in the trash; says how many notes that were.
  ///
  /// Can be undone, unless there is so much that remembering it would fill the memory.
  public func emptyTrash(by author: String?) async throws -> (count: Int, undo: String?) {
    let inTrash = try await read { try $0.count(for: Note.fetch(Self.trashedNotes)) }
    guard inTrash <= Self.rememberedNotes else {
      return (try await purge(before: .distantFuture, by: author), nil)
    }
    let (count, undo) = try await act(by: author) { context in
      let notes = try context.fetch(Note.fetch(Self.trashedNotes))
      for note in notes { note.deleteRemembering() }
      let folders = try context.fetch(Folder.fetch(Self.trashedNotes))
      try context.takeOut(whatStaysIn: folders)
      for folder in folders { Folder.delete(folder) }
      return notes.count
    }
    return (count, undo)
  }

  /// Deletes what has been in the trash for thirty days; says how many notes that were.
  @discardableResult
  public func purgeTrash() async throws -> Int {
    try await purge(before: now() - Self.patience, by: nil)
  }

  /// Deletes notes and folders in portions, so that memory and others who write are spared.
  private func purge(before limit: Date, by author: String?) async throws -> Int {
    var count = 0
    while true {
      let portion = try await write(by: author) { context in
        let request = Note.fetch(Self.trashed(before: limit))
        request.fetchLimit = 200
        let notes = try context.fetch(request)
        for note in notes { context.delete(note) }
        return notes.count
      }
      count += portion
      if portion == 0 { break }
    }
    try await write(by: author) { context in
      let folders = try context.fetch(Folder.fetch(Self.trashed(before: limit)))
      try context.takeOut(whatStaysIn: folders)
      for folder in folders { context.delete(folder) }
    }
    return count
  }

  private static var trashedNotes: NSPredicate {
    NSPredicate(format: "%K != nil", NoteProperties.trashedDate)
  }

  private static func trashed(before limit: Date) -> NSPredicate {
    NSPredicate(format: "%K < %@", NoteProperties.trashedDate, limit)
  }

  private static let rememberedNotes = 2000
  /// Thirty days.
  private static let patience: TimeInterval = 30 * 86_400
}
