import CoreData
import CoreDataSync
import Dispatch
import Foundation
import Synchronization

/// Decides when a store and its server are brought to the same state, and does it on a thread of its own.
///
/// ```
/// a save of the program's      ─┐
/// news from the server         ─┼▶ the engine's thread ─▶ SyncSession ─▶ status, events
/// syncNow(), time to try again ─┘
/// ```
///
/// The data that this thread alone has is in its `EngineThread`. A second thread waits for news at the server. Apart
/// from that, nothing is sent if nothing happens.
final class SyncDriver: StoreSynchronizer, Sendable {
  typealias Status = NSPersistentCloudKitContainer.SyncStatus
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem
  typealias Event = NSPersistentCloudKitContainer.Event

  let store: SynchronizedStore
  let sidecar: String
  let zone: ZoneExchange
  private var transport: HTTPTransport { zone.transport }
  private let current = Mutex(Status())
  let wishes = Wishes()
  /// The number of the last change that the store has, which the second thread compares with the server's.
  private let position = Mutex<UInt64?>(nil)
  /// Whether the last exchange has met something that does not pass by itself, as far as the answer says.
  private let isHindered = Mutex(false)

  init(_ store: SynchronizedStore, sidecar: String, _ zone: ZoneExchange, isEncrypted: Bool) {
    self.store = store
    self.sidecar = sidecar
    self.zone = zone
    current.withLock { $0.isEncrypted = isEncrypted }
  }

  var status: Status { current.withLock { $0 } }

  func start() {
    wishes.follow(store.coordinator)
    wishes.add(.exchange)
    wishes.run("CoreDataSync") { [self] in EngineThread.run(for: self) }
    wishes.run("CoreDataSync news") { [self] in listen() }
  }

  func stop() {
    transport.cancel()
    wishes.stop()
  }

  func leave() {
    transport.cancel()
    wishes.stop(within: .seconds(1))
  }

  func synchronize(_ completion: @escaping @Sendable (SyncProblem?) -> Void) {
    wishes.add(.exchange, completion)
  }
}

// MARK: - The thread that waits for news

extension SyncDriver {
  private func listen() {
    var asksUntil = ContinuousClock.now
    var asked: UInt64?
    while !wishes.hasStopped {
      waitWhile { position.withLock { $0 } == nil || status.isActive }
      guard let known = position.withLock({ $0 }) else { continue }
      do {
        if ContinuousClock.now < asksUntil {
          let head = try transport.news(after: known, seconds: 25)
          note(head: head)
          // If the exchange fails, the same is news again at once.
          if head != known, head == asked { wishes.pause(seconds: 2) }
          asked = head
        } else if try transport.listen(heard: { head in
          note(head: head)
          return !wishes.hasStopped
        }) {
          // Something that ends each answer early is not asked without end.
          wishes.pause(seconds: 0.5)
        } else {
          // Something holds back answers that do not end: for a while it is asked again and again.
          asksUntil = .now + Self.asking
        }
      } catch let refusal as TooManyWaiting {
        // Asking without waiting needs no place among them.
        if let head = try? transport.news(after: known, seconds: 0) { note(head: head) }
        change { if !$0.isActive { $0.problem = $0.problem ?? refusal.problem } }
        wishes.pause(seconds: Self.pauseWithoutPlace)
      } catch {
        // A token that was revoked stays so; changes of the program are tried at once all the same.
        let isFinal = (error as? SyncProblem)?.isTemporary == false
        wishes.pause(seconds: isFinal ? 60 : 2)
      }
    }
  }

  /// Waits while something is so, and looks ever less often.
  private func waitWhile(_ condition: () -> Bool) {
    var seconds = 0.002
    while !wishes.hasStopped, condition() {
      wishes.pause(seconds: seconds)
      seconds = min(2 * seconds, 0.5)
    }
  }

  /// For how long nothing is expected of a stream that told nothing.
  private static let asking = Duration.seconds(600)

  /// The seconds between two questions of a device that finds no place among those who wait.
  private static let pauseWithoutPlace: Double = 30

  /// Exchanges changes if the server has others than the store, and if it had refused everything: it answers now.
  private func note(head: UInt64) {
    // Cells that are sent from here are news too, until the exchange has ended.
    waitWhile { status.isActive }
    let isHindered = isHindered.withLock { value in
      defer { value = false }
      return value
    }
    guard isHindered || head != position.withLock({ $0 }) else { return }
    wishes.add(.exchange)
    wishes.pause(seconds: 0.02)
  }
}

extension NSPersistentCloudKitContainer.SyncProblem {
  init(of error: any Error) {
    let known = (error as? ChangesRefused)?.problem ?? error as? Self
    self = known ?? Self("\(error)", isTemporary: !Self.isOfModel(error))
  }

  /// Whether the model cannot be kept in step; the program does not have another while it runs.
  private static func isOfModel(_ error: any Error) -> Bool {
    if case SyncFailure.unusableModel = error { true } else { false }
  }
}

// MARK: - Telling

extension SyncDriver {
  /// Notes the number of the last change that the store has.
  func note(position number: UInt64) { position.withLock { $0 = number } }

  func note(isHindered value: Bool) { isHindered.withLock { $0 = value } }

  func change(_ body: (inout Status) -> Void) {
    let (isNew, status) = current.withLock { status in
      let before = status
      body(&status)
      return (status != before, status)
    }
    if isNew { store.reportStatus(status) }
  }

  /// Does something between the two reports of an event.
  func reporting<Result>(
    _ type: NSPersistentCloudKitContainer.EventType,
    _ work: () throws -> Result
  ) throws -> Result {
    let end = begin(type)
    do {
      let result = try work()
      end(nil)
      return result
    } catch {
      end(SyncProblem(of: error))
      throw error
    }
  }

  /// Reports that an event has begun; the returned closure reports its end, and the problem.
  func begin(_ type: NSPersistentCloudKitContainer.EventType) -> (SyncProblem?) -> Void {
    let (id, begun) = (UUID(), Date())
    func report(_ end: Date?, _ problem: SyncProblem?) {
      store.reportEvent(
        Event(
          identifier: id,
          storeIdentifier: store.store.identifier ?? "",
          type: type,
          startDate: begun,
          endDate: end,
          error: problem
        )
      )
    }
    report(nil, nil)
    return { report(Date(), $0) }
  }
}

// MARK: - Conflicts

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
      let isOnMainQueue = WatchedThread.isMainQueueRunning
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
    let name = store.store.identifier ?? ""
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
    let (coordinator, store) = (store.coordinator, store.store)
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
    guard conflict.storeIdentifier == store.store.identifier else { return }
    // An object that was brought back is sent, although the program has saved nothing.
    defer { wishes.add(takesBack ? .exchange : .localChanges) }
    do {
      try withSession { session in
        if takesBack {
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
