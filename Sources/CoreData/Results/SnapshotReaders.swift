import Synchronization

/// The readers of snapshots of the same results, none of which is kept alive.
struct SnapshotReaders {
  private var places: [WeakBox] = []

  private struct WeakBox {
    weak let mailbox: SnapshotMailbox?
  }

  var isEmpty: Bool { places.allSatisfy { $0.mailbox == nil } }

  mutating func add(_ mailbox: SnapshotMailbox) {
    places.removeAll { $0.mailbox == nil }
    places.append(WeakBox(mailbox: mailbox))
  }

  func offer(_ snapshot: FetchedResultsSnapshot) {
    for place in places { place.mailbox?.offer(snapshot) }
  }

  func end(with error: (any Error)?) {
    for place in places { place.mailbox?.end(with: error) }
  }
}

/// Holds a snapshot for one reader: the latest, and no other.
///
/// A reader that is slow misses states, never the last one; updates in the missed ones are remembered.
final class SnapshotMailbox: Sendable {
  private let state = Mutex(Waiting())

  private struct Waiting {
    var waiting: FetchedResultsSnapshot?
    var reader: CheckedContinuation<FetchedResultsSnapshot?, any Error>?
    var end: Result<Void, any Error>?
  }

  func offer(_ snapshot: FetchedResultsSnapshot) {
    let reader: CheckedContinuation<FetchedResultsSnapshot?, any Error>? = state.withLock { state in
      guard state.end == nil else { return nil }
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      var snapshot = snapshot
      if let missed = state.waiting { snapshot.updatedIDs.formUnion(missed.updatedIDs) }
      state.waiting = snapshot
      return nil
    }
    reader?.resume(returning: snapshot)
  }

  /// Nothing more will come; waiting states are still delivered.
  func end(with error: (any Error)?) {
    let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
    let reader = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(with: end.map { nil })
  }

  /// The snapshot that waits, or the next one; nil at the end, and when the task is cancelled.
  func next() async throws -> FetchedResultsSnapshot? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<FetchedResultsSnapshot?, any Error>? = state.withLock { state in
          if let snapshot = state.waiting {
            state.waiting = nil
            return .success(snapshot)
          }
          if let end = state.end { return end.map { nil } }
          state.reader = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      end(with: nil)
    }
  }
}
