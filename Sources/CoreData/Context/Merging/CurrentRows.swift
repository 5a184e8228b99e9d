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

  /// Whether they are; if not, the context may know more.
  var areCurrent: Bool {
    let oldest = oldest.load(ordering: .relaxed)
    return oldest != Self.none && oldest == changes?.current
  }

  /// Notes where the context reads, before it is used; `nil` if that is not a store.
  func follow(_ changes: RowChangeCount?) {
    self.changes = changes
  }

  /// Notes the count of changes at the time when the oldest waiting row was read; `nil` if each fault has to ask.
  func note(_ oldest: Int?) {
    self.oldest.store(oldest ?? Self.none, ordering: .relaxed)
  }
}
