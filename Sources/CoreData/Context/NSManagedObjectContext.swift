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
/// ``perform(_:)``, `performAndWait(_:)` or ``perform(schedule:_:)``, or, for a context of the
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
  /// The followers of this context.
  let listeners = ContextListeners()
  /// Why property accesses of this context's objects take the long way.
  var watch: ObjectRecord.Watch
  /// How new the rows are that the context sees.
  var unreadable = UnreadableValues()
  var freshness = Freshness() {
    didSet { noteWaitingRows() }
  }
  /// Facts that the next save needs besides the changes.
  var pending = PendingSave()
  /// The changes that were merged, and those that are on their way.
  var merges = ContextMerges()
  /// Whether what is saved where the context reads is merged.
  let following = Following()
  /// The parent or the coordinator, and what the context shares with its relatives.
  var kinship = ContextKinship()
  let children = ContextChildren()
  var eventEnd = EventEnd()
  /// Objects that stay alive because the context was asked to keep all; `nil` if it was not.
  var retained: Set<NSManagedObject>?
  /// Whether objects are saved as they are and validated later, when a migration has finished them.
  var defersValidation = false
  /// The recorders of changes, for undo.
  var recording = ContextUndo()
  /// Stops the fetches of the block that is running; `nil` if they cannot be stopped.
  var reading: FetchControl?
  /// Counts the faults that were fired one by one, if the count is wanted; `nil` otherwise.
  var faultTally: FaultTally?
  /// The results through which the program goes.
  var walks = RelationshipWalks()

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
  /// The default is `nil`. Set the property on the context's queue.
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

  /// The author of the context's changes, such as the name of a part of the program.
  ///
  /// It is recorded with the persistent history transactions of the context's saves.
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
  /// If `false`, which is the default, the context keeps only changed objects alive. Setting it to `true` also keeps
  /// the objects that the context holds at the moment.
  ///
  /// Use this property on the context's queue.
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

  /// Returns whether a fault whose row no longer exists is treated as a deleted object.
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
    let outcome =
      shouldDeleteInaccessibleFaults
      ? "It counts as deleted, with nil for its properties." : "The program stops."
    ProgramLog.say(
      "warning: the row of \(oid) is gone; \(property?.name ?? "the object") was read. \(outcome)"
    )
    return shouldDeleteInaccessibleFaults
  }

  // MARK: Methods for subclasses to override

  /// A Boolean value that indicates whether the context has unsaved changes.
  ///
  /// Read this property on the context's queue. It runs no SQL statement.
  open var hasChanges: Bool {
    checkQueue()
    return tracker.hasChanges
  }

  /// The objects that were inserted since the last save.
  ///
  /// Read this property on the context's queue. Each read makes a new set.
  open var insertedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.inserted.objects)
  }

  /// The objects that were saved before and have unsaved changes.
  ///
  /// Inserted and deleted objects are not among them. An object whose attributes were set to equal values is one of
  /// them; see ``NSManagedObject/hasPersistentChangedValues``.
  ///
  /// Read this property on the context's queue. Each read makes a new set.
  open var updatedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.updated.objects)
  }

  /// The objects that the next save deletes from their stores.
  ///
  /// Objects whose deletion was saved elsewhere and merged into this context are also among them, until the end of the
  /// event in which they were merged.
  ///
  /// Read this property on the context's queue. Each read makes a new set.
  open var deletedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(tracker.deleted.objects).union(merges.departed)
  }

  /// All objects that the context holds, with and without changes.
  ///
  /// Objects to which nothing else refers are no longer among them, unless they have changes or
  /// ``retainsRegisteredObjects`` is `true`. Objects whose deletion was merged are among them until the event ends.
  ///
  /// Read this property on the context's queue. Each read makes a new set, which keeps the objects alive.
  open var registeredObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(identityMap.objects).union(merges.departed)
  }

  /// Inserts an object into the context, so that the next save stores it.
  ///
  /// Calls the object's `awakeFromInsert()`. Objects without a context to which the object is
  /// related are inserted with it. If the object already belongs to this context, nothing happens;
  /// inserting an object that is marked for deletion cancels the deletion.
  ///
  /// The program stops if the object belongs to another context, or if its entity is abstract or of
  /// another model.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter object: The object to insert.
  open func insert(_ object: NSManagedObject) { insertObject(object) }

  /// Specifies the store in which a newly inserted object will be saved.
  ///
  /// Without this call an object is saved in the first writable store that contains its entity. The
  /// program stops if the object was not inserted into a context, or if the store's configuration does
  /// not have its entity.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - object: A newly inserted managed object.
  ///   - store: The store in which to save the object.
  open func assign(_ object: Any, to store: NSPersistentStore) { setStore(store, of: object) }

  /// Marks an object for deletion from its store when the context is saved.
  ///
  /// Calls the object's `prepareForDeletion()`. A fault is fulfilled first, with at most one
  /// statement. Delete rules are applied at the end of the event or during the save; see
  /// ``propagatesDeletesAtEndOfEvent``. An object that was never saved is removed from the context
  /// without a trace in the store.
  ///
  /// The program stops if the object belongs to another context.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter object: The object to delete.
  open func delete(_ object: NSManagedObject) { deleteObject(object) }

  /// Returns the object with the given identity if the context already holds it.
  ///
  /// Runs no SQL statement.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter objectID: The identity of an object.
  /// - Returns: The object, or `nil` if the context does not hold it.
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    heldObject(with: objectID)
  }

  /// Returns the object with the given identity, as a fault if the context does not hold it yet.
  ///
  /// Runs no SQL statement and does not check whether the row exists. If it does not, the first access to a
  /// property finds out; see ``shouldHandleInaccessibleFault(_:for:triggeredByProperty:)``. To check at once, call
  /// ``existingObject(with:)``. An identity of another coordinator is understood by its URI.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter objectID: The identity of an object.
  /// - Returns: The object. The context has only one for each identity, so it may be one that you already use.
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    objectOrFault(with: objectID)
  }

  /// Returns the object with the given identity and loads its values.
  ///
  /// Runs one SQL statement unless the values are known. An identity of another coordinator is understood
  /// by its URI.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter objectID: The identity of an object.
  /// - Returns: The object with its values.
  /// - Throws: 133000 if the row does not exist, or a store that could have it; otherwise the error of a store that
  ///   cannot be read.
  @discardableResult
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try storedObject(with: objectID)
  }

  /// Executes a fetch, asynchronous fetch, batch or history request.
  ///
  /// A fetch request is executed before the method returns. An asynchronous fetch request returns a
  /// result at once and fills it later; its errors are reported in the result. A batch request runs
  /// one transaction in each store and does not change this context or its objects.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter request: The request to execute.
  /// - Returns: The result of the request; its type depends on the type of the request.
  /// - Throws: 134091 if a context cannot execute this kind of request, such as
  ///   ``NSSaveChangesRequest``, or if a store cannot, such as an XML store a batch request; 513 if a
  ///   request would change a store that is read-only; 134070 if a batch request failed in some of several
  ///   stores, with the errors under `NSDetailedErrorsKey`, while the other stores were changed; otherwise
  ///   the error of the store.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try carryOut(request)
  }

  /// Obtains permanent identities for newly inserted objects before they are saved.
  ///
  /// Runs one short transaction in each store, which reserves the primary keys. The key of an
  /// object that is never saved is not used again. In a context with a parent, objects that were
  /// saved to the parent receive the identities that they obtain there.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter objects: The objects; those that already have permanent identities, and those that come again, are
  ///   skipped.
  /// - Throws: 134030 if no store that can be written takes an object; otherwise the error of the store that cannot
  ///   reserve keys.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    try reservePermanentIDs(for: objects)
  }

  /// Makes the next save check an object's version even if the object has no changes.
  ///
  /// If another context or process has changed or deleted the object's row in the meantime, the
  /// save encounters a merge conflict, just as for a changed object. The context keeps the object
  /// alive until the next save. If the object is a fault, it is fulfilled first.
  ///
  /// The save runs one statement for each such object. This method does nothing in a context that has a parent.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter object: A saved object of this context. Inserted objects are ignored.
  open func detectConflicts(for object: NSManagedObject) { lockObject(object) }

  /// Writes all unsaved changes to the persistent stores, or none of them.
  ///
  /// The steps are, in this order: `willSave()` of the changed objects, delete rules, validation,
  /// one transaction in each store, and `didSave()`. The context posts
  /// `NSManagedObjectContextWillSave` before and `NSManagedObjectContextDidSave` after them.
  ///
  /// A context with a parent saves into the parent only: its changes become unsaved changes of the
  /// parent, and no SQL statement is run.
  ///
  /// After an error everything is as before the call, and you can save again once the cause is
  /// removed. The only exception is 134040.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Throws: A validation error (1550–1680), or 1560 with several of them under
  ///   `NSDetailedErrorsKey`. Unless the ``mergePolicy`` resolves the conflict: 133020 if a row was changed
  ///   in the store, or deleted in the parent, since it was read; 133021 if values that must be unique are not.
  ///   133010 if a relationship leads to an object in another store. 640 if the disk is full. 513 if the file is
  ///   not writable, or the store was opened as read-only. 642 if the volume is read-only. 134090 if another process
  ///   locks the file for too long. 134030 if no store that can be written takes a new object, and for other failures
  ///   of a store. 134040 if the save succeeded in some of several stores only; the error contains the objects that
  ///   were not saved. 134060 if `willSave()` changes objects without end. The error of a store that could not read what
  ///   a property of one of the context's objects was asked for: the property was `nil` then. The next save goes on, unless
  ///   such an object was itself changed; then call ``rollback()`` or ``reset()``.
  open func save() throws { try saveChanges() }

  /// Undoes the last group of changes.
  ///
  /// Without an ``undoManager`` nothing happens. The changes since the last event belong to the
  /// group that is undone. Nothing is written to the store: to undo changes that were saved, save
  /// again. Restored objects are the same instances with the same identities. Runs no SQL
  /// statement, except for many-to-many relationships that others have changed in the meantime.
  ///
  /// Call this method on the context's queue.
  open func undo() { undoChanges() }

  /// Repeats the group of changes that was undone last.
  ///
  /// Without an ``undoManager`` nothing happens.
  ///
  /// Call this method on the context's queue.
  open func redo() { redoChanges() }

  /// Discards all unsaved changes and clears the undo stack.
  ///
  /// Inserted objects are removed from the context, deleted objects are restored, and changed
  /// objects return to their last known stored values. Objects whose values could not be read become faults, which are
  /// read again. Runs no SQL statement, unless a relationship that has not been loaded is being observed.
  ///
  /// Call this method on the context's queue.
  open func rollback() { takeBackChanges() }

  /// Removes all objects and all unsaved changes from the context.
  ///
  /// If you still have a reference to an object, it no longer has a context and is a fault. Stored values that it had
  /// can still be read, and transient ones are `nil`; reading others stops the program.
  /// Posts `NSManagedObjectContextObjectsDidChange` with the identities under
  /// `NSInvalidatedAllObjectsKey`.
  ///
  /// Call this method on the context's queue.
  open func reset() { forgetEverything() }

  /// Updates an object with the values of its store.
  ///
  /// If `mergeChanges` is `false`, the object becomes a fault: its unsaved changes are lost, and it no longer keeps related
  /// objects alive. Changes of its relationships are also undone at the other ends. An object that was never saved is
  /// not inserted anymore: it becomes a fault without a row. Observers are notified of the values that become
  /// different. If an observer asked for new values, they are read, and the object is not a fault afterwards.
  ///
  /// Runs no SQL statement as long as the row is in the cache and not older than
  /// ``stalenessInterval``. Deleted objects, faults, objects of another context and, if
  /// `mergeChanges` is `true`, inserted objects are left as they are.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - object: The object to refresh.
  ///   - mergeChanges: `true` to keep the object's unsaved changes, `false` to discard them.
  open func refresh(_ object: NSManagedObject, mergeChanges: Bool) {
    renew(object, mergeChanges: mergeChanges)
  }

  /// Refreshes every object the context knows, keeping unsaved changes.
  ///
  /// Objects without changes become faults; changed ones take the stored values under their changes, and
  /// new and deleted ones stay as they are. Values of transient properties are lost in objects that
  /// become faults.
  ///
  /// Call this method on the context's queue.
  open func refreshAllObjects() { renewAllObjects() }

  /// Merges the changes that another context has saved into this context.
  ///
  /// ```swift
  /// viewContext.performAndWait { viewContext.mergeChanges(fromContextDidSave: notification) }
  /// ```
  ///
  /// Objects that were updated and are known here take their new values, under this context's own
  /// changes; inserted ones become faults. Deleted ones are deleted here: they are among
  /// ``deletedObjects`` until the current event ends. They do not count for ``hasChanges``, because there is nothing left
  /// to save. `NSManagedObjectContextObjectsDidChange` is posted with the refreshed, inserted and deleted objects, and
  /// `NSManagedObjectContextDidMergeChangesObjectIDs` with all identities.
  ///
  /// Call the method on this context's queue. It runs no statement if both contexts have the same
  /// coordinator, otherwise one for each kind of object that this context holds.
  ///
  /// - Parameter notification: An `NSManagedObjectContextDidSave` or
  ///   `NSManagedObjectContextDidSaveObjectIDs` notification of the other context.
  open func mergeChanges(fromContextDidSave notification: Notification) {
    mergeChanges(of: notification)
  }

  /// Ends the current event: applies delete rules, registers undo actions and posts change
  /// notifications.
  ///
  /// The context calls this method before each save and fetch and at the end of each
  /// ``perform(_:)`` block, and, for the main queue, at the end of the run loop's turn.
  ///
  /// Call this method on the context's queue.
  open func processPendingChanges() { processChanges() }

  /// Schedules a block on the context's queue and returns without waiting for it.
  ///
  /// Blocks run one after another, in the order in which they were submitted. Pending changes are
  /// processed at the end of each block. Blocks of the main queue run when the main thread's run loop
  /// turns, or when the program's `main` is asynchronous.
  ///
  /// The block is not isolated to an actor, even if the surrounding function is. If it uses the state
  /// of an actor, or captures a value that is not `Sendable`, the compiler warns.
  ///
  /// Use ``perform(schedule:_:)`` to wait for the block in asynchronous code. At the top level of a
  /// program, Swift chooses this method even after `await`, and warns; with `schedule:` it chooses the
  /// method that waits.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameter block: The work to do with the context and its objects.
  @preconcurrency
  @available(
    *,
    noasync,
    message: "it does not wait; write await context.perform(schedule: .enqueued) { … }"
  )
  open func perform(_ block: @escaping @Sendable () -> Void) { submit(block) }

  /// Runs a block on the context's queue and waits until it has finished.
  ///
  /// Swift chooses this method for a block that neither returns a value nor throws. A subclass can
  /// override it. For other blocks, Swift chooses the method with a result, which does the same and
  /// cannot be overridden.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameter block: The work to do with the context and its objects.
  @_disfavoredOverload
  open func performAndWait(_ block: () -> Void) { queue.sync(block) }

  deinit {
    ContextCount.change(by: -1)
    recording.checkpoints.map(NotificationCenter.default.removeObserver)
    identityMap.address.connect(nil)
    identityMap.currentRows.note(nil)
    listeners.tell { $0.contextDidEnd() }
    // Objects that lead to each other would keep each other alive.
    for object in identityMap.removeAll() + merges.departed { object.detach() }
  }
}
