import Archives
import CoreData
public import Foundation
import Pictures
import RichText

/// Writes everything as a zip archive that other programs read: Markdown with the facts about each note at its
/// beginning, in folders as here, and the pictures and files beside them.
///
/// ```
/// Reading/Slip boxes.md
/// Reading/Slip boxes 2.md         of two notes of one title, the later
/// files/Tree.png
/// ```
///
/// Importing it gives the same notes. Notes in the trash stay there.
struct Exporter: Sendable {
  let library: Library
  let descriptor: Int32
  let job: Job
  /// The notes that are wanted; nil for all of them.
  var notes: [UUID]?
  /// Whether pictures leave with the place, time and camera of the photographs.
  let keepsMetadata: Bool

  private static let portion = 100

  func run() async throws {
    let wanted = notes
    let plan = try await library.read { try ExportPlan(in: $0, only: wanted.map(Set.init)) }
    var archive = ZipWriter(descriptor)
    var facts = plan.facts
    let total = plan.notes.count + plan.files.count
    var done = 0
    for start in stride(from: 0, to: plan.notes.count, by: Self.portion) {
      try Task.checkCancellation()
      let some = plan.notes[start..<min(start + Self.portion, plan.notes.count)]
      for file in try await library.read({ try plan.contents(of: some, in: $0) }) {
        try archive.add(file.path, file.data, date: file.date)
        if !file.linked.isEmpty { facts.links[file.path] = file.linked }
      }
      done += some.count
      job.went(to: done, of: total, "Writing notes")
    }
    for file in plan.files {
      try Task.checkCancellation()
      if let data = try await library.data(of: file, keepsMetadata: keepsMetadata) {
        try archive.add(file.path, data, date: plan.date, isPressed: !file.isPicture)
      }
      done += 1
      job.went(to: done, of: total, "Writing pictures and files")
    }
    try archive.add(SlipboxFacts.name, facts.data, date: plan.date)
    try archive.finish()
  }
}

extension Library {
  /// Writes all notes that are not in the trash, with their pictures and files, as a zip archive.
  ///
  /// It is a copy for the writer: pictures are in it as they were put in.
  ///
  /// - Parameters:
  ///   - descriptor: A file that is open for writing.
  ///   - job: The job that is told of the progress.
  /// - Throws: A `CancellationError` if the task was cancelled; the file is not an archive then.
  public func exportAll(to descriptor: Int32, job: Job = Job()) async throws {
    try await Exporter(library: self, descriptor: descriptor, job: job, keepsMetadata: true).run()
  }

  /// Writes some notes with their pictures and files as a zip archive; see ``exportAll(to:job:)``.
  ///
  /// A picture leaves without the place, time and camera of the photograph, unless `keepsMetadata` is true.
  public func export(
    _ notes: [UUID],
    to descriptor: Int32,
    keepsMetadata: Bool = false,
    job: Job = Job()
  ) async throws {
    try await Exporter(
      library: self,
      descriptor: descriptor,
      job: job,
      notes: notes,
      keepsMetadata: keepsMetadata
    )
    .run()
  }

  /// Writes a note with its pictures and files as a zip archive, and returns the name of the note as a file.
  ///
  /// A picture leaves without the place, time and camera of the photograph, unless `keepsMetadata` is true.
  func exportArchive(
    of id: UUID,
    to descriptor: Int32,
    keepsMetadata: Bool
  ) async throws -> String {
    let (plan, files) = try await read { context in
      let plan = try ExportPlan(note: id, in: context)
      return (plan, try plan.contents(of: plan.notes[...], in: context))
    }
    var archive = ZipWriter(descriptor)
    for file in files { try archive.add(file.path, file.data, date: file.date) }
    for file in plan.files {
      if let data = try await data(of: file, keepsMetadata: keepsMetadata) {
        try archive.add(file.path, data, date: plan.date, isPressed: !file.isPicture)
      }
    }
    try archive.finish()
    return plan.notes.first.map { ImportPath.stem(of: $0.path) } ?? "Note"
  }

