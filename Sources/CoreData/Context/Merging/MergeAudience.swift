import Synchronization

/// The contexts that merge by themselves what is saved to a coordinator, or to a parent.
///
/// None is kept alive. As long as nobody has asked, nothing is made for them.
final class MergeAudience: Sendable {
  private let members = Mutex<[Member]>([])

  private struct Member {
    weak let context: NSManagedObjectContext?
  }

  var isEmpty: Bool { members.withLock { $0.allSatisfy { $0.context == nil } } }

  func add(_ context: NSManagedObjectContext) {
    members.withLock { members in
      members.removeAll { $0.context == nil || $0.context === context }
      members.append(Member(context: context))
    }
  }

  func remove(_ context: NSManagedObjectContext) {
    members.withLock { members in
      members.removeAll { $0.context == nil || $0.context === context }
    }
  }

  /// Tells every context but the one that has saved; each merges later, on its own queue, in the
  /// order of the calls.
  func tell(
    _ changes: @autoclosure () -> MergedChanges,
    except saver: NSManagedObjectContext? = nil
  ) {
    let contexts = members.withLock { $0.compactMap(\.context) }.filter { $0 !== saver }
    if contexts.isEmpty { return }
    let changes = changes()
    if changes.isEmpty { return }
    for context in contexts { context.mergeLater(changes) }
  }
}
