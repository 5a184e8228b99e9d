import CoreDataCRuntime
import Foundation

/// The queue a context belongs to: the main one, or one of its own.
///
/// Safety: immutable.
final class ContextQueue: @unchecked Sendable {
  let dispatchQueue: DispatchQueue
  let isMain: Bool
  /// Leads to the context, which owns this queue; nil for a queue that has none.
  private let map: IdentityMap?

  init(_ type: NSManagedObjectContextConcurrencyType, of map: IdentityMap? = nil) {
    isMain = type == .mainQueueConcurrencyType
    self.map = map
    dispatchQueue = isMain ? Self.mainQueue : DispatchQueue(label: "NSManagedObjectContext")
    if isMain, let map { MainContexts.add(map) }
  }

  /// Whether the calling code may touch what belongs to this queue.
  ///
  /// A thread that waits inside one context's `performAndWait` for another's holds both queues.
  var isCurrent: Bool { RunningQueue.includes(self) || isMain && Self.isMainRunning }

  /// The context whose block runs now on this thread; nil outside of all blocks.
  static var runningContext: NSManagedObjectContext? {
    RunningQueue.innermost?.pointee.queue.map?.context
  }

  /// The main queue, marked: after `dispatchMain()`, and so under an asynchronous `main`, its work runs
  /// on threads that are not the main one.
  private static let mainQueue: DispatchQueue = {
    DispatchQueue.main.setSpecific(key: mainKey, value: true)
    return .main
  }()

  private static let main = ContextQueue(.mainQueueConcurrencyType)
  private static let mainKey = DispatchSpecificKey<Bool>()

  static var isMainRunning: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
  }

  /// Runs the work later, after what was asked for before.
  func async(_ work: @escaping () -> Void) {
    let work = Work(body: work)
    dispatchQueue.async { RunningQueue.run(self, outside: nil) { work.body() } }
  }

  /// Runs the work on the queue and waits; at once when the caller is on it already.
  func sync<Result, Failure>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
    if RunningQueue.innermost?.pointee.queue === self { return try work() }
    func attempt() -> Swift.Result<Result, Failure> {
      do throws(Failure) {
        return .success(try work())
      } catch {
        return .failure(error)
      }
    }
    if isCurrent {
      return try RunningQueue.run(self, outside: RunningQueue.innermost, attempt).get()
    }
    guard RunningQueue.innermost == nil, Self.isMainRunning else {
      return try wait(attempt).get()
    }
    return try RunningQueue.run(Self.main, outside: nil) { wait(attempt) }.get()
  }

  private func wait<Result>(_ work: () -> Result) -> Result {
    let outside = RunningQueue.innermost
    return dispatchQueue.sync { RunningQueue.run(self, outside: outside, work) }
  }

  /// Safety: runs once, on the queue whose objects it speaks of.
  private struct Work: @unchecked Sendable {
    let body: () -> Void
  }
}

/// The queues whose work runs on a thread, one inside the other.
///
/// ```
/// first.performAndWait {            first
///   second.performAndWait {         first ◀─ second
///     first.performAndWait { … }    runs at once: the thread holds that queue
/// ```
///
/// A task that is begun inside inherits nothing of it, as it would from a task-local value.
private struct RunningQueue {
  unowned(unsafe) let queue: ContextQueue
  let outside: UnsafePointer<RunningQueue>?

  /// Lives in the frame of ``run(_:outside:_:)``, which does not return before the work has.
  static var innermost: UnsafePointer<RunningQueue>? {
    coredata_running_queue()?.assumingMemoryBound(to: RunningQueue.self)
  }

  static func includes(_ queue: ContextQueue) -> Bool {
    var place = innermost
    while let running = place {
      let other = running.pointee.queue
      if other === queue || other.isMain && queue.isMain { return true }
      place = running.pointee.outside
    }
    return false
  }

  /// Runs the work as that of a queue; `outside` are the queues of whoever waits for it, which may be
  /// another thread.
  static func run<Result>(
    _ queue: ContextQueue,
    outside: UnsafePointer<RunningQueue>?,
    _ work: () -> Result
  ) -> Result {
    let running = RunningQueue(queue: queue, outside: outside)
    return withUnsafePointer(to: running) { place in
      let before = innermost
      coredata_set_running_queue(place)
      defer { coredata_set_running_queue(before) }
      return work()
    }
  }
}
