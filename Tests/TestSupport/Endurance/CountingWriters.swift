public import CoreData

/// Writers that fetch a note, count its rating up, and give it another long text.
public enum CountingWriters {
  /// Returns a container whose one store is the file.
  public static func container(at file: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  /// Writes once to the note with a title, which fills some ten pages.
  public static func write(to title: String, in container: NSPersistentContainer) async throws {
    try await container.write { context in
      let note = try fetch(title, in: context) ?? context.note(title)
      note.rating += 1
      note.text = String(repeating: "\(note.rating) ", count: 40_000 / 6)
    }
  }

  /// Returns how often the note with a title was written to.
  public static func count(
    of title: String,
    in container: NSPersistentContainer
  ) async throws -> Int {
    try await container.read { Int(try fetch(title, in: $0)?.rating ?? 0) }
  }

  private static func fetch(_ title: String, in context: NSManagedObjectContext) throws -> Note? {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try context.fetch(request).first
  }
}
