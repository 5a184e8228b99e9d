import Foundation

/// The queue a context belongs to: the main one, or one of its own.
///
/// Safety: immutable.
final class ContextQueue: @unchecked Sendable {
  let dispatchQueue: DispatchQueue
  let isMain: Bool
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(_ type: NSManagedObjectContextConcurrencyType) {
    isMain = type == .mainQueueConcurrencyType
    if isMain {
      dispatchQueue = Self.main
    } else {
      dispatchQueue = DispatchQueue(label: "NSManagedObjectContext")
      dispatchQueue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }
  }

  /// Whether the calling code runs on this queue.
  var isCurrent: Bool {
    if isMain { return Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true }
    return DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
  }

  /// The main queue, marked: after `dispatchMain()`, and so under an asynchronous `main`, its work runs
  /// on threads that are not the main one.
  private static let main: DispatchQueue = {
    DispatchQueue.main.setSpecific(key: mainKey, value: true)
    return .main
  }()

  private static let mainKey = DispatchSpecificKey<Bool>()

  func async(_ work: @escaping () -> Void) {
    let work = Work(body: work)
    dispatchQueue.async { work.body() }
  }

  /// Runs the work on the queue and waits; at once when the caller is on it already.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    try isCurrent ? work() : dispatchQueue.sync(execute: work)
  }

  /// Safety: runs once, on the queue whose objects it speaks of.
  private struct Work: @unchecked Sendable {
    let body: () -> Void
  }
}
