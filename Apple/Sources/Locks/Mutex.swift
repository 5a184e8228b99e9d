// The lock and the atomic value of Swift's module Synchronization need iOS 18 and macOS 15. In a module with this file,
// these take their place; a link to it is in each that needs them.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A value that one thread at a time reads and changes, as `Synchronization.Mutex` keeps it.
///
/// Safety: the value is only reached by who has the lock.
final class Mutex<Value>: @unchecked Sendable {
  private let value: UnsafeMutablePointer<Value>
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ value: consuming sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    let code = pthread_mutex_init(lock, nil)
    precondition(code == 0, "the system has a lock")
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Does something with the value while nobody else can.
  ///
  /// A thread that has the lock already waits for itself, for ever.
  func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}

/// A value that is read and written as a whole, as `Synchronization.Atomic` keeps it.
final class Atomic<Value: Sendable>: Sendable {
  /// The orders that callers ask for; a lock gives each of them.
  enum Ordering { case relaxed, acquiring, releasing, sequentiallyConsistent }

  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func load(ordering: Ordering) -> Value { value.withLock { $0 } }

  func store(_ new: Value, ordering: Ordering) { value.withLock { $0 = new } }
}