  /// The bytes of a file as they leave; nil for a picture that nothing can be taken out of.
  fileprivate func data(
    of file: ExportPlan.PlannedFile,
    keepsMetadata: Bool
  ) async throws -> Data? {
    guard let original = try await data(of: file.object) else { return nil }
    if keepsMetadata || !file.isPicture { return original }
    if let silent = Picture.withoutMetadata(original) { return silent }
    // A picture whose metadata cannot be removed leaves as it is seen here; a damaged picture is not seen.
    return try? await Picture.thumbnail(of: original, longestSide: 2400)
  }

  private func data(of attachment: NSManagedObjectID) async throws -> Data? {
    let context = pictures
    return try await context.perform {
      // Nothing of it stays behind.
      defer { context.reset() }
      let attachment = try context.existingObject(with: attachment) as? Attachment
      return attachment?.fullImageData
    }
  }
}

/// Where each note and each file will lie.
struct ExportPlan: Sendable {
  struct PlannedNote: Sendable {
    let id: UUID
    let path: String
    /// By what other notes link to it: its name, or its path where another has the name.
    var link: String
  }

  struct PlannedFile: Sendable {
    let object: NSManagedObjectID
    let path: String
    let isPicture: Bool
  }

  struct WrittenFile: Sendable {
    let path: String
    let data: Data
    let date: Date
    /// The files of the notes to which it has links beside its text.
    let linked: [String]
  }

  private(set) var notes: [PlannedNote] = []
  private(set) var files: [PlannedFile] = []
  private(set) var facts = SlipboxFacts()
  private var links: [UUID: String] = [:]
  private var pathsOfNotes: [UUID: String] = [:]
  /// The paths of files in texts, and of the pictures of notes.
  private var pathsOfFiles: [UUID: String] = [:]
  private var pathsOfPictures: [NSManagedObjectID: String] = [:]
  let date = Date()

  private var names = FreeNames()
  /// The names of the archive's notes, which links in it mean; `nil` if nothing is left out.
  private var ownNames: Set<String>?

  /// Everything that is not in the trash, or some of it.
  init(in context: NSManagedObjectContext, only wanted: Set<UUID>? = nil) throws {
    let folders = try Self.paths(ofFoldersIn: context)
    if wanted != nil { ownNames = [] }
    var counts: [String: Int] = [:]
    var position = 0
    let request = Note.fetch(NotePlace.alive)
    request.fetchLimit = 500
    while true {
      request.fetchOffset = position
      let some = try context.fetch(request)
      if some.isEmpty { break }
      position += some.count
      for note in some where wanted?.contains(note.uuid) ?? true {
        let folder = note.folder.flatMap { folders[$0.uuid] } ?? ""
        let path = names.free(FileName.of(note.title, else: "Note"), "md", in: folder)
        notes.append(PlannedNote(id: note.uuid, path: path, link: ImportPath.stem(of: path)))
        for mark in NoteMark.allCases where mark.exportedList != nil && note[mark] {
          facts.marked[mark, default: []].append(path)
        }
        for keyword in note.keywords { facts.keywords[keyword.name] = keyword.color.css }
        counts[ImportPath.stem(of: path).canonical, default: 0] += 1
        ownNames?.formUnion([note.title.canonical, String(path.dropLast(3)).canonical])
      }
    }
    for index in notes.indices {
      if counts[notes[index].link.canonical] != 1 {
        notes[index].link = String(notes[index].path.dropLast(3))
      }
      links[notes[index].id] = notes[index].link
      pathsOfNotes[notes[index].id] = notes[index].path
    }
    ownNames?.formUnion(counts.keys)
    if wanted == nil { facts.folders = emptyFolders(Array(folders.values)) }
    try plan(
      wanted == nil ? Self.attachments(in: context) : Self.attachments(of: notes, in: context)
    )
  }

  /// The folders that no file of the archive lies in.
  private func emptyFolders(_ paths: [String]) -> [String] {
    var used: Set<String> = []
    for note in notes {
      var place = note.path.split(separator: "/").dropLast()
      while !place.isEmpty, used.insert(place.joined(separator: "/")).inserted {
        place = place.dropLast()
      }
    }
    return paths.filter { !used.contains($0) }.sorted()
  }

