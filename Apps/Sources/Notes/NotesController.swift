import CoreData

/// The list of notes, the last updated one first.
typealias NotesController = ListController<Note, NoteRow>

extension NotesController {
  convenience init(
    _ context: NSManagedObjectContext,
    notesDidChange: @escaping ([NoteRow]) -> Void
  ) throws {
    let fetchRequest: NSFetchRequest<Note> = Note.fetchRequest()
    fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: "updatedAt", ascending: false),
      NSSortDescriptor(key: "title", ascending: true),
    ]
    try self.init(fetchRequest, in: context, row: NoteRow.init, rowsDidChange: notesDidChange)
  }
}

/// A note in the list; its category's name is in the other list.
struct NoteRow: Codable, Equatable, Sendable {
  let id: String
  let title: String
  let preview: String
  let updated: Date
  let category: String?

  init(_ note: Note) {
    id = note.uuid.text
    title = note.title ?? ""
    preview = note.preview
    updated = note.updatedAtAsDate
    category = (note.category?.uuid).map { $0.text }
  }
}

extension UUID {
  /// The id as pages write it.
  var text: String { uuidString.lowercased() }
}

extension UUID? {
  /// The id as pages write it; objects of the store have one.
  var text: String { self.map { $0.text } ?? "" }
}
