import Foundation

/// The queue on which a coordinator performs blocks, one after the other.
final class CoordinatorQueue: Sendable {
  private let dispatchQueue = DispatchQueue(label: "NSPersistentStoreCoordinator")
  private let key = DispatchSpecificKey<Bool>()

  init() {
    dispatchQueue.setSpecific(key: key, value: true)
  }

  private var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  func async(_ work: @escaping () -> Void) {
    let work = Work(body: work)
    dispatchQueue.async { work.body() }
  }

  /// Runs the work on the queue and waits; at once when the caller is on it already.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    try isCurrent ? work() : dispatchQueue.sync(execute: work)
  }

  /// Safety: runs once, on the queue.
  private struct Work: @unchecked Sendable {
    let body: () -> Void
  }
}
