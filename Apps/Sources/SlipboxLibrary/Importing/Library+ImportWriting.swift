import CoreData
import Foundation
import RichText

// The objects that an import writes. Everything is hidden until all of it is there.

extension Library {
  /// Makes a row for each note, so that texts can link to all of them.
  func makeRows(
    _ sketches: [ImportSketch],
    _ mark: ImportMark,
    by author: String?,
    _ made: inout Made
  ) async throws {
    let now = now()
    for start in stride(from: 0, to: sketches.count, by: 500) {
      let ids = sketches[start..<min(start + 500, sketches.count)].map(\.id)
      made.notes.formUnion(ids)
      try await write(by: author) { context in
        for id in ids {
          let note = Note(context: context)
          note.uuid_ = id
          note.creationDate = now
          note.modificationDate_ = now
          note.trashedDate_ = mark.date
          note.erasedDate_ = mark.date
        }
      }
      try Task.checkCancellation()
    }
  }

  /// Puts texts and all else into the rows of some notes.
  func write(
    _ drafts: [ImportedDraft],
    into folder: UUID?,
    _ mark: ImportMark,
    by author: String?,
    _ made: inout Made
  ) async throws {
    if drafts.isEmpty { return }
    let (now, before) = (now(), made)
    made = try await write(by: author) { context in
      var made = before
      let outer = try folder.map { try context.openFolder($0) }
      let request = Note.fetch(
        NSPredicate(format: "%K IN %@", NoteProperties.uuid, drafts.map(\.id))
      )
      let rows = Dictionary(try context.fetch(request).map { ($0.uuid, $0) }) { first, _ in first }
      var writing = ImportWriting(context: context, outer: outer, mark: mark, now: now)
      for draft in drafts {
        guard let note = rows[draft.id] else { continue }
        try writing.write(draft, into: note, &made)
      }
      try context.save()
      // Pictures shall not stay in memory.
      context.reset()
      return made
    }
  }
}

extension Library {
  /// Makes folders that no note lies in, and gives keywords that were made their colours.
  func write(
    _ facts: SlipboxFacts,
    into folder: UUID?,
    _ mark: ImportMark,
    by author: String?,
    _ made: inout Made
  ) async throws {
    if facts == SlipboxFacts() { return }
    let (now, before) = (now(), made)
    made = try await write(by: author) { context in
      var made = before
      let outer = try folder.map { try context.openFolder($0) }
      var writing = ImportWriting(context: context, outer: outer, mark: mark, now: now)
      for path in facts.folders { try writing.makeFolder(path, &made) }
      for id in made.keywords {
        guard let keyword = try Keyword.find(id, in: context),
          let colour = facts.keywords[keyword.name].flatMap(Colour.init(hex:))
        else { continue }
        keyword.color = colour
      }
      try context.save()
      context.reset()
      return made
    }
  }
}

extension Library {
  /// Gives notes that were made the links that they have beside their texts.
  func link(_ sketches: [ImportSketch], _ facts: SlipboxFacts, by author: String?) async throws {
    if facts.links.isEmpty { return }
    let ids = Dictionary(sketches.map { ($0.path, $0.id) }) { first, _ in first }
    let links = sketches.flatMap { sketch in
      facts.links[sketch.path, default: []].compactMap { ids[$0] }.filter { $0 != sketch.id }
        .map { (from: sketch.id, to: $0) }
    }
    for start in stride(from: 0, to: links.count, by: 250) {
      let some = links[start..<min(start + 250, links.count)]
      try await write(by: author) { context in
        let wanted = Array(Set(some.flatMap { [$0.from, $0.to] }))
        let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, wanted))
        let notes = Dictionary(try context.fetch(request).map { ($0.uuid, $0) }) { one, _ in one }
        for (from, links) in Dictionary(grouping: some, by: \.from) {
          notes[from]?.linkedNotes.formUnion(links.compactMap { notes[$0.to] })
        }
        try context.save()
        // Their texts shall not stay in memory.
        context.reset()
      }
      try Task.checkCancellation()
    }
  }
}

