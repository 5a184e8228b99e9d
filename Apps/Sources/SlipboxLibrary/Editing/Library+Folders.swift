import CoreData
public import Foundation

extension Library {
  /// Makes a folder, the last of its parent's; one of that identifier, if there is one, is the answer
  /// instead.
  public func makeFolder(
    id: UUID?,
    name: String,
    parent: UUID?,
    by author: String?
  ) async throws -> FolderRow {
    let now = now()
    return try await write(by: author) { context in
      if let id, let known = try Folder.find(id, in: context) {
        return FolderRow(known, count: 0)
      }
      let folder = Folder(name: try Given.name(name, of: "folder"), context: context)
      if let id { folder.uuid_ = id }
      folder.creationDate_ = now
      let parent = try parent.map { try context.openFolder($0) }
      folder.order = Int64(try context.siblings(in: parent, except: folder).count)
      folder.parent = parent
      try context.save()
      return FolderRow(folder, count: 0)
    }
  }

  /// Renames, moves or orders a folder, or says how its notes are ordered.
  public func edit(
    folder id: UUID,
    _ edit: FolderEdit,
    by author: String?
  ) async throws -> (folder: FolderRow, undo: String) {
    let (row, undo) = try await act(by: author) { context in
      let folder = try context.folder(id)
      if let name = edit.name { folder.name = try Given.name(name, of: "folder") }
      if let sort = edit.sort { folder.sorting = try Given.sorting(sort) }
      try folder.move(edit, in: context)
      try context.save()
      return FolderRow(folder, count: try context.aliveCount(in: folder))
    }
    return (row, undo)
  }
}

extension Folder {
  /// Moves the folder to a parent and a place among that parent's folders.
  fileprivate func move(_ edit: FolderEdit, in context: NSManagedObjectContext) throws {
    let place: Folder?
    switch edit.parent {
    case .asBefore: place = parent
    case .nowhere: place = nil
    case .folder(let id): place = try context.openFolder(id)
    }
    if let place, place.isOrLies(in: self) {
      throw LibraryProblem.refused(
        place === self
          ? "A folder cannot lie in itself."
          : "“\(name)” cannot be moved into “\(place.name)”, which lies in it."
      )
    }
    let hasMoved = place !== parent
    guard hasMoved || edit.order != nil else { return }
    var siblings = try context.siblings(in: place, except: self)
    let index = min(max(edit.order ?? siblings.count, 0), siblings.count)
    siblings.insert(self, at: index)
    parent = place
    for (order, folder) in siblings.enumerated() where folder.order != Int64(order) {
      folder.order = Int64(order)
    }
  }
}

extension NSManagedObjectContext {
  /// The folders of a parent in order, without one of them.
  fileprivate func siblings(in parent: Folder?, except folder: Folder) throws -> [Folder] {
    let request =
      if let parent {
        Folder.fetch(NSPredicate(format: "%K == %@", FolderProperties.parent, parent))
      } else {
        Folder.topFolderFetch()
      }
    return try fetch(request).filter { $0 !== folder && !$0.isTrashed }.sorted()
  }

  func aliveCount(in folder: Folder) throws -> Int {
    let request = Note.fetch(
      NSPredicate(
        format: "%K == %@ AND %K == nil",
        NoteProperties.folder,
        folder,
        NoteProperties.trashedDate
      )
    )
    return try count(for: request)
  }
}
