import Synchronization

/// Whether the rows that wait in a context's faults are those of the stores, as far as that can be said without the
/// context.
///
/// Every fault that fires asks this. Asking the context, which may end on another thread, takes a lock; here only a
/// number is shared with that thread.
final class CurrentRows {
  private var changes: RowChangeCount?
  private let oldest = Atomic<Int>(none)

  private static let none = -1

  /// Whether they are; where not, the context may know more.
  var areCurrent: Bool {
    let oldest = oldest.load(ordering: .relaxed)
    return oldest != Self.none && oldest == changes?.current
  }

  /// Notes where the context reads, before it is used; nil where that is no store.
  func follow(_ changes: RowChangeCount?) {
    self.changes = changes
  }

  /// Notes what the count of changes was when the oldest row was read that waits; nil where each fault has to ask.
  func note(_ oldest: Int?) {
    self.oldest.store(oldest ?? Self.none, ordering: .relaxed)
  }
}
