import Foundation
import Synchronization

/// A thread that holds queues and waits for one more.
///
/// Threads that wait in a circle would wait for ever. The thread that closes a circle sees it, and one of those in it
/// goes on: its work runs while the holder of the queue pauses.
///
/// ```
/// main thread   holds main, waits for the child's queue     performAndWait
/// a thread      holds the child's, waits for main           a fetch, which asks the parent
/// ```
///
/// Here the main thread does what the child asks of the parent, and then gets the child's queue. Of
/// several ways out the one nearest to the root is taken, as children ask their parents in the middle
/// of anything, and parents their children never.
///
/// Safety: state is behind the mutex; the rest is immutable. The chain of queues lives as long as its
/// thread waits here.
final class QueueWait: @unchecked Sendable {
  private let wanted: ContextQueue
  private let held: UnsafePointer<RunningQueue>
  private let isForMain: Bool
  /// Work for the main thread, until it is done; `nil` if the waiting thread works itself.
  private var work: (() -> Void)?
  private let wake = DispatchSemaphore(value: 0)
  private let release = DispatchSemaphore(value: 0)
  private var state = Stage.waiting
  /// Waits whose work this thread, which holds the main queue, does while it waits.
  private var requests: [QueueWait] = []

  private enum Stage {
    case waiting
    /// The queue has come to this wait.
    case granted
    /// Another thread, which holds the queue, pauses for this one.
    case lent
    /// Somebody does the work.
    case taken
    case done
  }

  private struct Table: ~Copyable {
    /// The present waits; the latest last.
    var waits: [QueueWait] = []
    /// How many go on while the holder of their queue pauses.
    var loans = 0
  }

  private static let table = Mutex(Table())

  private init(
    _ wanted: ContextQueue,
    holding held: UnsafePointer<RunningQueue>,
    work: (() -> Void)? = nil
  ) {
    self.wanted = wanted
    self.held = held
    self.work = work
    isForMain = work != nil
  }

  /// Runs the work on the queue while the thread holds those outside; work of the main queue runs on
  /// the main thread, all other on this one.
  static func run<Result>(
    _ work: () -> Result,
    on queue: ContextQueue,
    outside: UnsafePointer<RunningQueue>
  ) -> Result {
    guard queue.isMain else {
      let wait = QueueWait(queue, holding: outside)
      wait.untilReady()
      defer { wait.leave() }
      return RunningQueue.run(queue, outside: outside, work)
    }
    var result: Result?
    withoutActuallyEscaping(
      { result = RunningQueue.run(queue, outside: outside, work) },
      do: { body in QueueWait(queue, holding: outside, work: body).untilDone() }
    )
    guard let result else { stop("the main queue has not done what was asked of it") }
    return result
  }
}

// MARK: - Waiting

extension QueueWait {
  /// Waits until the queue has come, or is lent.
  private func untilReady() {
    wanted.dispatchQueue.async {
      if self.take(.granted) { self.release.wait() }
    }
    begin()
    wait { $0 == .granted || $0 == .lent }
  }

  /// Gives the queue back.
  private func leave() {
    let wasLent = Self.table.withLock { table in
      let wasLent = state == .lent
      if wasLent { table.loans -= 1 }
      state = .done
      return wasLent
    }
    if !wasLent { release.signal() }
  }

  /// Waits until the main thread has done the work, from any wait on it.
  private func untilDone() {
    wanted.dispatchQueue.async {
      if self.take(.taken) { self.doWork() }
    }
    begin()
    wait { $0 == .done }
  }

  /// Does what is asked of this thread until it can go on.
  private func wait(until isReady: (Stage) -> Bool) {
    while true {
      let (request, state) = Self.table.withLock { _ -> (QueueWait?, Stage) in
        (self.requests.popLast(), self.state)
      }
      if let request {
        request.doWork()
      } else if isReady(state) {
        return
      } else {
        wake.wait()
      }
    }
  }

  private func doWork() {
    callWork()
    Self.table.withLock { table in
      if state == .lent { table.loans -= 1 }
      state = .done
    }
    wake.signal()
  }

  /// Nothing holds the closure afterwards, as it does not live longer than the wait.
  @inline(never)
  private func callWork() {
    work?()
    work = nil
  }

  /// Ends the waiting, unless it has ended otherwise.
  private func take(_ next: Stage) -> Bool {
    let isTaken = Self.table.withLock { table in
      guard state == .waiting else { return false }
      state = next
      table.waits.removeAll { $0 === self }
      return true
    }
    if isTaken { wake.signal() }
    return isTaken
  }
}

// MARK: - Circles

extension QueueWait {
  /// Begins to wait; if that closes a circle, one of the waits in it goes on.
  private func begin() {
    Self.table.withLock { table in
      guard state == .waiting else { return }
      table.waits.append(self)
      let circle = circle(in: table.waits)
      // As long as a thread goes on at another's expense, only the last in a circle may do so too: those before pause
      // for others.
      let candidates = table.loans == 0 ? circle : circle.suffix(1)
      guard let chosen = candidates.min(by: { $0.waiting.wanted.depth < $1.waiting.wanted.depth })
      else { return }
      table.loans += 1
      table.waits.removeAll { $0 === chosen.waiting }
      chosen.waiting.state = .lent
      if chosen.waiting.isForMain {
        chosen.holder.requests.append(chosen.waiting)
        chosen.holder.wake.signal()
      } else {
        chosen.waiting.wake.signal()
      }
    }
  }

  /// The circle of waits and holders, from the holder of the queue wanted here to this wait; empty if the chain leads
  /// elsewhere.
  private func circle(in waits: [QueueWait]) -> [(waiting: QueueWait, holder: QueueWait)] {
    var links: [(waiting: QueueWait, holder: QueueWait)] = []
    var place = self
    while let holder = waits.last(where: { $0.held.pointee.includes(place.wanted) }) {
      links.append((place, holder))
      if holder === self { return Array(links.dropFirst()) + [links[0]] }
      if links.contains(where: { $0.waiting === holder }) { return [] }
      place = holder
    }
    return []
  }
}