  private static func attachments(
    of notes: [PlannedNote],
    in context: NSManagedObjectContext
  ) throws -> [Attachment] {
    let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, notes.map(\.id)))
    var seen: Set<NSManagedObjectID> = []
    return try context.fetch(request)
      .flatMap { shown(of: $0) }
      .filter { seen.insert($0.objectID).inserted }
  }

  /// One note, which speaks of others by their titles.
  init(note id: UUID, in context: NSManagedObjectContext) throws {
    let note = try context.note(id)
    let path = names.free(FileName.of(note.title, else: "Note"), "md", in: "")
    notes = [PlannedNote(id: id, path: path, link: path)]
    let found = try note.titlesOfLinks(in: note.formattedBodyText)
    for linked in note.formattedBodyText.links + note.linksOfProperties {
      links[linked] = found(linked)
    }
    try plan(Self.shown(of: note))
  }

  /// The pictures and files that a reader of a note sees: those taken out of its text stay here.
  private static func shown(of note: Note) -> [Attachment] {
    let own = note.attachment.map { [$0] } ?? []
    if note.files.isEmpty { return own }
    let named = Set(note.formattedBodyText.files)
    return note.files.filter { named.contains($0.uuid) } + own
  }

  private mutating func plan(_ attachments: [Attachment]) throws {
    for attachment in attachments {
      let (stem, ending) = FileName.parts(of: attachment.name, else: "file")
      let path = names.free(stem, ending, in: Self.folder)
      if let id = attachment.uuid_ { pathsOfFiles[id] = path }
      pathsOfPictures[attachment.objectID] = path
      files.append(
        PlannedFile(object: attachment.objectID, path: path, isPicture: attachment.isPicture)
      )
    }
  }

  private static let folder = "files"

  /// The files of notes that are not in the trash.
  private static func attachments(in context: NSManagedObjectContext) throws -> [Attachment] {
    let request = NSFetchRequest<Attachment>(entityName: "Attachment")
    request.predicate = NSPredicate(
      format:
        "note.trashedDate_ == nil AND note != nil OR SUBQUERY(notes_, $n, $n.trashedDate_ == nil).@count > 0"
    )
    request.sortDescriptors = [NSSortDescriptor(key: "name_", ascending: true)]
    return try context.fetch(request)
  }

  private static func paths(ofFoldersIn context: NSManagedObjectContext) throws -> [UUID: String] {
    var names = FreeNames()
    var paths: [UUID: String] = [:]
    let all = try context.fetch(Folder.fetch()).filter { !$0.isTrashed }.sorted()
    var waiting = all.filter { $0.parent == nil }
    var next = 0
    while next < waiting.count {
      let folder = waiting[next]
      let outer = folder.parent.flatMap { paths[$0.uuid] } ?? ""
      paths[folder.uuid] = names.free(FileName.of(folder.name, else: "Folder"), "", in: outer)
      waiting += folder.children.sorted().filter { !$0.isTrashed && paths[$0.uuid] == nil }
      next += 1
    }
    return paths
  }
}

// MARK: - Contents

