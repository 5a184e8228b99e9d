import CoreData
public import Foundation
import RichText

// MARK: - Making

extension Library {
  /// Makes a note.
  ///
  /// Where there is one of that identifier already, which a queued edit that was sent
  /// twice would make again, that one is the answer.
  public func make(
    _ new: NewNote,
    by author: String?
  ) async throws -> (note: NoteContent, isNew: Bool) {
    let (now, revisions) = (now(), revisions)
    let sent = try new.document.map(Given.text) ?? RichText()
    let text = StoredText(try await linked(sent, by: author))
    let (content, isNew, renaming) = try await write(by: author) { context in
      if let id = new.id, let known = try Note.find(id, in: context) {
        return (try NoteContent(known, withBacklinks: false), false, nil as Renaming?)
      }
      let template = try new.template.map { try Template($0, new, at: now, in: context) }
      let note = Note(context: context)
      if let id = new.id { note.uuid_ = id }
      note.creationDate = now
      note.folder = try new.folder.map { try context.openFolder($0) }
      note.status = try new.status.map(Given.status) ?? .draft
      note.isFavorite = new.favourite ?? false
      note.keywords = template?.keywords ?? []
      let copied = try new.propertiesOf.map { try context.note($0).writtenProperties }
      try note.takeProperties(copied ?? template?.properties ?? [], in: context)
      try note.apply(new.properties ?? [], in: context)
      try note.rewrite(
        title: Given.title(template?.title ?? new.title ?? ""),
        stored: template.map { StoredText($0.text) } ?? text,
        at: now
      )
      try context.save()
      revisions.keep(note)
      let content = try NoteContent(note, withBacklinks: false)
      return (content, true, try Renaming(of: note, from: "", in: context))
    }
    if let renaming { followSoon(renaming, by: author) }
    return (try await completed(content), isNew)
  }
}

// MARK: - Editing

/// A note after an edit, and the token to undo it with; edits of the text have versions instead.
public struct EditedNote: Encodable, Sendable {
  public let note: NoteContent
  @OrNull public var undo: String?
  /// Whether the note has more than was sent: others have changed other parts of it in between.
  public var merged = false
}

extension Library {
  /// Changes a note.
  ///
  /// An edit of title or document names the revision it began from. If the note has another by now, the changes of both
  /// sides are put together if they are in different blocks. If they are not, or the revision is not known any more,
  /// the edit is kept as a note of its own, linked with the first, and the call throws
  /// ``LibraryProblem/stale(newer:copy:)``. In a synchronized slip box, the changes are put together word by word, and
  /// words that both have changed in different ways are one of the note's other wordings.
  public func edit(_ id: UUID, _ edit: NoteEdit, by author: String?) async throws -> EditedNote {
    guard edit.changesText else {
      let (note, undo) = try await act(by: author) { context in
        let note = try context.note(id)
        try note.apply(edit, in: context)
        try context.save()
        return try NoteContent(note, withBacklinks: false)
      }
      return EditedNote(note: try await completed(note), undo: undo)
    }
    let (now, revisions) = (now(), revisions)
    var sent = try edit.document.map(Given.text)
    if let given = sent { sent = try await linked(given, of: id, by: author) }
    let text = sent.map(StoredText.init)
    let (outcome, renaming) = try await write(by: author) { context in
      let note = try context.note(id)
      let title = note.title
      try note.apply(edit, in: context)
      let outcome = try note.write(edit, text, at: now, revisions)
      try context.save()
      revisions.keep(note)
      return (try outcome.told(of: note), try Renaming(of: note, from: title, in: context))
    }
    if let renaming { followSoon(renaming, by: author) }
    switch outcome {
    case .written(let note): return EditedNote(note: try await completed(note), undo: nil)
    case .merged(let note):
      return EditedNote(note: try await completed(note), undo: nil, merged: true)
    case .kept(let newer, let copy):
      throw LibraryProblem.stale(newer: try await completed(newer), copy: copy)
    }
  }
}

/// The result of an edit of a text.
private enum Outcome {
  case written
  case merged
  case kept(copy: Note)

  /// The same as values, without the notes that point to it.
  func told(of note: Note) throws -> ToldOutcome {
    let content = try NoteContent(note, withBacklinks: false)
    return switch self {
    case .written: .written(content)
    case .merged: .merged(content)
    case .kept(let copy): .kept(newer: content, copy: NoteRow(copy))
    }
  }
}

private enum ToldOutcome: Sendable {
  case written(NoteContent)
  case merged(NoteContent)
  case kept(newer: NoteContent, copy: NoteRow)
}

extension Note {
  /// Changes everything but the text.
  func apply(_ edit: NoteEdit, in context: NSManagedObjectContext) throws {
    if let word = edit.status { status = try Given.status(word) }
    for mark in NoteMark.allCases {
      if let isSo = edit[mark] { self[mark] = isSo }
    }
    if let order = edit.order { self.order = order }
    switch edit.folder {
    case .asBefore: break
    case .nowhere: folder = nil
    case .folder(let id): folder = try context.openFolder(id)
    }
    for choice in edit.addKeywords ?? [] { keywords.insert(try context.keyword(choice)) }
    let unwanted = Set(edit.removeKeywords ?? [])
    if !unwanted.isEmpty { keywords = keywords.filter { !unwanted.contains($0.uuid) } }
    for id in edit.addLinks ?? [] where id != uuid { linkedNotes.insert(try context.note(id)) }
    if let names = edit.aliases {
      aliases = try Given.aliases(names)
      for name in aliases { try answerLooseLinks(named: name, in: context) }
    }
    try apply(edit.properties ?? [], in: context)
    let unlinked = Set(edit.removeLinks ?? [])
    if !unlinked.isEmpty {
      // A property that leads there is a link of its own.
      let targets = targetsOfProperties
      linkedNotes = linkedNotes.filter { !unlinked.contains($0.uuid) || targets.contains($0) }
    }
  }

