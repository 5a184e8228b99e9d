import Foundation
import Synchronization

// MARK: - Statements that may be stopped

extension Connection {
  /// Does something for as long as it may take; nil when it would have taken longer.
  ///
  /// ```swift
  /// let count = try connection.within(.milliseconds(300)) { try connection.integer(query) }
  /// ```
  package func within<Result>(
    _ limit: Duration,
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    try stopping(Watch(interruption, every: limit) { false }, body)
  }

  /// Does something while somebody wants it, which is checked now and then on another thread; `nil`
  /// if it was stopped.
  package func asLongAs<Result>(
    _ isWanted: @escaping @Sendable () -> Bool,
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    try stopping(Watch(interruption, every: .milliseconds(100), isWanted), body)
  }

  private func stopping<Result>(
    _ watch: Watch,
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    defer { watch.end() }
    do {
      return try body()
    } catch {
      if error.primaryCode == 9, watch.hasInterrupted { return nil }
      throw error
    }
  }
}

/// Looks now and then whether the statements of a connection are still wanted, and interrupts them
/// when they are not.
private final class Watch: Sendable {
  private let interruption: Interruption
  private let interval: DispatchTimeInterval
  private let isWanted: @Sendable () -> Bool
  private let stage = Mutex(Stage.watching)

  private enum Stage {
    case watching, interrupted, ended
  }

  init(
    _ interruption: Interruption,
    every interval: Duration,
    _ isWanted: @escaping @Sendable () -> Bool
  ) {
    self.interruption = interruption
    let (seconds, attoseconds) = interval.components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) * 1e-12
    self.interval = .microseconds(Int(min(microseconds, 1e15)))
    self.isWanted = isWanted
    lookLater(after: self.interval)
  }

  var hasInterrupted: Bool { stage.withLock { $0 == .interrupted } }

  func end() { stage.withLock { $0 = .ended } }

  private func lookLater(after interval: DispatchTimeInterval) {
    DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [self] in
      if let next = look() { lookLater(after: next) }
    }
  }

  /// When to look again; nil when there is nothing to watch any more.
  private func look() -> DispatchTimeInterval? {
    let isWanted = hasInterrupted ? false : isWanted()
    // Behind the mutex nobody has ended the watch yet, so that the connection is open.
    return stage.withLock { stage in
      if stage == .ended { return nil }
      if isWanted { return interval }
      stage = .interrupted
      interruption()
      // SQLite forgets an interruption that comes between two statements.
      return .milliseconds(10)
    }
  }
}
