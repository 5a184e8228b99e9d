import CoreDataSyncCore
import Synchronization

/// The changes at the end of zones that replicas have sent themselves, so that they need not come back to them.
///
/// ```
/// the phone has read up to 7, and pushes     8 … 12 are its own
/// it pulls after 7, and has seen 12          nothing comes, and it goes on after 12
/// it pulls after 7, and has seen 7           8 … 12 come: it has lost the answer, or was put back to a backup
/// ```
///
/// A replica that has got the answer to its push has the cells of that push. Copies of one device, which have one replica,
/// see different answers. What is remembered here is lost with the server's run; then the changes come.
final class OwnChanges: Sendable {
  private let ranges = Mutex<[Place: Range]>([:])
  /// Replicas that push in the time in which others pull.
  private static let most = 10_000

  private struct Place: Hashable {
    let zone: String
    let replica: SyncID
  }

  private struct Range {
    /// The number of the last change before.
    let start: UInt64
    /// The server's answer to the last push.
    let end: Cursor
  }

  /// Notes that a push has made the changes after a number, up to a cursor.
  ///
  /// `isAlone` is false if there are changes among them that the replica does not have.
  func note(
    _ push: SyncRequest.Push,
    in zone: String,
    after start: UInt64,
    to end: Cursor,
    isAlone: Bool
  ) {
    let place = Place(zone: zone, replica: push.replica)
    ranges.withLock { ranges in
      guard isAlone else {
        ranges[place] = nil
        return
      }
      if start == end.position { return }
      if ranges.count >= Self.most { ranges = [:] }
      let known = ranges[place]
      // Several pushes, one after the other, and nobody else between them.
      let goesOn = known.map { $0.end == push.seen && $0.end.position == start } ?? false
      ranges[place] = Range(start: goesOn ? known?.start ?? start : start, end: end)
    }
  }

  /// The cursor after which a replica needs changes: behind its own, if those are all that there is.
  func start(of pull: SyncRequest.Pull, in zone: String) -> Cursor {
    guard !pull.isSnapshot else { return pull.after }
    let place = Place(zone: zone, replica: pull.replica)
    guard let own = ranges.withLock({ $0[place] }), own.start == pull.after.position,
      own.end == pull.seen
    else { return pull.after }
    return own.end
  }
}
