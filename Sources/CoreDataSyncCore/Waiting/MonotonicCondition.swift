import Foundation

/// A condition to wait for, whose waits end after a duration, even if somebody sets the machine's clock.
///
/// `NSCondition` waits until a time of day, which is a year away when the clock is set back by a year.
///
/// Safety: the two values never move, and are used as the system's threads permit.
package final class MonotonicCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
    pthread_cond_init(condition, nil)
    #else
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func lock() { pthread_mutex_lock(mutex) }

  package func unlock() { pthread_mutex_unlock(mutex) }

  package func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits for a broadcast; the lock is held before and afterwards.
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits for a broadcast, at most so long; the lock is held before and afterwards.
  package func wait(atMost duration: Duration) {
    // The waiting code looks again afterwards, so a shorter wait is as good.
    let seconds = min(max(duration / .seconds(1), 0), 3600)
    var time = timespec()
    #if canImport(Darwin)
    time.tv_sec = Int(seconds)
    time.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
    pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + Int((seconds - seconds.rounded(.down)) * 1e9)
    time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
