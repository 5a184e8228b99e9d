import CoreData
import Dispatch
import Foundation
import Synchronization

/// Lets the main queue hear of the first save of an engine's, as observers of all contexts with `queue: .main` do.
///
/// It hears of no other save: those of other tests would wait for this one.
final class MainQueueListener: Sendable {
  /// Signalled when a save begins.
  let saves = DispatchSemaphore(value: 0)
  private let beginning = Mutex<(any NSObjectProtocol)?>(nil)
  private let end = Mutex<(any NSObjectProtocol)?>(nil)

  init(to coordinator: NSPersistentStoreCoordinator) {
    beginning.withLock { observer in
      observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave,
        object: nil,
        queue: nil
      ) { [weak self] notification in
        guard let context = notification.object as? NSManagedObjectContext,
          context.persistentStoreCoordinator === coordinator,
          context.transactionAuthor?.hasPrefix("CoreDataSync") == true
        else { return }
        self?.hear(of: context)
      }
    }
  }

  private func hear(of context: NSManagedObjectContext) {
    end.withLock { observer in
      if observer != nil { return }
      observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave,
        object: context,
        queue: .main
      ) { _ in }
    }
    saves.signal()
  }

  func stop() {
    beginning.withLock { observer in
      if let observer { NotificationCenter.default.removeObserver(observer) }
      observer = nil
    }
    end.withLock { observer in
      if let observer { NotificationCenter.default.removeObserver(observer) }
      observer = nil
    }
  }
}
