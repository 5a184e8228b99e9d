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

  init(
    _ search: NoteSearch,
    _ sorting: NoteSorting,
    now: Date,
    in context: NSManagedObjectContext
  )
    throws
  {
    predicate = try search.predicate(now: now, in: context)
    self.sorting = sorting
    self.context = context
  }
}

// MARK: - Counting

extension NoteList {
  /// The sections with their counts, in order; one statement.
  func outline(today: Date) throws -> [NoteWindow.Section] {
    guard let key = sorting.sectionKey else {
      let request = Note.fetch(predicate)
      request.sortDescriptors = nil
      return [.init(name: "", title: "", count: try context.count(for: request))]
    }
    let counts = try CountedGroups<String>(of: "Note", by: key, where: predicate, in: context)
      .counts
    return switch sorting {
    case .status:
      Status.allCases.compactMap { status in
        counts[status.rawValue].map {
          .init(name: status.word, title: status.rawValue, count: $0)
        }
      }
    case .day, .dateAscending, .dateDescending, .titleAscending, .titleDescending:
      counts.sorted { $0.key > $1.key }.map { day, count in
        .init(name: day, title: Day(key: day).title(today: today), count: count)
      }
    }
  }
}

// MARK: - Reading a window

extension NoteList {
  /// The notes of a window, with what their rows show of others.
  func notes(_ window: Range<Int>, of sections: [NoteWindow.Section]) throws -> [Note] {
    if window.isEmpty { return [] }
    guard sorting == .status else {
      return try notes(where: predicate, window)
    }
    // The order of the states is not that of their names: a fetch for each section in the window.
    var found: [Note] = []
    var start = 0
    for section in sections {
      let part = window.clamped(to: start..<(start + section.count))
      if !part.isEmpty {
        let ofStatus = NSPredicate(format: "%K == %@", NoteProperties.status, section.title)
        found += try notes(
          where: NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, ofStatus]),
          part.lowerBound - start..<part.upperBound - start
        )
      }
      start += section.count
    }
    return found
  }

  private func notes(where predicate: NSPredicate, _ window: Range<Int>) throws -> [Note] {
    let request = Note.fetch(predicate)
    request.sortDescriptors = sorting.sortDescriptors
    request.fetchOffset = window.lowerBound
    request.fetchLimit = window.count
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = [NoteProperties.folder, NoteProperties.keywords]
    return try context.fetch(request)
  }
}
