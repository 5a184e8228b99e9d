import CoreData
import Foundation

/// Which notes some titles mean, looked up once for all of them.
///
/// ```swift
/// var titles = try TitleDirectory(of: ["Slip boxes", "Faults"], in: context)
/// titles["slip boxes"]        the oldest note of that title which is not in the trash
/// titles.add("Faults", id)    counts where there was none
/// ```
struct TitleDirectory: Sendable {
  /// By titles without case and accents.
  private var notes: [String: UUID] = [:]

  init(of titles: some Sequence<String>, in context: NSManagedObjectContext) throws {
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
  }

  /// The oldest note of a title that is not in the trash; nil when there is none.
  subscript(title: String) -> UUID? { notes[title.canonical] }

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
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [
      NoteProperties.canonicalTitle, NoteProperties.uuid, NoteProperties.creationDate,
    ]
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [
        NotePlace.alive, NSPredicate(format: "%K IN %@", NoteProperties.canonicalTitle, titles),
      ])
    // No order: the store would walk along all notes by their dates to find some titles.
    let found = try context.fetch(request).sorted { Self.date(of: $0) < Self.date(of: $1) }
    for record in found {
      guard let title = record[NoteProperties.canonicalTitle] as? String,
        let note = record[NoteProperties.uuid] as? UUID
      else { continue }
      if notes[title] == nil { notes[title] = note }
    }
  }
}
