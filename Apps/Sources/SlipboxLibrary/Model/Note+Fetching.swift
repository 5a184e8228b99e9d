public import CoreData

extension Note {
  /// A request for the notes that a predicate admits, oldest first.
  public static func fetch(_ predicate: NSPredicate = .all) -> NSFetchRequest<Note> {
    let request = Note.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: NoteProperties.creationDate, ascending: true)]
    request.predicate = predicate
    return request
  }

  /// A request for a folder's notes, all or those of one status.
  public static func fetch(for folder: Folder, status: Status? = nil) -> NSFetchRequest<Note> {
    let inFolder = NSPredicate(format: "%K == %@", NoteProperties.folder, folder)
    guard let status else { return fetch(inFolder) }
    let ofStatus = NSPredicate(format: "%K == %@", NoteProperties.status, status.rawValue)
    return fetch(NSCompoundPredicate(andPredicateWithSubpredicates: [inFolder, ofStatus]))
  }

  /// The note of an object identifier; `nil` if it is gone.
  ///
  /// - Throws: The error of the store, if that cannot be read now.
  static func existing(_ id: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Note?
  {
    do {
      return try context.existingObject(with: id) as? Note
    } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
      return nil
    }
  }

  /// The note of an identifier; nil when there is none, or it was deleted for good.
  public static func find(_ uuid: UUID, in context: NSManagedObjectContext) throws -> Note? {
    let request = fetch(
      NSPredicate(
        format: "%K == %@ AND %K == nil",
        NoteProperties.uuid,
        uuid as any CVarArg,
        NoteProperties.erasedDate
      )
    )
    request.fetchLimit = 1
    return try context.fetch(request).first
  }
}
