import Foundation

/// A lock, and something to wait for, by a clock that nobody sets.
///
/// `NSCondition` waits until a time of the wall's clock: where that is set back, whoever waits does so for as long again.
///
/// Safety: what the pointers lead to is made once, touched by functions that are for any thread, and gone with the last
/// who has the condition.
final class SteadyCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }
}

extension SteadyCondition {
  /// Does something while nobody else holds the lock.
  func locked<Result>(_ work: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try work()
  }

  /// Wakes everybody who waits; called by whoever holds the lock.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Lets the lock go until somebody wakes those who wait, or until the deadline; called by whoever holds it.
  ///
  /// - Returns: Whether there is time left.
  func wait(until deadline: SteadyDeadline) -> Bool {
    var time = deadline.time
    return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
  }
}

/// A moment of the clock that nobody sets.
struct SteadyDeadline {
  fileprivate let time: timespec

  /// The moment after so many seconds, of which there are a million at most.
  init(after seconds: Double) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let nanoseconds = Int64(min(max(seconds, 0), 1_000_000) * 1e9) + Int64(now.tv_nsec)
    time = timespec(
      tv_sec: now.tv_sec + Int(nanoseconds / 1_000_000_000),
      tv_nsec: Int(nanoseconds % 1_000_000_000)
    )
  }
}
