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
    let ids = sketches.map(\.id)
    made.notes.formUnion(ids)
    try await writePortions(of: ids, by: author) { ids, context in
      for id in ids {
        let note = Note(context: context)
        note.uuid_ = id
        note.creationDate = now
        note.modificationDate_ = now
        note.trashedDate_ = mark.date
        note.erasedDate_ = mark.date
      }
    }
  }

  /// Puts texts and all else into the rows of some notes, and returns how long that took the writer.
  func write(
    _ drafts: [ImportedDraft],
    into folder: UUID?,
    _ mark: ImportMark,
    by author: String?,
    _ made: inout Made
  ) async throws -> Duration {
    if drafts.isEmpty { return .zero }
    let (now, before) = (now(), made)
    let (portion, began) = try await write(by: author) { context in
      let began = ContinuousClock.now
      let outer = try folder.map { try context.openFolder($0) }
      let request = Note.fetch(
        NSPredicate(format: "%K IN %@", NoteProperties.uuid, drafts.map(\.id))
      )
      let rows = Dictionary(try context.fetch(request).map { ($0.uuid, $0) }) { first, _ in first }
      var writing = ImportWriting(before, in: context, outer: outer, mark: mark, now: now)
      for draft in drafts {
        guard let note = rows[draft.id] else { continue }
        try writing.write(draft, into: note)
      }
      try context.save()
      // Pictures shall not stay in memory.
      context.reset()
      return (writing.made, began)
    }
    made.add(portion)
    return .now - began
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
    var (pace, start) = (WritingPace(first: 20, most: 200), 0)
    while start < facts.folders.count {
      let paths = facts.folders[start..<min(start + pace.count, facts.folders.count)]
      let (now, before) = (now(), made)
      let (portion, began) = try await write(by: author) { context in
        let began = ContinuousClock.now
        let outer = try folder.map { try context.openFolder($0) }
        var writing = ImportWriting(before, in: context, outer: outer, mark: mark, now: now)
        for path in paths { try writing.makeFolder(facts.root + path) }
        try context.save()
        context.reset()
        return (writing.made, began)
      }
      pace.took(.now - began, for: paths.count)
      made.add(portion)
      start = paths.endIndex
      try Task.checkCancellation()
    }
    if facts.keywords.isEmpty { return }
    let keywords = made.keywords
    try await write(by: author) { context in
      for id in keywords {
        guard let keyword = try Keyword.find(id, in: context),
          let colour = facts.keywords[keyword.name].flatMap(Colour.init(hex:))
        else { continue }
        keyword.color = colour
      }
    }
  }
}

extension Library {
  /// Gives notes that were made the links that they have beside their texts.
  func link(_ sketches: [ImportSketch], _ facts: SlipboxFacts, by author: String?) async throws {
    if facts.links.isEmpty { return }
    let ids = Dictionary(sketches.map { ($0.path, $0.id) }) { first, _ in first }
    let links = sketches.flatMap { sketch in
      facts.relative(sketch.path).flatMap { facts.links[$0] }.map { others in
        others.compactMap { ids[facts.root + $0] }.filter { $0 != sketch.id }
          .map { (from: sketch.id, to: $0) }
      } ?? []
    }
    try await writePortions(of: links, most: 250, by: author) { some, context in
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
  }
}

extension Library {
  /// Gives the folders that were made the order of their names: an archive has them in any.
  func putInOrder(_ folders: [String: UUID], by author: String?) async throws {
    if folders.count < 2 { return }
    let orders = try await orders(of: Array(folders.values))
    var changed: [(id: UUID, order: Int64)] = []
    for siblings in Dictionary(grouping: folders, by: { ImportPath.folder(of: $0.key) }).values {
      let named = siblings.sorted {
        ImportPath.name(of: $0.key).localizedStandardCompare(ImportPath.name(of: $1.key))
          == .orderedAscending
      }
      let places = siblings.compactMap { orders[$0.value] }.sorted()
      for (folder, order) in zip(named, places) where orders[folder.value] != order {
        changed.append((folder.value, order))
      }
    }
    try await writePortions(of: changed, most: 200, by: author) { some, context in
      let orders = Dictionary(some.map { ($0.id, $0.order) }) { first, _ in first }
      let request = Folder.fetch(
        NSPredicate(format: "%K IN %@", FolderProperties.uuid, Array(orders.keys))
      )
      for folder in try context.fetch(request) {
        if let order = orders[folder.uuid] { folder.order = order }
      }
      try context.save()
      context.reset()
    }
  }

