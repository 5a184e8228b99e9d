import Synchronization

/// The changes that a context has merged, and those that are on their way to it.
struct ContextMerges {
  /// The changes that others have saved and that unsaved changes hide.
  var hidden = HiddenMerges()
  /// Rows that come, or came, with changes.
  var rows = RowsUnderway()
  /// Objects whose deletion others have saved, until the event ends that was going on when it was merged.
  var departed: [NSManagedObject] = []
}

/// How a context follows the saves of its parent or coordinator; known on any thread.
struct Following: ~Copyable, Sendable {
  /// Whether saves are merged.
  let isOn = Atomic<Bool>(false)
  /// How many merges were announced that were not made yet.
  let underway = Atomic<Int>(0)
}

/// The side of a context that its children use, on any thread.
struct ContextChildren: ~Copyable, Sendable {
  /// The family of which the context is the root.
  let family = Mutex(FoundedFamily())
  /// Those that merge what is saved here.
  let audience = MergeAudience()
  /// How many events have ended here: children's rows from before may be old.
  let eventCount = Atomic<Int>(0)
  /// How often the followers were informed of changes.
  let timesTold = Atomic<Int>(0)

  /// Notes the end of an event.
  func noteEvent() {
    eventCount.add(1, ordering: .acquiringAndReleasing)
  }
}
