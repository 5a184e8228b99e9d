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
  public fileprivate(set) var isWhole = true
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
  /// Takes seconds with a hundred thousand notes, and nobody waits for it: it has a context of its own, and reads some
  /// notes at a time.
  ///
  /// - Parameter job: What hears how far it is.
  /// - Returns: The map of at most 20,000 notes.
  /// - Throws: A `CancellationError` where the task was cancelled.
  public func map(job: Job = Job()) async throws -> LinkMap {
    let context = controller.container.newBackgroundContext()
    let (notes, groups) = try await context.perform {
      (try LinkMap.newest(in: context), try LinkMap.groups(in: context))
    }
    var map = LinkMap()
    map.isWhole = notes.count <= LinkMap.mostNotes
    let shown = notes.prefix(LinkMap.mostNotes)
    let portions = LinkMap.portions(of: shown)
    var done = 0
    for portion in portions {
      try Task.checkCancellation()
      map.add(try await context.perform { try LinkMap.records(of: portion, in: context) }, groups)
      done += portion.count
      job.went(to: done, of: shown.count, "Reading notes")
    }
    done = 0
    for portion in portions {
      try Task.checkCancellation()
      map.connect(try await context.perform { try LinkMap.links(of: portion, in: context) })
      done += portion.count
      job.went(to: done, of: shown.count, "Reading links")
    }
    return map
  }

  /// The notes around one, as many links away as `depth` says.
  public func map(around id: UUID, depth: Int) async throws -> LinkMap {
    try await read { try LinkMap(around: $0.note(id), depth: min(max(depth, 1), 3), in: $0) }
  }
}

// MARK: - All notes

extension LinkMap {
  fileprivate static func newest(in context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.resultType = .managedObjectIDResultType
    request.predicate = NotePlace.alive
    request.sortDescriptors = [NSSortDescriptor(key: NoteProperties.creationDate, ascending: false)]
    request.fetchLimit = mostNotes + 1
    return try context.fetch(request)
  }

  /// Objects of so many notes are in memory at once.
  private static let portion = 500

  fileprivate static func portions(
    of notes: ArraySlice<NSManagedObjectID>
  ) -> [[NSManagedObjectID]] {
    stride(from: 0, to: notes.count, by: portion).map { start in
      Array(notes[start..<min(start + portion, notes.count)])
    }
  }

  /// The links of some notes, each with those that it links to.
  fileprivate static func links(
    of notes: [NSManagedObjectID],
    in context: NSManagedObjectContext
  ) throws -> [(from: NSManagedObjectID, to: [NSManagedObjectID])] {
    let request = Note.fetch(NSPredicate(format: "SELF IN %@", notes))
    request.includesPropertyValues = false
    request.relationshipKeyPathsForPrefetching = [NoteProperties.linkedNotes]
    defer { context.reset() }
    return try context.fetch(request).map { ($0.objectID, $0.linkedNotes.map(\.objectID)) }
      .filter { !$0.to.isEmpty }
  }

  fileprivate mutating func connect(_ links: [(from: NSManagedObjectID, to: [NSManagedObjectID])]) {
    for link in links {
      if let from = places[link.from] { connect(from, link.to) }
    }
  }
}

// MARK: - Around one

extension LinkMap {
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
      connect(from, note.linkedNotes.map(\.objectID))
    }
  }
}

// MARK: - Points and lines

extension LinkMap {
  fileprivate struct Record {
    let object: NSManagedObjectID
    let id: UUID
    let title: String
    let folder: NSManagedObjectID?

    init(_ object: NSManagedObjectID, _ id: UUID, _ title: String, _ folder: NSManagedObjectID?) {
      (self.object, self.id, self.title, self.folder) = (object, id, title, folder)
    }
  }

  fileprivate mutating func add(_ records: [Record], _ groups: [NSManagedObjectID: Int]) {
    for record in records { add(record, groups) }
  }

  private mutating func add(_ record: Record, _ groups: [NSManagedObjectID: Int]) {
    places[record.object] = notes.count
    let group = record.folder.flatMap { groups[$0] } ?? 0
    notes.append(Point(id: record.id.text, title: record.title, group: group))
  }

  private mutating func connect(_ from: Int, _ linked: [NSManagedObjectID]) {
    links += linked.compactMap { places[$0] }.sorted().map { [from, $0] }
  }

  /// Identifiers and titles, without the rest of the notes, in the order of the notes.
  fileprivate static func records(
    of notes: [NSManagedObjectID],
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
    request.predicate = NSPredicate(format: "SELF IN %@", notes)
    let found = try context.fetch(request).compactMap { record -> (NSManagedObjectID, Record)? in
      guard let object = record["object"] as? NSManagedObjectID,
        let id = record[NoteProperties.uuid] as? UUID
      else { return nil }
      let title = record[NoteProperties.title] as? String ?? ""
      let folder = record[NoteProperties.folder] as? NSManagedObjectID
      return (object, Record(object, id, title, folder))
    }
    let known = Dictionary(found) { first, _ in first }
    return notes.compactMap { known[$0] }
  }

  fileprivate static func groups(
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID: Int] {
    let folders = try context.fetch(Folder.fetch()).sorted()
    return Dictionary(
      folders.enumerated().map { ($1.objectID, $0 + 1) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}

// MARK: - As JSON

extension LinkMap {
  /// The map as JSON, made some notes at a time: a tree of all of it would take ten times the memory.
  public var json: Data {
    get throws {
      var json = Data("{\"notes\":[".utf8)
      try Self.append(notes, to: &json)
      json += Data("],\"links\":[".utf8)
      try Self.append(links, to: &json)
      return json + Data("],\"isWhole\":\(isWhole)}".utf8)
    }
  }

  private static func append(_ values: [some Encodable], to json: inout Data) throws {
    for start in stride(from: 0, to: values.count, by: 500) {
      if start > 0 { json.append(UInt8(ascii: ",")) }
      let some = try JSONEncoder().encode(Array(values[start..<min(start + 500, values.count)]))
      json += some.dropFirst().dropLast()
    }
  }
}
