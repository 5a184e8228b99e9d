import Foundation
import Synchronization

/// A watcher that wants to know when a thread informs observers of changes in its contexts.
///
/// The thread that keeps stores in step waits for observers as any other does. An observer may wait for a thread that
/// waits for the exchange to end, as `queue: .main` does, so the end must not wait for observers.
package protocol AnnouncementWatch: AnyObject, Sendable {
  func announcementBegins()
  func announcementEnds()
  /// Throws if the thread must not save any more.
  func checkSave() throws
}

/// The threads whose announcements somebody watches.
package enum WatchedThread {
  private static let key = "CoreData.AnnouncementWatch"
  /// How many there are: a program that keeps nothing in step looks at no thread.
  private static let count = Atomic<Int>(0)

  /// Does the work on this thread, and informs `watch` of the announcements that contexts make during it.
  package static func run(_ watch: any AnnouncementWatch, _ work: () -> Void) {
    count.add(1, ordering: .relaxed)
    Thread.current.threadDictionary[key] = watch
    defer {
      Thread.current.threadDictionary[key] = nil
      count.subtract(1, ordering: .relaxed)
    }
    work()
  }

  /// Whether the calling code runs on the main queue, for which observers with `queue: .main` wait.
  package static var isMainQueueRunning: Bool { ContextQueue.isMainRunning }

  /// The watcher of this thread.
  static var watch: (any AnnouncementWatch)? {
    if count.load(ordering: .relaxed) == 0 { return nil }
    return Thread.current.threadDictionary[key] as? any AnnouncementWatch
  }
}
