import CoreData
import CoreDataSync

extension HostFramework {
  /// The framework of this package, which says more than Apple's API does.
  static let current = HostFramework(
    tokens: { TokenNumbers(number: { $0[$1] }, moved: { $0.advanced(to: $1, in: $2) }) },
    run: { wishes, work in WatchedThread.run(wishes, work) },
    isMainQueueRunning: { WatchedThread.isMainQueueRunning },
    pass: { _, _ in }
  )
}

extension Wishes: AnnouncementWatch {}
