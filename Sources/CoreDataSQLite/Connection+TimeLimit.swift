import Foundation
import Synchronization

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
    let alarm = Alarm(interruption, after: limit)
    defer { alarm.stop() }
    do {
      return try body()
    } catch {
      if error.primaryCode == 9, alarm.hasRung { return nil }
      throw error
    }
  }
}

/// Interrupts a connection after a while, unless it is stopped first.
private final class Alarm: Sendable {
  private let state = Mutex(State.set)

  private enum State {
    case set, rung, stopped
  }

  init(_ interruption: Interruption, after limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let delay = Double(seconds) + Double(attoseconds) * 1e-18
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [self] in
      // Behind the mutex nobody has stopped the alarm yet, so that the connection is open.
      state.withLock { state in
        guard state == .set else { return }
        state = .rung
        interruption()
      }
    }
  }

  var hasRung: Bool { state.withLock { $0 == .rung } }

  func stop() { state.withLock { if $0 == .set { $0 = .stopped } } }
}
