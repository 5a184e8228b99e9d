public import Foundation

/// The objects of a ``FetchRequest`` as they were when the property was read, and the request, which
/// may be changed.
///
/// ```swift
/// notes.nsPredicate = NSPredicate(format: "isFavourite == YES")
/// for note in notes { print(note.title ?? "") }
/// ```
///
/// Setting a predicate or an order fetches at once, with one statement, on the context's queue. A fetch
/// that fails leaves the results as they were; `$notes.error` has the reason.
public struct FetchedResults<Result>: RandomAccessCollection {
  let query: LiveQuery<Result>
  private let objects: [Result]

  init(query: LiveQuery<Result>, objects: [Result]) {
    self.query = query
    self.objects = objects
  }

  public var startIndex: Int { objects.startIndex }

  public var endIndex: Int { objects.endIndex }

  public subscript(position: Int) -> Result { objects[position] }
}

extension FetchedResults {
  public var nsPredicate: NSPredicate? {
    get { query.predicate }
    nonmutating set { query.predicate = newValue }
  }

  public var nsSortDescriptors: [NSSortDescriptor] {
    get { query.sortDescriptors }
    nonmutating set { query.sortDescriptors = newValue }
  }

  /// The order in Swift's own descriptors; empty where it was given in others.
  public var sortDescriptors: [SortDescriptor<Result>] {
    get { query.swiftSortDescriptors }
    nonmutating set { query.swiftSortDescriptors = newValue }
  }

  /// The states of the results, beginning with the one now, for any thread.
  public var snapshots: FetchedResultsSnapshots { FetchedResultsSnapshots(live: query.live) }
}
