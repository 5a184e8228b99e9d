import Foundation

// MARK: - Performing

extension NSManagedObjectContext {
  func submit(_ block: @escaping @Sendable () -> Void) {
    queue.async {
      block()
      self.endEvent()
    }
  }

  /// Runs a block on the context's queue and waits until it has finished.
  ///
  /// You can call this method in a block of the same context, and in a block of another context, which may call back into
  /// the first one. If the other context's queue is busy with work that needs the first context, such as the fetch of a
  /// child, that work is done in the meantime. So contexts never wait for each other forever.
  ///
  /// Pending changes are not processed at the end of the block, but at the end of the current event.
  ///
  /// A method with the same signature in an extension is preferred, also if another module declares it.
  ///
  /// - Parameter block: The work to do with the context and its objects.
  /// - Returns: The block's result.
  /// - Throws: The error that the block throws.
  @_disfavoredOverload
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
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
  /// Canceling the task does not stop a block that was submitted; use ``performCancellable(_:)`` for one that reads.
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

  /// Runs a block that reads on the context's queue, and stops its fetches when the task is canceled.
  ///
  /// ```swift
  /// let search = Task {
  ///   try await background.performCancellable { try background.count(for: request) }
  /// }
  /// search.cancel()
  /// ```
  ///
  /// When the task is canceled, a block that has not begun does not run. The fetch or count that the block is
  /// executing is interrupted, and it and those after it throw `CocoaError.userCancelled`. The block is not
  /// interrupted elsewhere: faults that fire, saves, batch requests, queries in SQL and the fetches of a child context
  /// are finished. SQLite stores stop within their statement, stores in memory while they compare, and PostgreSQL
  /// servers when they are told to. If a server has not stopped after five seconds, the store closes the connection,
  /// and a context that is pinned to a query generation loses it. Other stores are read to the end of the statement.
  ///
  /// - Parameter block: The work to do with the context and its objects.
  /// - Returns: The block's result, also if the task was canceled too late to stop it.
  /// - Throws: The error of the block; `CancellationError` if the task was canceled before the block had read all.
  @preconcurrency
  public func performCancellable<Result: Sendable>(
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let control = FetchControl(estimate: 0)
    return try await withTaskCancellationHandler {
      do {
        return try await perform(schedule: .enqueued) {
          if control.isCancelled { throw CancellationError() }
          self.reading = control
          defer { self.reading = nil }
          return try block()
        }
      } catch let error as CocoaError where error.code == .userCancelled && control.isCancelled {
        throw CancellationError()
      }
    } onCancel: {
      control.cancel()
    }
  }

  /// Runs a block that reads for others than the caller, or that cannot throw: it is not given up.
  func readingToTheEnd<Result>(_ body: () throws -> Result) rethrows -> Result {
    let current = reading
    reading = nil
    defer { reading = current }
    return try body()
  }
}

extension Result where Failure == any Error {
  /// Returns or throws what a block has returned or thrown on its queue; the caller is responsible for the value, as
  /// with Apple's.
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

extension NSManagedObjectContext {
  /// The points in time at which ``NSManagedObjectContext/perform(schedule:_:)`` can run its block.
  public enum ScheduledTaskType: Sendable {
    /// The block runs at once if the caller is already on the context's queue; otherwise it is
    /// enqueued.
    case immediate
    /// The block is always enqueued behind the blocks that were submitted before.
    case enqueued
  }
}
