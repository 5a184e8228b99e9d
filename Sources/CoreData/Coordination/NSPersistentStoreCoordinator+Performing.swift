import Foundation

// MARK: - Performing

extension NSPersistentStoreCoordinator {
  /// Runs the block on the coordinator's queue, later.
  public func perform(_ block: @escaping () -> Void) {
    queue.async(block)
  }

  /// Runs the block on the coordinator's queue and waits; may be called from within itself.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try queue.sync(block)
  }

  /// Runs the block on the coordinator's queue, and gives its result.
  public func perform<Result>(_ block: @escaping () throws -> Result) async rethrows -> Result {
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
