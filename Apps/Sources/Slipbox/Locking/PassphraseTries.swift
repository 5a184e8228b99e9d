import Foundation

/// Limits how many wrong passphrases the server checks in a minute, from all browsers together.
///
/// Unlike the limit of access keys (`GuessLimit`), it does not refuse for longer each time: those who try have the key already,
/// and somebody at a forgotten browser must not keep the owner out for hours.
struct PassphraseTries: Sendable {
  static let perMinute = 10

  private var times: [ContinuousClock.Instant] = []

  /// Counts a try before it is checked, so that several at once are counted, too.
  ///
  /// - Returns: `nil` if the try may be checked, or the number of seconds to wait.
  mutating func begin(at now: ContinuousClock.Instant) -> Int? {
    times.removeAll { now - $0 >= .seconds(60) }
    guard times.count < Self.perMinute else {
      return Int((times[0] + .seconds(60) - now).components.seconds) + 1
    }
    times.append(now)
    return nil
  }

  /// Takes back a try that turned out to be right.
  mutating func takeBack(_ time: ContinuousClock.Instant) {
    if let place = times.firstIndex(of: time) { times.remove(at: place) }
  }
}
