import CoreData
import Foundation
import RichText

/// Which notes some titles mean, looked up once for all of them.
///
/// ```swift
/// var titles = try TitleDirectory(of: ["Slip boxes", "Faults"], in: context)
/// titles["slip boxes"]        the oldest note of that title which is not in the trash
/// ```
///
/// Case does not distinguish titles, as in the links of other programs. Accents do if there are both “Resume” and
/// “Résumé”.
///
/// With `byFile`, names are also those that exports give to files:
///
/// ```swift
/// titles["C-"]                a note called “C#”, which no link of other programs can name
/// titles["Work/Meeting"]      the one in that folder, if another note has the title, too
/// ```
struct TitleDirectory: Sendable {
  /// By titles without case and accents.
  private var notes: [String: UUID] = [:]
  /// By titles without case alone.
  private var accented: [String: UUID] = [:]

  init(
    of titles: some Sequence<String>,
    byFile: Bool = false,
    in context: NSManagedObjectContext
  ) throws {
    var wanted = Array(Set(titles.lazy.map(\.canonical)))[...]
    let all = wanted
    while !wanted.isEmpty {
      try find(Array(wanted.prefix(Self.portion)), in: context)
      wanted = wanted.dropFirst(Self.portion)
    }
    // A title comes before another name.
    wanted = all.filter { notes[$0] == nil }[...]
    while !wanted.isEmpty {
      try findAliases(Array(wanted.prefix(Self.portion)), in: context)
      wanted = wanted.dropFirst(Self.portion)
    }
    guard byFile else { return }
    let others = all.filter { notes[$0] == nil }
    try findFileNames(Set(others.lazy.filter { $0.contains("-") }), in: context)
    try findPaths(Set(others.lazy.filter { $0.contains("/") }), in: context)
  }

  /// The oldest note of a title that is not in the trash, with its accents if there is one; `nil` if there is none.
  subscript(title: String) -> UUID? { accented[title.lowercased()] ?? notes[title.canonical] }

  /// How many titles one statement asks for.
  private static let portion = 500

  private mutating func findAliases(
    _ names: [String],
    in context: NSManagedObjectContext
  ) throws {
    let request = NSFetchRequest<Alias>(entityName: "Alias")
    request.predicate = NSPredicate(
      format: "%K IN %@ AND note != nil AND note.trashedDate_ == nil",
      AliasProperties.canonicalName,
      names
    )
    request.relationshipKeyPathsForPrefetching = [AliasProperties.note]
    for alias in try context.fetch(request) {
      guard let name = alias.canonicalName, let note = alias.note else { continue }
      if notes[name] == nil { notes[name] = note.uuid }
    }
  }

  private static func date(of record: NSDictionary) -> Date {
    record[NoteProperties.creationDate] as? Date ?? .distantPast
  }

  private mutating func find(_ titles: [String], in context: NSManagedObjectContext) throws {
    let titled = NSPredicate(format: "%K IN %@", NoteProperties.canonicalTitle, titles)
    let (canonical, title) = (NoteProperties.canonicalTitle, NoteProperties.title)
    for record in try Self.records(titled, canonical, title, in: context) {
      guard let name = record[canonical] as? String else { continue }
      add(record, as: name)
      guard let written = (record[title] as? String)?.lowercased(), accented[written] == nil
      else { continue }
      accented[written] = record[NoteProperties.uuid] as? UUID
    }
  }

  /// The properties of the notes that are not in the trash and that a predicate admits, oldest first.
  private static func records(
    _ predicate: NSPredicate,
    _ properties: String...,
    in context: NSManagedObjectContext
  ) throws -> [NSDictionary] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    let always = [NoteProperties.uuid, NoteProperties.creationDate]
    request.propertiesToFetch = always + properties
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [NotePlace.alive, predicate]
    )
    // No order: the store would walk along all notes by their dates to find some titles.
    return try context.fetch(request).sorted { date(of: $0) < date(of: $1) }
  }

  private mutating func add(_ record: NSDictionary, as name: String) {
    guard notes[name] == nil, let note = record[NoteProperties.uuid] as? UUID else { return }
    notes[name] = note
  }
}

// MARK: - Names of files

extension TitleDirectory {
  /// Finds notes whose titles no link can have in it by the names that their files have.
  private mutating func findFileNames(
    _ names: Set<String>,
    in context: NSManagedObjectContext
  ) throws {
    if names.isEmpty { return }
    let signs = MarkdownNames.signsOfLinks.map {
      NSPredicate(format: "%K CONTAINS %@", NoteProperties.canonicalTitle, String($0))
    }
    let unnameable = NSCompoundPredicate(orPredicateWithSubpredicates: signs)
    for record in try Self.records(unnameable, NoteProperties.title, in: context) {
      guard let title = record[NoteProperties.title] as? String else { continue }
      let name = FileName.of(title, else: "").canonical
      if names.contains(name) { add(record, as: name) }
    }
  }

  private static let folder = "\(NoteProperties.folder).\(FolderProperties.uuid)"

  /// Finds notes by the folders that they lie in and their titles.
  private mutating func findPaths(
    _ paths: Set<String>,
    in context: NSManagedObjectContext
  ) throws {
    var titles = Array(Set(paths.map { ImportPath.name(of: $0) }))[...]
    var folders: [UUID: String] = [:]
    while !titles.isEmpty {
      let filed = NSPredicate(
        format: "%K != nil AND %K IN %@",
        NoteProperties.folder,
        NoteProperties.canonicalTitle,
        Array(titles.prefix(Self.portion))
      )
      titles = titles.dropFirst(Self.portion)
      let found = try Self.records(filed, NoteProperties.canonicalTitle, Self.folder, in: context)
      for record in found {
        guard let title = record[NoteProperties.canonicalTitle] as? String,
          let id = record[Self.folder] as? UUID
        else { continue }
        let folder = try folders[id] ?? Folder.find(id, in: context)?.path.canonical ?? ""
        folders[id] = folder
        let path = "\(folder)/\(title)"
        if paths.contains(path) { add(record, as: path) }
      }
    }
  }
}
