import CoreData
import CoreDataSync
import Foundation

/// What the engine's thread is to do next, and the threads themselves.
///
/// Safety: everything is behind the condition.
final class Wishes: @unchecked Sendable {
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

  private let condition = NSCondition()
  private var batch = Batch()
  private var isWanted = false
  private var retry: Date?
  private var isStopping = false
  private var threads = 0
  var observer: (any NSObjectProtocol)?

  var hasStopped: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isStopping
  }

  private func changing<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return body()
  }
}

// MARK: - Wishing

extension Wishes {
  func add(_ wish: Wish, _ completion: Completion? = nil) {
    let isLate = changing { () -> Bool in
      if isStopping { return true }
      isWanted = true
      if wish == .exchange { batch.wantsExchange = true }
      if let completion { batch.completions.append(completion) }
      return false
    }
    if isLate { completion?(.init("The exchange has ended.", isTemporary: false)) }
  }

  /// Wants an exchange after a while, unless there is one before.
  func add(_ wish: Wish, after seconds: Double) {
    changing { retry = Date() + seconds }
  }

  /// - Returns: Whether it will be done.
  func add(_ task: @escaping Task) -> Bool {
    changing {
      if isStopping { return false }
      isWanted = true
      batch.tasks.append(task)
      return true
    }
  }

  /// Waits for something to do; nil when there will be nothing any more.
  func next() -> Batch? {
    condition.lock()
    defer { condition.unlock() }
    while !isStopping, !isWanted {
      if let retry {
        if retry <= Date() {
          batch.wantsExchange = true
          break
        }
        _ = condition.wait(until: retry)
      } else {
        condition.wait()
      }
    }
    // Whoever waits for something gets it, also at the end.
    if isStopping, batch.tasks.isEmpty, batch.completions.isEmpty { return nil }
    defer { (batch, isWanted, retry) = (Batch(), false, nil) }
    return batch
  }
}

// MARK: - Threads

extension Wishes {
  /// What a thread has that belongs to an engine.
  private static let mark = "CoreDataSync"

  func run(_ name: String, _ work: @escaping @Sendable () -> Void) {
    changing { threads += 1 }
    let thread = Thread { [self] in
      Thread.current.threadDictionary[Self.mark] = true
      work()
      changing { threads -= 1 }
    }
    thread.name = name
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Lets a thread wait, unless everything ends.
  func pause(seconds: Double) {
    condition.lock()
    defer { condition.unlock() }
    let end = Date() + seconds
    while !isStopping, condition.wait(until: end) {}
  }

  /// Waits for the threads to end, unless one of them is asking.
  func stop() {
    if let observer { NotificationCenter.default.removeObserver(observer) }
    condition.lock()
    defer { condition.unlock() }
    isStopping = true
    condition.broadcast()
    if Thread.current.threadDictionary[Self.mark] != nil { return }
    while threads > 0 { condition.wait() }
  }
}
