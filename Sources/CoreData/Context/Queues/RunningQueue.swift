import CoreDataCRuntime

/// The queues whose work runs on a thread, one inside the other.
///
/// ```
/// first.performAndWait {            first
///   second.performAndWait {         first ◀─ second
///     first.performAndWait { … }    runs at once: the thread holds that queue
/// ```
///
/// A task that is begun inside inherits nothing of it, as it would from a task-local value.
struct RunningQueue {
  unowned(unsafe) let queue: ContextQueue
  let outside: UnsafePointer<RunningQueue>?

  /// Lives in the frame of ``run(_:outside:_:)``, which does not return before the work has.
  static var innermost: UnsafePointer<RunningQueue>? {
    coredata_running_queue()?.assumingMemoryBound(to: RunningQueue.self)
  }

  static func includes(_ queue: ContextQueue) -> Bool {
    innermost?.pointee.includes(queue) ?? false
  }

  /// Whether this is the queue, or one further out is.
  func includes(_ queue: ContextQueue) -> Bool {
    var running = self
    while true {
      if running.queue === queue || running.queue.isMain && queue.isMain { return true }
      guard let outside = running.outside else { return false }
      running = outside.pointee
    }
  }

  /// Runs the work as that of a queue; `outside` are the queues of the thread that waits for it, which may be another
  /// one.
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
