import Foundation

// MARK: - Performing

extension NSPersistentStoreCoordinator {
  /// Schedules a block on the coordinator's queue and returns without waiting for it.
  ///
  /// Blocks of one coordinator run one after the other. Contexts can fetch and save in the meantime.
  ///
  /// - Parameter block: The work to do with the coordinator.
  @preconcurrency
  public func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async(block)
  }

  /// Runs a block on the coordinator's queue and waits until it has finished.
  ///
  /// You can call the method from within a block of the same coordinator. Blocks of one coordinator run one
  /// after the other. Contexts can fetch and save in the meantime.
  ///
  /// - Parameter block: The work to do with the coordinator.
  /// - Returns: The result of the block.
  /// - Throws: The error that the block throws.
  @_disfavoredOverload
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try queue.sync(block)
  }

  /// Runs a block on the coordinator's queue and returns its result.
  ///
  /// Blocks of one coordinator run one after the other. Contexts can fetch and save in the meantime. As with
  /// ``NSManagedObjectContext/perform(schedule:_:)``, the block is not isolated to an actor.
  ///
  /// - Parameter block: The work to do with the coordinator.
  /// - Returns: The result of the block.
  /// - Throws: The error that the block throws.
  @preconcurrency
  public func perform<Result>(
    _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    let outcome = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Handover(Swift.Result(catching: block)))
      }
    }
    return try outcome.value.get(rethrowing: block)
  }
}

// MARK: - Locking

extension NSPersistentStoreCoordinator: NSLocking {
  /// Acquires the coordinator's lock, so that other threads cannot save until ``unlock()`` is
  /// called.
  ///
  /// Waits until no other thread holds the lock. Call ``unlock()`` on the same thread.
  @available(*, deprecated, message: "Use performAndWait(_:)")
  public func lock() {
    saving.lock()
  }

  /// Releases the coordinator's lock, which the calling thread must have acquired.
  @available(*, deprecated, message: "Use performAndWait(_:)")
  public func unlock() {
    saving.unlock()
  }

  /// Acquires the coordinator's lock if no other thread holds it.
  ///
  /// The method does not wait.
  ///
  /// - Returns: `true` if the lock was acquired.
  @available(*, deprecated, message: "Use performAndWait(_:)")
  public func tryLock() -> Bool {
    saving.try()
  }
}
