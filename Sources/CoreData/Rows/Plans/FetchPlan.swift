package import CoreDataPredicates

/// A request as a store answers it: names are resolved, and what memory will do is left out.
package struct FetchPlan: Sendable {
  package unowned(unsafe) let layout: EntityLayout
  package var includesSubentities = true
  package var predicate: CoreDataPredicates.PredicateTree?
  package var sort: [SortTerm] = []
  /// How many rows at most; nil for all.
  package var limit: Int?
  package var offset = 0
  /// Whether rows come with their values, or with their keys alone.
  package var includesValues = true
  /// The slots whose values are wanted; nil for all.
  ///
  /// A store may give more.
  package var slots: SlotSet?
  /// Can stop the fetch from another thread, and hears of its progress.
  package var control: FetchControl?
  /// The rows that are known: those that have not changed need not be unpacked.
  var knownRows: KnownRows?

  package init(_ layout: EntityLayout) {
    self.layout = layout
  }

  /// The numbers of the entities whose rows may be found.
  package var entityNumbers: ClosedRange<Int32> {
    includesSubentities ? layout.numbers : layout.number...layout.number
  }
}
