import CoreData
import CoreDataSync
import Dispatch
import Synchronization

/// The state of a question to the engine's thread.
private enum Answer<Value: Sendable>: Sendable {
  case awaited
  case begun
  /// Nobody waits for it any more, and it is not begun.
  case withdrawn
  case given(Result<Value, any Error>)

  /// - Returns: Whether somebody waits for it.
  mutating func begin() -> Bool {
    guard case .awaited = self else { return false }
    self = .begun
    return true
  }

  /// - Returns: Whether it had not been begun.
  mutating func withdraw() -> Bool {
    guard case .awaited = self else { return false }
    self = .withdrawn
    return true
  }
}

/// For how long somebody waits while observers hold up the engine's thread; asked five times a second.
struct PatienceWithObservers {
  private var rounds = 0

  /// Whether to give up.
  ///
  /// On the main queue at once, because observers are known to wait for that. On another queue after half a minute: perhaps they
  /// are only slow.
  mutating func isOver(_ isHeld: Bool, isOnMainQueue: Bool) -> Bool {
    rounds = isHeld ? rounds + 1 : 0
    return isHeld && (isOnMainQueue || rounds >= 150)
  }
}

// MARK: - Conflicts

extension SyncDriver {
  /// Lets the engine's thread do something with the session, and waits for it; an exchange that is under way is
  /// waited for as well.
  ///
  /// Code that is called on that thread, as by a notification of the engine's own save, asks there. Code that waits on
  /// a queue for which observers of a save wait gets an error instead of waiting for ever.
  private func withSession<Value: Sendable>(
    _ body: @escaping @Sendable (SyncSession) throws -> Value
  ) throws -> Value {
    if let thread = EngineThread.current, thread.driver === self {
      guard let session = thread.session else {
        throw SyncProblem("The store is being opened; ask again afterwards.", isTemporary: true)
      }
      return try body(session)
    }
    let answer = Mutex(Answer<Value>.awaited)
    let isDone = DispatchSemaphore(value: 0)
    let isTaken = wishes.add { opening in
      guard answer.withLock({ $0.begin() }) else { return }
      let result = Result { try body(opening.get()) }
      answer.withLock { $0 = .given(result) }
      isDone.signal()
    }
    guard isTaken else { throw SyncProblem("The exchange has ended.", isTemporary: false) }
    var patience = PatienceWithObservers()
    while isDone.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
      let isHeld = wishes.isHeldByObservers
      let isOnMainQueue = framework.isMainQueueRunning()
      guard patience.isOver(isHeld, isOnMainQueue: isOnMainQueue) else { continue }
      let isWithdrawn = answer.withLock { $0.withdraw() }
      throw isWithdrawn ? Self.heldBefore : Self.heldMeanwhile
    }
    guard case .given(let result) = answer.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }

  private static let heldBefore = SyncProblem(
    """
    Observers of what has arrived wait for the queue on which the exchange was asked for something, as it seems. Nothing \
    was changed; ask on another thread.
    """,
    isTemporary: true
  )

  private static let heldMeanwhile = SyncProblem(
    """
    Observers of the save wait for the queue on which it was asked for, as it seems. It goes on once they are done; ask \
    on another thread.
    """,
    isTemporary: true
  )

  func conflicts() throws -> [NSPersistentCloudKitContainer.SyncConflict] {
    let name = kept.identifier
    return try reading { try $0.lostValues($1, of: $2) }.map { lost in
      NSPersistentCloudKitContainer.SyncConflict(
        id: lost.number,
        storeIdentifier: name,
        objectID: lost.objectID,
        entityName: lost.entityName,
        propertyName: lost.propertyName,
        losingText: lost.text,
        losingObjectID: lost.end,
        date: lost.date,
        deviceName: lost.device
      )
    }
  }

  /// Reads what the sidecar has committed, beside the engine, which may be waiting for the network.
  ///
  /// - Returns: Nothing where the sidecar is not there yet.
  private func reading<Value>(
    _ body: (SidecarReport, NSManagedObjectModel, StoreDoor) throws -> [Value]
  ) throws -> [Value] {
    let (coordinator, store) = (kept.coordinator, kept.store)
    do {
      guard let path = store.url?.path,
        let report = try SidecarReport(ofStoreAt: path, .besideEngine)
      else { return [] }
      let door = StoreDoor(coordinator: coordinator, store: store)
      return try body(report, coordinator.managedObjectModel, door)
    } catch let failure as SyncFailure {
      throw SyncProblem(failure.description, isTemporary: false)
    }
  }

  func resolve(
    _ conflict: NSPersistentCloudKitContainer.SyncConflict,
    takesBack: Bool
  ) throws {
    guard conflict.storeIdentifier == kept.identifier else { return }
    // An object that was brought back is sent, although the program has saved nothing.
    defer { wishes.add(takesBack ? .exchange : .localChanges) }
    do {
      try withSession { [wishes, framework] session in
        if takesBack {
          try framework.pass(wishes, .beforeSave)
          try session.takeBack(conflict.id, writtenAt: conflict.date)
        } else {
          try session.dismiss(conflict.id, writtenAt: conflict.date)
        }
      }
    } catch let failure as SyncFailure {
      throw SyncProblem(failure.description, isTemporary: false)
    }
  }

  func quarantine() throws -> [NSPersistentCloudKitContainer.QuarantinedValue] {
    try reading { try $0.refusedValues($1, of: $2) }.map {
      NSPersistentCloudKitContainer.QuarantinedValue(
        objectID: $0.objectID,
        propertyName: $0.propertyName,
        reason: $0.reason
      )
    }
  }
}
