import CoreData

/// A list of notes, read from the store part by part.
///
/// ```
///            0        60        120                      100,000
/// list       ├─────────┼─────────┼───────── … ─────────────┤
/// window               └─ LIMIT ─┘
/// ```
///
/// No list is ever in memory: how many notes there are, and how many in each section, is counted by
/// the store, and a window is one fetch with an offset and a limit, along an index. A window of any
/// list costs the same, whether the list has a hundred notes or a hundred thousand.
struct NoteList {
  let predicate: NSPredicate
  let sorting: NoteSorting
  let context: NSManagedObjectContext
  /// The property that rows show.
  let column: String?
  /// The notes above all others; few, and empty if something is searched for.
  private let pinned: [NSManagedObjectID]
  /// Admits the better of the found notes, in the order of relevance.
  private let better: NSPredicate?
  /// The notes with a value of the property by which the list is in order.
  private let valued: NSPredicate
  /// Whether keys come first, and then their notes.
  private let isByKeys: Bool
  /// A shorter way to count all of it than by asking each note, if there is one.
  private let short: ShortCount?

  init(
    _ search: NoteSearch,
    _ sorting: NoteSorting,
    column: String? = nil,
    now: Date,
    in context: NSManagedObjectContext
  )
    throws
  {
    self.column = column
    let predicate = try search.predicate(now: now, in: context)
    self.predicate = predicate
    self.sorting = sorting
    self.context = context
    pinned =
      search.isSearching || search.place == .trash
      ? [] : try Self.pinned(among: predicate, in: context)
    better = sorting == .relevance ? try search.titlePredicate(now: now, in: context) : nil
    if case .property(let name, _) = sorting {
      valued = try PropertyQuestion.having(name, in: context)
    } else {
      valued = .none
    }
    isByKeys = search.isAboutDates(now: now)
    short = try ShortCount(search, now: now, in: context)
  }

  private static func pinned(
    among predicate: NSPredicate,
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.resultType = .managedObjectIDResultType
    request.predicate = SearchTerm.and([NotePlace.alive, NoteMark.pinned.predicate, predicate])
    // No order: along the index of an order the store would look at every note.
    request.fetchLimit = mostPinned
    return try context.fetch(request)
  }

  private static let mostPinned = 100
}

// MARK: - Parts

extension NoteList {
  /// A stretch of the list that is fetched for itself.
  private struct Part {
    var name: String
    var title: String
    let predicate: NSPredicate
    let sortDescriptors: [NSSortDescriptor]
    /// The property by whose value the part is in order; `nil` if its order is one of the notes.
    var property: String?

    /// The properties of the notes, in whose order these come.
    var properties: NSPredicate {
      let named = NSPredicate(
        format: "%K == %@ AND %K != nil",
        PropertyAttributes.canonicalName,
        property ?? "",
        PropertyAttributes.key
      )
      return SearchTerm.and([named, predicate.below(PropertyAttributes.note)])
    }
  }

  /// The notes without those above them.
  private var rest: NSPredicate {
    pinned.isEmpty
      ? predicate : SearchTerm.and([predicate, NSPredicate(format: "NOT SELF IN %@", pinned)])
  }

  private var pinnedPart: Part? {
    if pinned.isEmpty { return nil }
    return Part(
      name: "pinned",
      title: "Pinned",
      predicate: SearchTerm.and([predicate, NSPredicate(format: "SELF IN %@", pinned)]),
      sortDescriptors: sorting.sortDescriptors
    )
  }

  private func part(_ name: String, _ title: String, _ predicates: [NSPredicate]) -> Part {
    Part(
      name: name,
      title: title,
      predicate: SearchTerm.and(predicates),
      sortDescriptors: sorting.sortDescriptors
    )
  }

  /// The parts below the pinned ones.
  ///
  /// Days are sections of one part: along their index they are in order.
  private var parts: [Part] {
    switch sorting {
    case .status:
      // The order of the states is not that of their names.
      return Status.allCases.map { status in
        let ofStatus = NSPredicate(format: "%K == %@", NoteProperties.status, status.rawValue)
        return part(status.word, status.rawValue, [rest, ofStatus])
      }
    case .property(let name, _):
      let others = NSCompoundPredicate(notPredicateWithSubpredicate: valued)
      var ordered = part("with", name, [rest])
      ordered.property = name.canonical
      return [ordered, part("without", "Without “\(name)”", [rest, others])]
    case .day, .edited, .relevance, .dateAscending, .dateDescending, .titleAscending,
      .titleDescending:
      guard let better else { return [part("", pinned.isEmpty ? "" : "Notes", [rest])] }
      let others = NSCompoundPredicate(notPredicateWithSubpredicate: better)
      return [
        part("title", "In the title", [rest, better]), part("text", "In the text", [rest, others]),
      ]
    }
  }
}

// MARK: - Counting

