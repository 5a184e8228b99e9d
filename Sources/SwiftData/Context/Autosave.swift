import CoreData
import Foundation
import Synchronization

/// Saves a context of the main queue after its events, at most once a second, and when the program ends.
final class Autosave {
  private let observer: any NSObjectProtocol
  private let saver: DelayedSave

  init(of context: ModelContext) {
    let saver = DelayedSave(of: context)
    self.saver = saver
    LastSave.add(saver)
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
      Self.save(self.context.value.context)
    }
  }

  /// Only the main queue may touch the context; a program that another thread ends loses what was not saved.
  func saveAtTheEnd() {
    guard let context = context.value.context, context.objects.isOnItsQueue else { return }
    Self.save(context)
  }

  private static func save(_ context: ModelContext?) {
    guard let context, context.autosaveEnabled, context.hasChanges else { return }
    do {
      try context.save()
    } catch {
      ProgramLog.say("SwiftData: an automatic save failed, and the changes stay: \(error)")
    }
  }
}

/// Saves what waits when the program calls `exit`, or its main function returns.
private enum LastSave {
  private static let savers = Mutex<[Handover<WeakSaver>]>([])

  private struct WeakSaver {
    weak let saver: DelayedSave?
  }

  private static let begun: Void = {
    atexit { LastSave.run() }
  }()

  static func add(_ saver: DelayedSave) {
    _ = begun
    let added = Handover(WeakSaver(saver: saver))
    savers.withLock { savers in
      savers.removeAll { $0.value.saver == nil }
      savers.append(added)
    }
  }

  private static func run() {
    for saver in savers.withLock({ $0 }) { saver.value.saver?.saveAtTheEnd() }
  }
}
