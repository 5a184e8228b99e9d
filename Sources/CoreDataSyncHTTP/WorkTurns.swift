import Foundation
import Synchronization

/// Threads for what a request has to wait for, with a line before them.
///
/// A message takes several times the memory of its bytes while it is read and answered: fifty thousand small cells have
/// two megabytes, and more than ten as values. So a few threads work, and the others wait with only the bytes that have
/// arrived. The first to come goes first, and with one token there is always a place less than all, so that a client
/// that sends without end does not keep the others waiting.
///
/// A thread that has nothing to do ends after a while.
package final class WorkTurns: Sendable {
  private let places: Int
  private let part: Int
  private let patience: Duration
  private let line = Mutex(Line())

  private struct Line {
    var working = 0
    var workingByToken: [Int64: Int] = [:]
    /// In the order in which they have come.
    var waiting: [Job] = []
    /// Threads that have nothing to do.
    var idle: [Worker] = []
  }

  private struct Job {
    let token: Int64
    let end: ContinuousClock.Instant
    let work: @Sendable () -> Void
    let giveUp: @Sendable () -> Void
  }

  /// A thread, and the job that it is given after a pause.
  private final class Worker: Sendable {
    let job = Mutex<Job?>(nil)
    let bell = DispatchSemaphore(value: 0)
  }

  /// For how many seconds a thread waits for something to do.
  private static let leisure: TimeInterval = 10

  /// Lets so many threads work, with one token so many of them at most, and gives up what has waited for so long.
  package init(places: Int = 4, forToken part: Int = 3, patience: Duration = .seconds(30)) {
    self.places = places
    self.part = part
    self.patience = patience
  }

  /// How many wait for their turn.
  package var waitingCount: Int { line.withLock { $0.waiting.count } }
}

// MARK: - The line

extension WorkTurns {
  /// Works for a client with this token once it is its turn; calls `giveUp` if that does not come in time.
  package func add(
    forToken token: Int64 = 0,
    _ work: @escaping @Sendable () -> Void,
    orGiveUp giveUp: @escaping @Sendable () -> Void
  ) {
    let job = Job(token: token, end: .now + patience, work: work, giveUp: giveUp)
    let (begins, worker) = line.withLock { line -> (Bool, Worker?) in
      guard takesPlace(token, in: &line) else {
        line.waiting.append(job)
        return (false, nil)
      }
      return (true, line.idle.popLast())
    }
    if let worker {
      worker.job.withLock { $0 = job }
      worker.bell.signal()
    } else if begins {
      let thread = Thread { [self] in run(from: job) }
      thread.name = "CoreData.WorkTurns"
      thread.start()
    }
  }

  /// Gives up what has waited for too long; to be called once a second.
  package func look(at now: ContinuousClock.Instant = .now) {
    let late = line.withLock { line in
      let late = line.waiting.filter { $0.end <= now }
      if !late.isEmpty { line.waiting.removeAll { $0.end <= now } }
      return late
    }
    for job in late { job.giveUp() }
  }

  private func takesPlace(_ token: Int64, in line: inout Line) -> Bool {
    let own = line.workingByToken[token, default: 0]
    guard line.working < places, own < part else { return false }
    line.working += 1
    line.workingByToken[token] = own + 1
    return true
  }
}

// MARK: - The threads

extension WorkTurns {
  private func run(from first: Job) {
    let worker = Worker()
    var next: Job? = first
    while let job = next {
      job.work()
      next = self.next(after: job, worker) ?? waitedJob(worker)
    }
  }

  /// Gives a place back, and takes it for the first who may have it; otherwise the worker has nothing to do.
  private func next(after job: Job, _ worker: Worker) -> Job? {
    line.withLock { line in
      line.working -= 1
      let left = line.workingByToken[job.token, default: 1] - 1
      line.workingByToken[job.token] = left > 0 ? left : nil
      for number in line.waiting.indices where takesPlace(line.waiting[number].token, in: &line) {
        return line.waiting.remove(at: number)
      }
      line.idle.append(worker)
      return nil
    }
  }

  /// Waits for a job; `nil` if nothing comes for a while.
  private func waitedJob(_ worker: Worker) -> Job? {
    if worker.bell.wait(timeout: .now() + Self.leisure) == .timedOut {
      let isFree = line.withLock { line in
        guard let number = line.idle.firstIndex(where: { $0 === worker }) else { return false }
        line.idle.remove(at: number)
        return true
      }
      if isFree { return nil }
      // Somebody has chosen this thread in this moment.
      worker.bell.wait()
    }
    return worker.job.withLock { job in
      defer { job = nil }
      return job
    }
  }
}
