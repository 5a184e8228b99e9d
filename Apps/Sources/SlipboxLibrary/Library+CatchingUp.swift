import CoreData
import RichText

extension Library {
  /// Computes the facts for searches from texts that an earlier version of the program has written; once for a store.
  ///
  /// Programs that read or write at the same time wait for one portion at most.
  func catchUp() async throws {
    if try await read({ Self.knowsSigns($0) }) { return }
    let ids = try await read { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      return try context.fetch(request)
    }
    for start in stride(from: 0, to: ids.count, by: Self.portion) {
      let all = Array(ids[start..<min(start + Self.portion, ids.count)])
      let some = try await read { try Self.withFacts(among: all, $0) }
      if some.isEmpty { continue }
      try await write(by: nil) { context in
        for note in try context.fetch(Note.fetch(NSPredicate(format: "SELF IN %@", some))) {
          note.keep(TextFacts(note.formattedBodyText))
          note.keepSigns()
        }
        try context.save()
        context.reset()
      }
    }
    try await write(by: nil) { Self.markCaughtUp($0) }
  }

  private static let portion = 200

  /// The notes whose signs are not kept, and those that may have tasks or links to notes that are not there.
  private static func withFacts(
    among ids: [NSManagedObjectID],
    _ context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    let itself = NSExpressionDescription()
    itself.name = "itself"
    itself.expression = NSExpression.expressionForEvaluatedObject()
    itself.expressionResultType = .objectIDAttributeType
    request.propertiesToFetch = [
      itself, NoteProperties.title, NoteProperties.bodyText, NoteProperties.document,
      NoteProperties.signs,
    ]
    request.predicate = NSPredicate(format: "SELF IN %@", ids)
    return try context.fetch(request).compactMap { row in
      let title = row[NoteProperties.title] as? String ?? ""
      let text = row[NoteProperties.bodyText] as? String ?? ""
      let document = row[NoteProperties.document] as? String ?? ""
      let mayHaveFacts = text.contains("[[") || document.contains("\"taskItem\"")
      guard
        mayHaveFacts || SearchSigns.words(of: title, text) != row[NoteProperties.signs] as? String
      else { return nil }
      return row["itself"] as? NSManagedObjectID
    }
  }
}

// MARK: - The mark

extension Library {
  private static let mark = "SlipboxFactsOfTexts"
  /// The versions of these facts: 1 had tasks and links, and no signs; 2 had signs, and no “--”; 3 lacked the letters
  /// of scripts without blanks.
  private static let latest = 4

  /// Whether the signs of all texts are kept as words.
  static func knowsSigns(_ context: NSManagedObjectContext) -> Bool {
    version(of: mark, in: context) >= latest
  }

  /// The mark is written with the next save.
  private static func markCaughtUp(_ context: NSManagedObjectContext) {
    setVersion(latest, of: mark, in: context)
  }

  /// The version of some facts that the store has; 0 before the first one.
  static func version(of mark: String, in context: NSManagedObjectContext) -> Int {
    context.persistentStoreCoordinator?.persistentStores.first?.metadata[mark] as? Int ?? 0
  }

  /// Keeps the version of some facts with the next save.
  static func setVersion(_ version: Int, of mark: String, in context: NSManagedObjectContext) {
    guard let coordinator = context.persistentStoreCoordinator,
      let store = coordinator.persistentStores.first
    else { return }
    var metadata = coordinator.metadata(for: store)
    metadata[mark] = version
    coordinator.setMetadata(metadata, for: store)
  }
}
