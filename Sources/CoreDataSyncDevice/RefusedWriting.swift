import CoreData

/// For how long nothing is sent, because the server takes no changes, or somebody between says so.
///
/// With a token that may not write it is tried again ten minutes later: a proxy may have been in the way, and a token may
/// have got another role. A zone that is full is tried again after a minute, without anybody's asking.
struct RefusedWriting {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  private var answer: ChangesRefused?
  private var end: ContinuousClock.Instant?

  mutating func begin(_ answer: ChangesRefused, at now: ContinuousClock.Instant) {
    self.answer = answer
    end = now + answer.reason.patience
  }

  /// Whether it is worth a try; also if nothing was refused.
  func isOver(at now: ContinuousClock.Instant) -> Bool { end.map { now >= $0 } ?? true }

  /// The obstacle.
  var problem: SyncProblem? { answer?.problem }

  var isOfToken: Bool { answer?.reason == .readOnlyToken }

  /// The seconds until something is sent again; `nil` if nothing was refused.
  func secondsUntilRetry(at now: ContinuousClock.Instant) -> Double? {
    end.map { max(($0 - now) / .seconds(1), 0) }
  }
}

extension ChangesRefused.Reason {
  fileprivate var patience: Duration {
    switch self {
    case .readOnlyToken: .seconds(600)
    case .noRoom: .seconds(60)
    }
  }
}
