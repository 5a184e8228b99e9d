import Foundation

/// The browsers that have brought the passphrase, each with the time of its last activity.
///
/// A browser is known by a random token in a cookie. Nothing of this is kept in a file, so that all are locked after a restart.
struct UnlockedBrowsers: Sendable {
  /// The number of browsers that are remembered; of more, the one without activity for longest is locked.
  static let capacity = 1_000

  private var lastActivity: [String: ContinuousClock.Instant] = [:]

  /// Adds a browser, and returns its token.
  mutating func add(at now: ContinuousClock.Instant) -> String {
    if lastActivity.count >= Self.capacity,
      let oldest = lastActivity.min(by: { $0.value < $1.value })
    {
      lastActivity[oldest.key] = nil
    }
    var numbers = SystemRandomNumberGenerator()
    let token = (0..<4).map { _ in
      let digits = String(numbers.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    lastActivity[token] = now
    return token
  }

  /// Returns whether a browser is unlocked, and forgets it if it was idle for longer than it may.
  mutating func has(
    _ token: String,
    idleFor limit: Duration,
    at now: ContinuousClock.Instant
  ) -> Bool {
    guard let last = lastActivity[token] else { return false }
    if now - last <= limit { return true }
    lastActivity[token] = nil
    return false
  }

  /// Takes note of activity of a browser that is unlocked.
  mutating func touch(_ token: String, at now: ContinuousClock.Instant) {
    if lastActivity[token] != nil { lastActivity[token] = now }
  }

  mutating func remove(_ token: String) {
    lastActivity[token] = nil
  }
}