  /// Changes the text, or keeps the sent one as a note of its own.
  fileprivate func write(
    _ edit: NoteEdit,
    _ stored: StoredText?,
    at now: Date,
    _ revisions: RevisionShelf
  ) throws -> Outcome {
    guard let base = edit.base else {
      throw LibraryProblem.refused(
        "An edit of title or document needs “base”, the revision of the note that it began from."
      )
    }
    let title = try edit.title.map(Given.title)
    let text = stored?.text
    // Sent twice, because the answer to the first was lost: it is as it should be.
    let isThere =
      title.map { $0 == self.title } ?? true && text.map { $0 == formattedBodyText } ?? true
    if isThere { return .written }
    try settleArrivedTexts()
    if revisions.isOutdated(self) { adoptMergedText() }
    revisions.keep(self)
    // Written by another app, and never seen by the sender of this edit.
    let isForeign = hasForeignText
    adoptForeignText()
    if let stored, let lost = revisions.lost(by: stored, of: self) {
      try keepVersion(of: lost)
    }
    if base == revision, !isForeign {
      // A text that is the same stays as it is stored: another app's RTF has fonts that documents have not.
      try rewrite(title: title, stored: text == formattedBodyText ? nil : stored, at: now)
      return .written
    }
    let sent = SentEdit(base: base, title: title, text: text, mark: edit.mark, since: edit.since)
    guard let merged = revisions.merged(self, sent) else {
      return .kept(copy: try copy(title: title, text: text, at: now, in: edit.timeZone))
    }
    try keep(merged)
    let isNew = merged.title != self.title || merged.joined.text != formattedBodyText
    if isNew {
      let text = merged.joined.text == formattedBodyText ? nil : merged.joined.text
      try rewrite(title: merged.title, text: text, at: now)
    }
    revisions.keepSent(sent, of: uuid)
    return .merged
  }

  /// Keeps the words of an edit that others have worded differently in between, where all devices show them.
  private func keep(_ merged: MergedEdit) throws {
    try keepWordings(merged.joined)
    if let lost = merged.lostTitle { try keepWording(.title, kept: merged.title, lost: lost) }
  }

  /// A note beside this one, with the text that was written in between.
  private func copy(
    title newTitle: String?,
    text: RichText?,
    at now: Date,
    in zone: TimeZone
  ) throws -> Note {
    guard let context = managedObjectContext else { return self }
    let copy = Note(context: context)
    copy.creationDate = now
    copy.folder = folder.flatMap { $0.isTrashed ? nil : $0 }
    copy.status = status
    copy.keywords = keywords
    try copy.takeProperties(writtenProperties, in: context)
    let time = Calendar.current.dateComponents(in: zone, from: now)
    let clock = String(format: "%02d:%02d", time.hour ?? 0, time.minute ?? 0)
    try copy.rewrite(
      title: Self.title(newTitle ?? title, with: " (your version of \(clock))"),
      text: text ?? formattedBodyText,
      at: now
    )
    copy.linkedNotes.insert(self)
    return copy
  }

  /// A title with something behind it.
  ///
  /// Where both are longer than a title may be, the title ends earlier: a note whose own title is refused
  /// cannot be written in.
  private static func title(_ title: String, with ending: String) -> String {
    var beginning = title
    while !beginning.isEmpty, beginning.utf8.count + ending.utf8.count > Given.longestTitle {
      beginning.removeLast()
    }
    return beginning + ending
  }
}

// MARK: - What an edit names

extension NSManagedObjectContext {
  /// A folder that something can be put into.
  func openFolder(_ id: UUID) throws -> Folder {
    let folder = try folder(id)
    if folder.isTrashed {
      throw LibraryProblem.refused("The folder “\(folder.name)” is in the trash; restore it first.")
    }
    return folder
  }

  /// The keyword that is meant, made if it is not there.
  func keyword(_ choice: KeywordChoice) throws -> Keyword {
    if let id = choice.id { return try keyword(id) }
    let name = try Given.name(choice.name ?? "", of: "keyword")
    if let known = try Keyword.find(named: name, in: self) { return known }
    let keyword = Keyword(name: name, context: self)
    let id = UUID(ofKind: "keyword", named: name.lowercased())
    // It is taken if a keyword had this name when it was made.
    if try Keyword.find(id, in: self) == nil { keyword.uuid_ = id }
    keyword.color = try choice.color.map(Given.colour) ?? Palette.colour(for: name)
    return keyword
  }
}

/// Colours for keywords that nobody has given one; dark enough to be read on paper.
enum Palette {
  private static let colours = [
    "#b3261e", "#9a4a00", "#7a5900", "#40671b", "#006b54", "#00658e", "#3b5ba9", "#6a4fa3",
    "#8f4377", "#5d5e66",
  ].compactMap(Colour.init(hex:))

  /// A name has the same colour each time.
  static func colour(for name: String) -> Colour {
    let number = Digest.of(Data(name.lowercased().utf8)).magnitude
    return colours[Int(number % UInt64(colours.count))]
  }
}