  private func orders(of ids: [UUID]) async throws -> [UUID: Int64] {
    try await read { context in
      var orders: [UUID: Int64] = [:]
      for start in stride(from: 0, to: ids.count, by: 500) {
        let request = NSFetchRequest<NSDictionary>(entityName: "Folder")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [FolderProperties.uuid, FolderProperties.order]
        let some = Array(ids[start..<min(start + 500, ids.count)])
        request.predicate = NSPredicate(format: "%K IN %@", FolderProperties.uuid, some)
        for row in try context.fetch(request) {
          guard let id = row[FolderProperties.uuid] as? UUID else { continue }
          orders[id] = (row[FolderProperties.order] as? NSNumber)?.int64Value ?? 0
        }
      }
      return orders
    }
  }
}

/// A portion of an import while it is written.
private struct ImportWriting {
  let context: NSManagedObjectContext
  let outer: Folder?
  let mark: ImportMark
  let now: Date
  /// The objects that earlier portions have made.
  private let before: Made
  /// Those that this one has made.
  private(set) var made = Made()

  /// Folders of this portion by their paths.
  private var folders: [String: Folder] = [:]

  init(
    _ before: Made,
    in context: NSManagedObjectContext,
    outer: Folder?,
    mark: ImportMark,
    now: Date
  ) {
    self.before = before
    self.context = context
    self.outer = outer
    self.mark = mark
    self.now = now
  }

  mutating func write(_ draft: ImportedDraft, into note: Note) throws {
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
    note.keywords = Set(try draft.keywords.map { try keyword($0) })
    note.aliases = draft.aliases
    try note.takeProperties(draft.properties, in: context)
    note.folder = try folder(draft.folder)
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

  private mutating func keyword(_ name: String) throws -> Keyword {
    let keyword = try context.keyword(KeywordChoice(name: name))
    if keyword.isInserted { made.keywords.insert(keyword.uuid) }
    return keyword
  }

  /// The folder of a path, made with those around it if they do not exist.
  ///
  /// A folder that is there already under that name, and was not made by this import, is taken too.
  private mutating func folder(_ path: String) throws -> Folder? {
    if path.isEmpty { return outer }
    if let known = folders[path] { return known }
    if let id = made.folders[path] ?? before.folders[path], let known = try find(id) {
      folders[path] = known
      return known
    }
    let parts = path.split(separator: "/")
    // Deeper than anybody files: folders below are merged into the last.
    let place = parts.dropLast().prefix(Self.maximumDepth).joined(separator: "/")
    let parent = try folder(place)
    if parts.count > Self.maximumDepth { return parent }
    let name = try Given.name(String(parts.last ?? "Folder"), of: "folder")
    let shelf = try shelf(of: parent, at: place)
    if let id = shelf?.folder(name), let known = try find(id) {
      folders[path] = known
      return known
    }
    let folder = Folder(name: name, context: context)
    folder.creationDate_ = now
    folder.parent = parent
    folder.order = Int64((shelf?.count ?? 0) + before.folders.count + made.folders.count)
    folder.trashedDate_ = mark.date
    folder.erasedDate_ = mark.date
    made.folders[path] = folder.uuid
    folders[path] = folder
    return folder
  }

  mutating func makeFolder(_ path: String) throws {
    _ = try folder(path)
  }

  private static let maximumDepth = 20

  /// The folders that a folder had before the import; `nil` for one that the import has made.
  private mutating func shelf(of parent: Folder?, at path: String) throws -> FolderShelf? {
    if made.folders[path] ?? before.folders[path] != nil { return nil }
    if let known = made.shelves[path] ?? before.shelves[path] { return known }
    let shelf = try FolderShelf(of: parent, in: context)
    made.shelves[path] = shelf
    return shelf
  }

  /// Also one that is hidden.
  private func find(_ id: UUID) throws -> Folder? {
    try context.fetch(
      Folder.fetch(NSPredicate(format: "%K == %@", FolderProperties.uuid, id as any CVarArg))
    ).first
  }
}
