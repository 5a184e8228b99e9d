import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Synchronization

/// The next tasks of the engine's thread, and the threads themselves.
final class Wishes: Sendable {
  typealias Completion = @Sendable (NSPersistentCloudKitContainer.SyncProblem?) -> Void
  /// Something that is done with the session, or told why there is none.
  typealias Task = @Sendable (Result<SyncSession, any Error>) -> Void

  enum Wish {
    /// Exchange changes with the server.
    case exchange
    /// Look whether the program has saved something.
    case localChanges
  }

  struct Batch {
    var wantsExchange = false
    var completions: [Completion] = []
    var tasks: [Task] = []
  }

  fileprivate struct Plans {
    var batch = Batch()
    var isWanted = false
    var retry: ContinuousClock.Instant?
    var isStopping = false
    var threads = 0
    /// In how many announcements the engine's thread is, one inside the other, and since when.
    var announcements = 0
    var announcingSince: ContinuousClock.Instant?
    /// Whether somebody has ended everything without waiting for the threads.
    var wasLeft = false
  }

  /// Held by code that changes the plans, so that no waiting thread misses it.
  private let condition = MonotonicCondition()
  private let plans = Mutex(Plans())
  private let observer = Mutex<(any NSObjectProtocol)?>(nil)

  var hasStopped: Bool { plans.withLock { $0.isStopping } }

  private func changing<Result: Sendable>(_ body: (inout Plans) -> Result) -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return plans.withLock { body(&$0) }
  }
}

// MARK: - Wishing

extension Wishes {
  func add(_ wish: Wish, _ completion: Completion? = nil) {
    let isLate = changing { plans -> Bool in
      if plans.isStopping { return true }
      plans.isWanted = true
      if wish == .exchange { plans.batch.wantsExchange = true }
      if let completion { plans.batch.completions.append(completion) }
      return false
    }
    if isLate { completion?(.init("The exchange has ended.", isTemporary: false)) }
  }

  /// Wants an exchange after a while, unless there is one before.
  func add(_ wish: Wish, after seconds: Double) {
    changing { $0.retry = .now + .seconds(seconds) }
  }

  /// Does not want that any more: there is one now.
  func forgetRetry() {
    changing { $0.retry = nil }
  }

  /// - Returns: Whether it will be done.
  func add(_ task: @escaping Task) -> Bool {
    changing { plans in
      if plans.isStopping { return false }
      plans.isWanted = true
      plans.batch.tasks.append(task)
      return true
    }
  }

  /// Looks at each save to the stores of a store's coordinator, until the end.
  func follow(_ kept: KeptStore) {
    observer.withLock { observer in
      observer = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange,
        object: kept.coordinator,
        queue: nil
      ) { [self] _ in add(.localChanges) }
    }
  }

  /// Waits for something to do; nil when there will be nothing any more.
  func next() -> Batch? {
    condition.lock()
    defer { condition.unlock() }
    while plans.withLock({ $0.isIdle(at: .now) }) {
      if let retry = plans.withLock({ $0.retry }) {
        condition.wait(atMost: retry - .now)
      } else {
        condition.wait()
      }
    }
    return plans.withLock { $0.takeBatch() }
  }
}

extension Wishes.Plans {
  /// Whether there is nothing to do; the time to try again is something.
  fileprivate func isIdle(at time: ContinuousClock.Instant) -> Bool {
    !isStopping && !isWanted && !isDue(at: time)
  }

  private func isDue(at time: ContinuousClock.Instant) -> Bool { retry.map { $0 <= time } ?? false }

  fileprivate mutating func takeBatch() -> Wishes.Batch? {
    // A waiting caller gets its answer, also at the end.
    if isStopping, batch.tasks.isEmpty, batch.completions.isEmpty { return nil }
    if isDue(at: .now) { batch.wantsExchange = true }
    // A caller that only asks something leaves the retry as it is.
    if batch.wantsExchange { retry = nil }
    defer { (batch, isWanted) = (Wishes.Batch(), false) }
    return batch
  }
}

// MARK: - Threads

extension Wishes {
  /// The mark of a thread that belongs to an engine.
  private static let mark = "CoreDataSync"

  func run(_ name: String, _ work: @escaping @Sendable () -> Void) {
    changing { $0.threads += 1 }
    let thread = Thread { [self] in
      Thread.current.threadDictionary[Self.mark] = true
      work()
      changing { $0.threads -= 1 }
    }
    thread.name = name
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Lets a thread wait, unless everything ends.
  func pause(seconds: Double) {
    condition.lock()
    defer { condition.unlock() }
    let end = ContinuousClock.now + .seconds(seconds)
    while !hasStopped, ContinuousClock.now < end { condition.wait(atMost: end - .now) }
  }

  /// Waits for the threads to end, unless one of them is asking, or observers keep one from it.
  ///
  /// Observers may wait for the thread that waits here. A thread that is left to them saves nothing any more, and ends
  /// once they are done.
  ///
  /// - Parameter limit: How long it waits at most, whatever keeps the threads.
  func stop(within limit: Duration? = nil) {
    let end = limit.map { ContinuousClock.now + $0 }
    observer.withLock { observer in
      if let observer { NotificationCenter.default.removeObserver(observer) }
      observer = nil
    }
    condition.lock()
    defer { condition.unlock() }
    plans.withLock { $0.isStopping = true }
    condition.broadcast()
    if Thread.current.threadDictionary[Self.mark] == nil {
      while let time = plans.withLock({ $0.timeToWait(at: .now, until: end) }) {
        condition.wait(atMost: time)
      }
    }
    plans.withLock { $0.wasLeft = $0.threads > 0 }
  }

  /// The time that an announcement holds up a caller that waits for the threads.
  fileprivate static let patience = Duration.seconds(1)
}

extension Wishes.Plans {
  /// The time for which the caller that ends everything waits for the threads, unless something happens before; `nil`
  /// if it is over.
  fileprivate func timeToWait(
    at time: ContinuousClock.Instant,
    until end: ContinuousClock.Instant?
  ) -> Duration? {
    if threads == 0 { return nil }
    let ends = [end, announcingSince.map { $0 + Wishes.patience }].compactMap { $0 }
    guard let first = ends.min() else { return .seconds(3600) }
    return first > time ? first - time : nil
  }
}

// MARK: - Announcements

extension Wishes {
  func announcementBegins() {
    changing { plans in
      plans.announcements += 1
      if plans.announcements == 1 { plans.announcingSince = .now }
    }
  }

  func announcementEnds() {
    changing { plans in
      plans.announcements -= 1
      if plans.announcements == 0 { plans.announcingSince = nil }
    }
  }

  /// Whether the engine's thread has been with observers for longer than they should take.
  var isHeldByObservers: Bool {
    plans.withLock { plans in
      guard let announcingSince = plans.announcingSince else { return false }
      return announcingSince + Self.patience <= .now
    }
  }

  var isAnnouncing: Bool { plans.withLock { $0.announcements > 0 } }

  /// Saves of observers on the engine's thread are theirs.
  func checkSave() throws {
    guard plans.withLock({ $0.wasLeft && $0.announcements == 0 }) else { return }
    throw NSPersistentCloudKitContainer.SyncProblem(
      "The exchange has ended.",
      isTemporary: false
    )
  }
}
