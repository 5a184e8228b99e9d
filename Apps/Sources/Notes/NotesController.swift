import CoreData

/// The list of notes, the last updated one first.
///
/// Belongs to its context's queue.
final class NotesController: NSObject, NSFetchedResultsControllerDelegate {
  private let fetchedResultsController: NSFetchedResultsController<Note>
  private let notesDidChange: ([NoteRow]) -> Void

  init(_ context: NSManagedObjectContext, notesDidChange: @escaping ([NoteRow]) -> Void) throws {
    self.notesDidChange = notesDidChange

    // Create Fetch Request
    let fetchRequest: NSFetchRequest<Note> = Note.fetchRequest()

    // Configure Fetch Request
    fetchRequest.sortDescriptors = [
      NSSortDescriptor(key: "updatedAt", ascending: false),
      NSSortDescriptor(key: "title", ascending: true),
    ]

    fetchedResultsController = NSFetchedResultsController(
      fetchRequest: fetchRequest,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    super.init()
    fetchedResultsController.delegate = self

    // Perform Fetch Request
    try fetchedResultsController.performFetch()
  }

  var notes: [Note] { fetchedResultsController.fetchedObjects ?? [] }

  var hasNotes: Bool { !notes.isEmpty }

  var rows: [NoteRow] { notes.map(NoteRow.init) }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    notesDidChange(rows)
  }
}

/// A note in the list; its category's name stands in the other list.
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
