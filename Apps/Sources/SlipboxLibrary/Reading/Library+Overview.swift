import CoreData
import Foundation

extension Library {
  /// The sidebar: folders with counts, places with counts, the most used keywords.
  public func overview() async throws -> Overview {
    // Before anything is counted, so that whatever comes after is an event.
    let token = try await changes.lastToken()
    let (outlines, folders, now) = (outlines, folders, now())
    return try await read { context in
      let known = try outlines.overview {
        try Overview(folders.folders, now: now, token: token, in: context)
      }
      return known
    }
  }

  /// Keywords by name, or the most used ones first when no text is given.
  public func keywords(text: String, limit: Int) async throws -> [KeywordRow] {
    try await read { context in
      try KeywordRow.rows(text: text, limit: min(max(limit, 0), 500), in: context)
    }
  }
}

extension Overview {
  init(_ all: [Folder], now: Date, token: String, in context: NSManagedObjectContext) throws {
    let alive = try CountedGroups<NSManagedObjectID>(
      of: "Note",
      by: NoteProperties.folder,
      where: NotePlace.alive,
      in: context
    )
    folders = all.filter { !$0.isTrashed }.map {
      FolderRow($0, count: alive.counts[$0.objectID] ?? 0)
    }
    // Subfolders of a trashed folder come and go with it.
    trashedFolders = try all.filter {
      $0.isTrashed && $0.parent?.trashedDate_ != $0.trashedDate_
    }.map { folder in
      // There are few, and a group over all notes in the trash would read the whole index of folders.
      let inside = NSPredicate(format: "%K == %@", NoteProperties.folder, folder)
      return FolderRow(folder, count: try context.count(for: Note.fetch(NotePlace.there(inside))))
    }
    func count(_ place: NotePlace) throws -> Int {
      let request = Note.fetch(try place.predicate(now: now, in: context))
      request.sortDescriptors = nil
      return try context.count(for: request)
    }
    places = Places(
      all: try count(.all),
      favourites: try count(.favourites),
      recent: try count(.recent),
      unfiled: try count(.unfiled),
      trash: try count(.trash)
    )
    keywords = Keywords(
      total: try context.count(for: Keyword.fetchRequest()),
      top: try KeywordRow.rows(text: "", limit: 50, in: context)
    )
    searches = try context.fetch(SavedSearch.fetchAll()).map(SearchRow.init)
    self.token = token
  }
}

extension KeywordRow {
  /// Keywords whose name has the text; without one, the most used.
  ///
  /// The store keeps how many notes a keyword has (`notesCount` is derived); what of these is in the
  /// trash is taken off.
  static func rows(
    text: String,
    limit: Int,
    in context: NSManagedObjectContext
  ) throws -> [KeywordRow] {
    let request = Keyword.fetch()
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let byName = NSSortDescriptor(key: KeywordProperties.canonicalName, ascending: true)
    if text.isEmpty {
      request.sortDescriptors = [
        NSSortDescriptor(key: KeywordProperties.notesCount, ascending: false), byName,
      ]
    } else {
      request.predicate = NSPredicate(format: "%K CONTAINS[cd] %@", KeywordProperties.name, text)
      request.sortDescriptors = [byName]
    }
    request.fetchLimit = limit
    let keywords = limit == 0 ? [] : try context.fetch(request)
    let inTrash = try trashedCounts(of: keywords, in: context)
    return keywords.map {
      KeywordRow($0, count: Int($0.notesCount) - (inTrash[$0.objectID] ?? 0))
    }
  }

  /// How many trashed notes the keywords have; no more than one statement while the trash is empty.
  private static func trashedCounts(
    of keywords: [Keyword],
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID: Int] {
    let inTrash = NSPredicate(format: "%K != nil", NoteProperties.trashedDate)
    guard try context.count(for: Note.fetch(inTrash)) > 0 else { return [:] }
    return try keywords.reduce(into: [:]) { counts, keyword in
      let having = NSPredicate(format: "%K CONTAINS %@", NoteProperties.keywords, keyword)
      let request = Note.fetch(
        NSCompoundPredicate(andPredicateWithSubpredicates: [inTrash, having])
      )
      counts[keyword.objectID] = try context.count(for: request)
    }
  }
}
