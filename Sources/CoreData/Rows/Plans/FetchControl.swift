package import CoreDataSQLite
import Foundation
import Synchronization

/// Stops a fetch from another thread, and reports its progress.
///
/// ```
/// progress.cancel() ─▶ control ─▶ the statement that is running
///                      control ◀─ rows so far ─▶ progress
/// ```
package final class FetchControl: Sendable {
  let progress: Progress
  private let state = Mutex(Course())

  private struct Course {
    var isCancelled = false
    var interruption: Interruption?
  }

  /// `estimate` is the expected number of results; 0 if nobody knows.
  init(estimate: Int) {
    progress = Progress(totalUnitCount: estimate > 0 ? Int64(estimate) : -1)
    progress.cancellationHandler = { [weak self] in self?.cancel() }
  }

  package var isCancelled: Bool {
    // A progress calls its handler at some later time.
    state.withLock { $0.isCancelled } || progress.isCancelled
  }

  /// Stops the statement that is running for this fetch; `nil` while none runs.
  ///
  /// A cancelled fetch interrupts at once what begins.
  package var interruption: Interruption? {
    get { state.withLock { $0.interruption } }
    set {
      let comesLate = state.withLock { state in
        state.interruption = newValue
        return newValue != nil && state.isCancelled
      }
      if comesLate { cancel() }
    }
  }

  /// Stops the fetch; its rows are given up.
  func cancel() {
    let isRunning = state.withLock { state in
      state.isCancelled = true
      // Behind the mutex the connection is still lent to this fetch.
      state.interruption?()
      return state.interruption != nil
    }
    guard isRunning else { return }
    // SQLite forgets an interruption that comes right before a statement begins.
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { self.cancel() }
  }

  /// Says how many results were read so far.
  package func report(_ count: Int) {
    if isCancelled { interruption?() }
    progress.completedUnitCount = Int64(count)
  }

  /// All is read: `count` is how many results there are.
  func finish(_ count: Int) {
    progress.totalUnitCount = Int64(count)
    progress.completedUnitCount = Int64(count)
  }
}
