import CoreData
import Foundation
import Synchronization

/// Saves a context of the main queue after its events, at most once a second.
final class Autosave {
  private let observer: any NSObjectProtocol

  init(of context: ModelContext) {
    let saver = DelayedSave(of: context)
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: context.objects,
      queue: nil
    ) { _ in saver.schedule() }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }
}

/// One save that waits.
///
/// Safety: the context is touched on the main queue only.
private final class DelayedSave: Sendable {
  private let context: Handover<WeakContext>
  private let isWaiting = Atomic(false)

  private struct WeakContext {
    weak let context: ModelContext?
  }

  init(of context: ModelContext) { self.context = Handover(WeakContext(context: context)) }

  func schedule() {
    guard !isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
      self.isWaiting.store(false, ordering: .releasing)
      guard let context = self.context.value.context, context.autosaveEnabled, context.hasChanges
      else { return }
      do {
        try context.save()
      } catch {
        ProgramLog.say("SwiftData: an automatic save failed, and the changes stay: \(error)")
      }
    }
  }
}
