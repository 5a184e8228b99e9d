import CoreData

// Two programs have the same slip box open. One trashes a folder with all that it finds in it; the other
// puts a note there at the same moment. Each save is right, and together they leave a note that is
// not in the trash, in a folder that is. Both programs hear of it, and both put it right: the second
// finds nothing left to do.

extension Library {
  /// Puts right what follows from changes that did not know of each other.
  ///
  /// - Brings back what was deleted for good while another device wrote in it or restored it.
  /// - Takes notes and folders that are not in the trash out of trashed folders, each to the next folder above
  ///   that is there.
  static func settle(_ context: NSManagedObjectContext) throws {
    try context.bringBackErasedUnseen()
    let request = Folder.fetch(NSPredicate(format: "%K != nil", FolderProperties.trashedDate))
    let trashed = try context.fetch(request)
    if trashed.isEmpty { return }
    let alive = "%K IN %@ AND %K == nil"
    let notes = Note.fetch(
      NSPredicate(format: alive, NoteProperties.folder, trashed, NoteProperties.trashedDate)
    )
    for note in try context.fetch(notes) { note.folder = note.folder?.nearestAlive }
    let folders = Folder.fetch(
      NSPredicate(format: alive, FolderProperties.parent, trashed, FolderProperties.trashedDate)
    )
    for folder in try context.fetch(folders) { folder.parent = folder.parent?.nearestAlive }
  }

  /// The same, when nothing else is being written.
  static func settleSoon(_ writing: NSManagedObjectContext, _ outlines: OutlineCache) {
    writing.perform {
      // If this fails, the next move or the next start tries again.
      try? write(in: writing, outlines, by: nil, settle)
    }
  }
}
