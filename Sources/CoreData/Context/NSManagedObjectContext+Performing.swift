import Foundation

// MARK: - Performing

extension NSManagedObjectContext {
  /// Runs the block on the context's queue, later, and processes pending changes at its end.
  ///
  /// Blocks run one after another, in the order in which they were given. The main queue's run when
  /// the main thread's run loop turns or the program's `main` is asynchronous.
  public func perform(_ block: @escaping () -> Void) {
    queue.async {
      block()
      self.endEvent()
    }
  }

  /// Runs the block on the context's queue and waits; throws what the block throws.
  ///
  /// May be called from within itself, and from within another context's: a thread that waits in the
  /// first context's block for the second's may go back to the first. Changes stay pending until the
  /// next event ends.
  public func performAndWait<Result, Failure>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try queue.sync(block)
  }

  /// Runs the block on the context's queue, and gives its result or throws what it throws.
  ///
  /// `.immediate` runs it at once where the caller is on the queue already, `.enqueued` always after
  /// what was asked for before. Pending changes are processed at the block's end, except where it ran
  /// at once: there they belong to the caller's event.
  ///
  /// In a function of the main actor Swift takes the block to be the main actor's too, and the program
  /// stops at a closure within it, such as that of `map`, when the context has a queue of its own:
  ///
  /// ```swift
  /// let titles = try await background.perform { @Sendable in     // belongs to no actor
  ///   try background.fetch(Note.fetchRequest()).map { $0.title ?? "" }
  /// }
  /// ```
  ///
  /// Cancelling the task takes nothing back: a block that was asked for runs to its end. A long one
  /// may look at `Task.isCancelled` outside, between two blocks.
  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping () throws -> Result
  ) async rethrows -> Result {
    if schedule == .immediate, queue.isCurrent { return try block() }
    let outcome = await withCheckedContinuation { continuation in
      queue.async {
        let outcome = Outcome(Swift.Result(catching: block))
        self.endEvent()
        continuation.resume(returning: outcome)
      }
    }
    return try outcome.value(rethrowing: block)
  }

  /// Carries a block's result from the context's queue to the waiting task.
  ///
  /// Safety: handed over once. What a block returns is the caller's responsibility, as with Apple's.
  struct Outcome<Success>: @unchecked Sendable {
    let result: Swift.Result<Success, any Error>

    init(_ result: Swift.Result<Success, any Error>) {
      self.result = result
    }

    func value(rethrowing block: () throws -> Success) rethrows -> Success {
      switch result {
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
}