extension NoteList {
  /// The sections with their counts, in order; few statements.
  func outline(today: Date) throws -> [NoteWindow.Section] {
    let pinned = try pinnedPart.map { [try section($0)] } ?? []
    if sorting == .day { return try pinned + days(today: today) }
    if let better { return try pinned + ranked(better) }
    let sections = try parts.map { part in
      // A part without sections of its own is everything.
      guard part.name.isEmpty, pinned.isEmpty, let short else { return try section(part) }
      return .init(name: "", title: part.title, count: try short.count(in: context))
    }.filter { $0.count > 0 }
    // An empty list has a section, too, if there are no others.
    return pinned
      + (sections.isEmpty && parts.count == 1 && pinned.isEmpty
        ? [.init(name: "", title: "", count: 0)] : sections)
  }

  /// The notes without the words in the title are all others: counting them by the missing words takes longer.
  private func ranked(_ better: NSPredicate) throws -> [NoteWindow.Section] {
    let all = try section(part("", "", [rest])).count
    let titled = all == 0 ? 0 : try section(part("", "", [rest, better])).count
    return zip(parts, [titled, all - titled]).map { part, count in
      .init(name: part.name, title: part.title, count: count)
    }.filter { $0.count > 0 }
  }

  private func section(_ part: Part) throws -> NoteWindow.Section {
    if part.property != nil {
      let request = NSFetchRequest<Property>(entityName: "Property")
      request.predicate = part.properties
      return .init(name: part.name, title: part.title, count: try context.count(for: request))
    }
    let request = Note.fetch(part.predicate)
    request.sortDescriptors = nil
    return .init(name: part.name, title: part.title, count: try context.count(for: request))
  }

  private func days(today: Date) throws -> [NoteWindow.Section] {
    try CountedGroups<String>(of: "Note", by: NoteProperties.day, where: rest, in: context)
      .counts.sorted { $0.key > $1.key }.map { day, count in
        .init(name: day, title: Day(key: day).title(today: today), count: count)
      }
  }
}

// MARK: - Reading a window

extension NoteList {
  /// The rows of a window.
  ///
  /// Some notes at a time: each is read with its text, which may be long.
  func rows(
    _ window: Range<Int>,
    of sections: [NoteWindow.Section],
    words: [String]
  ) throws -> [NoteRow] {
    let room = ReadingRoom()
    var portion = ReadingPortion()
    var rows: [NoteRow] = []
    var start = window.lowerBound
    while start < window.upperBound {
      let end = min(start + portion.count, window.upperBound)
      let some = try notes(start..<end, of: sections)
      rows += some.map { NoteRow($0, words: words, column: column, room) }
      portion.follow(some)
      start = end
    }
    return rows
  }

  /// The notes of a window, with the values of other objects that their rows show.
  func notes(_ window: Range<Int>, of sections: [NoteWindow.Section]) throws -> [Note] {
    if window.isEmpty { return [] }
    let wanted = [pinnedPart].compactMap { $0 } + parts
    let total = sections.reduce(0) { $0 + $1.count }
    var found: [Note] = []
    var start = 0
    for part in wanted {
      // A part without a section of its own goes to the end: one list, or one of days.
      let count = sections.first { $0.name == part.name }?.count
      let isWhole = part.name.isEmpty
      if count == nil, !isWhole { continue }
      let end = isWhole ? total : start + (count ?? 0)
      let inside = window.clamped(to: start..<max(end, start))
      if !inside.isEmpty {
        found += try notes(of: part, inside.lowerBound - start..<inside.upperBound - start)
      }
      start = end
    }
    return found
  }

  /// The notes of a window in the order of a property's values, along the index of these.
  private func notesByProperty(of part: Part, _ window: Range<Int>) throws -> [Note] {
    let request = NSFetchRequest<Property>(entityName: "Property")
    request.predicate = part.properties
    request.sortDescriptors = sorting.descriptorsOfProperties
    request.fetchOffset = window.lowerBound
    request.fetchLimit = window.count
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = [PropertyAttributes.note]
    return try context.fetch(request).compactMap(\.note)
  }

  private func notes(of part: Part, _ window: Range<Int>) throws -> [Note] {
    if part.property != nil { return try notesByProperty(of: part, window) }
    let request = Note.fetch(part.predicate)
    request.sortDescriptors = part.sortDescriptors
    request.fetchOffset = window.lowerBound
    request.fetchLimit = window.count
    if isByKeys { try askByKeys(request) }
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching =
      [NoteProperties.folder, NoteProperties.keywords]
      + (column == nil ? [] : [NoteProperties.properties])
    return try context.fetch(request)
  }

  /// Makes a request ask for the notes that it would find, by their keys.
  ///
  /// Where the notes of a time are put into another order than that of their dates, the store has to look at all of
  /// them. For the keys alone it reads an index that has dates and order (`byEdit`, `byMaking`), and not each row.
  private func askByKeys(_ request: NSFetchRequest<Note>) throws {
    let keys = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    keys.resultType = .managedObjectIDResultType
    keys.predicate = request.predicate
    keys.sortDescriptors = request.sortDescriptors
    (keys.fetchOffset, keys.fetchLimit) = (request.fetchOffset, request.fetchLimit)
    request.predicate = NSPredicate(format: "SELF IN %@", try context.fetch(keys))
    (request.fetchOffset, request.fetchLimit) = (0, 0)
  }
}
