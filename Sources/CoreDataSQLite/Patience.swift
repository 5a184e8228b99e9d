import CoreDataCSQLite
import Synchronization

/// The time that a statement may work until its next row, or its end.
///
/// The time in which somebody reads the rows, such as a person in front of a pager, does not count.
///
/// Safety: used by the thread that has the connection.
final class Patience {
  let limit: Duration
  private var end: ContinuousClock.Instant?
  /// Whether the step that has just failed was stopped by this.
  private(set) var isOver = false

  init(_ limit: Duration) {
    self.limit = limit
  }

  func begin() {
    isOver = false
    end = .now + limit
  }

  fileprivate func isExhausted() -> Bool {
    guard let end, ContinuousClock.now > end else { return false }
    isOver = true
    return true
  }
}

extension Connection {
  /// Stops every statement that works longer than this until its next row: with SQLite's code 9, and
  /// with a sentence that says so.
  ///
  /// For programs in front of which a person sits. A single call of a function cannot be stopped.
  package func limitStatements(to limit: Duration?) {
    patience = limit.map { Patience($0) }
    guard let patience else { return sqlite3_progress_handler(handle, 0, nil, nil) }
    sqlite3_progress_handler(
      handle,
      Self.operationsBetweenLooks,
      { place in
        guard let place else { return 0 }
        return Unmanaged<Patience>.fromOpaque(place)
          ._withUnsafeGuaranteedRef { $0.isExhausted() } ? 1 : 0
      },
      Unmanaged.passUnretained(patience).toOpaque()
    )
  }

  /// A look at the clock takes as long as some hundred of SQLite's operations.
  private static let operationsBetweenLooks: Int32 = 20_000

  func exhausted(_ error: SQLiteError) -> SQLiteError {
    guard error.primaryCode == 9, let patience, patience.isOver else { return error }
    return SQLiteError(outOfTime: patience.limit)
  }
}

extension SQLiteError {
  /// SQLite's code for an interruption, in an extension that is not one of SQLite's.
  private static let outOfTimeCode: Int32 = 9 | (200 << 8)

  init(outOfTime limit: Duration) {
    let seconds = limit / .seconds(1)
    let words = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    self.init(
      code: Self.outOfTimeCode,
      message: "a search was stopped, as it had worked for \(words) s without finding anything more"
    )
  }

  /// Whether a statement was stopped because somebody had waited too long for it.
  package var isOutOfTime: Bool { code == Self.outOfTimeCode }
}

extension Connection {
  private static let timeOfStatements = Mutex<Duration?>(nil)

  /// How long the statements of every connection that is opened from now on may work until the next row;
  /// nil lets them work on.
  package static func setTimeOfStatements(_ limit: Duration?) {
    timeOfStatements.withLock { $0 = limit }
  }

  /// How much memory SQLite may take for all connections of the process together; a statement that needs
  /// more fails.
  package static func setMemory(bytes: Int64) { _ = sqlite3_hard_heap_limit64(bytes) }

  func adoptTimeOfStatements() {
    if let limit = Self.timeOfStatements.withLock(\.self) { limitStatements(to: limit) }
  }
}
