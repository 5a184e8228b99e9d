import CoreData
import CoreDataWebServer

/// The actions of people on notes and categories.
///
/// Every change goes through the one context, is saved at once, and comes back to the pages as the
/// lists see it: nobody tells a list that it has changed.
actor Notebook: ManagedObjectActor {
  nonisolated let context: NSManagedObjectContext
  nonisolated let hub = EventHub()
  private let coreDataManager: CoreDataManager
  private let deletions: Deletions
  private let notesController: NotesController
  private let categoriesController: CategoriesController
  private(set) var pages: [UUID: NoteController] = [:]

  init(_ coreDataManager: CoreDataManager) throws {
    self.coreDataManager = coreDataManager
    deletions = Deletions(coreDataManager)
    context = coreDataManager.managedObjectContext
    let (context, hub) = (context, hub)
    (notesController, categoriesController) = try context.performAndWait {
      (
        try NotesController(context) { rows in hub.send("notes", rows) },
        try CategoriesController(context) { rows in hub.send("categories", rows) }
      )
    }
  }

  func notes() -> [NoteRow] { notesController.rows }

  func categories() -> [CategoryRow] { categoriesController.rows }
}

// MARK: - Notes

extension Notebook {
  func note(_ id: String) throws -> NotePage {
    NotePage(try found(note: id))
  }

  func createNote(_ draft: NoteDraft) throws -> NotePage {
    let title = try (draft.title ?? "").asTitle
    let note = Note(context: context)
    note.uuid = UUID()
    note.createdAt = Date()
    note.updatedAt = note.createdAt
    note.title = title
    note.contents = draft.contents
    try save()
    return NotePage(note)
  }

  /// Changes the text; if it was another one, the note moves to the top of the list.
  func updateNote(_ id: String, _ draft: NoteDraft) throws -> NotePage {
    let note = try found(note: id)
    if let title = draft.title { note.title = try title.asTitle }
    if let contents = draft.contents { note.contents = contents }
    // hasChanges is true also after a property was set to the value that it had.
    if note.hasPersistentChangedValues { note.updatedAt = Date() }
    try save()
    return NotePage(note)
  }

  /// Assigns a category to a note, or none.
  func assign(_ category: String?, toNote id: String) throws -> NotePage {
    let note = try found(note: id)
    // The category's notes follow by themselves.
    note.category = try category.map { try found(category: $0) }
    try save()
    return NotePage(note)
  }

  func deleteNote(_ id: String) async throws -> Deletions.Token {
    let note = try found(note: id).objectID
    return try await deletions.delete(note)
  }
}

// MARK: - Categories

extension Notebook {
  func createCategory(name: String) throws -> CategoryRow {
    let name = try name.asName
    let category = Category(context: context)
    category.uuid = UUID()
    category.name = name
    try save()
    return CategoryRow(category)
  }

  func renameCategory(_ id: String, to name: String) throws -> CategoryRow {
    let category = try found(category: id)
    category.name = try name.asName
    try save()
    return CategoryRow(category)
  }

  /// Puts notes into a category, and takes others out of it, from the category's side.
  func changeNotes(
    ofCategory id: String,
    add added: [String],
    remove removed: [String]
  ) throws -> CategoryRow {
    let category = try found(category: id)
    let added = try added.map { try found(note: $0) }
    let removed = try removed.map { try found(note: $0) }
    if let note = added.first, added.count == 1 {
      category.addToNotes(note)
    } else {
      category.addToNotes(NSSet(array: added))
    }
    if let note = removed.first, removed.count == 1 {
      category.removeFromNotes(note)
    } else {
      category.removeFromNotes(NSSet(array: removed))
    }
    try save()
    return CategoryRow(category)
  }

  /// Deletes a category; its notes stay, without one.
  func deleteCategory(_ id: String) async throws -> Deletions.Token {
    let category = try found(category: id).objectID
    return try await deletions.delete(category)
  }

  func undo(_ token: Deletions.Token) async throws {
    try await deletions.undo(token)
  }
}

// MARK: - Pages that follow

extension Notebook {
  /// Both lists now and whenever they change, and the category label of an open note.
  ///
  /// A page whose note was deleted elsewhere, or whose address is an old one, has the lists all the same.
  func events(note id: String?) throws -> AsyncStream<ServerSentEvent> {
    let page = UUID()
    let open = try id.flatMap { try note(withID: $0) }
    let first = [
      ServerSentEvent(name: "categories", orReport: categoriesController.rows),
      ServerSentEvent(name: "notes", orReport: notesController.rows),
      open.flatMap { .label($0.category?.name ?? "No Category", of: $0) },
    ]
    let stream = hub.stream(beginningWith: first.compactMap(\.self)) {
      Task { await self.close(page) }
    }
    if let open {
      pages[page] = NoteController(open) { label in
        if let event = ServerSentEvent.label(label, of: open) { self.hub.send(event) }
      }
    }
    return stream
  }

  private func close(_ page: UUID) {
    pages[page] = nil
  }
}

// MARK: - Finding and saving

extension Notebook {
  private func note(withID id: String) throws -> Note? {
    try UUID(uuidString: id).flatMap { try context.note($0) }
  }

  private func found(note id: String) throws -> Note {
    guard let found = try note(withID: id) else {
      throw Problem(404, "This note is not there any more.")
    }
    return found
  }

  private func found(category id: String) throws -> Category {
    guard let uuid = UUID(uuidString: id), let category = try context.category(uuid) else {
      throw Problem(404, "This category is not there any more.")
    }
    return category
  }

  /// Saves, or takes everything back and says in a sentence why.
  private func save() throws {
    guard context.hasChanges else { return }
    do {
      try context.save()
    } catch let error as CocoaError where error.isValidationError {
      context.rollback()
      throw Problem(400, "A note needs a title, and a category a name.")
    } catch let error as CocoaError where error.isConflict {
      context.rollback()
      // The objects would keep what they were before, and conflict again.
      context.refreshAllObjects()
      throw Problem(409, "Another program has changed this meanwhile. Try again.")
    } catch {
      context.rollback()
      throw error
    }
  }
}

// Every open page gets all titles and names whenever one changes, so they have limits; the fields of
// the pages have the same.
extension String {
  /// The text as the title of a note, without the space around it.
  fileprivate var asTitle: String {
    get throws { try trimmed(to: 200, "A title has at most 200 letters; a text may have more.") }
  }

  /// The text as the name of a category, without the space around it.
  fileprivate var asName: String {
    get throws { try trimmed(to: 80, "The name of a category has at most 80 letters.") }
  }

  /// Counts as the fields of pages do, for which some signs are two letters.
  private func trimmed(to limit: Int, _ refusal: String) throws -> String {
    let text = trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.utf16.count <= limit else { throw Problem(400, refusal) }
    return text
  }
}

extension ServerSentEvent {
  fileprivate static func label(_ label: String, of note: Note) -> ServerSentEvent? {
    ServerSentEvent(name: "label", orReport: ["note": note.uuid.text, "label": label])
  }
}
