/// An asynchronous sequence of snapshots of fetched results, which begins with the current state.
///
/// ```swift
/// for try await snapshot in notes.snapshots { … }
/// ```
///
/// If the results change faster than they are read, intermediate states are skipped, but never the
/// last one. The difference in a snapshot always refers to the snapshot that the same iterator
/// returned before; several iterators do not affect each other. The sequence ends when the context
/// is deallocated, and throws if fetching fails.
public struct FetchedResultsSnapshots: AsyncSequence, Sendable {
  public typealias Element = FetchedResultsSnapshot

  /// Touched on their context's queue only.
  private let results: Handover<LiveResults>

  init(live: LiveResults) {
    results = Handover(live)
  }

  /// Returns an iterator over the snapshots.
  ///
  /// You can call this method on any thread.
  ///
  /// - Returns: An iterator whose first snapshot has the current results.
  public func makeAsyncIterator() -> Iterator {
    let mailbox = SnapshotMailbox()
    let live = results.value
    guard let context = live.context else {
      mailbox.end(with: nil)
      return Iterator(mailbox: mailbox, live: live)
    }
    context.perform { results.value.begin(mailbox) }
    return Iterator(mailbox: mailbox, live: live)
  }

  /// An iterator over snapshots of fetched results.
  public struct Iterator: AsyncIteratorProtocol {
    let mailbox: SnapshotMailbox
    /// Kept alive as long as somebody reads.
    let live: LiveResults
    private var last: FetchedResultsSnapshot?

    init(mailbox: SnapshotMailbox, live: LiveResults) {
      self.mailbox = mailbox
      self.live = live
    }

    public mutating func next() async throws -> FetchedResultsSnapshot? {
      guard let next = try await mailbox.next()?.following(last) else { return nil }
      last = next
      return next
    }
  }
}

extension LiveResults {
  /// Adds a reader, which gets the state now.
  fileprivate func begin(_ mailbox: SnapshotMailbox) {
    readers.add(mailbox)
    guard let arrangement else { return }
    mailbox.offer(FetchedResultsSnapshot(arrangement, revision: revision, after: nil))
  }
}
