/// A clock that follows the wall's, and never gives a moment that is not later than all it has seen.
///
/// So an edit that was made after seeing a value beats that value, whatever the clocks of the two
/// machines say.
package struct HybridClock: Hashable, Sendable {
  /// The latest moment that was given or seen.
  package private(set) var last: UInt64

  package init(last: UInt64 = 0) {
    self.last = last
  }

  /// A new moment, of that time or of the next after the latest.
  package mutating func tick(milliseconds: UInt64) -> UInt64 {
    last = max(min(milliseconds, Self.latest) << 16, last + 1)
    return last
  }

  /// Takes note of a moment that somebody else has given.
  ///
  /// Moments that no clock gives count as the latest of all, so that there is one after each. No answer of a server has
  /// such a moment, so that whatever comes can be replaced.
  package mutating func witness(_ moment: UInt64) {
    last = max(last, min(moment, Self.latest << 16))
  }

  /// The last millisecond of which a clock is believed, in the year 4199.
  ///
  /// Clocks count on behind it for as long again, and their moments are positive also where they are kept with a sign.
  package static let latest: UInt64 = 1 << 46
}
