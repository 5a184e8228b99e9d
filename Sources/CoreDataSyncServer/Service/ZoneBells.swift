import CoreDataSyncCore
import Synchronization

/// Wakes the threads that wait for a change of a zone.
package final class ZoneBells: Sendable {
  /// Held by code that changes the heads, so that no waiting thread misses it.
  private let condition = MonotonicCondition()
  private let heads = Mutex<[String: UInt64]>([:])
  private let hasStopped = Atomic(false)

  package init() {}

  /// Notes the number of a zone's last change.
  package func ring(_ zone: String, head: UInt64) {
    locked {
      heads.withLock { $0[zone] = max($0[zone] ?? 0, head) }
      condition.broadcast()
    }
  }

  /// Waits until a zone has a later change than that, for at most so long, whatever is done to the machine's clock.
  ///
  /// - Returns: The number of the last change that was noted.
  @discardableResult
  package func wait(for zone: String, after number: UInt64, seconds: Double) -> UInt64 {
    let end = ContinuousClock.now + .seconds(seconds)
    return locked {
      while true {
        let head = heads.withLock { $0[zone] ?? 0 }
        let left = ContinuousClock.now.duration(to: end)
        if isStopped || head > number || left <= .zero { return head }
        condition.wait(atMost: left)
      }
    }
  }

  /// Forgets the noted number, if it is still this one.
  func forget(_ zone: String, head: UInt64) {
    heads.withLock { if $0[zone] == head { $0[zone] = nil } }
  }

  package var isStopped: Bool { hasStopped.load(ordering: .acquiring) }

  /// Lets everybody go, also those who come later.
  package func stop() {
    locked {
      hasStopped.store(true, ordering: .releasing)
      condition.broadcast()
    }
  }

  private func locked<Result>(_ work: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return work()
  }
}
