import Foundation

/// How new the rows are that a context sees, and those that wait in its faults.
struct Freshness {
  /// The moment of the stores to which the context is pinned; nil for the stores as they are.
  private(set) var moment: QueryGeneration?
  /// The row generation, where the context reads, when the oldest row was read that waits in a fault.
  private(set) var oldestWaiting: Int?
  /// The age, in seconds, up to which a cached row may be used; below 0 for any.
  var interval: TimeInterval = -1

  /// Whether rows have an age at which they are read again.
  var expires: Bool { interval >= 0 }

  /// A store as it is seen from here; nil for one that was added after the context was pinned.
  func view(of store: NSPersistentStore) throws -> StoreView? {
    guard let moment else { return StoreView(store) }
    return try moment.view(of: store)
  }
}

// MARK: - The moment

extension Freshness {
  /// Sees the stores at another moment; the rows that wait must be forgotten with it.
  mutating func pin(to moment: QueryGeneration?) {
    self.moment = moment
    oldestWaiting = nil
  }
}

// MARK: - Rows that wait

extension Freshness {
  /// Whether nothing has changed since the oldest row was read that waits.
  func waitingRowsAreCurrent(at generation: Int?) -> Bool {
    oldestWaiting != nil && oldestWaiting == generation
  }

  /// Notes, before rows are read, how new they are at least.
  mutating func noteReading(at generation: Int?) {
    if oldestWaiting == nil { oldestWaiting = generation }
  }

  /// Notes rows that have come from a parent, as it had them then.
  mutating func noteCarriedRows(of generation: Int) {
    oldestWaiting = min(oldestWaiting ?? generation, generation)
  }

  /// The context's own save does not make its rows old.
  mutating func noteOwnSave(from former: Int?, to generation: Int?) {
    if oldestWaiting == former { oldestWaiting = generation }
  }

  /// No fault has a row.
  mutating func forgetWaitingRows() {
    oldestWaiting = nil
  }
}
