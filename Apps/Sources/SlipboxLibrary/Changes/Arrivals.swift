import CoreData
import Dispatch
import Synchronization

/// The notes that other programs and devices have edited, until what depends on their texts is right again.
///
/// A note whose text was not put together with what is known here would stay without somebody's words. So one that cannot
/// be saved now, because the same note is being written by others or the disk is full, is tried again.
final class Arrivals: Sendable {
  private let waiting = Mutex(ForeignEdits([]))

  /// Adopts edits, and those that are waiting, when nothing else is being written.
  func adopt(
    _ edited: ForeignEdits,
    in context: NSManagedObjectContext,
    _ outlines: OutlineCache,
    now: @escaping @Sendable () -> Date
  ) {
    let isAny = waiting.withLock { waiting in
      waiting.formUnion(edited)
      return !waiting.notes.isEmpty
    }
    guard isAny else { return }
    context.perform { [self] in
      do {
        try adoptWaiting(in: context, outlines, at: now())
      } catch {
        // The other writer is done in a moment. If not, the next change or the housekeeping tries again.
        let again = DispatchTime.now() + .seconds(2)
        DispatchQueue.global().asyncAfter(deadline: again) { [weak self, weak context] in
          context?.perform { try? self?.adoptWaiting(in: context, outlines, at: now()) }
        }
      }
    }
  }

  /// Adopts what is waiting; in the context's queue.
  ///
  /// - Throws: The error of the store. The notes that could not be saved are still waiting then.
  func adoptWaiting(
    in context: NSManagedObjectContext?,
    _ outlines: OutlineCache,
    at now: Date
  ) throws {
    let edited = waiting.withLock { waiting in
      defer { waiting = ForeignEdits([]) }
      return waiting
    }
    guard let context, !edited.notes.isEmpty else { return }
    func adopt(_ notes: Set<NSManagedObjectID>) throws {
      try Library.write(in: context, outlines, by: nil) { context in
        try Library.adopt(notes, of: edited, at: now, in: context)
      }
    }
    do {
      try adopt(edited.notes)
    } catch {
      // One that cannot be saved does not keep the others waiting.
      for note in edited.notes {
        do { try adopt([note]) } catch { waiting.withLock { $0.formUnion(edited.only(note)) } }
      }
      if waiting.withLock({ !$0.notes.isEmpty }) { throw error }
    }
  }
}

extension Library {
  /// Puts what other devices have sent together with what is known here, and waits until that is saved.
  func adoptArrivals() async throws {
    _ = try await changes.lastToken()
    let (arrivals, context, outlines, now) = (arrivals, writing, outlines, now())
    try await context.perform { @Sendable in
      try arrivals.adoptWaiting(in: context, outlines, at: now)
    }
  }
}
