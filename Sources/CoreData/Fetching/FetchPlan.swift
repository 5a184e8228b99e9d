package import CoreDataPredicates

/// A request as a store answers it: names are resolved, and what memory will do is left out.
///
/// Safety: the layout never changes; the trees are values; the context is used on its queue.
package struct FetchPlan: @unchecked Sendable {
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
  /// What can stop the fetch from another thread, and hears how far it is.
  package var control: FetchControl?
  /// Who asks; authors of stores are told of it.
  package var asker: NSManagedObjectContext?

  package init(_ layout: EntityLayout) {
    self.layout = layout
  }

  /// The numbers of the entities whose rows may be found.
  package var entityNumbers: ClosedRange<Int32> {
    includesSubentities ? layout.numbers : layout.number...layout.number
  }
}

/// What a store has of one object: its key, its entity and, unless only keys were asked for, its
/// values.
///
/// Safety: the layout never changes.
package struct Row: @unchecked Sendable {
  package let number: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let snapshot: Snapshot?

  package init(number: Int64, layout: EntityLayout, snapshot: Snapshot?) {
    self.number = number
    self.layout = layout
    self.snapshot = snapshot
  }
}
