import CoreDataHTTP
import Foundation
import Synchronization

/// The threads on which handlers run.
///
/// Tasks share a thread for each core, and a handler that works for a second would take one of them from the
/// rest of the program. Here handlers with a usual body have some threads, and those with a large body one of
/// their own that gives way to all others: large uploads cannot hold up clients that only ask. So does the thread of guests,
/// who have no key.
final class HandlerThreads: Sendable {
  private let usual = Lane("handlers", threads: 4, isForLargeJobs: false)
  private let large = Lane("large handlers", threads: 1, isForLargeJobs: true)
  private let guests = Lane("guests", threads: 1, isForLargeJobs: true)

  /// All servers of a program share them.
  static let shared = HandlerThreads()

  /// In bytes of a body, in memory or in files.
  private static let usualSize = 128 << 10

  var laneOfGuests: any TaskExecutor { guests }

  func lane(for request: Request) -> any TaskExecutor {
    let size = request.body.count + (request.upload?.byteCount ?? 0)
    return request.parts.reduce(size) { $0 + $1.byteCount } > Self.usualSize ? large : usual
  }
}

/// Some threads and the jobs that wait for one of them.
private final class Lane: TaskExecutor {
  private let name: String
  private let isForLargeJobs: Bool
  private let limit: Int
  private let work = Mutex(Work())
  private let isWaiting = DispatchSemaphore(value: 0)

  fileprivate struct Work {
    var jobs: [UnownedJob] = []
    var first = 0
    var threads = 0
    var idle = 0
  }

  init(_ name: String, threads: Int, isForLargeJobs: Bool) {
    self.name = name
    self.isForLargeJobs = isForLargeJobs
    limit = threads
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = work.withLock { work in
      work.jobs.append(job)
      guard work.idle < work.jobs.count - work.first, work.threads < limit else { return false }
      work.threads += 1
      return true
    }
    if needsThread { startThread() }
    isWaiting.signal()
  }

  /// Threads stay: a server that was asked once is asked again.
  private func startThread() {
    let thread = Thread { [self] in
      if isForLargeJobs { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
      while true {
        work.withLock { $0.idle += 1 }
        isWaiting.wait()
        let job = work.withLock { work in
          work.idle -= 1
          return work.next()
        }
        if let job { job.runSynchronously(on: asUnownedTaskExecutor()) }
        // The memory of a large job is not kept for the next one.
        if isForLargeJobs { HTTPMemory.giveBack() }
      }
    }
    thread.name = name
    thread.stackSize = 8 << 20
    thread.start()
  }
}

extension Lane.Work {
  /// The job that waits longest; those that were taken leave the list now and then.
  fileprivate mutating func next() -> UnownedJob? {
    guard first < jobs.count else { return nil }
    defer {
      first += 1
      if first > 64, first * 2 > jobs.count {
        jobs.removeFirst(first)
        first = 0
      }
    }
    return jobs[first]
  }
}
