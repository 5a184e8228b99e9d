import Foundation

/// The queue a context belongs to: the main one, or one of its own.
///
/// Safety: immutable.
final class ContextQueue: @unchecked Sendable {
  let dispatchQueue: DispatchQueue
  let isMain: Bool
  /// Leads to the context, which owns this queue.
  private let map: IdentityMap
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private static let mapKey = DispatchSpecificKey<IdentityMap>()

  init(_ type: NSManagedObjectContextConcurrencyType, of map: IdentityMap) {
    isMain = type == .mainQueueConcurrencyType
    self.map = map
    if isMain {
      dispatchQueue = Self.main
      MainContexts.add(map)
    } else {
      dispatchQueue = DispatchQueue(label: "NSManagedObjectContext")
      dispatchQueue.setSpecific(key: Self.mapKey, value: map)
      dispatchQueue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }
  }

  /// Whether the calling code runs on this queue.
  var isCurrent: Bool {
    if isMain { return Self.isOnMainQueue }
    return DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
  }

  /// The main queue, marked: after `dispatchMain()`, and so under an asynchronous `main`, its work runs
  /// on threads that are not the main one.
  private static let main: DispatchQueue = {
    DispatchQueue.main.setSpecific(key: mainKey, value: true)
    return .main
  }()

  private static let mainKey = DispatchSpecificKey<Bool>()

  static var isOnMainQueue: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
  }

  /// Leads to the context whose block runs now; nil outside of all blocks.
  static var currentMap: IdentityMap? {
    // A task that began in a block of the main queue may run elsewhere.
    DispatchQueue.getSpecific(key: mapKey) ?? (isOnMainQueue ? mainMap : nil)
  }

  /// Several contexts share the main queue; this is the one whose block runs there.
  @TaskLocal private static var mainMap: IdentityMap?

  func async(_ work: @escaping () -> Void) {
    let work = Work(body: work)
    guard isMain else { return dispatchQueue.async { work.body() } }
    dispatchQueue.async { [map] in Self.$mainMap.withValue(map) { work.body() } }
  }

  /// Runs the work on the queue and waits; at once when the caller is on it already.
  func sync<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard isMain else { return try isCurrent ? work() : dispatchQueue.sync(execute: work) }
    return try Self.$mainMap.withValue(map) {
      try isCurrent ? work() : dispatchQueue.sync(execute: work)
    }
  }

  /// Safety: runs once, on the queue whose objects it speaks of.
  private struct Work: @unchecked Sendable {
    let body: () -> Void
  }
}
