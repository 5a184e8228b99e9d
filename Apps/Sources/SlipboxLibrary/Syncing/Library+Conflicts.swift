import CoreData
import Foundation
import RichText

extension Library {
  /// The changes that lost against those of other devices in the last thirty days, the latest first, with both sides.
  ///
  /// Texts and titles are put together with those of their notes before, and are not among them.
  public func syncConflicts() async throws -> [SyncConflict] {
    try await adoptLostTexts()
    let saves = try await lostSaves()
    return try await read { context in saves.map { $0.told(in: context) } }
  }

  /// Gives a note, folder, keyword or search its lost values; the other devices get them as a new change.
  ///
  /// The text that a note has now stays among its versions. A note that was deleted is made again.
  ///
  /// - Returns: The identifier of the object, and the token to undo it with.
  /// - Throws: A ``LibraryProblem`` if the conflict does not exist any more, or if its object is gone.
  public func takeBack(
    conflict id: Int64,
    by author: String?
  ) async throws -> (about: String?, undo: String) {
    let save = try await lostSave(id)
    let now = now()
    let (about, undo) = try await act(by: author) { context in
      let object = try save.takeBack(at: now, in: context)
      try context.save()
      return LostSave.identifier(object)?.text
    }
    try await forget(save)
    return (about, undo)
  }

  /// Forgets the lost values; the present ones stay.
  public func dismiss(conflict id: Int64) async throws { try await forget(try await lostSave(id)) }

  private func lostSaves() async throws -> [LostSave] {
    let container = controller.container
    return try await aside { LostSave.all(try container.conflicts) }
  }

  private func lostSave(_ id: Int64) async throws -> LostSave {
    guard let save = try await lostSaves().first(where: { $0.id == id }) else {
      throw LibraryProblem.missing(
        "This conflict was settled already, or is older than thirty days."
      )
    }
    return save
  }

  private func forget(_ save: LostSave) async throws {
    let container = controller.container
    try await aside { for value in save.values { try container.dismiss(value) } }
  }
}

// MARK: - Taking back

extension LostSave {
  /// Sets the lost values again; in the context's queue.
  ///
  /// - Returns: The object of the conflict.
  fileprivate func takeBack(
    at now: Date,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    switch object(in: context) {
    case let note as Note:
      try takeBack(note, at: now)
      return note
    case let other?:
      takeBackValues(of: other)
      return other
    case nil:
      guard entity == "Note" else { throw Self.gone }
      let name = nameOfGone(in: context)
      let note = Note(context: context)
      note.creationDate = now
      try takeBack(note, called: name, at: now)
      return note
    }
  }

  private static let gone = LibraryProblem.missing("This was deleted in the meantime.")

  /// Gives a note the lost values, and a name if it is a new one.
  private func takeBack(_ note: Note, called name: String? = nil, at now: Date) throws {
    let text = try value(of: NoteProperties.document).map { lost in
      do {
        return try RichText(json: lost.losingText)
      } catch {
        throw LibraryProblem.unable("The text cannot be read any more: \(error)")
      }
    }
    let title = value(of: NoteProperties.title)?.losingText ?? name
    if text != nil || title != nil {
      // Even if one was kept in the last minutes: this replaces the present content.
      try note.keepVersion(at: now, always: true)
      try note.rewrite(title: title.map(Given.title), text: text, at: now)
    }
    takeBackValues(of: note)
  }

  private func takeBackValues(of object: NSManagedObject) {
    for lost in values {
      switch lost.propertyName {
      case NoteProperties.folder where object is Note, FolderProperties.parent:
        takeBackPlace(lost, of: object)
      case NoteProperties.status where object is Note:
        object.setValue(lost.losingText, forKey: NoteProperties.status)
      case let name? where object is Note && NoteMark(attribute: name) != nil:
        object.setValue(lost.losingText == "yes", forKey: name)
      case NoteProperties.trashedDate where lost.losingText.isEmpty:
        object.setValue(nil, forKey: NoteProperties.trashedDate)
      case "name_": object.setValue(lost.losingText, forKey: "name_")
      case LostSave.propertyValue: object.setValue(lost.losingText, forKey: LostSave.propertyValue)
      case "text_" where object is SavedSearch: object.setValue(lost.losingText, forKey: "text_")
      case "colorHex_":
        if let colour = Colour(hex: lost.losingText) { (object as? Keyword)?.color = colour }
      default: break
      }
    }
  }

  /// A folder that is gone, or that would be put into itself, is not a place any more.
  private func takeBackPlace(_ lost: Lost, of object: NSManagedObject) {
    let folder = lost.losingObjectID.flatMap {
      try? object.managedObjectContext?.existingObject(with: $0) as? Folder
    }
    if let note = object as? Note, folder?.isTrashed != true { note.folder = folder }
    if let inner = object as? Folder, folder?.isTrashed != true, folder?.isOrLies(in: inner) != true
    {
      inner.parent = folder
    }
  }
}
