import CoreData
import Foundation
import RichText
import Synchronization

/// An import that is done, and can be undone as a whole.
///
/// Undoing it deletes for good everything that it has made: nothing shows it any more, and an hour later it goes. Notes
/// that others have put into its folders in between are moved out of them first.
final class ImportAct: Undoable {
  private let made: Made
  private let shown: Date
  private let now: @Sendable () -> Date
  private let context: NSManagedObjectContext
  private let reader: NSManagedObjectContext
  private let folders: FolderList
  private let undoing = Mutex(Undoing())

  private struct Undoing {
    var isUndone = false
    var keywords: [KeptKeyword] = []
  }

  /// A keyword that only the import's notes had.
  private struct KeptKeyword {
    let id: UUID
    let name: String
    let colour: Colour
    let notes: [UUID]
  }

  init(
    _ made: Made,
    now: @escaping @Sendable () -> Date,
    in context: NSManagedObjectContext,
    reader: NSManagedObjectContext,
    _ folders: FolderList
  ) {
    self.made = made
    self.now = now
    shown = now()
    self.context = context
    self.reader = reader
    self.folders = folders
  }

  var weight: Int { made.notes.count * 64 }

  func turn(by author: String?) throws {
    context.transactionAuthor = author
    if undoing.withLock(\.isUndone) {
      try mark(nil)
      try makeKeywords()
      try answerLinks()
    } else {
      try refuseIfEdited()
      try loosenLinks()
      try takeAway()
    }
    if context.hasChanges { try context.save() }
    undoing.withLock { $0.isUndone.toggle() }
  }

  /// Deletes what was made before anybody has seen it, but for the objects that were hidden already.
  func giveUp(by author: String?) throws {
    context.transactionAuthor = author
    try takeKeywords()
    try Library.settle(context)
    if context.hasChanges { try context.save() }
  }

  private func takeAway() throws {
    try takeKeywords()
    try mark(now())
    try Library.settle(context)
  }

  /// Makes a portion of it visible, or hides it.
  func mark(_ portion: Portion, as date: Date?, by author: String?) throws {
    context.transactionAuthor = author
    try mark(portion.entity, portion.ids, date)
  }

  /// Shows all folders in the lists.
  func refetchFolders() throws {
    // The list follows objects that its context has, and folders that were hidden are not among them.
    if !made.folders.isEmpty { try reader.performAndWait { try folders.refetch() } }
  }

  private func refuseIfEdited() throws {
    for ids in portions(Array(made.notes)) {
      let request = Note.fetch(
        NSPredicate(
          format: "%K IN %@ AND %K > %@",
          NoteProperties.uuid,
          ids,
          NoteProperties.modificationDate,
          shown as any CVarArg
        )
      )
      request.fetchLimit = 1
      if let note = try context.fetch(request).first {
        throw LibraryProblem.expired(
          "This cannot be undone any more: “\(note.title)” was edited since."
        )
      }
    }
  }
}

// MARK: - Marks

extension ImportAct {
  private func portions(_ ids: [UUID]) -> [[UUID]] {
    stride(from: 0, to: ids.count, by: 500).map { Array(ids[$0..<min($0 + 500, ids.count)]) }
  }

  /// Some objects of one entity.
  struct Portion: Sendable {
    let entity: String
    let ids: [UUID]
  }

  /// The objects that were made, folders before their notes.
  var portions: [Portion] {
    portions(Array(made.folders.values)).map { Portion(entity: "Folder", ids: $0) }
      + portions(Array(made.notes)).map { Portion(entity: "Note", ids: $0) }
  }

  /// Hides what was made, or shows it.
  private func mark(_ date: Date?) throws {
    for portion in portions { try mark(portion.entity, portion.ids, date) }
    try refetchFolders()
  }

