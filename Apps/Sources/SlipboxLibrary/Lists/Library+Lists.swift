import CoreData
public import Foundation

extension Library {
  /// A window of a list of notes.
  public func notes(_ query: NoteQuery) async throws -> NoteWindow {
    let (outlines, now) = (outlines, now())
    return try await read { context in
      let list = try NoteList(
        query.search,
        query.sorting,
        column: query.column,
        now: now,
        in: context
      )
      let (version, sections) = try outlines.sections(query, now: now) {
        try list.outline(today: now)
      }
      let total = sections.reduce(0) { $0 + $1.count }
      let start = min(query.offset, total)
      return NoteWindow(
        version: version,
        total: total,
        sections: sections,
        offset: start,
        rows: try list.rows(
          start..<min(start + query.limit, total),
          of: sections,
          words: query.search.words
        ),
        advice: try SearchTerm.advice(on: query.search.text, now: now) {
          try PropertyQuestion.isKnown($0, in: context)
        }
      )
    }
  }

  /// Everything about one note.
  ///
  /// A text that another app has written is adopted first, so that its reader has a revision to
  /// begin an edit from; and one that came from another device is put together with what was written here.
  public func note(_ id: UUID) async throws -> NoteContent {
    let revisions = revisions
    let content = try await read { context in
      let note = try context.note(id)
      if note.hasForeignText || note.hasArrivedTexts || revisions.isOutdated(note) {
        return nil as NoteContent?
      }
      revisions.keep(note)
      return try NoteContent(note)
    }
    if let content { return content }
    let settled = try await write(by: nil) { context in
      let note = try context.note(id)
      note.adoptForeignText()
      try note.settleArrivedTexts()
      if revisions.isOutdated(note) { note.adoptMergedText() }
      try context.save()
      revisions.keep(note)
      return try NoteContent(note, withBacklinks: false)
    }
    return try await completed(settled)
  }
}

// MARK: - Finding by identifier

extension Library {
  /// Which of some notes are there, in the trash or not; those that were deleted for good are not.
  public func known(among ids: [UUID]) async throws -> [String] {
    try await read { context in
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [NoteProperties.uuid]
      request.predicate = NotePlace.there(
        NSPredicate(format: "%K IN %@", NoteProperties.uuid, ids)
      )
      return try context.fetch(request).compactMap { ($0[NoteProperties.uuid] as? UUID)?.text }
    }
  }
}

extension NSManagedObjectContext {
  /// The note of an identifier, in the trash or not.
  func note(_ id: UUID) throws -> Note {
    guard let note = try Note.find(id, in: self) else { throw LibraryProblem.noNote(id) }
    return note
  }

  func folder(_ id: UUID) throws -> Folder {
    guard let folder = try Folder.find(id, in: self) else { throw LibraryProblem.noFolder(id) }
    return folder
  }

  func keyword(_ id: UUID) throws -> Keyword {
    guard let keyword = try Keyword.find(id, in: self) else { throw LibraryProblem.noKeyword(id) }
    return keyword
  }

  /// The notes of some identifiers, in that order; throws for the first that is missing.
  func notes(_ ids: [UUID]) throws -> [Note] {
    let request = Note.fetch(
      NotePlace.there(NSPredicate(format: "%K IN %@", NoteProperties.uuid, ids))
    )
    let found = try fetch(request)
    let byID = Dictionary(found.map { ($0.uuid, $0) }) { first, _ in first }
    return try ids.map { id in
      guard let note = byID[id] else { throw LibraryProblem.noNote(id) }
      return note
    }
  }
}
