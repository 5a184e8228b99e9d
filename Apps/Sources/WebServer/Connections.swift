import Foundation
import Synchronization

/// One client's line, and until when it must have said what it wants.
final class ConnectionRecord: Sendable {
  let descriptor: Int32
  /// The client's address: one of version 4, or the network half of one of version 6.
  let client: String
  private let standing: Mutex<Standing>

  private struct Standing {
    var deadline: ContinuousClock.Instant?
    /// Since when nothing has happened; nil while a request is under way.
    var idleSince: ContinuousClock.Instant?
    /// Whether somebody has asked on it who may.
    var isKnown = false
    var isLeaving = false
  }

  init(descriptor: Int32, client: String, deadline: ContinuousClock.Instant) {
    self.descriptor = descriptor
    self.client = client
    standing = Mutex(Standing(deadline: deadline, idleSince: .now))
  }

  /// Sets the time for the next bytes; `nil` means no limit.
  func expect(by instant: ContinuousClock.Instant?) {
    standing.withLock { $0.deadline = instant }
  }

  func isLate(_ now: ContinuousClock.Instant) -> Bool {
    standing.withLock { $0.deadline.map { $0 < now } ?? false }
  }

  func makeKnown() {
    standing.withLock { standing in
      standing.isKnown = true
      standing.idleSince = nil
    }
  }

  func rest() {
    standing.withLock { $0.idleSince = .now }
  }

  /// Which of a crowd goes first: strangers before those who are known, and of each who was silent longest.
  ///
  /// Nil for one that is being served, or that goes already.
  fileprivate var uselessness: (Int, ContinuousClock.Instant)? {
    standing.withLock { standing in
      guard !standing.isLeaving, let since = standing.idleSince else { return nil }
      return (standing.isKnown ? 1 : 0, since)
    }
  }

  fileprivate var isLeaving: Bool { standing.withLock { $0.isLeaving } }

  fileprivate func hangUp() {
    standing.withLock { $0.isLeaving = true }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// Every client's line.
///
/// The library leaves the list before it closes a socket, so a descriptor in the list is never
/// somebody else's.
final class Connections: Sendable {
  private let records = Mutex<[ObjectIdentifier: ConnectionRecord]>([:])
  private let limit: Int
  private let limitPerClient: Int

  init(limit: Int, perClient: Int) {
    self.limit = limit
    limitPerClient = perClient
  }

  /// Takes a line in; if there are too many, of one client or in all, another one goes for it.
  func add(_ record: ConnectionRecord) {
    records.withLock { records in
      records[ObjectIdentifier(record)] = record
      let staying = records.values.filter { !$0.isLeaving }
      let ofClient = staying.filter { $0.client == record.client }
      if ofClient.count > limitPerClient {
        Self.makeRoom(in: ofClient, for: record)
      } else if staying.count > limit {
        Self.makeRoom(in: staying, for: record)
      }
    }
  }

  private static func makeRoom(in crowd: [ConnectionRecord], for newcomer: ConnectionRecord) {
    let ranked = crowd.compactMap { record in
      record === newcomer ? nil : record.uselessness.map { (record, $0) }
    }
    (ranked.min { $0.1 < $1.1 }?.0 ?? newcomer).hangUp()
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
      for record in records.values where isDone(record) { record.hangUp() }
    }
  }
}
