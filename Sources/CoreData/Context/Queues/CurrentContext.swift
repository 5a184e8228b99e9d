import Foundation
import Synchronization

/// The context whose work the calling thread does.
///
/// ```
/// context.perform { try request.execute() }     the context of the block
/// try request.execute()                         on the main thread: the one context of the main queue
/// ```
enum CurrentContext {
  /// Stops the program if there is none.
  static var required: NSManagedObjectContext {
    if let context = ContextQueue.runningContext { return context }
    if ContextQueue.isMainRunning {
      let candidates = MainContexts.alive
      if candidates.count == 1, let context = candidates[0].context { return context }
      if candidates.count > 1 {
        stop(
          """
          there are \(candidates.count) contexts of the main queue, so that a fetch request cannot be \
          executed outside of them; call execute() in the perform block of one, or fetch(_:) on it
          """
        )
      }
    }
    stop(
      """
      a fetch request was executed where no context works; call execute() in a context's perform \
      block, or fetch(_:) on the context
      """
    )
  }
}

/// The contexts of the main queue, none of which this keeps alive.
enum MainContexts {
  private static let places = Mutex<[Place]>([])

  private struct Place {
    weak let address: ContextAddress?
  }

  static func add(_ address: ContextAddress) {
    places.withLock { places in
      places.removeAll { $0.address == nil }
      places.append(Place(address: address))
    }
  }

  static var alive: [ContextAddress] {
    places.withLock { $0.compactMap(\.address) }.filter { $0.context != nil }
  }
}
