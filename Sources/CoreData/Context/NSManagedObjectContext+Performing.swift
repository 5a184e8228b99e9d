import Foundation

// MARK: - Performing

extension NSManagedObjectContext {
  /// Schedules a block on the context's queue and returns without waiting for it.
  ///
  /// Blocks run one after another, in the order in which they were submitted. Pending changes are
  /// processed at the end of each block. Blocks of the main queue run when the main thread's run loop
  /// turns, or when the program's `main` is asynchronous.
  ///
  /// The block is not isolated to an actor, even if the surrounding function is. If it uses the state
  /// of an actor, or captures a value that is not `Sendable`, the compiler warns.
  ///
  /// Use ``perform(schedule:_:)`` to wait for the block in asynchronous code. At the top level of a
  /// program, Swift chooses this method even after `await`, and warns; with `schedule:` it chooses the
  /// method that waits.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameter block: The work to do with the context and its objects.
  @preconcurrency
  @available(
    *,
    noasync,
    message: "it does not wait; write await context.perform(schedule: .enqueued) { … }"
  )
  public func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async {
      block()
      self.endEvent()
    }
  }

  /// Runs a block on the context's queue and waits until it has finished.
  ///
  /// The method can be called from within a block of the same context, and from within a block of another
  /// one: a thread that waits in the first context's block for the second's may go back to the first. Where
  /// the second context's queue is busy with work that needs the first, such as the fetch of a child, that
  /// work is done in the meantime, so that contexts never wait for each other forever.
  /// Pending changes are not processed at the end of the block; they wait for the end of the current event.
  ///
  /// - Parameter block: The work to do with the context and its objects.
  /// - Returns: The block's result.
  /// - Throws: The error that the block throws.
  public func performAndWait<Result, Failure>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try queue.sync(block)
  }

  /// Runs a block on the context's queue and returns its result.
  ///
  /// ```swift
  /// let titles = try await background.perform {
  ///   try background.fetch(Note.fetchRequest()).map { $0.title ?? "" }
  /// }
  /// ```
  ///
  /// The block is not isolated to an actor, even if the surrounding function is, because it runs on
  /// the context's queue. If it uses the state of an actor, or captures a value that is not
  /// `Sendable`, the compiler warns: pass an `NSManagedObjectID` to the block instead of an object,
  /// and return what the actor needs.
  ///
  /// Canceling the task does not stop a block that was submitted.
  ///
  /// - Parameters:
  ///   - schedule: `.immediate` to run the block at once if the caller is already on the context's
  ///     queue; pending changes are then processed at the end of the caller's event. `.enqueued` to
  ///     always run the block after those that were submitted before. An enqueued block processes
  ///     pending changes at its end.
  ///   - block: The work to do with the context and its objects.
  /// - Returns: The block's result. Use objects in it on the context's queue only.
  /// - Throws: The error that the block throws.
  @preconcurrency
  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    if schedule == .immediate, queue.isCurrent { return try block() }
    let outcome = await withCheckedContinuation { continuation in
      queue.async {
        let outcome = Handover(Swift.Result(catching: block))
        self.endEvent()
        continuation.resume(returning: outcome)
      }
    }
    return try outcome.value.get(rethrowing: block)
  }
}

extension Result where Failure == any Error {
  /// What a block has returned or thrown on its queue; what it returns is the caller's responsibility, as with Apple's.
  func get(rethrowing block: () throws -> Success) rethrows -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): return try rethrow(error, block)
    }
  }

  /// Throws an error that came out of `block`, which is why `rethrows` may be believed.
  private func rethrow(
    _ error: any Error,
    _ block: () throws -> Success
  ) rethrows -> Success {
    func fail(_: () throws -> Success) throws -> Success { throw error }
    return try withoutActuallyEscaping(block) { try fail($0) }
  }
}
