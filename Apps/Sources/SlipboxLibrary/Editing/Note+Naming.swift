import CoreData
import RichText

// A note's title is in the texts of others, which follow when it changes:
//
//   Slots ─▶ Seats      [[Slots]]           becomes a link that shows Seats
//                       [[Slots|places]]    stays: these words are the writer's
//   a new note Seats    [[Seats]], as text  becomes a link to it
//
// It is in the save that changes the title, for as many notes as can be changed without a delay; the others follow
// right after it, some at a time (`Library+Following`). Acts that can be undone change all of them at once, so that all
// of them go back. The dates of the other notes stay: nobody has edited them.

extension Note {
  /// Writes the new title into the texts of others, and turns waiting names into links to this note.
  func tellOthers(from old: String, in context: NSManagedObjectContext) throws {
    guard title != old, !title.isEmpty, !isTrashed else { return }
    if !isInserted { tellProperties() }
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

  /// The note's last title, if it is empty while somebody types another one.
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
    try answerLooseProperties(named: canonical, in: context)
    let request = NSFetchRequest<LooseLink>(entityName: "LooseLink")
    request.predicate = NSPredicate(
      format: "%K == %@",
      LooseLinkProperties.canonicalName,
      canonical
    )
    // Without a limit for those that want all.
    request.fetchLimit = most == .max ? 0 : most
    request.relationshipKeyPathsForPrefetching = [LooseLinkProperties.note]
    let others = Set(try context.fetch(request).compactMap(\.note)).subtracting([self])
    return others.count { $0.answerLooseLink(named: canonical, with: self) }
  }

  /// Makes `[[Title]]` in the text a link to a note; `false` if the text does not contain it.
  @discardableResult
  func answerLooseLink(named canonical: String, with note: Note) -> Bool {
    adoptForeignText()
    let text = formattedBodyText.resolvingLinks { $0.canonical == canonical ? note.uuid : nil }
    guard let text else { return false }
    reword(text)
    linkedNotes.insert(note)
    return true
  }

  /// The texts that the save of a new title did not change: those that link here, and those that wait for the title.
  ///
  /// All linking texts are included, as it depends on recent edits which of them the save has changed.
  func followers(in context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
    let namers = namers
    let request = NSFetchRequest<LooseLink>(entityName: "LooseLink")
    request.predicate = NSPredicate(
      format: "%K == %@",
      LooseLinkProperties.canonicalName,
      title.canonical
    )
    request.relationshipKeyPathsForPrefetching = [LooseLinkProperties.note]
    let waiting = try context.fetch(request).compactMap(\.note).filter { $0 !== self }
    let linking = namers.count > Self.mostFollowers ? namers.map(\.objectID) : []
    let known = Set(linking)
    return linking + Set(waiting.map(\.objectID)).subtracting(known)
  }

  /// Changes words of the text that nobody has edited: it is another revision, and no other version or date.
  func reword(_ text: RichText) {
    store(StoredText(text))
    countRevision()
  }
}

// MARK: - What programs send

extension Library {
  /// The text that a program sends, in which `[[Title]]` and `[[Title#Heading]]` are links if there are such notes.
  ///
  /// A page makes them while somebody types, and says who it is: a text that is left there was meant to be, or is in a
  /// paragraph that is being written.
  func linked(
    _ text: RichText,
    of note: UUID? = nil,
    by author: String?
  ) async throws -> RichText {
    let wanted = author == nil ? TextFacts(text).looseLinks : []
    if wanted.isEmpty { return text }
    let titles = try await read { try TitleDirectory(of: wanted, in: $0) }
    let linked = text.resolvingLinks { title in titles[title].flatMap { $0 == note ? nil : $0 } }
    // Links take more room than the text before; a text that has no more room for them waits as it is.
    guard let linked, (try? linked.checkLimits()) != nil else { return text }
    return linked
  }
}

// MARK: - Many notes at once

extension Library {
  /// Makes loose links lead to notes that came in many at once.
  func answerLooseLinks(to ids: Set<UUID>, by author: String?) async throws {
    let ids = Array(ids)
    for start in stride(from: 0, to: ids.count, by: 500) {
      let some = Array(ids[start..<min(start + 500, ids.count)])
      try await write(by: author) { try $0.answerLooseLinks(to: some) }
    }
  }
}

extension NSManagedObjectContext {
  /// Asks once which of the names texts wait for.
  ///
  /// The texts of many notes at once may exceed the memory: only names are read of them, and a whole note only if a
  /// text waits for it.
  func answerLooseLinks(to ids: [UUID]) throws {
    try tellProperties(to: ids)
    let names = try names(of: ids)
    let request = NSFetchRequest<LooseLink>(entityName: "LooseLink")
    request.predicate = NSPredicate(
      format: "%K IN %@",
      LooseLinkProperties.canonicalName,
      Array(names.keys)
    )
    let waiting = Set(try fetch(request).compactMap(\.canonicalName))
    for name in waiting {
      guard let found = names[name], let note = try Note.find(found.note, in: self) else {
        continue
      }
      try note.answerLooseLinks(named: found.name, atMost: .max, in: self)
    }
  }

  /// The names by which texts may refer to notes that are not in the trash; a title comes before another name.
  private func names(of ids: [UUID]) throws -> [String: (note: UUID, name: String)] {
    var names: [String: (note: UUID, name: String)] = [:]
    let places = [
      ("Note", NoteProperties.uuid, NoteProperties.title, NoteProperties.trashedDate),
      ("Alias", "note.uuid_", AliasProperties.name, "note.trashedDate_"),
    ]
    for (entity, note, name, trashedDate) in places {
      let request = NSFetchRequest<NSDictionary>(entityName: entity)
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [note, name]
      request.predicate = NSPredicate(format: "%K IN %@ AND %K == nil", note, ids, trashedDate)
      for record in try fetch(request) {
        guard let id = record[note] as? UUID, let name = record[name] as? String, !name.isEmpty
        else { continue }
        if names[name.canonical] == nil { names[name.canonical] = (id, name) }
      }
    }
    return names
  }
}
