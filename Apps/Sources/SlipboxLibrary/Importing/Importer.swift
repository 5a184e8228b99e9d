import CoreData
import Foundation
import RichText

/// Brings files into a slip box, so that all of them are there or none.
///
/// ```
/// look     the notes and their names                                  nothing is written
/// make     a row for each, hidden                                    links can lead to all of them
/// read     each file, with its pictures, in portions                 texts come into the rows, one import's at a time
/// show     one statement                                             all are there at once
/// ```
///
/// The written rows go if something fails in between, or if the program is ended.
struct Importer: Sendable {
  let library: Library
  let source: ImportSource
  let folder: UUID?
  let author: String?
  let job: Job

  /// How many rows are written at once, at most.
  private static let portion = 100
  /// How many bytes of files are in memory at once, about.
  private static let patience = 16 << 20

  func run() async throws -> ImportReport {
    try await library.read { [folder] context in
      if let folder { _ = try context.openFolder(folder) }
    }
    var survey = ImportSurvey(source, in: library.folder)
    for index in source.entries.indices {
      try Task.checkCancellation()
      survey.look(at: index)
      job.went(to: index + 1, of: source.entries.count, "Reading titles")
    }
    survey.finish()
    let mark = ImportMark(date: library.now() + ImportMark.patience)
    var made = Made()
    do {
      return try await write(survey, mark, &made)
    } catch {
      try await library.hide(made, by: author)
      throw error
    }
  }

  private func write(
    _ survey: ImportSurvey,
    _ mark: ImportMark,
    _ made: inout Made
  ) async throws -> ImportReport {
    let wanted = survey.wanted
    let others = try await library.read { try TitleDirectory(of: wanted, byFile: true, in: $0) }
    let sketches = try await freed(survey.sketches)
    let directory = ImportDirectory(survey.with(sketches), source, others: others)
    try await library.makeRows(sketches, mark, by: author, &made)
    var reader = ImportReader(source, survey, directory, in: library.folder)
    var report = ImportReport(refused: survey.refused)
    var (next, pace) = (0, WritingPace(first: 10, most: Self.portion))
    while next < sketches.count {
      try await library.importTurns.take()
      defer { library.importTurns.leave() }
      let drafts = try await portion(
        of: sketches,
        from: &next,
        upTo: pace.count,
        &reader,
        &report,
        &made
      )
      let took = try await library.write(drafts, into: folder, mark, by: author, &made)
      pace.took(took, for: drafts.count)
      report.add(drafts)
    }
    try await library.write(survey.facts, into: folder, mark, by: author, &made)
    try await library.link(sketches.filter { made.notes.contains($0.id) }, survey.facts, by: author)
    report.refused += reader.refused
    report.embedded = reader.embeddedCount
    report.changes = reader.changes
    report.tell(unused: reader.unused(of: survey.attachments), of: source)
    try await library.putInOrder(made.folders, by: author)
    report.folders = made.folders.count
    made.areShown = true
    report.undo = try await library.show(made, by: author)
    try await library.answerLooseLinks(to: made.notes, by: author)
    return report
  }

  /// Reads as many files as shall be in memory at once; those that cannot be read are told.
  private func portion(
    of sketches: [ImportSketch],
    from next: inout Int,
    upTo most: Int,
    _ reader: inout ImportReader,
    _ report: inout ImportReport,
    _ made: inout Made
  ) async throws -> [ImportedDraft] {
    var drafts: [ImportedDraft] = []
    var byteCount = 0
    while next < sketches.count, drafts.count < most, byteCount <= Self.patience {
      try Task.checkCancellation()
      let sketch = sketches[next]
      next += 1
      do {
        let draft = try await sketch.format.read(sketch, &reader)
        // Its blocks, RTF, document and words, and the file's own bytes: six times the RTF, as measured.
        byteCount += draft.newFiles.reduce(0) { $0 + $1.data.count } + draft.text.rtf.count * 6
        drafts.append(draft)
      } catch let error where !(error is CancellationError) {
        report.refused.append(.init(name: sketch.path, reason: ImportReason.sentence(error)))
        made.notes.remove(sketch.id)
      }
      job.went(to: next, of: sketches.count, "Bringing in notes")
    }
    return drafts
  }

  /// The notes, with new identifiers for those whose own is taken.
  private func freed(_ sketches: [ImportSketch]) async throws -> [ImportSketch] {
    let ids = sketches.map(\.id)
    var taken = try await library.read { context in
      var taken: Set<UUID> = []
      for start in stride(from: 0, to: ids.count, by: 500) {
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [NoteProperties.uuid]
        let some = Array(ids[start..<min(start + 500, ids.count)])
        request.predicate = NSPredicate(format: "%K IN %@", NoteProperties.uuid, some)
        taken.formUnion(try context.fetch(request).compactMap { $0[NoteProperties.uuid] as? UUID })
      }
      return taken
    }
    return sketches.map { sketch in
      var sketch = sketch
      if !taken.insert(sketch.id).inserted { sketch.id = UUID() }
      return sketch
    }
  }
}

