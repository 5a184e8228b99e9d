import CoreData
import RichText

// A note's title stands in the texts of others, which follow when it changes:
//
//   Slots ─▶ Seats      [[Slots]]           becomes a link that shows Seats
//                       [[Slots|places]]    stays: these words are the writer's
//   a new note Seats    [[Seats]], as text  becomes a link to it
//
// All of it is in the save that changes the title. The dates of the other notes stay: nobody has edited them.

extension Note {
  /// Makes the texts of others say the new title, and lead here where they have waited for it.
  func tellOthers(from old: String, in context: NSManagedObjectContext) throws {
    guard title != old, !title.isEmpty, !isTrashed else { return }
    let shown = old.isEmpty ? try lastTitle(in: context) : old
    if !shown.isEmpty { try rename(from: shown, in: context) }
    try answerLooseLinks(named: title, in: context)
  }

  /// The notes whose texts link here, as far as they follow a new title: the ones that were edited last.
  var namers: [Note] {
    if isInserted { return [] }
    return Array(
      backLinkedNotes.filter { $0.erasedDate_ == nil }
        .sorted { $0.modificationDate > $1.modificationDate }.prefix(Self.mostFollowers)
    )
  }

  /// Each takes its time, and somebody is typing: links of more notes lead here still, with the words they have.
  private static let mostFollowers = 300

  private func rename(from old: String, in context: NSManagedObjectContext) throws {
    for other in namers where other !== self {
      other.adoptForeignText()
      if let text = other.formattedBodyText.renamingLinks(to: uuid, from: old, to: title) {
        other.reword(text)
      }
    }
  }

  /// The title that the note had before it had none, while somebody typed another one.
  private func lastTitle(in context: NSManagedObjectContext) throws -> String {
    if isInserted { return "" }
    let request = NoteVersion.fetch(of: self)
    request.fetchLimit = 5
    return try context.fetch(request).lazy.map(\.title).first { !$0.isEmpty } ?? ""
  }

  /// Makes `[[Title]]` in the texts of others a link to this note.
  func answerLooseLinks(named name: String, in context: NSManagedObjectContext) throws {
    let canonical = name.canonical
    let request = NSFetchRequest<LooseLink>(entityName: "LooseLink")
    request.predicate = NSPredicate(
      format: "%K == %@",
      LooseLinkProperties.canonicalName,
      canonical
    )
    request.fetchLimit = Self.mostFollowers
    request.relationshipKeyPathsForPrefetching = [LooseLinkProperties.note]
    for other in Set(try context.fetch(request).compactMap(\.note)) where other !== self {
      other.adoptForeignText()
      let text = other.formattedBodyText.resolvingLinks { $0.canonical == canonical ? uuid : nil }
      guard let text else { continue }
      other.reword(text)
      other.linkedNotes.insert(self)
    }
  }

  /// Changes words of the text that nobody has edited: it is another revision, and no other version or date.
  func reword(_ text: RichText) {
    store(StoredText(text))
    countRevision()
  }
}

extension Library {
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
  fileprivate func answerLooseLinks(to notes: [Note]) throws {
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
      try found.note.answerLooseLinks(named: found.name, in: self)
    }
  }
}
