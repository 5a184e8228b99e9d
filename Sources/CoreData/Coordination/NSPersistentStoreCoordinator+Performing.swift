import Foundation

// MARK: - Performing

extension NSPersistentStoreCoordinator {
  /// Schedules a block on the coordinator's queue and returns without waiting for it.
  @preconcurrency
  public func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async(block)
  }

  /// Runs a block on the coordinator's queue and waits until it has finished.
  ///
  /// The method can be called from within a block of the same coordinator.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try queue.sync(block)
  }

  /// Runs a block on the coordinator's queue and returns its result.
  ///
  /// The block belongs to no actor, as with ``NSManagedObjectContext/perform(schedule:_:)``.
  @preconcurrency
  public func perform<Result>(
    _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    let outcome = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: NSManagedObjectContext.Outcome(Swift.Result(catching: block))
        )
      }
    }
    return try outcome.value(rethrowing: block)
  }
}

// MARK: - Locking

extension NSPersistentStoreCoordinator: NSLocking {
  /// Keeps saves of other threads out until ``unlock()``.
  @available(*, deprecated, message: "Use performAndWait(_:)")
  public func lock() {
    saving.lock()
  }

  @available(*, deprecated, message: "Use performAndWait(_:)")
  public func unlock() {
    saving.unlock()
  }

  /// As ``lock()``, but gives up at once where another thread has the lock.
  @available(*, deprecated, message: "Use performAndWait(_:)")
  public func tryLock() -> Bool {
    saving.try()
  }
}
