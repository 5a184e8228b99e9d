import CoreData

// The classes are generated from the model, with `addToNotes(_:)` and `removeFromNotes(_:)` for one
// object and for a set. The program's additions to them are here.

extension Note {
  var updatedAtAsDate: Date { updatedAt ?? Date() }

  var createdAtAsDate: Date { createdAt ?? Date() }

  /// The beginning of the contents, on one line.
  ///
  /// Every note in the list needs it whenever one changes, so a long text is not read to its end.
  var preview: String {
    let beginning = String((contents ?? "").unicodeScalars.prefix(1_000))
    let words = beginning.split(whereSeparator: \.isWhitespace)
    return String(words.joined(separator: " ").prefix(160))
  }
}

extension NSManagedObjectContext {
  /// The note that a page means by its id.
  func note(_ uuid: UUID) throws -> Note? {
    let fetchRequest: NSFetchRequest<Note> = Note.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "uuid == %@", uuid as any CVarArg)
    return try fetch(fetchRequest).first
  }

  /// The category that a page means by its id.
  func category(_ uuid: UUID) throws -> Category? {
    let fetchRequest: NSFetchRequest<Category> = Category.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "uuid == %@", uuid as any CVarArg)
    return try fetch(fetchRequest).first
  }
}
