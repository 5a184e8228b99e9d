public import Foundation
import Synchronization

/// Something that takes longer than anybody waits for an answer: an import, an export, a map.
public final class Job: Sendable {
  public let id = UUID()
  private let run = Mutex(Run())

  private struct Run {
    var done = 0
    var total = 0
    var what = ""
    var outcome: Outcome?
    var task: Task<Void, Never>?
  }

  /// How a job has ended.
  public enum Outcome: Sendable {
    case imported(ImportReport)
    case exported
    case mapped
    case failed(String)
    case cancelled
  }

  /// How far a job is.
  public struct Progress: Sendable {
    public let done: Int
    public let total: Int
    /// The present step, for people.
    public let what: String
    public let outcome: Outcome?
  }

  public init() {}

  public var progress: Progress {
    run.withLock { Progress(done: $0.done, total: $0.total, what: $0.what, outcome: $0.outcome) }
  }

  public func cancel() {
    run.withLock(\.task)?.cancel()
  }

  /// Begins to work, beside whatever else is done.
  public func begin(_ work: @escaping @Sendable (Job) async throws -> Outcome) {
    let task = Task.detached(priority: .utility) { [self] in
      do {
        let outcome = try await work(self)
        run.withLock { $0.outcome = outcome }
      } catch is CancellationError {
        run.withLock { $0.outcome = .cancelled }
      } catch {
        run.withLock { $0.outcome = .failed(ImportReason.sentence(error)) }
      }
    }
    run.withLock { $0.task = task }
  }

  func went(to done: Int, of total: Int, _ what: String) {
    run.withLock { ($0.done, $0.total, $0.what) = (done, total, what) }
  }
}