extension ExportPlan {
  func contents(
    of notes: ArraySlice<PlannedNote>,
    in context: NSManagedObjectContext
  ) throws -> [WrittenFile] {
    let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, notes.map(\.id)))
    let found = Dictionary(try context.fetch(request).map { ($0.uuid, $0) }) { first, _ in first }
    let others = try namesOfOthers(linkedBy: found.values, in: context)
    return try notes.compactMap { planned in
      guard let note = found[planned.id] else { return nil }
      return WrittenFile(
        path: planned.path,
        data: Data(contents(of: note, at: planned.path, others).utf8),
        date: note.modificationDate,
        linked: try linkedBeside(note)
      )
    }
  }

  private func linkedBeside(_ note: Note) throws -> [String] {
    let linked = try LinkedNotes(NoteProperties.linkedNotes, of: note).all
    if linked.isEmpty { return [] }
    let inText = Set(note.formattedBodyText.links + note.linksOfProperties)
    return linked.filter { !inText.contains($0.uuid) }.compactMap { pathsOfNotes[$0.uuid] }.sorted()
  }

  /// The titles of linked notes that were not chosen, if no note of the archive has that name.
  private func namesOfOthers(
    linkedBy notes: some Sequence<Note>,
    in context: NSManagedObjectContext
  ) throws -> [UUID: String] {
    guard let ownNames else { return [:] }
    let linked = Set(notes.flatMap { $0.formattedBodyText.links + $0.linksOfProperties })
      .filter { links[$0] == nil }
    return try Note.linkNames(of: Array(linked), in: context)
      .filter { !ownNames.contains($0.value.canonical) }
  }

  private func contents(of note: Note, at path: String, _ others: [UUID: String]) -> String {
    var file = MarkdownFile(
      title: note.title,
      keywords: note.keywords.sorted().map(\.name),
      status: note.status.word,
      text: note.formattedBodyText
    )
    file.id = note.uuid
    file.aliases = note.aliases
    file.properties = note.writtenProperties
    file.created = note.creationDate
    file.modified = note.modificationDate
    file.isFavourite = note.isFavorite
    let depth = path.split(separator: "/").count - 1
    let up = String(repeating: "../", count: depth)
    file.picture = note.attachment.flatMap { pathsOfPictures[$0.objectID] }.map { up + $0 }
    return file.contents(
      with: MarkdownNames(
        titleOf: { links[$0] ?? others[$0] },
        pathOf: { pathsOfFiles[$0].map { up + $0 } }
      )
    )
  }
}

/// Names of files that no two files of a folder have, whatever their case.
private struct FreeNames: Sendable {
  private var taken: Set<String> = []
  /// The next number of a name that was taken.
  private var next: [String: Int] = [:]

  mutating func free(_ stem: String, _ ending: String, in folder: String) -> String {
    let place = folder.isEmpty ? "" : folder + "/"
    let end = ending.isEmpty ? "" : "." + ending
    var path = place + stem + end
    let first = path.lowercased()
    var number = next[first] ?? 2
    while !taken.insert(path.lowercased()).inserted {
      path = "\(place)\(stem) \(number)\(end)"
      number += 1
    }
    next[first] = number
    return path
  }
}

/// Names that all file systems take, and that links can have in them.
enum FileName {
  static func of(_ text: String, else other: String) -> String {
    let name = beginning(of: plain(text)).trimmingCharacters(in: CharacterSet(charactersIn: ". "))
    return name.isEmpty ? other : besideDevices(name)
  }

  /// The same for the name of a file, which keeps its ending however long it is.
  static func parts(of file: String, else other: String) -> (stem: String, ending: String) {
    let name = plain(file)
    let ending = ImportPath.ending(of: name)
    // It is rather the end of a sentence with a dot in it.
    guard ending.utf8.count <= longestEnding else { return (of(name, else: other), "") }
    return (of(ImportPath.stem(of: name), else: other), ending)
  }

  private static let longestEnding = 16

  private static func plain(_ text: String) -> String {
    text.map { "/\\:*?\"<>|#^[]".contains($0) || $0.isNewline || isControl($0) ? "-" : $0 }
      .reduce(into: "") { $0.append($1) }
      .trimmingCharacters(in: .whitespaces)
  }

  private static func isControl(_ letter: Character) -> Bool {
    letter.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  /// Windows takes these names for devices, whatever follows their first dot.
  private static func besideDevices(_ name: String) -> String {
    let first = name.prefix { $0 != "." }
    guard devices.contains(first.trimmingCharacters(in: .whitespaces).lowercased()) else {
      return name
    }
    return "\(first)-\(name.dropFirst(first.count))"
  }

  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] }
  )

  /// As much of a name as there is room for.
  ///
  /// File systems take 255 bytes, of which a number and an ending need some; a letter of India is up to a dozen.
  private static func beginning(of name: String) -> Substring {
    var byteCount = 0
    return name.prefix(80).prefix { letter in
      byteCount += letter.utf8.count
      return byteCount <= 240
    }
  }
}
