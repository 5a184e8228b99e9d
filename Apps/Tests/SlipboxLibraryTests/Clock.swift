import Foundation
import Synchronization

/// A clock that a test sets.
final class Clock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_795_000_000))

  var now: Date { time.withLock { $0 } }

  func wait(_ seconds: TimeInterval) {
    time.withLock { $0 += seconds }
  }
}

/// Numbers that are the same in each run of a test.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = (seed &* 0x9e37_79b9_7f4a_7c15) | 1
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_f491_4f6c_dd1d
  }
}
