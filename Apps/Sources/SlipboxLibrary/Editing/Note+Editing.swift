import CoreData
import RichText

extension Note {
  /// Changes the note's content: keeps the old one, follows its links, counts the revision.
  func rewrite(title newTitle: String?, text newText: RichText?, at now: Date) throws {
    try rewrite(title: newTitle, stored: newText.map(StoredText.init), at: now)
  }

  /// The same with a text whose forms were made before.
  func rewrite(title newTitle: String?, stored: StoredText?, at now: Date) throws {
    guard let context = managedObjectContext else { return }
    let (newTitle, stored) = try withArrivedTexts(newTitle, stored)
    let (old, oldTitle) = (formattedBodyText, title)
    // Links of others that show a title that goes are found among the versions.
    let loses = newTitle == "" && !oldTitle.isEmpty
    try keepVersion(at: now, always: loses || stored?.text.takesMuch(of: old) ?? false)
    if let newTitle { title = newTitle }
    if let stored {
      store(stored)
      try follow(stored.text.links, before: Set(old.links), in: context)
      try keepFiles(of: stored.text, in: context)
    }
    countRevision()
    modificationDate_ = now
    try tellOthers(from: oldTitle, in: context)
  }

  /// Leads links of the text elsewhere; the date of the note stays, as nobody has edited it.
  func relink(
    _ change: (RichText.Link) -> RichText.Link?,
    in context: NSManagedObjectContext
  ) throws {
    adoptForeignText()
    let old = formattedBodyText
    guard let text = old.relinking(change) else { return }
    reword(text)
    try follow(text.links, before: Set(old.links), in: context)
  }

  /// Makes the notes that the text links to the linked notes.
  ///
  /// Those it does not link to any more are so no longer. Links that were never in the text stay.
  private func follow(
    _ links: [UUID],
    before: Set<UUID>,
    in context: NSManagedObjectContext
  ) throws {
    let after = Set(links)
    guard after != before || !after.isEmpty else { return }
    let targets = targetsOfProperties
    var linked = linkedNotes.filter {
      !before.contains($0.uuid) || after.contains($0.uuid) || targets.contains($0)
    }
    let known = Set(linked.map(\.uuid))
    let wanted = after.subtracting(known).subtracting([uuid])
    if !wanted.isEmpty {
      let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, Array(wanted)))
      linked.formUnion(try context.fetch(request))
    }
    if linked != linkedNotes { linkedNotes = linked }
  }

  /// Makes the files that the text names the note's, whosever they were before: text goes from note to note.
  ///
  /// Those it names no more stay with the note, as long as a version of it may name them.
  func keepFiles(of text: RichText, in context: NSManagedObjectContext) throws {
    let named = text.files
    if named.isEmpty { return }
    let missing = Set(named).subtracting(files.map(\.uuid))
    let found = try Attachment.find(Array(missing), in: context)
    if !found.isEmpty { files.formUnion(found) }
  }

  /// Puts the title and text as they are among the versions, unless one was kept in the last ten
  /// minutes, or the last one says the same, or there is nothing to keep.
  func keepVersion(at now: Date, always: Bool = false) throws {
    guard let context = managedObjectContext, !isInserted, !(title.isEmpty && bodyText.isEmpty)
    else {
      return
    }
    let request = NoteVersion.fetch(of: self)
    request.fetchLimit = 1
    let last = try context.fetch(request).first
    if !always, let last, now.timeIntervalSince(last.date) < Self.versionInterval { return }
    let document = formattedBodyText.json
    if let last, last.title == title, last.document_ == document { return }
    let version = NoteVersion(context: context)
    version.date_ = modificationDate
    version.title_ = title
    version.document_ = document
    version.note = self
    try forgetOldVersions(in: context)
  }

  /// Puts what the note said earlier among the versions, unless the last one says it.
  func keepVersion(of content: RevisionShelf.Content) throws {
    guard let context = managedObjectContext, !isInserted else { return }
    let request = NoteVersion.fetch(of: self)
    request.fetchLimit = 1
    if try context.fetch(request).first?.document_ == content.document { return }
    let version = NoteVersion(context: context)
    version.date_ = modificationDate
    version.title_ = content.title
    version.document_ = content.document
    version.note = self
    try forgetOldVersions(in: context)
  }

  private func forgetOldVersions(in context: NSManagedObjectContext) throws {
    let request = NoteVersion.fetch(of: self)
    request.fetchOffset = Self.versionLimit
    request.fetchLimit = 20
    guard try context.count(for: NoteVersion.fetch(of: self)) > Self.versionLimit else { return }
    for version in try context.fetch(request) { context.delete(version) }
  }

  static let versionInterval: TimeInterval = 600
  static let versionLimit = 200
}

