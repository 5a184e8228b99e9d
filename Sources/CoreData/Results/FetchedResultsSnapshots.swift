/// Results as they change: each state is a snapshot, beginning with the one now.
///
/// ```swift
/// for try await snapshot in notes.snapshots { … }
/// ```
///
/// The latest state wins: a reader that is slower than the changes misses states between, never the
/// last one, and the difference is always from the snapshot that this reader got before. Several
/// readers do not take from each other. The sequence ends when the context is gone, and throws when
/// a fetch that it needs fails.
///
/// Safety: the results are touched on their context's queue only.
public struct FetchedResultsSnapshots: AsyncSequence, @unchecked Sendable {
  public typealias Element = FetchedResultsSnapshot

  let live: LiveResults

  /// Begins to read; may be called on any thread.
  public func makeAsyncIterator() -> Iterator {
    let mailbox = SnapshotMailbox()
    guard let context = live.context else {
      mailbox.end(with: nil)
      return Iterator(mailbox: mailbox, live: live)
    }
    context.perform { live.begin(mailbox) }
    return Iterator(mailbox: mailbox, live: live)
  }

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
  /// Takes in a reader, who gets the state now.
  fileprivate func begin(_ mailbox: SnapshotMailbox) {
    readers.add(mailbox)
    guard let arrangement else { return }
    mailbox.offer(FetchedResultsSnapshot(arrangement, revision: revision, after: nil))
  }
}
