public import CoreData

/// What a list of notes shows: a place, and a search in it or in everything.
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
/// text      each word begins a word of the title or of the text     ┐
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

  /// The words that are looked for.
  public var words: [String] { SearchWords.words(of: text) }

  /// Whether anything is looked for, so that a place with a scope is more than a place.
  public var isSearching: Bool { !words.isEmpty || !tokens.isEmpty }
}

// MARK: - Tokens

extension NoteSearch {
  /// Adds a token once; one of status takes the place of another of status.
  public mutating func add(_ token: NoteSearchToken) {
    guard !isSelected(token) else { return }
    if token.status != nil { tokens.removeAll { $0.status != nil } }
    tokens.append(token)
  }

  public mutating func remove(_ token: NoteSearchToken) {
    tokens.removeAll { $0 == token }
  }

  public func isSelected(_ token: NoteSearchToken) -> Bool {
    tokens.contains(token)
  }
}

// MARK: - The predicate

extension NoteSearch {
  /// The whole predicate; what cannot be found admits nothing.
  public func predicate(now: Date, in context: NSManagedObjectContext) throws -> NSPredicate {
    let parts =
      [try scopePredicate(now: now, in: context)] + tokens.map { Self.predicate(of: $0, now: now) }
      + [Self.textPredicate(words)].compactMap { $0 }
    return parts.count == 1
      ? parts[0] : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
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
    case .withAttachment: NSPredicate(format: "%K != nil", NoteProperties.attachment)
    }
  }

  private static func status(_ status: Status) -> NSPredicate {
    NSPredicate(format: "%K == %@", NoteProperties.status, status.rawValue)
  }

  private static func created(since date: Date) -> NSPredicate {
    NSPredicate(format: "%K >= %@", NoteProperties.creationDate, date)
  }

  /// Every word begins a word of the title or the text; nil without words.
  ///
  /// This is the one place that says how text is found. `w` compares by words, which the store's index
  /// of words answers without reading a text; scripts that are written without blanks are compared
  /// letter by letter.
  static func textPredicate(_ words: [String]) -> NSPredicate? {
    guard !words.isEmpty else { return nil }
    return NSCompoundPredicate(
      andPredicateWithSubpredicates: words.map { word in
        let options = SearchWords.hasNoBlanks(word) ? "cd" : "cdw"
        return NSPredicate(
          format: "%K CONTAINS[\(options)] %@ OR %K CONTAINS[\(options)] %@",
          NoteProperties.title,
          word,
          NoteProperties.bodyText,
          word
        )
      }
    )
  }
}
