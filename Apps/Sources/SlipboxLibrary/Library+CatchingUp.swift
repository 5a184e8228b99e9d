import CoreData
import RichText

extension Library {
  /// Keeps what searches want to know of texts that an earlier version of the program has written; once for a store.
  func catchUp() async throws {
    if try await read({ Self.knowsSigns($0) }) { return }
    try await findSigns()
    if try await read({ Self.hasCaughtUp($0, at: 1) }) {
      return try await write(by: nil) { Self.markCaughtUp($0) }
    }
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

  /// Keeps the signs of texts, of which few have any.
  private func findSigns() async throws {
    let ids = try await read { context in
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      let itself = NSExpressionDescription()
      itself.name = "itself"
      itself.expression = NSExpression.expressionForEvaluatedObject()
      itself.expressionResultType = .objectIDAttributeType
      request.propertiesToFetch = [itself, NoteProperties.title, NoteProperties.bodyText]
      request.fetchBatchSize = Self.portion
      return try context.fetch(request).compactMap { row -> NSManagedObjectID? in
        let texts = [NoteProperties.title, NoteProperties.bodyText].map { row[$0] as? String ?? "" }
        return SearchSigns.words(of: texts[0], texts[1]) == nil
          ? nil : row["itself"] as? NSManagedObjectID
      }
    }
    for start in stride(from: 0, to: ids.count, by: Self.portion) {
      let some = Array(ids[start..<min(start + Self.portion, ids.count)])
      try await write(by: nil) { context in
        for note in try context.fetch(Note.fetch(NSPredicate(format: "SELF IN %@", some))) {
          note.keepSigns()
        }
        try context.save()
        context.reset()
      }
    }
  }

  private static let portion = 200
  private static let mark = "SlipboxFactsOfTexts"

  /// Whether the signs of all texts are kept as words.
  static func knowsSigns(_ context: NSManagedObjectContext) -> Bool { hasCaughtUp(context, at: 2) }

  private static func hasCaughtUp(_ context: NSManagedObjectContext, at version: Int) -> Bool {
    let known = context.persistentStoreCoordinator?.persistentStores.first?.metadata[mark] as? Int
    return known.map { $0 >= version } ?? false
  }

  /// The mark is written with the next save.
  private static func markCaughtUp(_ context: NSManagedObjectContext) {
    guard let coordinator = context.persistentStoreCoordinator,
      let store = coordinator.persistentStores.first
    else { return }
    var metadata = coordinator.metadata(for: store)
    metadata[mark] = 2
    coordinator.setMetadata(metadata, for: store)
  }
}
