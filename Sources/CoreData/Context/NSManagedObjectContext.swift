public import Foundation
import Synchronization

/// An object space in which you create, fetch, change, delete and save managed objects.
///
/// A context holds exactly one object for each identity and records what you change. Changes stay
/// in memory until ``save()`` writes them to the persistent stores; a save that fails keeps every
/// change.
///
/// ```swift
/// let context = container.viewContext
/// let note = Note(context: context)
/// note.title = "First"
/// try context.save()
/// ```
///
/// Each context belongs to a queue. Use the context and its objects on that queue only: inside
/// ``perform(_:)``, ``performAndWait(_:)`` or ``perform(schedule:_:)``, or, for a context of the
/// main queue, on the main thread. With the launch argument `-com.apple.CoreData.ConcurrencyDebug
/// 1` a use outside the queue stops the program with a message.
///
/// Safety: state is touched on the context's queue only.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// The kind of queue to which the context belongs.
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  let queue: ContextQueue
  let identityMap = IdentityMap()
  var tracker = ChangeTracker()
  /// Who follows this context.
  let listeners = ContextListeners()
  /// Why property accesses of this context's objects take the long way.
  var watch: ObjectRecord.Watch
  /// How new the rows are that the context sees.
  var freshness = Freshness() {
    didSet { noteWaitingRows() }
  }
  /// What the next save has to know besides the changes.
  var pending = PendingSave()
  /// What was merged, and what is on its way.
  var merges = ContextMerges()
  /// Whether what is saved where the context reads is merged.
  let following = Following()
  /// The parent or the coordinator, and what the context shares with its relatives.
  var kinship = ContextKinship()
  let children = ContextChildren()
  var eventEnd = EventEnd()
  /// Objects that stay alive because the context was asked to keep all; nil where it was not.
  var retained: Set<NSManagedObject>?
  /// Whether objects are saved as they are and validated later, when a migration has finished them.
  var defersValidation = false
  /// Who is told of changes, to take them back.
  var recording = ContextUndo()
  /// What stops the fetches of the block that is running; nil where nobody can.
  var reading: FetchControl?
  /// What was read one by one, where somebody wants to know; nil otherwise.
  var faultTally: FaultTally?

  /// The coordinator whose stores the context reads and writes.
  ///
  /// For a context with a ``parent``, this is the coordinator of the topmost ancestor. Setting a
  /// coordinator on a context that has a parent stops the program.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { kinship.parent?.persistentStoreCoordinator ?? kinship.coordinator }
    set { setCoordinator(newValue) }
  }

  /// The undo manager that records the context's changes, or `nil` if nothing is recorded.
  ///
  /// The default is `nil`.
  ///
  /// ```swift
  /// context.undoManager = UndoManager()
  /// ```
  ///
  /// The changes of an event are registered when the event ends; see ``processPendingChanges()``.
  /// Saving keeps the recorded actions, ``rollback()`` and ``reset()`` remove them. While an undo
  /// manager is set, deleting an object reads its to-many relationships, and the values that can be
  /// restored stay in memory.
  public var undoManager: UndoManager? {
    get { recording.manager }
    set { record(with: newValue) }
  }

  /// The policy that resolves conflicts between the context's changes and the store during a save.
  ///
  /// The value must be an ``NSMergePolicy``; any other value stops the program. The default,
  /// `NSMergePolicy.error`, makes the save throw 133020 (merge conflict) or 133021 (constraint
  /// conflict).
  public var mergePolicy: Any = NSMergePolicy.error {
    didSet {
      require(
        mergePolicy is NSMergePolicy,
        "a merge policy is an NSMergePolicy, not \(mergePolicy)"
      )
    }
  }

  /// The name of the context, used in log messages and recorded with persistent history
  /// transactions.
  public var name: String?

  /// The name of whoever makes the changes, recorded with the persistent history transactions of
  /// the context's saves.
  public var transactionAuthor: String?

  /// A dictionary for values that you want to keep with the context.
  ///
  /// Core Data does not use its contents.
  public let userInfo = NSMutableDictionary()

  /// A Boolean value that indicates whether delete rules are applied at the end of each event.
  ///
  /// If `false`, they are applied when the context is saved. The default is `true`.
  public var propagatesDeletesAtEndOfEvent = true

  /// A Boolean value that indicates whether the context keeps strong references to all its objects.
  ///
  /// If `false`, which is the default, the context keeps only changed objects alive.
  public var retainsRegisteredObjects: Bool {
    get { retained != nil }
    set { retained = newValue ? Set(identityMap.objects) : nil }
  }

  /// The age, in seconds, up to which a cached row may be used to fulfill a fault.
  ///
  /// A row that was read or saved longer ago is read again when a fault is fulfilled or an object
  /// is refreshed. The age of a row counts from the last time this program read or saved it.
  /// Objects that already have their values do not change. The default is −1: cached rows do not
  /// expire.
  public var stalenessInterval: TimeInterval {
    get { freshness.interval }
    set { freshness.interval = newValue }
  }

  /// A Boolean value that indicates whether a fault whose row no longer exists is treated as a
  /// deleted object.
  ///
  /// If `true`, which is the default, such an object becomes deleted and its properties are `nil`.
  /// If `false`, reading one of its properties stops the program.
  public var shouldDeleteInaccessibleFaults = true

  /// Creates a context that has neither a coordinator nor a parent.
  ///
  /// Set ``persistentStoreCoordinator`` or ``parent`` before you use the context.
  ///
  /// - Parameter concurrencyType: The kind of queue to which the context belongs.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(concurrencyType, of: identityMap.address)
    watch = .watch(of: concurrencyType)
    super.init()
    identityMap.address.connect(self)
    ContextCount.change(by: 1)
  }

  /// Creates a context that has neither a coordinator nor a parent.
  ///
  /// Set ``persistentStoreCoordinator`` or ``parent`` before you use the context.
  ///
  /// - Parameter type: The kind of queue to which the context belongs: `.privateQueue` or
  ///   `.mainQueue`.
  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.objectiveCType)
  }

  /// Returns whether a fault whose row no longer exists is to be treated as a deleted object.
  ///
  /// Core Data calls this method when a property of such a fault is read. The default
  /// implementation logs a warning and returns ``shouldDeleteInaccessibleFaults``. Methods that can
  /// throw, such as ``existingObject(with:)``, throw 133000 instead and do not call it.
  ///
  /// - Parameters:
  ///   - fault: The object whose row no longer exists.
  ///   - oid: The identity of the object.
  ///   - property: The property that was read, or `nil` if all values were requested.
  /// - Returns: `true` to treat the object as deleted, with `nil` for its properties; `false` to
  ///   stop the program.
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
    ContextCount.change(by: -1)
    recording.checkpoints.map(NotificationCenter.default.removeObserver)
    identityMap.address.connect(nil)
    identityMap.currentRows.note(nil)
    listeners.tell { $0.contextDidEnd() }
    // Objects that lead to each other would keep each other alive.
    for object in identityMap.removeAll() + merges.departed { object.detach() }
  }

  /// The kinds of queues to which a context can belong.
  public struct ConcurrencyType: Hashable, Sendable {
    let objectiveCType: NSManagedObjectContextConcurrencyType

    /// A private queue, for work that does not block the main thread.
    public static let privateQueue = ConcurrencyType(objectiveCType: .privateQueueConcurrencyType)
    /// The main queue, for contexts that the user interface reads.
    public static let mainQueue = ConcurrencyType(objectiveCType: .mainQueueConcurrencyType)
  }

  /// The points in time at which ``NSManagedObjectContext/perform(schedule:_:)`` can run its block.
  public enum ScheduledTaskType: Sendable {
    /// The block runs at once if the caller is already on the context's queue; otherwise it is
    /// enqueued.
    case immediate
    /// The block is always enqueued behind the blocks that were submitted before.
    case enqueued
  }
}

/// The kinds of queues to which a context can belong, with the raw values of Apple's framework.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The context has a private queue.
  case privateQueueConcurrencyType = 1
  /// The context belongs to the main queue.
  case mainQueueConcurrencyType = 2
}

// MARK: - State

extension NSManagedObjectContext {
  /// A Boolean value that indicates whether the context has unsaved changes.
  public var hasChanges: Bool {
    checkQueue()
    return tracker.hasChanges
  }

  /// The objects that were inserted since the last save.
  public var insertedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.inserted.objects)
  }

  /// The saved objects that have unsaved changes.
  public var updatedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.updated.objects)
  }

  /// The objects that the next save removes and, until the end of the event in which it was merged, those
  /// whose deletion others have saved.
  public var deletedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.deleted.objects).union(merges.departed)
  }

  /// All objects that the context holds, changed or not.
  public var registeredObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(identityMap.objects)
  }
}
