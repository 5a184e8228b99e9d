import CoreData
import Foundation

extension Library {
  /// A note of a place, any of them; `nil` if there is none.
  public func random(in place: NotePlace) async throws -> String? {
    let now = now()
    return try await read { context in
      let request = Note.fetch(try place.predicate(now: now, in: context))
      request.sortDescriptors = nil
      let count = try context.count(for: request)
      if count == 0 { return nil }
      // Identities alone, which an index has: the notes before it are not read. Those of a folder or keyword are few,
      // and an order would make the store walk along all notes.
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      ids.resultType = .managedObjectIDResultType
      ids.predicate = request.predicate
      ids.sortDescriptors =
        count > Self.few
        ? [NSSortDescriptor(key: NoteProperties.creationDate, ascending: false)] : nil
      ids.fetchOffset = Int.random(in: 0..<count)
      ids.fetchLimit = 1
      guard let id = try context.fetch(ids).first else { return nil }
      return (try context.existingObject(with: id) as? Note)?.uuid.text
    }
  }

  private static let few = 5_000

  /// The note of a day, whose title is the date; made if it does not exist.
  ///
  /// It begins with the template of the title “Daily note”, if there is one, and is in the folder of the last one; the
  /// first in the folder “Daily notes”.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` for a text that is not a date of the form `2026-11-21`.
  public func daily(
    _ day: String,
    utcOffset: Int?,
    by author: String?
  ) async throws -> (note: NoteContent, isNew: Bool) {
    guard day.utf8.count == 10, SearchDate(day, isCreation: true, now(), .current) != nil else {
      throw LibraryProblem.refused("A day is written 2026-11-21, not “\(day)”.")
    }
    let found = try await read { context in
      let note = try TitleDirectory(of: [day], in: context)[day].map { try context.note($0) }
      let template = try context.fetch(Self.templates("Daily note", limit: 1)).first
      let id = UUID(ofKind: "day", named: day)
      // It is taken if the note of this day is in the trash, or has another title now.
      let isTaken = try Note.find(id, in: context) != nil
      return (try note.map { try NoteContent($0) }, template?.uuid, isTaken ? nil : id)
    }
    if let note = found.0 { return (note, false) }
    var new = NewNote(title: day, folder: try await dailyFolder(before: day, by: author))
    new.id = found.2
    new.template = found.1
    new.utcOffset = utcOffset
    return try await make(new, by: author)
  }

  private func dailyFolder(before day: String, by author: String?) async throws -> UUID {
    let name = "Daily notes"
    let derived = UUID(ofKind: "folder", named: name)
    let known: UUID? = try await read { context in
      if let folder = try Self.folderOfLastDay(before: day, in: context) { return folder.uuid }
      let named = NSPredicate(
        format: "name_ == %@ AND parent == nil AND trashedDate_ == nil AND erasedDate_ == nil",
        name
      )
      return try context.fetch(Folder.fetch(named)).first?.uuid
    }
    if let known { return known }
    // It is taken if the folder is in the trash, or has another name now.
    let isTaken = try await read { try Folder.find(derived, in: $0) != nil }
    let made = isTaken ? UUID() : derived
    _ = try await makeFolder(id: made, name: name, parent: nil, by: author)
    return made
  }

  /// The folder of the last note of a day, wherever somebody has put it; nil without one in the year before.
  private static func folderOfLastDay(
    before day: String,
    in context: NSManagedObjectContext
  ) throws -> Folder? {
    guard let year = WholeNumber.read(day.prefix(4), within: 1_000...9_999) else { return nil }
    let request = Note.fetch(
      NSPredicate(
        format: "%K == nil AND %K < %@ AND %K > %@",
        NoteProperties.trashedDate,
        NoteProperties.canonicalTitle,
        day,
        NoteProperties.canonicalTitle,
        "\(year - 1)\(day.dropFirst(4))"
      )
    )
    request.sortDescriptors = [
      NSSortDescriptor(key: NoteProperties.canonicalTitle, ascending: false)
    ]
    // Other titles may begin with a date, too.
    request.fetchLimit = 50
    let last = try context.fetch(request).first { note in
      note.title.utf8.count == 10
        && SearchDate(note.title, isCreation: true, .distantPast, .current) != nil
    }
    return last?.folder.flatMap { $0.isTrashed ? nil : $0 }
  }

  /// The notes that new ones can be made from, by title.
  public func templates() async throws -> [NoteTitle] {
    try await read { context in
      try context.fetch(Self.templates(nil, limit: 200))
        .sorted { ($0.title.canonical, $0.creationDate) < ($1.title.canonical, $1.creationDate) }
        .map(NoteTitle.init)
    }
  }

  private static func templates(_ title: String?, limit: Int) -> NSFetchRequest<Note> {
    var parts = [NotePlace.alive, NoteMark.template.predicate]
    if let title {
      parts.append(
        NSPredicate(format: "%K == %@", NoteProperties.canonicalTitle, title.canonical)
      )
    }
    let request = Note.fetch(SearchTerm.and(parts))
    // No order: there are few, and along the index of titles the store would look at every note.
    request.sortDescriptors = nil
    request.fetchLimit = limit
    return request
  }
}

// MARK: - Numbers

/// A slip box in numbers.
public struct Statistics: Encodable, Sendable {
  public let notes: Int
  public let folders: Int
  public let keywords: Int
  public let draft: Int
  public let review: Int
  public let archived: Int
  /// Notes that lead to others.
  public let linked: Int
  /// Notes that lead nowhere, and to which nothing leads.
  public let alone: Int
  public let openTasks: Int
  /// How many notes were made on each day of the last year that has any: `{"2026-11-21": 3}`.
  public let days: [String: Int]
}

extension Library {
  /// Counts what there is; the store counts, and no note is read.
  public func statistics() async throws -> Statistics {
    let (now, folders) = (now(), folders)
    return try await read { context in
      func counts(by key: String, where predicate: NSPredicate) throws -> [String: Int] {
        try CountedGroups(of: "Note", by: key, where: predicate, in: context).counts
      }
      let year = NSPredicate(format: "%K >= %@", NoteProperties.day, Day(now - 366 * 86_400).key)
      let byStatus = try counts(by: NoteProperties.status, where: NotePlace.alive)
      let notes = byStatus.values.reduce(0, +)
      let links = try LinkCounts(in: context)
      let tasks = Note.fetch(SearchTerm.and([NotePlace.alive, SearchTrait.task.predicate]))
      tasks.sortDescriptors = nil
      return Statistics(
        notes: notes,
        folders: folders.folders.count { !$0.isTrashed },
        keywords: try context.count(for: Keyword.fetchRequest()),
        draft: byStatus[Status.draft.rawValue] ?? 0,
        review: byStatus[Status.review.rawValue] ?? 0,
        archived: byStatus[Status.archived.rawValue] ?? 0,
        linked: links.linked,
        alone: notes - links.linked - links.onlyReached,
        openTasks: try context.count(for: tasks),
        days: try counts(by: NoteProperties.day, where: SearchTerm.and([NotePlace.alive, year]))
      )
    }
  }
}
