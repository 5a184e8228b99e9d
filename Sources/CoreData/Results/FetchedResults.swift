public import Foundation

/// The objects of a ``FetchRequest`` at the time the property was read.
///
/// ```swift
/// notes.nsPredicate = NSPredicate(format: "isFavourite == YES")
/// for note in notes { print(note.title ?? "") }
/// ```
///
/// Setting a predicate or an order changes the request and fetches at once, with one SQL statement,
/// on the context's queue. If that fails, the results are unchanged and `$notes.error` contains the
/// error.
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
  /// The condition that the objects must meet, or `nil` for all objects.
  ///
  /// Setting it fetches the objects again.
  public var nsPredicate: NSPredicate? {
    get { query.predicate }
    nonmutating set { query.predicate = newValue }
  }

  /// The order of the results.
  ///
  /// Setting it fetches the objects again.
  public var nsSortDescriptors: [NSSortDescriptor] {
    get { query.sortDescriptors }
    nonmutating set { query.sortDescriptors = newValue }
  }

  /// The order of the results as Swift's sort descriptors.
  ///
  /// Setting it fetches the objects again.
  ///
  /// The array is empty if the order was set as `NSSortDescriptor`s.
  public var sortDescriptors: [SortDescriptor<Result>] {
    get { query.swiftSortDescriptors }
    nonmutating set { query.swiftSortDescriptors = newValue }
  }

  /// The asynchronous sequence of the results, which begins with the current ones and can be read
  /// on any thread.
  public var snapshots: FetchedResultsSnapshots { FetchedResultsSnapshots(live: query.live) }
}
