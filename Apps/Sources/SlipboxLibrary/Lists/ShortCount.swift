import CoreData

/// The number of notes that a search finds, if that can be had without asking each note.
///
/// ```
/// -word        all notes without those that have it
/// has:link     the owners of the links
/// is:orphan    all notes without those that have a part in a link
/// ```
enum ShortCount {
  case all(without: NSPredicate)
  case owners(of: String)
  case orphans

  /// `nil` if the notes themselves have to be counted.
  init?(_ search: NoteSearch, now: Date, in context: NSManagedObjectContext) throws {
    switch search.onlyTermEverywhere(now: now) {
    case .not(let term)? where term.isAnsweredByWords:
      self = .all(without: try term.predicate(in: context))
    case .trait(.orphan)?: self = .orphans
    case .trait(.link)?: self = .owners(of: NoteProperties.linkedNotes)
    case .trait(.backlink)?: self = .owners(of: NoteProperties.backLinkedNotes)
    case .trait(.tag)?: self = .owners(of: NoteProperties.keywords)
    case .trait(.file)?: self = .owners(of: NoteProperties.files)
    case .word, .phrase, .title, .keyword, .folder, .trait, .date, .property, .not, .one, nil:
      return nil
    }
  }

  func count(in context: NSManagedObjectContext) throws -> Int {
    switch self {
    case .all(let predicate):
      return try Self.count(NotePlace.alive, in: context)
        - Self.count(SearchTerm.and([NotePlace.alive, predicate]), in: context)
    case .owners(let relationship):
      return try OwnerCount(of: relationship, in: context).owners
    case .orphans:
      let links = try LinkCounts(in: context)
      return try Self.count(NotePlace.alive, in: context) - links.linked - links.onlyReached
    }
  }

  private static func count(
    _ predicate: NSPredicate,
    in context: NSManagedObjectContext
  ) throws -> Int {
    let request = Note.fetch(predicate)
    request.sortDescriptors = nil
    return try context.count(for: request)
  }
}

extension NoteSearch {
  /// The term of a search in all notes that asks for nothing else.
  fileprivate func onlyTermEverywhere(now: Date) -> SearchTerm? {
    guard tokens.isEmpty, scope == .all || place == .all else { return nil }
    let terms = SearchTerm.terms(of: text, now: now)
    return terms.count == 1 ? terms[0] : nil
  }
}

extension SearchTerm {
  /// Whether the index of words alone says which notes have it.
  fileprivate var isAnsweredByWords: Bool {
    switch self {
    case .word(let words), .phrase(let words):
      words.contains { $0.isLetter || $0.isNumber } && !SearchWords.hasSigns(words)
        && !SearchWords.hasNoBlanks(words)
    case .title(let term): term.isAnsweredByWords
    case .one(let terms): terms.allSatisfy(\.isAnsweredByWords)
    case .keyword, .folder, .trait, .date, .property, .not: false
    }
  }
}

// MARK: - Counting relationships

/// The notes that are in the trash, or were deleted for good.
private let trash: SQLQuery = """
  (SELECT \(property: "objectID", of: "Note") FROM \(entity: "Note")
    WHERE \(property: NoteProperties.trashedDate, of: "Note") IS NOT NULL)
  """

/// How many notes have anything in a relationship, counted among the pairs.
private struct OwnerCount: Decodable, Sendable {
  let owners: Int

  init(of relationship: String, in context: NSManagedObjectContext) throws {
    let pairs: SQLQuery = "\(pairs: relationship, of: "Note", as: "pairs")"
    let query: SQLQuery = """
      SELECT COUNT(*) AS owners FROM (SELECT DISTINCT owner FROM \(pairs) WHERE owner NOT IN \(trash)) AS found
      """
    self = try context.values(of: query, as: Self.self).first ?? Self(owners: 0)
  }

  private init(owners: Int) {
    self.owners = owners
  }
}

/// How many notes have links, counted among the links: most notes have few, and none is asked for its own.
struct LinkCounts: Decodable, Sendable {
  /// Notes that lead to others.
  let linked: Int
  /// Notes to which others lead, and which lead nowhere.
  let onlyReached: Int

  init(in context: NSManagedObjectContext) throws {
    let links: SQLQuery = "\(pairs: NoteProperties.linkedNotes, of: "Note", as: "links")"
    let more: SQLQuery = "\(pairs: NoteProperties.linkedNotes, of: "Note", as: "more")"
    let query: SQLQuery = """
      SELECT
        (SELECT COUNT(*) FROM (SELECT DISTINCT owner FROM \(links) WHERE owner NOT IN \(trash)) AS found) AS linked,
        (SELECT COUNT(*) FROM (SELECT DISTINCT links.member FROM \(links) WHERE links.member NOT IN \(trash)
          AND NOT EXISTS (SELECT 1 FROM \(more) WHERE more.owner = links.member)) AS found) AS onlyReached
      """
    self = try context.values(of: query, as: Self.self).first ?? Self(linked: 0, onlyReached: 0)
  }

  private init(linked: Int, onlyReached: Int) {
    (self.linked, self.onlyReached) = (linked, onlyReached)
  }
}
