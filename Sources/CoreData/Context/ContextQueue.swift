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

  /// Whether the calling code runs on this queue, or in a block that this queue waits for.
  var isCurrent: Bool {
    if isMain {
      if Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true { return true }
    } else if DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) {
      return true
    }
    return HeldQueue.isHeld(self)
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
    if isCurrent { return try work() }
    let outer = HeldQueue.innermost
    return try dispatchQueue.sync { try HeldQueue.holding(self, inside: outer, work) }
  }

  /// Safety: runs once, on the queue whose objects it speaks of.
  private struct Work: @unchecked Sendable {
    let body: () -> Void
  }
}

/// The queues that wait for the code that runs now, from the innermost outwards.
///
/// ```swift
/// parent.performAndWait {
///   child.performAndWait {
///     try child.save()       // asks the parent, whose queue waits for this very block
///   }
/// }
/// ```
///
/// The list follows the work to the thread where it runs, which for the main queue is another one.
struct HeldQueue {
  private unowned(unsafe) let queue: ContextQueue
  private let outer: UnsafePointer<HeldQueue>?

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  static var innermost: UnsafePointer<HeldQueue>? {
    pthread_getspecific(key).map { UnsafePointer($0.assumingMemoryBound(to: HeldQueue.self)) }
  }

  static func isHeld(_ queue: ContextQueue) -> Bool {
    var place = innermost
    while let held = place {
      if held.pointee.queue === queue { return true }
      place = held.pointee.outer
    }
    return false
  }

  static func holding<Result>(
    _ queue: ContextQueue,
    inside outer: UnsafePointer<HeldQueue>?,
    _ work: () throws -> Result
  ) rethrows -> Result {
    let before = pthread_getspecific(key)
    defer { pthread_setspecific(key, before) }
    return try withUnsafePointer(to: HeldQueue(queue: queue, outer: outer)) { held in
      pthread_setspecific(key, held)
      return try work()
    }
  }
}
