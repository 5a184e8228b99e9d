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
    let work = Handover(work)
    dispatchQueue.async { work.value() }
  }

  /// Runs the work on the queue and waits; at once when the caller is on it already.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    try isCurrent ? work() : dispatchQueue.sync(execute: work)
  }
}
