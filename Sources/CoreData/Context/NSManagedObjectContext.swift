public import Foundation
import Synchronization

/// A place to work with objects: it finds them, keeps one for each identity, and saves what changed.
///
/// ```swift
/// let context = container.viewContext
/// let note = Note(context: context)
/// note.title = "First"
/// try context.save()
/// ```
///
/// A context belongs to a queue; it and its objects are used there, inside ``perform(_:)`` or, for
/// the main queue, on the main thread. Changes live in memory until ``save()``; a save that fails
/// keeps every change.
///
/// What a context does is told verb by verb in files of their own: inserting, deleting, fetching,
/// faulting, processing pending changes, saving, performing.
///
/// Safety: state is touched on the context's queue only.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  let queue: ContextQueue
  let identityMap = IdentityMap()
  var tracker = ChangeTracker()
  /// Who follows this context.
  let listeners = ContextListeners()
  /// Why property accesses of this context's objects take the long way.
  var watch: ObjectRecord.Watch
  /// Deleted objects whose delete rules were not applied yet.
  var pendingDeletions: [NSManagedObject] = []
  /// Objects whose deletion others have saved, until the event ends that was going on when it was merged.
  var departed: [NSManagedObject] = []
  /// Whether the end of the current event will be noticed.
  var isEventEndScheduled = false
  /// Whether changes are being processed, so that this is not begun again from within.
  var isProcessing = false
  /// The coordinator's row generation when the oldest row that waits in a fault was read.
  var oldestWaitingGeneration: Int?
  /// The moment of the stores to which the context is pinned; nil for the stores as they are.
  var generation: QueryGeneration?
  /// Objects that stay alive because the context was asked to keep all.
  var retained: Set<NSManagedObject> = []
  /// The stores that new objects were assigned to.
  var assignments: [ObjectIdentifier: NSPersistentStore] = [:]
  /// Objects whose versions the next save checks although they are not changed.
  var lockedObjects: [NSManagedObject] = []
  /// What others have saved under the unsaved changes.
  var hiddenMerges = HiddenMerges()
  /// Whether objects are saved as they are and validated later, when a migration has finished them.
  var defersValidation = false

  /// The parent and what the context shares with its relatives.
  var kinship = ContextKinship()
  /// The family of which this context is the root; children may come on any thread.
  let foundedFamily = Mutex(FoundedFamily())
  /// How many events have ended here: children's rows from before may be old.
  let eventCount = Atomic<Int>(0)
  /// How often the children that follow were told of changes.
  var timesTold = 0
  /// How many merges the parent has told of that were not made yet.
  let mergesUnderway = Atomic<Int>(0)
  var rowsUnderway = RowsUnderway()
  /// The children that merge what is saved here.
  let audience = MergeAudience()
  /// Whether saves where this context reads are merged.
  let isFollowing = Atomic<Bool>(false)
  /// The coordinator, unless the context has a parent.
  var ownCoordinator: NSPersistentStoreCoordinator?

  /// The coordinator whose stores the context reads and writes; of a child, its root's.
  ///
  /// Stops the program when it is set on a context that has a parent.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { kinship.parent?.persistentStoreCoordinator ?? ownCoordinator }
    set { setCoordinator(newValue) }
  }

  /// What takes changes back; nil, as at first, when nobody will.
  ///
  /// ```swift
  /// context.undoManager = UndoManager()
  /// ```
  ///
  /// Each event is registered when it ends: see ``processPendingChanges()``. A save keeps what can be
  /// undone; ``rollback()`` and ``reset()`` forget it. With an undo manager, a deletion reads the
  /// object's to-many relationships, and what can be undone stays in memory.
  public var undoManager: UndoManager? {
    didSet { undoManagerChanged(from: oldValue) }
  }
  /// Hears when the undo manager wants to know of all changes so far.
  var checkpoints: (any NSObjectProtocol)?

  /// What a save does about rows that somebody else has changed and about values that are taken: an
  /// `NSMergePolicy`.
  ///
  /// The default lets the save fail.
  public var mergePolicy: Any = NSMergePolicy.error {
    didSet {
      require(
        mergePolicy is NSMergePolicy,
        "a merge policy is an NSMergePolicy, not \(mergePolicy)"
      )
    }
  }

  /// A name for logs.
  public var name: String?

  /// Who makes this context's changes, for logs and histories.
  public var transactionAuthor: String?

  /// Whatever the user keeps with a context.
  public let userInfo = NSMutableDictionary()

  /// Whether delete rules are applied at the end of each event, instead of at the save.
  public var propagatesDeletesAtEndOfEvent = true

  /// Whether the context keeps every object it knows alive; false: only changed ones.
  public var retainsRegisteredObjects = false {
    didSet { retained = retainsRegisteredObjects ? Set(identityMap.objects) : [] }
  }

  /// For how many seconds a row that was read may give a fault its values; negative: for ever.
  ///
  /// An older row is read again when a fault is fulfilled or an object refreshed. Objects that have
  /// values are never touched. Rows that this program saves are as young as their save.
  public var stalenessInterval: TimeInterval = -1

  /// Whether an object whose row turns out to be gone counts as deleted, with nil for its properties;
  /// false: reading it stops the program.
  public var shouldDeleteInaccessibleFaults = true

  /// Makes a context without a coordinator.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(concurrencyType, of: identityMap)
    watch = .watch(of: concurrencyType)
    super.init()
    identityMap.connect(self)
  }

  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.objectiveCType)
  }

  /// Called when a fault is read whose row is gone: whether it shall count as deleted; else the program
  /// stops.
  ///
  /// The property is what was read, nil where the whole object was asked for. Writes a line to the log
  /// and answers ``shouldDeleteInaccessibleFaults``, unless overridden. Methods that can throw, such as
  /// ``existingObject(with:)``, throw 133000 instead and do not ask.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject,
    for oid: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    NSLog(
      "CoreData: warning: the row of %@ is gone; %@ was read. %@",
      "\(oid)",
      property?.name ?? "the object",
      shouldDeleteInaccessibleFaults
        ? "It counts as deleted, with nil for its properties." : "The program stops."
    )
    return shouldDeleteInaccessibleFaults
  }

  deinit {
    checkpoints.map(NotificationCenter.default.removeObserver)
    identityMap.connect(nil)
    listeners.tell { $0.contextDidEnd() }
    // Objects that lead to each other would keep each other alive.
    for object in identityMap.removeAll() + departed { object.detach() }
  }

  /// A typed spelling of the kinds of contexts.
  public struct ConcurrencyType: Hashable, Sendable {
    let objectiveCType: NSManagedObjectContextConcurrencyType

    public static let privateQueue = ConcurrencyType(objectiveCType: .privateQueueConcurrencyType)
    public static let mainQueue = ConcurrencyType(objectiveCType: .mainQueueConcurrencyType)
  }

  /// When `perform(schedule:_:)` runs its block.
  public enum ScheduledTaskType: Sendable {
    /// At once if the caller is on the context's queue already.
    case immediate
    /// Always later.
    case enqueued
  }
}

/// The queue a context belongs to; raw values are Apple's.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

// MARK: - State

extension NSManagedObjectContext {
  /// Whether anything would be saved.
  public var hasChanges: Bool {
    checkQueue()
    return tracker.hasChanges
  }

  public var insertedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.inserted.objects)
  }

  public var updatedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.updated.objects)
  }

  /// The objects that the next save removes and, until the end of the event in which it was merged, those
  /// whose deletion others have saved.
  public var deletedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.deleted.objects).union(departed)
  }

  /// Every object the context knows, changed or not.
  public var registeredObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(identityMap.objects)
  }
}
