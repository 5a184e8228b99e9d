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
  public fileprivate(set) var links: [[Int]] = []
  /// Whether there were not more notes than are shown.
  public fileprivate(set) var isWhole = true

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
  /// With very many notes it takes longer than people wait without a sign. It has a context of its own, which sees one
  /// moment, and asks for values: no note becomes an object for it.
  ///
  /// - Parameter job: The job that learns the progress.
  /// - Returns: The map of at most 20,000 notes.
  /// - Throws: A `CancellationError` if the task was cancelled.
  public func map(job: Job = Job()) async throws -> LinkMap {
    let context = controller.container.newBackgroundContext()
    let (total, groups) = try await context.performCancellable {
      try context.setQueryGenerationFrom(.current)
      return (try context.count(for: Note.fetch(NotePlace.alive)), try LinkMap.groups(in: context))
    }
    var map = LinkMap()
    map.isWhole = total <= LinkMap.mostNotes
    let shown = min(total, LinkMap.mostNotes)
    var places: [Int64: Int] = [:]
    for start in stride(from: 0, to: shown, by: LinkMap.portion) {
      let most = min(LinkMap.portion, shown - start)
      let records = try await context.performCancellable {
        try LinkMap.records(start, most, in: context)
      }
      for record in records {
        places[record.number] = map.notes.count
        map.add(record, groups)
      }
      job.went(to: map.notes.count, of: shown, "Reading notes")
    }
    let numbers = places.keys.sorted()
    for start in stride(from: 0, to: numbers.count, by: LinkMap.portion) {
      let some = Array(numbers[start..<min(start + LinkMap.portion, numbers.count)])
      let lines = try await context.performCancellable { try LinkMap.lines(of: some, in: context) }
      for line in lines {
        guard let from = places[line.owner], let to = places[line.member] else { continue }
        map.links.append([from, to])
      }
      job.went(to: start + some.count, of: numbers.count, "Reading links")
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
  /// So many notes are read at once.
  fileprivate static let portion = 2000

  fileprivate struct Record: Decodable, Sendable {
    let number: Int64
    let id: UUID
    let title: String?
    let folder: UUID?

    private enum CodingKeys: CodingKey {
      case number, id, title, folder
    }

    init(from decoder: any Decoder) throws {
      let columns = try decoder.container(keyedBy: CodingKeys.self)
      number = try columns.decode(Int64.self, forKey: .number)
      // A value that another program has written there, and that cannot be read, cannot be read in the notes either.
      id = (try? columns.decode(UUID.self, forKey: .id)) ?? .none
      title = try? columns.decode(String.self, forKey: .title)
      folder = try? columns.decode(UUID.self, forKey: .folder)
    }
  }

  fileprivate struct Line: Decodable, Sendable {
    let owner: Int64
    let member: Int64
  }

  /// Some notes with the values that the map shows, the ones made last first.
  fileprivate static func records(
    _ start: Int,
    _ most: Int,
    in context: NSManagedObjectContext
  ) throws -> [Record] {
    let query: SQLQuery = """
      SELECT \(property: "objectID", of: "Note") AS number, \(property: NoteProperties.uuid, of: "Note") AS id,
        \(property: NoteProperties.title, of: "Note") AS title, \(property: FolderProperties.uuid, of: "Folder") AS folder
      FROM \(entity: "Note")
        LEFT JOIN \(entity: "Folder")
        ON \(property: "objectID", of: "Folder") = \(property: NoteProperties.folder, of: "Note")
      WHERE \(property: NoteProperties.trashedDate, of: "Note") IS NULL
      ORDER BY \(property: NoteProperties.creationDate, of: "Note") DESC, number
      LIMIT \(most) OFFSET \(start)
      """
    return try context.values(of: query, as: Record.self)
  }

  /// The links of some notes.
  fileprivate static func lines(
    of notes: [Int64],
    in context: NSManagedObjectContext
  ) throws -> [Line] {
    let query: SQLQuery = """
      SELECT owner, member FROM \(pairs: NoteProperties.linkedNotes, of: "Note", as: "links")
      WHERE owner IN \(notes) ORDER BY owner, member
      """
    return try context.values(of: query, as: Line.self)
  }

  /// The place of each folder in the order of folders, from 1 on.
  fileprivate static func groups(in context: NSManagedObjectContext) throws -> [UUID: Int] {
    let folders = try context.fetch(Folder.fetch()).sorted()
    return Dictionary(folders.enumerated().map { ($1.uuid, $0 + 1) }) { first, _ in first }
  }

  fileprivate mutating func add(_ record: Record, _ groups: [UUID: Int]) {
    let group = record.folder.flatMap { groups[$0] } ?? 0
    notes.append(Point(id: record.id.text, title: record.title ?? "", group: group))
  }
}

// MARK: - Around one

extension LinkMap {
  fileprivate init(around note: Note, depth: Int, in context: NSManagedObjectContext) throws {
    let groups = try Self.groups(in: context)
    let found = Self.notes(around: note, depth)
    isWhole = found.count <= Self.mostAround
    let shown = found.prefix(Self.mostAround)
    let places = Dictionary(uniqueKeysWithValues: zip(shown, 0...))
    for (from, note) in shown.enumerated() {
      let group = note.folder.flatMap { groups[$0.uuid] } ?? 0
      notes.append(Point(id: note.uuid.text, title: note.title, group: group))
      links += note.linkedNotes.compactMap { places[$0] }.sorted().map { [from, $0] }
    }
  }

  /// Ring by ring.
  private static func notes(around note: Note, _ depth: Int) -> [Note] {
    var (found, ring) = ([note], [note])
    var seen: Set<Note> = [note]
    for _ in 0..<depth {
      let next = ring.flatMap { $0.linkedNotes.union($0.backLinkedNotes).sorted() }
      ring = next.filter { !$0.isTrashed && seen.insert($0).inserted }
      found += ring
      if found.count > mostAround { break }
    }
    return found
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
    let encoder = JSONEncoder()
    // The same map is the same text.
    encoder.outputFormatting = .sortedKeys
    for start in stride(from: 0, to: values.count, by: 500) {
      if start > 0 { json.append(UInt8(ascii: ",")) }
      let some = try encoder.encode(Array(values[start..<min(start + 500, values.count)]))
      json += some.dropFirst().dropLast()
    }
  }
}
