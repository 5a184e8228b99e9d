import CoreData
import Foundation

/// The meanings of a few letters: for the quick switcher and for `[[`.
public struct Suggestions: Encodable, Sendable {
  public let notes: [Note]
  public let folders: [FolderName]
  public let keywords: [KeywordMark]

  public struct Note: Encodable, Sendable, Equatable {
    public let id: String
    public let title: String
    @OrNull public var folder: String?
    /// The other name of the note that has the text, where its title has not.
    @OrNull public var alias: String?
  }
}

extension Library {
  /// Notes, folders and keywords whose names have the text, those that begin with it first.
  ///
  /// Without a text, the notes that were changed last.
  public func suggestions(text: String, limit: Int) async throws -> Suggestions {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let limit = min(max(limit, 1), 500)
    let folders = folders
    return try await read { context in
      Suggestions(
        notes: try Self.notes(named: text, limit: limit, in: context),
        folders: folders.folders
          .filter { !$0.isTrashed && !text.isEmpty && $0.name.localizedStandardContains(text) }
          .prefix(limit).map(FolderName.init),
        keywords: text.isEmpty
          ? [] : try Self.keywords(named: text, limit: limit, in: context)
      )
    }
  }

  static func notes(
    named text: String,
    limit: Int,
    in context: NSManagedObjectContext
  ) throws -> [Suggestions.Note] {
    let request = SlipboxLibrary.Note.fetch(NotePlace.alive)
    request.fetchLimit = limit
    request.relationshipKeyPathsForPrefetching = [NoteProperties.folder]
    if text.isEmpty {
      request.sortDescriptors = [
        NSSortDescriptor(key: NoteProperties.modificationDate, ascending: false)
      ]
      return try context.fetch(request).map(Suggestions.Note.init)
    }
    request.sortDescriptors = [
      NSSortDescriptor(key: NoteProperties.canonicalTitle, ascending: true)
    ]
    // Compared as it is stored, so that an index without the notes' rows is enough to look.
    let text = text.canonical
    func fetch(_ format: String, limit: Int) throws -> [SlipboxLibrary.Note] {
      request.predicate = NSCompoundPredicate(
        andPredicateWithSubpredicates: [
          NotePlace.alive, NSPredicate(format: format, NoteProperties.canonicalTitle, text),
        ])
      request.fetchLimit = limit
      return try context.fetch(request)
    }
    let beginning = try fetch("%K BEGINSWITH %@", limit: limit)
    let room = limit - beginning.count
    guard room > 0 else { return beginning.map(Suggestions.Note.init) }
    // As many as there may be of the first kind, which this fetch finds again.
    let others = try fetch("%K CONTAINS %@", limit: limit + beginning.count)
      .filter { !beginning.contains($0) }
    let titled = beginning + others.prefix(room)
    if titled.count >= limit { return titled.map(Suggestions.Note.init) }
    let named = try named(text, limit: limit - titled.count, without: Set(titled), in: context)
    return titled.map(Suggestions.Note.init) + named
  }

  /// Notes by their other names; `text` is without case and accents.
  private static func named(
    _ text: String,
    limit: Int,
    without known: Set<SlipboxLibrary.Note>,
    in context: NSManagedObjectContext
  ) throws -> [Suggestions.Note] {
    let request = NSFetchRequest<Alias>(entityName: "Alias")
    request.predicate = NSPredicate(
      format: "%K BEGINSWITH %@ AND note != nil AND note.trashedDate_ == nil",
      AliasProperties.canonicalName,
      text
    )
    request.sortDescriptors = [
      NSSortDescriptor(key: AliasProperties.canonicalName, ascending: true)
    ]
    request.fetchLimit = limit
    return try context.fetch(request).compactMap { alias in
      guard let note = alias.note, !known.contains(note) else { return nil }
      var found = Suggestions.Note(note)
      found.alias = alias.name_
      return found
    }
  }

  static func keywords(
    named text: String,
    limit: Int,
    in context: NSManagedObjectContext
  ) throws -> [KeywordMark] {
    let request = Keyword.fetch(
      NSPredicate(format: "%K CONTAINS %@", KeywordProperties.canonicalName, text.canonical)
    )
    request.sortDescriptors = [
      NSSortDescriptor(key: KeywordProperties.notesCount, ascending: false)
    ]
    request.fetchLimit = limit
    return try context.fetch(request).map(KeywordMark.init)
  }
}

extension Suggestions.Note {
  init(_ note: SlipboxLibrary.Note) {
    id = note.uuid.text
    title = note.title
    folder = note.folder?.name
  }
}
