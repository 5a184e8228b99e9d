import Foundation
import Synchronization

/// One client's line, and until when it must have said what it wants.
final class ConnectionRecord: Sendable {
  let descriptor: Int32
  private let deadline: Mutex<ContinuousClock.Instant?>

  init(descriptor: Int32, deadline: ContinuousClock.Instant) {
    self.descriptor = descriptor
    self.deadline = Mutex(deadline)
  }

  /// Sets the time for what comes next; nil is no limit.
  func expect(by instant: ContinuousClock.Instant?) {
    deadline.withLock { $0 = instant }
  }

  func isLate(_ now: ContinuousClock.Instant) -> Bool {
    deadline.withLock { $0.map { $0 < now } ?? false }
  }
}

/// Every client's line.
///
/// The library leaves the list before it closes a socket, so a descriptor in the list is never
/// somebody else's.
final class Connections: Sendable {
  private let records = Mutex<[ObjectIdentifier: ConnectionRecord]>([:])

  func add(_ record: ConnectionRecord) {
    records.withLock { $0[ObjectIdentifier(record)] = record }
  }

  func remove(_ record: ConnectionRecord) {
    records.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(record)) }
  }

  /// Hangs up on who talks too slowly.
  func closeLate(_ now: ContinuousClock.Instant) {
    close { $0.isLate(now) }
  }

  func closeAll() {
    close { _ in true }
  }

  private func close(where isDone: (ConnectionRecord) -> Bool) {
    records.withLock { records in
      for record in records.values where isDone(record) {
        shutdown(record.descriptor, Int32(SHUT_RDWR))
      }
    }
  }
}
