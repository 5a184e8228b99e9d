import CoreData
import RichText

// A note's title stands in the texts of others, which follow when it changes:
//
//   Slots ─▶ Seats      [[Slots]]           becomes a link that shows Seats
//                       [[Slots|places]]    stays: these words are the writer's
//   a new note Seats    [[Seats]], as text  becomes a link to it
//
// It is in the save that changes the title, for as many notes as nobody waits for; the others follow right after it, some
// at a time (`Library.followSoon`). Acts that can be undone change all of them at once, so that all of them go back. The
// dates of the other notes stay: nobody has edited them.

extension Note {
  /// Makes the texts of others say the new title, and lead here where they have waited for it.
  func tellOthers(from old: String, in context: NSManagedObjectContext) throws {
    guard title != old, !title.isEmpty, !isTrashed else { return }
    let shown = old.isEmpty ? try lastTitle(in: context) : old
    let most = context.undoManager == nil ? Self.mostFollowers : .max
    if !shown.isEmpty { for other in namers.prefix(most) { other.follow(self, from: shown) } }
    try answerLooseLinks(named: title, atMost: most, in: context)
  }

  /// The notes whose texts link here, the ones that were edited last first.
  var namers: [Note] {
    if isInserted { return [] }
    return backLinkedNotes.filter { $0.erasedDate_ == nil && $0 !== self }
      .sorted { $0.modificationDate > $1.modificationDate }
  }

  /// Each takes its time, and somebody is typing.
  static let mostFollowers = 300

  /// Shows the new title of a note where the text shows the old one.
  func follow(_ note: Note, from old: String) {
    adoptForeignText()
    let text = formattedBodyText.renamingLinks(to: note.uuid, from: old, to: note.title)
    if let text { reword(text) }
  }

  /// The title that the note had before it had none, while somebody typed another one.
  func lastTitle(in context: NSManagedObjectContext) throws -> String {
    if isInserted { return "" }
    let request = NoteVersion.fetch(of: self)
    request.fetchLimit = 5
    return try context.fetch(request).lazy.map(\.title).first { !$0.isEmpty } ?? ""
  }

  /// Makes `[[Title]]` in the texts of others a link to this note.
  ///
  /// - Returns: How many notes had it.
  @discardableResult
  func answerLooseLinks(
    named name: String,
    atMost most: Int = mostFollowers,
    in context: NSManagedObjectContext
  ) throws -> Int {
    let canonical = name.canonical
    let request = NSFetchRequest<LooseLink>(entityName: "LooseLink")
    request.predicate = NSPredicate(
      format: "%K == %@",
      LooseLinkProperties.canonicalName,
      canonical
    )
    // Without a limit for those that want all.
    request.fetchLimit = most == .max ? 0 : most
    request.relationshipKeyPathsForPrefetching = [LooseLinkProperties.note]
    var count = 0
    for other in Set(try context.fetch(request).compactMap(\.note)) where other !== self {
      other.adoptForeignText()
      let text = other.formattedBodyText.resolvingLinks { $0.canonical == canonical ? uuid : nil }
      guard let text else { continue }
      other.reword(text)
      other.linkedNotes.insert(self)
      count += 1
    }
    return count
  }

  /// Changes words of the text that nobody has edited: it is another revision, and no other version or date.
  func reword(_ text: RichText) {
    store(StoredText(text))
    countRevision()
  }
}

// MARK: - Those that come later

/// A title that has changed, for the texts that the save had no time for.
struct Renaming: Sendable {
  let note: UUID
  let old: String

  /// Nil where the title says the same as before, or nothing.
  init?(of note: Note, from old: String, in context: NSManagedObjectContext) throws {
    guard note.title != old, !note.title.isEmpty else { return nil }
    self.note = note.uuid
    self.old = old.isEmpty ? try note.lastTitle(in: context) : old
  }
}

extension Library {
  /// Makes the other texts follow a new title, some at a time, while others write.
  ///
  /// What is left of it when the program ends keeps the old words: its links lead to the note all the same.
  func followSoon(_ renaming: Renaming, by author: String?) {
    let (context, outlines) = (writing, outlines)
    context.perform {
      // Where this fails, the links have the old words.
      guard let note = try? Note.find(renaming.note, in: context) else { return }
      // All of them: which of them the save has changed depends on who was edited since.
      let namers = note.namers.map(\.objectID)
      let isDone = namers.count <= Note.mostFollowers
      Self.follow(renaming, isDone ? [] : namers[...], in: context, outlines, by: author)
      Self.answer(renaming, in: context, outlines, by: author)
    }
  }

  private static func follow(
    _ renaming: Renaming,
    _ rest: ArraySlice<NSManagedObjectID>,
    in context: NSManagedObjectContext,
    _ outlines: OutlineCache,
    by author: String?
  ) {
    if rest.isEmpty || renaming.old.isEmpty { return }
    let portion = Array(rest.prefix(portionOfFollowers))
    context.perform {
      // A portion that cannot be written is left out.
      try? write(in: context, outlines, by: author) { context in
        guard let note = try Note.find(renaming.note, in: context), !note.isTrashed else { return }
        let request = Note.fetch(NSPredicate(format: "SELF IN %@", portion))
        for other in try context.fetch(request) { other.follow(note, from: renaming.old) }
      }
      follow(renaming, rest.dropFirst(portion.count), in: context, outlines, by: author)
    }
  }

  private static func answer(
    _ renaming: Renaming,
    in context: NSManagedObjectContext,
    _ outlines: OutlineCache,
    by author: String?
  ) {
    context.perform {
      // As above.
      let count = try? write(in: context, outlines, by: author) { context in
        let note = try Note.find(renaming.note, in: context)
        guard let note, !note.isTrashed else { return 0 }
        return try note.answerLooseLinks(named: note.title, in: context)
      }
      if (count ?? 0) > 0 { answer(renaming, in: context, outlines, by: author) }
    }
  }

  /// So few that whoever writes meanwhile does not notice.
  private static let portionOfFollowers = 50

  /// Makes loose links lead to notes that came in many at once.
  func answerLooseLinks(to ids: Set<UUID>, by author: String?) async throws {
    let ids = Array(ids)
    for start in stride(from: 0, to: ids.count, by: 500) {
      let some = Array(ids[start..<min(start + 500, ids.count)])
      try await write(by: author) { context in
        let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, some))
        request.relationshipKeyPathsForPrefetching = ["aliases_"]
        try context.answerLooseLinks(to: context.fetch(request))
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Asks once which of the names anybody waits for.
  func answerLooseLinks(to notes: [Note]) throws {
    var names: [String: (note: Note, name: String)] = [:]
    for note in notes where !note.isTrashed {
      for name in [note.title] + note.aliases where !name.isEmpty {
        if names[name.canonical] == nil { names[name.canonical] = (note, name) }
      }
    }
    let request = NSFetchRequest<LooseLink>(entityName: "LooseLink")
    request.predicate = NSPredicate(
      format: "%K IN %@",
      LooseLinkProperties.canonicalName,
      Array(names.keys)
    )
    let waiting = Set(try fetch(request).compactMap(\.canonicalName))
    for name in waiting {
      guard let found = names[name] else { continue }
      try found.note.answerLooseLinks(named: found.name, atMost: .max, in: self)
    }
  }
}