  private func mark(_ entity: String, _ ids: [UUID], _ date: Date?) throws {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.predicate = NSPredicate(format: "%K IN %@", NoteProperties.uuid, ids)
    var values = Erasure.marks(date, of: entity)
    values[NoteProperties.trashedDate] = NSExpression(forConstantValue: date)
    request.propertiesToUpdate = values
    request.resultType = .updatedObjectIDsResultType
    let result = try context.execute(request) as? NSBatchUpdateResult
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSUpdatedObjectsKey: result?.result as? [NSManagedObjectID] ?? []
      ],
      into: [reader, context]
    )
  }
}

// MARK: - Links of others

extension ImportAct {
  /// Turns links of other notes to objects that go into the former text, `[[Title]]`, which waits for a note.
  private func loosenLinks() throws {
    var titles: [UUID: String] = [:]
    var others: Set<Note> = []
    for ids in portions(Array(made.notes)) {
      let request = Note.fetch(
        NSPredicate(
          format: "%K IN %@ AND backLinkedNotes_.@count > 0",
          NoteProperties.uuid,
          ids
        )
      )
      for note in try context.fetch(request) {
        titles[note.uuid] = note.title
        others.formUnion(note.backLinkedNotes.filter { !made.notes.contains($0.uuid) })
      }
    }
    for other in others where other.erasedDate_ == nil {
      other.adoptForeignText()
      let old = other.formattedBodyText
      guard let text = old.looseningLinks({ titles[$0] }) else { continue }
      other.reword(text)
      let gone = Set(old.links).subtracting(text.links)
      other.linkedNotes = other.linkedNotes.filter { !gone.contains($0.uuid) }
    }
  }

  private func answerLinks() throws {
    for ids in portions(Array(made.notes)) { try context.answerLooseLinks(to: ids) }
  }
}

// MARK: - Keywords

extension ImportAct {
  /// Deletes the keywords that nobody else has.
  private func takeKeywords() throws {
    var kept: [KeptKeyword] = []
    for id in made.keywords {
      guard let keyword = try Keyword.find(id, in: context) else { continue }
      let notes = keyword.notes.map(\.uuid)
      guard notes.allSatisfy(made.notes.contains) else { continue }
      kept.append(KeptKeyword(id: id, name: keyword.name, colour: keyword.color, notes: notes))
      context.delete(keyword)
    }
    undoing.withLock { $0.keywords = kept }
  }

  private func makeKeywords() throws {
    for kept in undoing.withLock(\.keywords) {
      let known = try Keyword.find(named: kept.name, in: context)
      let keyword = known ?? Keyword(name: kept.name, context: context)
      if known == nil {
        keyword.uuid_ = kept.id
        keyword.color = kept.colour
      }
      for ids in portions(kept.notes) {
        let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, ids))
        keyword.notes.formUnion(try context.fetch(request))
      }
    }
  }
}

extension Library {
  /// Makes visible what an import has made, and gives the token to undo it with.
  func show(_ made: Made, by author: String?) async throws -> String {
    let (context, acts, outlines, now) = (writing, acts, outlines, now)
    let act = ImportAct(made, now: now, in: context, reader: reading, folders)
    for portion in act.portions {
      // Others save in between.
      try await context.perform { try act.mark(portion, as: nil, by: author) }
    }
    return try await context.perform {
      try act.refetchFolders()
      outlines.forget()
      return acts.keep(act, at: now())
    }
  }

  /// Deletes the objects that a failed import has made; if that cannot be done now, it is done in a day.
  ///
  /// Objects that nobody has seen are hidden already, and only have to go sooner: nobody waits for that.
  func hide(_ made: Made, by author: String?) async throws {
    let (context, now) = (writing, now)
    let act = ImportAct(made, now: now, in: context, reader: reading, folders)
    let date = now()
    try await context.perform { try act.giveUp(by: author) }
    let hiding = Task.detached(priority: .utility) {
      for portion in act.portions {
        try await context.perform { try act.mark(portion, as: date, by: author) }
      }
      try await context.perform { try act.refetchFolders() }
    }
    if made.areShown { try await hiding.value }
  }
}
