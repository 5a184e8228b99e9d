import Foundation
import Synchronization

// MARK: - The end of an event

extension NSManagedObjectContext {
  /// Ends the current event: applies delete rules and tells observers what has changed.
  ///
  /// It happens by itself before each save and fetch, at the end of each ``perform(_:)`` block, and
  /// for the main queue at the end of the run loop's turn.
  public func processPendingChanges() {
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    isEventEndScheduled = false
    if propagatesDeletesAtEndOfEvent { propagateDeletes() }
    registerUndo()
    announceEvent()
  }

  /// Ends the event of a block that was performed, and what can be undone of it.
  private func endEvent() {
    processPendingChanges()
    undoManager?.endEvent()
  }

  func scheduleEventEnd() {
    guard !isEventEndScheduled else { return }
    isEventEndScheduled = true
    // The blocks of a private queue end their event themselves.
    guard queue.isMain else { return }
    let map = identityMap
    queue.async { map.context?.processPendingChanges() }
  }

  func propagateDeletes() {
    while !pendingDeletions.isEmpty {
      let objects = pendingDeletions
      pendingDeletions = []
      for object in objects { DeletePropagation(object).perform() }
      for object in objects where object.record.pointee.snapshot == nil { forget(object) }
    }
  }

  /// Lets go of an object that was inserted and deleted without a save between.
  func forget(_ object: NSManagedObject) {
    identityMap.unregister(object, key: object.record.pointee.key)
    retained.remove(object)
    assignments[ObjectIdentifier(object)] = nil
    object.detach()
  }

  /// Posts `NSManagedObjectContextObjectsDidChange`, if there is something to tell.
  private func announceEvent() {
    guard !tracker.event.isEmpty else { return }
    let event = tracker.event
    tracker.event = ContextEvent()
    eventCount.add(1, ordering: .acquiringAndReleasing)
    for object in event.inserted + event.updated + event.deleted {
      object.record.pointee.isNotedInEvent = false
      object.record.pointee.overlay?.changedInEvent = SlotSet()
    }
    let changes = ContextChanges(event)
    listeners.tell { $0.contextDidChange(changes) }
    post(
      .NSManagedObjectContextObjectsDidChange,
      [
        NSInsertedObjectsKey: changes.inserted,
        NSUpdatedObjectsKey: changes.updated,
        NSDeletedObjectsKey: changes.deleted,
        NSRefreshedObjectsKey: changes.refreshed,
      ]
    )
  }

  /// Posts a notification of this context; empty sets are left out.
  func post(_ name: Notification.Name, _ sets: [String: Any]) {
    var userInfo: [AnyHashable: Any] = [:]
    for (key, value) in sets {
      if let set = value as? Set<NSManagedObject>, set.isEmpty { continue }
      userInfo[key] = value
    }
    if name == .NSManagedObjectContextObjectsDidChange, userInfo.isEmpty { return }
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}

// MARK: - Performing

extension NSManagedObjectContext {
  /// Runs the block on the context's queue, later, and processes pending changes at its end.
  public func perform(_ block: @escaping () -> Void) {
    queue.async {
      block()
      self.endEvent()
    }
  }

  /// Runs the block on the context's queue and waits; may be called from within itself.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try queue.sync(block)
  }

  /// Runs the block on the context's queue, and gives its result.
  ///
  /// `.immediate` runs it at once where the caller is on the queue already.
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
