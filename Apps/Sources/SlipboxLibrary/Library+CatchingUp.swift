import CoreData
import RichText

extension Library {
  /// Keeps what searches want to know of texts that an earlier version of the program has written; once for a store.
  func catchUp() async throws {
    if try await read({ Self.isCaughtUp($0) }) { return }
    // Few notes have tasks or links to notes that are not there, and all of them are read for once.
    let ids = try await read { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      request.predicate = NSPredicate(
        format: "%K CONTAINS %@ OR document_ CONTAINS %@",
        NoteProperties.bodyText,
        "[[",
        "\"taskItem\""
      )
      return try context.fetch(request)
    }
    for start in stride(from: 0, to: ids.count, by: Self.portion) {
      let some = Array(ids[start..<min(start + Self.portion, ids.count)])
      try await write(by: nil) { context in
        let request = Note.fetch(NSPredicate(format: "SELF IN %@", some))
        for note in try context.fetch(request) { note.keepFacts(of: note.formattedBodyText) }
        try context.save()
        context.reset()
      }
    }
    try await write(by: nil) { Self.markCaughtUp($0) }
  }

  private static let portion = 200
  private static let mark = "SlipboxFactsOfTexts"

  private static func isCaughtUp(_ context: NSManagedObjectContext) -> Bool {
    context.persistentStoreCoordinator?.persistentStores.first?.metadata[mark] != nil
  }

  /// The mark is written with the next save.
  private static func markCaughtUp(_ context: NSManagedObjectContext) {
    guard let coordinator = context.persistentStoreCoordinator,
      let store = coordinator.persistentStores.first
    else { return }
    var metadata = coordinator.metadata(for: store)
    metadata[mark] = 1
    coordinator.setMetadata(metadata, for: store)
  }
}
