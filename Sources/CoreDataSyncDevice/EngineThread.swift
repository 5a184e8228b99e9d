import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// The work of the engine's thread, and the data that it alone has: the session, and the obstacles.
///
/// Made on that thread for as long as it runs, and never handed to another; code that is called on the thread finds it
/// there (`current`).
final class EngineThread {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  let driver: SyncDriver
  private(set) var session: SyncSession?
  private var failures = 0
  private var refusal = RefusedWriting()
  private var wishes: Wishes { driver.wishes }

  private init(_ driver: SyncDriver) {
    self.driver = driver
  }

  private static let place = "CoreDataSync.EngineThread"

  /// The calling thread's engine, if it has one.
  static var current: EngineThread? { Thread.current.threadDictionary[place] as? EngineThread }

  /// Does what a driver wishes, until there will be nothing any more.
  static func run(for driver: SyncDriver) {
    let thread = EngineThread(driver)
    Thread.current.threadDictionary[place] = thread
    defer { Thread.current.threadDictionary[place] = nil }
    driver.framework.run(driver.wishes) { thread.work() }
  }
}

// MARK: - What is wished

extension EngineThread {
  private func work() {
    while let batch = wishes.next() {
      let problem = perform(batch)
      // A save that was refused is over as well.
      if wishes.isAnnouncing { wishes.announcementEnds() }
      for completion in batch.completions { completion(problem) }
    }
    session = nil
  }

  /// - Returns: The obstacle.
  private func perform(_ batch: Wishes.Batch) -> SyncProblem? {
    let opening = Result { try opened() }
    // Callers wait for a task even if there is no session.
    for task in batch.tasks { task(opening) }
    do {
      let session = try opening.get()
      guard try batch.wantsExchange || session.hasLocalChanges else {
        try publish(session)
        return nil
      }
      // The caller who asks for it may have made room.
      if !batch.completions.isEmpty { refusal = RefusedWriting() }
      wishes.forgetRetry()
      try exchange(session)
      // A server that sends the device back to the beginning again and again is not asked without a pause.
      if try session.isBeginningAnew { retry() } else { failures = 0 }
      return driver.status.problem
    } catch {
      let problem = SyncProblem(of: error)
      noteFailure(problem)
      return problem
    }
  }

  private func opened() throws -> SyncSession {
    if let session { return session }
    return try driver.reporting(.setup) {
      let (kept, framework) = (driver.kept, driver.framework)
      let session = try SyncSession(
        kept.coordinator,
        kept.store,
        sidecar: driver.sidecar,
        deviceName: kept.deviceName,
        tokens: framework.tokens(),
        pass: { [wishes] moment in
          try Self.check(moment, wishes)
          try framework.pass(wishes, moment)
        }
      )
      kept.protect(driver.sidecar, SyncSession.parts(ofStoreAt: kept.path ?? ""))
      self.session = session
      return session
    }
  }
}

// MARK: - An exchange

extension EngineThread {
  /// Ends an exchange between two of its steps if somebody waits for its end; what was done is on the disk.
  private static func check(_ moment: SyncMoment, _ wishes: Wishes) throws {
    switch moment {
    case .beforeDrain, .beforePush, .beforePull, .beforeApply, .beforeEdit:
      if wishes.hasStopped { throw SyncProblem("The exchange has ended.", isTemporary: true) }
    case _: break
    }
  }

  private func exchange(_ session: SyncSession) throws {
    driver.change { $0.isActive = true }
    defer { driver.change { $0.isActive = false } }
    do {
      if refusal.isOver(at: .now) {
        try exchange(session, sendsChanges: true)
        refusal = RefusedWriting()
        driver.change { $0.canWrite = true }
        return
      }
    } catch let answer as ChangesRefused {
      refusal.begin(answer, at: .now)
      driver.change {
        $0.problem = refusal.problem
        if refusal.isOfToken { $0.canWrite = false }
      }
    }
    // Changes made here wait; those of others are followed.
    try exchange(session, sendsChanges: false)
    if let seconds = refusal.secondsUntilRetry(at: .now) { wishes.add(.exchange, after: seconds) }
  }

  private func exchange(_ session: SyncSession, sendsChanges: Bool) throws {
    let events = ExchangeEvents(driver)
    do {
      try session.synchronize(sendsChanges: sendsChanges) { request in
        try events.telling(of: request) { try driver.zone.send($0, for: session) }
      }
      events.end()
    } catch {
      events.end(SyncProblem(of: error))
      throw error
    }
    driver.note(isHindered: false)
    try publish(session)
    if try session.hasCellsAside { wishes.add(.exchange, after: Self.patience) }
    driver.change { $0.problem = sendsChanges ? nil : refusal.problem }
  }

  private func publish(_ session: SyncSession) throws {
    let facts = try session.facts
    let number = try session.position
    let confirmed = try session.confirmed
    driver.note(position: number)
    driver.change {
      $0.lastConfirmed = confirmed
      $0.pendingChangeCount = facts.pending
      $0.pendingSaveCount = facts.pendingSaves
      $0.conflictCount = facts.conflicts
      $0.quarantineCount = facts.quarantined
      $0.countsAreKnown = true
    }
  }

  private func noteFailure(_ problem: SyncProblem) {
    // The state that the lost connection left half-way is on disk; it is published.
    if let session { try? publish(session) }
    // An exchange that somebody has ended has not failed.
    if wishes.hasStopped { return }
    // Saves that could not be read are counted nowhere.
    let isAllRead = session.map { (try? $0.hasLocalChanges) == false } ?? false
    driver.change {
      $0.problem = problem
      $0.countsAreKnown = $0.countsAreKnown && isAllRead
    }
    driver.note(isHindered: !problem.isTemporary)
    if problem.isTemporary {
      retry()
    } else if session != nil {
      // A proxy may say that there is no such zone, or that nobody may enter, while the server behind it starts.
      failures += 1
      wishes.add(.exchange, after: Self.patience)
    }
  }

  /// After how many seconds an exchange is tried again that was refused for good.
  private static let patience: Double = 600

  /// Exchanges again after a while, which is longer each time.
  private func retry() {
    failures += 1
    let seconds = Double(min(60, 1 << min(failures - 1, 6)))
    wishes.add(.exchange, after: seconds * Double.random(in: 0.5...1))
  }
}