extension RichText {
  /// Whether this text, in the place of an older one, leaves nothing of it, or less than half and some
  /// words less.
  ///
  /// ```
  /// |the same|…… taken away ……|the same|
  /// ```
  func takesMuch(of old: RichText) -> Bool {
    let (before, after) = (Array(old.plainText.utf8), Array(plainText.utf8))
    if after.isEmpty { return !before.isEmpty }
    let start = zip(before, after).prefix { $0 == $1 }.count
    let end = zip(before[start...].reversed(), after[start...].reversed()).prefix { $0 == $1 }.count
    let taken = before.count - start - end
    return taken > Self.fewWords && taken > before.count / 2
  }

  /// In bytes.
  private static let fewWords = 40
}

extension NoteVersion {
  /// A request for a note's versions, the latest first.
  static func fetch(of note: Note) -> NSFetchRequest<NoteVersion> {
    let request = NoteVersion.fetchRequest()
    request.predicate = NSPredicate(format: "note == %@", note)
    request.sortDescriptors = [NSSortDescriptor(key: "date_", ascending: false)]
    return request
  }
}

// MARK: - What was sent

/// Turns what was sent into values, or refuses it with a sentence.
enum Given {
  static func title(_ text: String) throws -> String {
    // Before anything is done with it that takes its time.
    guard text.utf8.count <= 8000 else {
      throw LibraryProblem.refused(
        "A title has at most 2,000 bytes; this one has \(text.utf8.count)."
      )
    }
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      .trimmingCharacters(in: .whitespaces)
    guard line.utf8.count <= longestTitle else {
      throw LibraryProblem.refused(
        "A title has at most 2,000 bytes; this one has \(line.utf8.count)."
      )
    }
    return line.filter { $0 != "\0" }
  }

  /// In bytes.
  static let longestTitle = 2000

  static func name(_ text: String, of thing: String) throws -> String {
    let name = try title(text)
    if name.isEmpty { throw LibraryProblem.refused("A \(thing) needs a name.") }
    return name
  }

  /// Other names of a note, each once.
  static func aliases(_ names: [String]) throws -> [String] {
    guard names.count <= 50 else {
      throw LibraryProblem.refused("A note has at most 50 other names; these are \(names.count).")
    }
    var seen: Set<String> = []
    return try names.map(title).filter { !$0.isEmpty && seen.insert($0.canonical).inserted }
  }

  static func text(_ document: JSONValue) throws -> RichText {
    do {
      let text = try RichText(document: document)
      try text.checkLimits()
      return text
    } catch let error as RichTextError {
      throw LibraryProblem.refused("The text cannot be kept: \(error).")
    }
  }

  static func status(_ word: String) throws -> Status {
    guard let status = Status(word: word) else {
      throw LibraryProblem.refused("A note is “draft”, “review” or “archived”, not “\(word)”.")
    }
    return status
  }

  static func colour(_ text: String) throws -> Colour {
    guard let colour = Colour(hex: text) else {
      throw LibraryProblem.refused("A colour is written #rrggbb, not “\(text)”.")
    }
    return colour
  }

  static func sorting(_ text: String) throws -> NoteSorting {
    guard let sorting = NoteSorting(rawValue: text) else {
      throw LibraryProblem.refused("There is no order “\(text)” of notes.")
    }
    return sorting
  }
}
