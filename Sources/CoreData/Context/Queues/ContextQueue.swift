import Foundation
import Synchronization

/// The queue a context belongs to: the main one, or one of its own.
final class ContextQueue: Sendable {
  let dispatchQueue: DispatchQueue
  let isMain: Bool
  /// How many blocks run or wait here.
  private let occupation = Mutex(0)
  /// Leads to the context, which owns this queue; `nil` for a queue without a context.
  private let address: ContextAddress?

  init(_ type: NSManagedObjectContextConcurrencyType, of address: ContextAddress? = nil) {
    isMain = type == .mainQueueConcurrencyType
    self.address = address
    dispatchQueue = isMain ? Self.mainQueue : DispatchQueue(label: "NSManagedObjectContext")
    if isMain, let address { MainContexts.add(address) }
  }

  /// Whether the calling code may touch what belongs to this queue.
  ///
  /// A thread that waits inside one context's `performAndWait` for another's holds both queues.
  var isCurrent: Bool { RunningQueue.includes(self) || isMain && Self.isMainRunning }

  /// The context whose block runs now on this thread; nil outside of all blocks.
  static var runningContext: NSManagedObjectContext? {
    RunningQueue.innermost?.pointee.queue.address?.context
  }

  /// The distance of the context from its root, whose queue all others ask.
  var depth: Int { address?.context?.lineage.count ?? 0 }

  /// The main queue, marked: after `dispatchMain()`, and so under an asynchronous `main`, its work runs
  /// on threads that are not the main one.
  private static let mainQueue: DispatchQueue = {
    DispatchQueue.main.setSpecific(key: mainKey, value: true)
    return .main
  }()

  private static let main = ContextQueue(.mainQueueConcurrencyType)
  private static let mainKey = DispatchSpecificKey<Bool>()

  static var isMainRunning: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
  }

  /// Ends the context's current event, as the end of each of its blocks does.
  func endEvent() { address?.context?.endEvent() }

  /// Runs the work later, after earlier requests.
  func async(_ work: @escaping () -> Void) {
    let work = Handover(following(work))
    occupation.withLock { $0 += 1 }
    dispatchQueue.async {
      RunningQueue.run(self, outside: nil) { work.value() }
      self.occupation.withLock { $0 -= 1 }
    }
  }

  /// Returns the work with the request of the calling task, for the measurements on the queue's thread.
  private func following(_ work: @escaping () -> Void) -> () -> Void {
    guard MeterHub.isOn, let request = StoreMetrics.requestID else { return work }
    return { StoreMetrics.$requestID.withValue(request, operation: work) }
  }

  /// Runs the work on the queue and waits; at once when the caller is on it already.
  func sync<Result, Failure>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
    if RunningQueue.innermost?.pointee.queue === self { return try work() }
    func attempt() -> Swift.Result<Result, Failure> {
      do throws(Failure) {
        return .success(try work())
      } catch {
        return .failure(error)
      }
    }
    if isCurrent {
      return try RunningQueue.run(self, outside: RunningQueue.innermost, attempt).get()
    }
    guard RunningQueue.innermost == nil, Self.isMainRunning else {
      return try wait(attempt).get()
    }
    return try RunningQueue.run(Self.main, outside: nil) { wait(attempt) }.get()
  }

  /// A thread that holds nothing cannot make others wait in a circle; one that holds queues could, if
  /// it waited.
  private func wait<Result>(_ work: () -> Result) -> Result {
    let outside = RunningQueue.innermost
    if outside != nil, !isMain, seizeIfIdle() {
      defer { letGo() }
      return RunningQueue.run(self, outside: outside, work)
    }
    occupation.withLock { $0 += 1 }
    defer { occupation.withLock { $0 -= 1 } }
    guard let outside else {
      return dispatchQueue.sync { RunningQueue.run(self, outside: nil, work) }
    }
    return QueueWait.run(work, on: self, outside: outside)
  }

  /// Takes a queue that is idle; work that arrives now waits until it is released.
  private func seizeIfIdle() -> Bool {
    occupation.withLock { occupation in
      guard occupation == 0 else { return false }
      occupation = 1
      dispatchQueue.suspend()
      return true
    }
  }

  private func letGo() {
    occupation.withLock { $0 -= 1 }
    dispatchQueue.resume()
  }
}
