public import CoreData

/// The content of a list of notes: a place, and a search in it or in everything.
///
/// ```swift
/// var search = NoteSearch(place: .folder(id))
/// search.text = "slip box"
/// search.add(.reviewStatus)
/// request.predicate = try search.predicate(now: Date(), in: context)
/// ```
///
/// The predicate is put together here and nowhere else:
///
/// ```
/// text      ``SearchTerm``: words, "phrases", -without, a OR b …      ┐
/// tokens    status == … · creationDate >= … · attachment != nil     ├ AND
/// scope     the place, or everything that is not in the trash       ┘
/// ```
public struct NoteSearch: Hashable, Sendable {
  public var place: NotePlace
  public var text: String
  /// In the order they were added; no two of status.
  public private(set) var tokens: [NoteSearchToken]
  public var scope: NoteSearchScope

  public init(
    place: NotePlace = .all,
    text: String = "",
    tokens: [NoteSearchToken] = [],
    scope: NoteSearchScope = .here
  ) {
    self.place = place
    self.text = text
    self.tokens = []
    self.scope = scope
    for token in tokens { add(token) }
  }

  /// The words and phrases that are looked for, each once.
  public var words: [String] {
    var seen: Set<String> = []
    // The text of a date is not a word.
    return SearchTerm.terms(of: text, now: .distantPast).flatMap(\.shownWords)
      .filter { seen.insert($0.lowercased()).inserted }
  }

  /// Whether anything is looked for, so that a place with a scope is more than a place.
  public var isSearching: Bool {
    !tokens.isEmpty || !SearchTerm.terms(of: text, now: .distantPast).isEmpty
  }
}

// MARK: - Tokens

extension NoteSearch {
  /// Adds a token once; one of status takes the place of another of status.
  public mutating func add(_ token: NoteSearchToken) {
    guard !isSelected(token) else { return }
    if token.status != nil { tokens.removeAll { $0.status != nil } }
    tokens.append(token)
  }

  public func isSelected(_ token: NoteSearchToken) -> Bool {
    tokens.contains(token)
  }
}

// MARK: - The predicate

extension NoteSearch {
  /// Whether it is about when notes were made or changed, which half of all notes may have in common.
  func isAboutDates(now: Date) -> Bool {
    let isRecent = place == .recent && !(isSearching && scope == .all)
    return isRecent || isSelected(.last24Hours) || isSelected(.last7Days)
      || SearchTerm.terms(of: text, now: now).contains { term in
        if case .date = term { true } else { false }
      }
  }

  /// The whole predicate; terms that cannot be found admit nothing.
  public func predicate(now: Date, in context: NSManagedObjectContext) throws -> NSPredicate {
    let terms = try SearchTerm.terms(of: text, now: now).map { try $0.predicate(in: context) }
    let parts =
      [try scopePredicate(now: now, in: context)] + tokens.map { Self.predicate(of: $0, now: now) }
      + terms
    return SearchTerm.and(parts)
  }

  /// Distinguishes the better notes: all words are in the title; `nil` without words.
  func titlePredicate(now: Date, in context: NSManagedObjectContext) throws -> NSPredicate? {
    let words = try SearchTerm.terms(of: text, now: now)
      .compactMap { try $0.titlePredicate(in: context) }
    return words.isEmpty ? nil : SearchTerm.and(words)
  }

  /// Without a search the scope says nothing: a place is shown.
  private func scopePredicate(now: Date, in context: NSManagedObjectContext) throws -> NSPredicate {
    let isEverywhere = isSearching && scope == .all
    return try isEverywhere ? NotePlace.alive : place.predicate(now: now, in: context)
  }

  private static func predicate(of token: NoteSearchToken, now: Date) -> NSPredicate {
    switch token {
    case .draftStatus: status(.draft)
    case .reviewStatus: status(.review)
    case .archivedStatus: status(.archived)
    case .last24Hours: created(since: now - 86_400)
    case .last7Days: created(since: now - 7 * 86_400)
    case .withAttachment: SearchTrait.picture.predicate
    }
  }

  private static func status(_ status: Status) -> NSPredicate {
    NSPredicate(format: "%K == %@", NoteProperties.status, status.rawValue)
  }

  private static func created(since date: Date) -> NSPredicate {
    NSPredicate(format: "%K >= %@", NoteProperties.creationDate, date)
  }
}
