import CoreData
import Foundation
import Pictures

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
    keywords = try Keywords(in: context)
    usesStatuses = try Self.usesStatuses(in: context)
    searches = try context.fetch(SavedSearch.fetchAll()).map(SearchRow.init)
    properties = try PropertyName.all(in: context)
    makesWordFiles = WordFile.tool != nil
    self.token = token
  }

  /// Asks for each status by itself, which an index answers, however many notes there are.
  private static func usesStatuses(in context: NSManagedObjectContext) throws -> Bool {
    try Status.allCases.contains { status in
      guard status != .draft else { return false }
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      request.predicate = SearchTerm.and([
        NotePlace.alive,
        NSPredicate(format: "%K == %@", NoteProperties.status, status.rawValue),
      ])
      request.fetchLimit = 1
      return try !context.fetch(request).isEmpty
    }
  }
}

extension Overview.Keywords {
  init(in context: NSManagedObjectContext) throws {
    total = try context.count(for: Keyword.fetchRequest())
    var rows = try KeywordRow.rows(text: "", limit: Self.mostOnTop, in: context)
    let nested = rows.flatMap { Keyword.names(above: $0.name) }
    // By what the store compares names by, each once and in the order of the rows.
    var above: [String: String] = [:]
    let order = nested.filter { above.updateValue($0, forKey: $0.canonical) == nil }
    let known = Set(rows.map(\.name.canonical))
    rows += try Self.rows(named: above.keys.filter { !known.contains($0) }, in: context)
    let named = Set(rows.map(\.name.canonical))
    top = try rows.map { row in
      guard above[row.name.canonical] != nil else { return row }
      var row = row
      row.total = try Self.count(of: row.name, in: context)
      return row
    }
    self.above = try order.filter { !named.contains($0.canonical) }.map {
      KeywordGroup(name: $0, total: try Self.count(of: $0, in: context))
    }
  }

  private static let mostOnTop = 50

  private static func rows(
    named names: [String],
    in context: NSManagedObjectContext
  ) throws -> [KeywordRow] {
    guard !names.isEmpty else { return [] }
    let request = Keyword.fetch(
      NSPredicate(format: "%K IN %@", KeywordProperties.canonicalName, names)
    )
    return try KeywordRow.rows(of: try context.fetch(request), in: context)
  }

  private static func count(of name: String, in context: NSManagedObjectContext) throws -> Int {
    let own = try Keyword.find(named: name, in: context).map { [$0] } ?? []
    let having = Keyword.having(own + (try Keyword.below(name, in: context)))
    let request = Note.fetch(
      NSCompoundPredicate(andPredicateWithSubpredicates: [NotePlace.alive, having])
    )
    request.sortDescriptors = nil
    return try context.count(for: request)
  }
}

extension KeywordRow {
  /// Keywords whose name has the text; without one, the most used.
  ///
  /// The store keeps how many notes a keyword has (`notesCount` is derived); those in the trash are
  /// subtracted.
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
    return try rows(of: limit == 0 ? [] : try context.fetch(request), in: context)
  }

  fileprivate static func rows(
    of keywords: [Keyword],
    in context: NSManagedObjectContext
  ) throws -> [KeywordRow] {
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
