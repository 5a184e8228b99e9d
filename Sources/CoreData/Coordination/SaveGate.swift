import Foundation

/// The order of those who write through one coordinator.
///
/// ```
/// alone    a save or a batch into a file, a migration: nobody else writes
/// beside   saves and batches into databases that put writers in order by the rows that they write
/// ```
///
/// Saves beside each other commit at the same time. Their results are taken over and announced in the order in which
/// they began to commit (``Place``). If two of them have written the same row, the database lets the second one go on
/// only after the first one's commit has begun; so the order of the results is that of the row's versions.
///
/// A thread that is alone may ask again, as with a recursive lock.
///
/// Safety: all state is read and written under `condition`.
final class SaveGate: NSLocking, @unchecked Sendable {
  private let condition = NSCondition()
  /// The thread that is alone, and how often it has asked.
  private var holder: pthread_t?
  private var depth = 0
  private var waitingToBeAlone = 0
  /// The saves that are beside each other.
  private var besideCount = 0
  /// The places of saves that have begun to commit and are not done, in that order.
  private var committing: [Place] = []

  func lock() {
    condition.lock()
    defer { condition.unlock() }
    let own = pthread_self()
    if !isHeld(by: own) {
      waitingToBeAlone += 1
      while holder != nil || besideCount > 0 { condition.wait() }
      waitingToBeAlone -= 1
      holder = own
    }
    depth += 1
  }

  func `try`() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let own = pthread_self()
    guard isHeld(by: own) || holder == nil && besideCount == 0 else { return false }
    holder = own
    depth += 1
    return true
  }

  func unlock() {
    condition.lock()
    defer { condition.unlock() }
    depth -= 1
    guard depth == 0 else { return }
    holder = nil
    condition.broadcast()
  }

  private func isHeld(by thread: pthread_t) -> Bool {
    holder.map { pthread_equal($0, thread) != 0 } ?? false
  }
}

// MARK: - Beside others

extension SaveGate {
  /// Does work beside others of its kind; alone, without a place, if the calling thread is alone anyway.
  func beside<Result>(_ work: (Place?) throws -> Result) rethrows -> Result {
    condition.lock()
    let isAlone = isHeld(by: pthread_self())
    if !isAlone {
      // Those who want to be alone go first; otherwise they might wait forever.
      while holder != nil || waitingToBeAlone > 0 { condition.wait() }
      besideCount += 1
    }
    condition.unlock()
    if isAlone { return try work(nil) }
    let place = Place(in: self)
    defer {
      condition.lock()
      remove(place)
      besideCount -= 1
      if besideCount == 0, waitingToBeAlone > 0 { condition.broadcast() }
      condition.unlock()
    }
    return try work(place)
  }

  /// Lets the next go on whose turn it is now.
  private func remove(_ place: Place) {
    guard let index = committing.firstIndex(where: { $0 === place }) else { return }
    committing.remove(at: index)
    if index == 0 { committing.first?.turn.signal() }
  }

  /// The place of one save among those that commit at the same time.
  final class Place {
    private let gate: SaveGate
    /// Signaled when the place becomes the first.
    fileprivate let turn = DispatchSemaphore(value: 0)
    /// Whether the save has begun to commit; only its own thread asks.
    private var hasBegun = false

    fileprivate init(in gate: SaveGate) {
      self.gate = gate
    }

    /// Takes a place; called before the commit is sent.
    func beginCommit() {
      gate.condition.lock()
      defer { gate.condition.unlock() }
      if hasBegun { return }
      hasBegun = true
      gate.committing.append(self)
      if gate.committing.count == 1 { turn.signal() }
    }

    /// Waits until all that began to commit before are done.
    func waitForEarlier() {
      guard hasBegun else { return }
      turn.wait()
      turn.signal()
    }
  }
}