extension ImportSurvey {
  func with(_ sketches: [ImportSketch]) -> ImportSurvey {
    var survey = self
    survey.sketches = sketches
    return survey
  }
}

/// The objects that an import has made.
struct Made: Sendable {
  var notes: Set<UUID> = []
  var folders: [String: UUID] = [:]
  var keywords: Set<UUID> = []
  var files: Set<UUID> = []
  /// Whether somebody may have seen them.
  var areShown = false
  /// The folders that were there before, in those that the import has looked into, by the paths of these.
  var shelves: [String: FolderShelf] = [:]

  /// Takes over what a portion has made.
  mutating func add(_ portion: Made) {
    notes.formUnion(portion.notes)
    folders.merge(portion.folders) { $1 }
    keywords.formUnion(portion.keywords)
    files.formUnion(portion.files)
    shelves.merge(portion.shelves) { $1 }
  }
}

/// The folders in a folder before an import: read once, because a folder may have very many.
struct FolderShelf: Sendable {
  private(set) var count = 0
  private var named: [String: UUID] = [:]
  private var alike: [String: UUID] = [:]

  init(of parent: Folder?, in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "Folder")
    request.resultType = .dictionaryResultType
    request.predicate =
      parent.map { NSPredicate(format: "%K == %@", FolderProperties.parent, $0) }
      ?? NSPredicate(format: "%K == nil", FolderProperties.parent)
    request.propertiesToFetch = [
      FolderProperties.name, FolderProperties.uuid, FolderProperties.trashedDate,
    ]
    for row in try context.fetch(request) {
      count += 1
      guard row[FolderProperties.trashedDate] == nil,
        let name = row[FolderProperties.name] as? String,
        let id = row[FolderProperties.uuid] as? UUID
      else { continue }
      if named[name] == nil { named[name] = id }
      if alike[name.canonical] == nil { alike[name.canonical] = id }
    }
  }

  /// The folder of a name, or of one that differs in letters' case and accents alone.
  func folder(_ name: String) -> UUID? { named[name] ?? alike[name.canonical] }
}

/// The date that hides what is being imported: as if it had been deleted, until all of it is there.
struct ImportMark: Sendable {
  let date: Date

  /// Longer than any import takes; half-finished ones are deleted after it.
  static let patience: TimeInterval = 86_400
}

/// The result of an import.
public struct ImportReport: Encodable, Sendable {
  /// How many notes came in.
  public private(set) var notes = 0
  public var folders = 0
  /// How many pictures and other files.
  public private(set) var files = 0
  /// How many files no note speaks of; they were left out.
  public private(set) var unused = 0
  /// The paths of the first of them.
  public private(set) var unusedNames: [String] = []
  /// How often a text showed another note inside of itself, for which it has a link now.
  public var embedded = 0
  /// The other parts that became something else in the texts; for each kind how often, and where first.
  public internal(set) var changes: [ImportedChange] = []
  @OrNull public private(set) var first: String?
  /// The notes, as long as they are few.
  private(set) var ids: [UUID] = []
  public var refused: [ImportedNotes.Refusal]
  /// Of more, only the number is told.
  public private(set) var refusedCount = 0
  @OrNull public var undo: String?

  private static let mostIDs = 500
  private static let mostNames = 200

  private enum CodingKeys: String, CodingKey {
    case notes, folders, files, unused, unusedNames, embedded, changes, first, refused, refusedCount
    case undo
  }

  init(refused: [ImportedNotes.Refusal]) {
    self.refused = refused
  }

  mutating func add(_ drafts: [ImportedDraft]) {
    if first == nil { first = drafts.first?.id.text }
    notes += drafts.count
    if ids.count < Self.mostIDs { ids += drafts.map(\.id) }
    files += drafts.reduce(0) { $0 + $1.newFiles.count }
  }

  /// In a tree of files there are many that no note speaks of; one that was chosen alone was to become a note.
  mutating func tell(unused: [Int], of source: ImportSource) {
    guard !source.isTree else {
      self.unused = unused.count
      unusedNames = unused.prefix(Self.mostNames).map { source.entries[$0].path }
      return
    }
    refused += unused.map { index in
      .init(
        name: source.entries[index].path,
        reason: "Files of \(NoteFormats.names) can be imported, and archives of them."
      )
    }
    let order = Dictionary(source.entries.enumerated().map { ($1.path, $0) }) { first, _ in first }
    refused.sort { (order[$0.name] ?? .max) < (order[$1.name] ?? .max) }
  }

  /// The same with no more refusals than anybody reads.
  func shortened() -> ImportReport {
    var report = self
    report.refusedCount = refused.count
    report.refused = Array(refused.prefix(500))
    return report
  }
}
