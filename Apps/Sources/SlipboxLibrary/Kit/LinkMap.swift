import CoreData
public import Foundation

/// Notes as points, and their links as lines between them.
///
/// ```json
/// {"notes": [{"id": "…", "title": "Slots", "group": 2}], "links": [[0, 4], [4, 7]], "isWhole": true}
/// ```
public struct LinkMap: Encodable, Sendable {
  public struct Point: Encodable, Sendable, Equatable {
    public let id: String
    public let title: String
    /// The folder, by its place in the order of folders; 0 for none.
    public let group: Int
  }

  public private(set) var notes: [Point] = []
  /// Places in `notes`, from the note that links to the one it links to.
  public private(set) var links: [[Int]] = []
  /// Whether there were not more notes than are shown.
  public private(set) var isWhole = true
  private var places: [NSManagedObjectID: Int] = [:]

  private enum CodingKeys: CodingKey {
    case notes, links, isWhole
  }

  /// More points nobody can tell apart.
  static let mostNotes = 20_000
  static let mostAround = 200
}

extension Library {
  /// The map of all notes that are not in the trash, the ones made last first.
  ///
  /// Takes seconds with a hundred thousand notes, and nobody waits for it: it has a context of its own.
  public func map() async throws -> LinkMap {
    let context = controller.container.newBackgroundContext()
    return try await context.perform { try LinkMap(in: context) }
  }

  /// The notes around one, as many links away as `depth` says.
  public func map(around id: UUID, depth: Int) async throws -> LinkMap {
    try await read { try LinkMap(around: $0.note(id), depth: min(max(depth, 1), 3), in: $0) }
  }
}

extension LinkMap {
  fileprivate init(in context: NSManagedObjectContext) throws {
    let groups = try Self.groups(in: context)
    let request = Note.fetch(NotePlace.alive)
    request.sortDescriptors = [NSSortDescriptor(key: NoteProperties.creationDate, ascending: false)]
    request.fetchLimit = Self.mostNotes + 1
    let records = try Self.points(request, in: context)
    isWhole = records.count <= Self.mostNotes
    for record in records.prefix(Self.mostNotes) { add(record, groups) }
    let linking = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    linking.resultType = .managedObjectIDResultType
    linking.predicate = SearchTerm.and([
      NotePlace.alive, NSPredicate(format: "linkedNotes_.@count > 0"),
    ])
    linking.sortDescriptors = [NSSortDescriptor(key: NoteProperties.creationDate, ascending: false)]
    linking.fetchLimit = Self.mostNotes
    let ids = try context.fetch(linking)
    for start in stride(from: 0, to: ids.count, by: Self.portion) {
      try connect(Array(ids[start..<min(start + Self.portion, ids.count)]), in: context)
    }
  }

  /// Objects of so many notes are in memory at once.
  private static let portion = 500

  private mutating func connect(
    _ ids: [NSManagedObjectID],
    in context: NSManagedObjectContext
  ) throws {
    let request = Note.fetch(NSPredicate(format: "SELF IN %@", ids))
    request.includesPropertyValues = false
    request.relationshipKeyPathsForPrefetching = [NoteProperties.linkedNotes]
    for note in try context.fetch(request) {
      guard let from = places[note.objectID] else { continue }
      connect(from, note.linkedNotes)
    }
    context.reset()
  }

  fileprivate init(around note: Note, depth: Int, in context: NSManagedObjectContext) throws {
    let groups = try Self.groups(in: context)
    var found = [note]
    var seen: Set<Note> = [note]
    var ring = [note]
    for _ in 0..<depth {
      let next = ring.flatMap { $0.linkedNotes.union($0.backLinkedNotes).sorted() }
      ring = next.filter { !$0.isTrashed && seen.insert($0).inserted }
      found += ring
      if found.count > Self.mostAround { break }
    }
    isWhole = found.count <= Self.mostAround
    for note in found.prefix(Self.mostAround) {
      add(Record(note.objectID, note.uuid, note.title, note.folder?.objectID), groups)
    }
    for note in found.prefix(Self.mostAround) {
      guard let from = places[note.objectID] else { continue }
      connect(from, note.linkedNotes)
    }
  }

  private struct Record {
    let object: NSManagedObjectID
    let id: UUID
    let title: String
    let folder: NSManagedObjectID?

    init(_ object: NSManagedObjectID, _ id: UUID, _ title: String, _ folder: NSManagedObjectID?) {
      (self.object, self.id, self.title, self.folder) = (object, id, title, folder)
    }
  }

  private mutating func add(_ record: Record, _ groups: [NSManagedObjectID: Int]) {
    places[record.object] = notes.count
    let group = record.folder.flatMap { groups[$0] } ?? 0
    notes.append(Point(id: record.id.text, title: record.title, group: group))
  }

  private mutating func connect(_ from: Int, _ linked: Set<Note>) {
    links += linked.compactMap { places[$0.objectID] }.sorted().map { [from, $0] }
  }

  /// Identifiers and titles, without the rest of the notes.
  private static func points(
    _ notes: NSFetchRequest<Note>,
    in context: NSManagedObjectContext
  ) throws -> [Record] {
    let itself = NSExpressionDescription()
    itself.name = "object"
    itself.expression = .expressionForEvaluatedObject()
    itself.expressionResultType = .objectIDAttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [
      itself, NoteProperties.uuid, NoteProperties.title, NoteProperties.folder,
    ]
    request.predicate = notes.predicate
    request.sortDescriptors = notes.sortDescriptors
    request.fetchLimit = notes.fetchLimit
    return try context.fetch(request).compactMap { record in
      guard let object = record["object"] as? NSManagedObjectID,
        let id = record[NoteProperties.uuid] as? UUID
      else { return nil }
      return Record(
        object,
        id,
        record[NoteProperties.title] as? String ?? "",
        record[NoteProperties.folder] as? NSManagedObjectID
      )
    }
  }

  private static func groups(
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID: Int] {
    let folders = try context.fetch(Folder.fetch()).sorted()
    return Dictionary(
      folders.enumerated().map { ($1.objectID, $0 + 1) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
