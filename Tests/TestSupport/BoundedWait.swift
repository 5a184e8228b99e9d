import Foundation

/// A test's wait for something that has to come.
///
/// If it does not come, the test fails with a sentence. Without a bound, the whole run would not end, and nobody would
/// know why.
public struct BoundedWait: Sendable {
  private let lack: String
  private let patience: Duration
  private let end: ContinuousClock.Instant

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - lack: The missing event, as the beginning of a sentence: `No replica has answered`.
  ///   - patience: The longest time of the wait; generous, because a busy machine is not a failure.
  public init(_ lack: String, _ patience: Duration = .seconds(180)) {
    self.lack = lack
    self.patience = patience
    end = ContinuousClock.now + patience
  }

  /// Throws the sentence once the time is over.
  public func goOn() throws {
    if ContinuousClock.now > end { throw Overdue(description: "\(lack) within \(patience).") }
  }

  /// Looks again and again until it is so.
  public func until(_ isSo: () throws -> Bool) throws {
    while try !isSo() {
      try goOn()
      usleep(5_000)
    }
  }
}

/// The error about an event that has not come in time.
private struct Overdue: Error, CustomStringConvertible {
  let description: String
}
