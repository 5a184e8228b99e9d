import CoreDataStoreCare
import CoreDataWebServer
import Foundation
import Synchronization

/// Work on a thread of its own, which pages ask about until it is done or somebody stops it.
///
/// ```
/// {"state": "running", "done": 3, "total": 12, "subject": "ZNOTE", "result": …}
/// {"state": "done", "result": …}      {"state": "stopped"}      {"state": "failed", "error": "…"}
/// ```
final class Job: Sendable {
  private struct State {
    var done = 0
    var total = 0
    var subject = ""
    /// The result, or the part of it that is known already.
    var result: JSONValue?
    var isEnded = false
    var isStopped = false
    var error: String?
  }

  /// Jobs that run at once; others wait, so that pages always find a connection and a processor.
  private static let turns = DispatchSemaphore(value: 2)

  private let state = Mutex(State())

  /// Starts the work on a thread of its own.
  init(_ work: @escaping @Sendable (Job) throws -> JSONValue) {
    Thread.detachNewThread { [self] in
      Self.turns.wait()
      defer { Self.turns.signal() }
      end { try work(self) }
    }
  }

  /// Whether somebody still waits for the result.
  var isWanted: Bool { state.withLock { !$0.isStopped } }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Stops the work at its next look, and forgets what it has found.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Tells how far the work is, with the part of the result that is known.
  func tell(_ done: Int, of total: Int, _ subject: String, _ result: JSONValue? = nil) {
    state.withLock { state in
      (state.done, state.total, state.subject) = (done, total, subject)
      if let result { state.result = result }
    }
  }

  private func end(_ work: () throws -> JSONValue) {
    let outcome = Result { () throws -> JSONValue in
      guard isWanted else { throw CancellationError() }
      return try work()
    }
    state.withLock { state in
      state.isEnded = true
      switch outcome {
      case .success(let value): state.result = value
      case .failure(is CancellationError): state.isStopped = true
      case .failure(let error): state.error = Problem(studio: error).message
      }
    }
  }
}

extension Job {
  /// The state for a page.
  var json: JSONValue {
    let state = state.withLock { $0 }
    if let error = state.error { return ["state": "failed", "error": .text(error)] }
    if state.isStopped { return ["state": "stopped"] }
    return [
      "state": state.isEnded ? "done" : "running", "done": .integer(state.done),
      "total": .integer(state.total), "subject": .text(state.subject),
      "result": state.result ?? .null,
    ]
  }
}

/// The jobs that pages have started lately, each by a name.
final class Jobs: Sendable {
  private static let limit = 16

  private struct Entry {
    let name: String
    let job: Job
  }

  /// The newest last.
  private let entries = Mutex<[Entry]>([])

  deinit {
    for entry in entries.withLock({ $0 }) { entry.job.stop() }
  }

  /// The job of a name; `nil` if nobody has started it.
  subscript(name: String) -> Job? {
    entries.withLock { $0.last { $0.name == name }?.job }
  }

  /// Returns the job of a name, and starts it if nobody has done so.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - isFresh: Whether a job that has ended is started again.
  ///   - work: The work of the job.
  /// - Returns: The job, which may have ended already.
  func job(
    _ name: String,
    isFresh: Bool = false,
    _ work: @escaping @Sendable (Job) throws -> JSONValue
  ) -> Job {
    let (job, left) = entries.withLock { entries in
      if let known = entries.last(where: { $0.name == name })?.job, !known.isEnded || !isFresh {
        return (known, nil as Job?)
      }
      entries.removeAll { $0.name == name }
      let job = Job(work)
      entries.append(Entry(name: name, job: job))
      return (job, entries.count > Self.limit ? entries.removeFirst().job : nil)
    }
    left?.stop()
    return job
  }

  /// Stops the job of a name, and forgets it.
  func stop(_ name: String) {
    let job = entries.withLock { entries in
      defer { entries.removeAll { $0.name == name } }
      return entries.last { $0.name == name }?.job
    }
    job?.stop()
  }
}