extension Library {
  /// Gives the folders that were made the order of their names: an archive has them in any.
  func putInOrder(_ folders: [String: UUID], by author: String?) async throws {
    let ids = Array(folders.values)
    if ids.count < 2 { return }
    try await write(by: author) { context in
      let made = try context.fetch(
        Folder.fetch(NSPredicate(format: "%K IN %@", FolderProperties.uuid, ids))
      )
      for siblings in Dictionary(grouping: made, by: \.parent).values {
        let named = siblings.sorted {
          $0.name.localizedStandardCompare($1.name) == .orderedAscending
        }
        for (folder, order) in zip(named, siblings.map(\.order).sorted())
        where folder.order != order {
          folder.order = order
        }
      }
    }
  }
}

/// A portion of an import while it is written.
private struct ImportWriting {
  let context: NSManagedObjectContext
  let outer: Folder?
  let mark: ImportMark
  let now: Date

  /// Folders of this portion by their paths.
  private var folders: [String: Folder] = [:]

  init(context: NSManagedObjectContext, outer: Folder?, mark: ImportMark, now: Date) {
    self.context = context
    self.outer = outer
    self.mark = mark
    self.now = now
  }

  mutating func write(_ draft: ImportedDraft, into note: Note, _ made: inout Made) throws {
    for file in draft.newFiles {
      let attachment = file.attachment(in: context)
      made.files.insert(file.id)
      if file.id == draft.picture {
        note.attachment = attachment
      } else {
        note.files.insert(attachment)
      }
    }
    if let picture = draft.picture, note.attachment == nil {
      try copyPicture(picture, to: note)
    }
    note.status = draft.status
    for mark in NoteMark.allCases { note[mark] = draft.marks.contains(mark) }
    note.keywords = Set(try draft.keywords.map { try keyword($0, &made) })
    note.aliases = draft.aliases
    note.folder = try folder(draft.folder, &made)
    try note.rewrite(title: draft.title, stored: draft.text, at: min(draft.modified ?? now, now))
    note.creationDate = draft.created ?? now
  }

  /// The picture of a note is in no other text or place.
  private func copyPicture(_ id: UUID, to note: Note) throws {
    guard let known = try Attachment.find([id], in: context).first else { return }
    let copy = Attachment(image: known.fullImageData, context: context)
    copy.name_ = known.name_
    copy.type_ = known.type_
    copy.pixelWidth = known.pixelWidth
    copy.pixelHeight = known.pixelHeight
    note.attachment = copy
  }

  private func keyword(_ name: String, _ made: inout Made) throws -> Keyword {
    let keyword = try context.keyword(KeywordChoice(name: name))
    if keyword.isInserted { made.keywords.insert(keyword.uuid) }
    return keyword
  }

  /// The folder of a path, made with those around it if they do not exist.
  ///
  /// A folder that is there already under that name, and was not made by this import, is taken too.
  private mutating func folder(_ path: String, _ made: inout Made) throws -> Folder? {
    if path.isEmpty { return outer }
    if let known = folders[path] { return known }
    if let id = made.folders[path], let known = try find(id) {
      folders[path] = known
      return known
    }
    let parts = path.split(separator: "/")
    // Deeper than anybody files: folders below are merged into the last.
    let parent = try folder(
      parts.dropLast().prefix(Self.maximumDepth).joined(separator: "/"),
      &made
    )
    if parts.count > Self.maximumDepth { return parent }
    let name = try Given.name(String(parts.last ?? "Folder"), of: "folder")
    let siblings = try context.fetch(siblings(of: parent)).filter { !$0.isTrashed }
    let alike = siblings.filter { $0.name.canonical == name.canonical }
    if let known = alike.first(where: { $0.name == name }) ?? alike.first {
      folders[path] = known
      return known
    }
    let folder = Folder(name: name, context: context)
    folder.creationDate_ = now
    folder.parent = parent
    folder.order = Int64(siblings.count + made.folders.count)
    folder.trashedDate_ = mark.date
    folder.erasedDate_ = mark.date
    made.folders[path] = folder.uuid
    folders[path] = folder
    return folder
  }

  mutating func makeFolder(_ path: String, _ made: inout Made) throws {
    _ = try folder(path, &made)
  }

  private static let maximumDepth = 20

  private func siblings(of parent: Folder?) -> NSFetchRequest<Folder> {
    guard let parent else { return Folder.topFolderFetch() }
    return Folder.fetch(NSPredicate(format: "%K == %@", FolderProperties.parent, parent))
  }

  /// Also one that is hidden.
  private func find(_ id: UUID) throws -> Folder? {
    try context.fetch(
      Folder.fetch(NSPredicate(format: "%K == %@", FolderProperties.uuid, id as any CVarArg))
    ).first
  }
}
