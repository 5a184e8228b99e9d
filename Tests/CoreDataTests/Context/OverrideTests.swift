import CoreData
import Foundation
import TestSupport
import Testing

/// Classes of a program that replace the framework's behaviour.
struct OverrideTests {
  /// A context as in tests of programs, which see what happens if nothing can be saved.
  private final class FailingContext: NSManagedObjectContext, @unchecked Sendable {
    override func save() throws { throw CocoaError(.fileWriteOutOfSpace) }
  }

  /// Notes what it is asked for.
  private final class NotingContext: NSManagedObjectContext, @unchecked Sendable {
    var calls: [String] = []

    override var hasChanges: Bool {
      calls.append("hasChanges")
      return super.hasChanges
    }
    override func insert(_ object: NSManagedObject) {
      calls.append("insert")
      super.insert(object)
    }
    override func delete(_ object: NSManagedObject) {
      calls.append("delete")
      super.delete(object)
    }
    override func save() throws {
      calls.append("save")
      try super.save()
    }
    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
      calls.append("existingObject")
      return try super.existingObject(with: objectID)
    }
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
      calls.append("execute")
      return try super.execute(request)
    }
    override func refresh(_ object: NSManagedObject, mergeChanges: Bool) {
      calls.append("refresh")
      super.refresh(object, mergeChanges: mergeChanges)
    }
    override func refreshAllObjects() {
      calls.append("refreshAllObjects")
      super.refreshAllObjects()
    }
    override func rollback() {
      calls.append("rollback")
      super.rollback()
    }
    override func reset() {
      calls.append("reset")
      super.reset()
    }
    override func mergeChanges(fromContextDidSave notification: Notification) {
      calls.append("mergeChanges")
      super.mergeChanges(fromContextDidSave: notification)
    }
    override func perform(_ block: @escaping () -> Void) {
      calls.append("perform")
      block()
    }
  }

  /// As tests of programs have it, to see whether a block was run.
  private final class SpyingContext: NSManagedObjectContext, @unchecked Sendable {
    var blocks = 0

    override func performAndWait(_ block: () -> Void) {
      super.performAndWait(block)
      blocks += 1
    }
  }

  /// As programs have it that look for objects elsewhere too.
  private final class WatchingContext: NSManagedObjectContext, @unchecked Sendable {
    var calls: [String] = []

    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
      calls.append("object")
      return super.object(with: objectID)
    }
    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
      calls.append("registeredObject")
      return super.registeredObject(for: objectID)
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
      calls.append("obtainPermanentIDs")
      try super.obtainPermanentIDs(for: objects)
    }
    override func assign(_ object: Any, to store: NSPersistentStore) {
      calls.append("assign")
      super.assign(object, to: store)
    }
    override func detectConflicts(for object: NSManagedObject) {
      calls.append("detectConflicts")
      super.detectConflicts(for: object)
    }
    override func undo() {
      calls.append("undo")
      super.undo()
    }
    override func redo() {
      calls.append("redo")
      super.redo()
    }
    override var insertedObjects: Set<NSManagedObject> {
      calls.append("insertedObjects")
      return super.insertedObjects
    }
    override var updatedObjects: Set<NSManagedObject> { super.updatedObjects }
    override var deletedObjects: Set<NSManagedObject> { super.deletedObjects }
    override var registeredObjects: Set<NSManagedObject> { super.registeredObjects }
  }

  /// Gives a context a store.
  private func connected<Context: NSManagedObjectContext>(_ context: Context) throws -> Context {
    context.persistentStoreCoordinator = try NotesStack().coordinator
    return context
  }

  @Test func `a context that fails to save could not be written`() throws {
    let context = try connected(FailingContext(concurrencyType: .privateQueueConcurrencyType))
    context.performAndWait {
      let note = Note(context: context)
      #expect(throws: CocoaError(.fileWriteOutOfSpace)) { try context.save() }
      #expect(note.isInserted)
    }
  }

  @Test func `an actor saved past the override of its context`() async throws {
    actor Notes: ManagedObjectActor {
      let context: NSManagedObjectContext
      init(_ context: NSManagedObjectContext) { self.context = context }
      func add() throws {
        _ = Note(context: context)
        try saveIfNeeded()
      }
    }
    let notes = Notes(try connected(FailingContext(concurrencyType: .privateQueueConcurrencyType)))
    await #expect(throws: CocoaError(.fileWriteOutOfSpace)) { try await notes.add() }
  }

  @Test func `what a context does could not be overridden`() throws {
    let context = try connected(NotingContext(concurrencyType: .privateQueueConcurrencyType))
    try context.performAndWait { () throws in
      let note = Note(context: context)
      try context.save()
      #expect(try context.existingObject(with: note.objectID) === note)
      context.refresh(note, mergeChanges: true)
      context.refreshAllObjects()
      #expect(note.isFault)
      #expect(!context.hasChanges)
      _ = try context.execute(Note.fetchRequest())
      context.delete(note)
      context.rollback()
      #expect(!note.isDeleted)
      context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
      context.perform {}
      context.reset()
      #expect(note.managedObjectContext == nil)
      #expect(
        context.calls == [
          "insert", "save", "existingObject", "refresh", "refreshAllObjects", "refresh",
          "hasChanges", "execute", "delete", "rollback", "mergeChanges", "perform", "reset",
        ]
      )
    }
  }

  @Test func `how a context finds and names its objects could not be overridden`() throws {
    let context = try connected(WatchingContext(concurrencyType: .privateQueueConcurrencyType))
    try context.performAndWait { () throws in
      let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
      let note = Note(context: context)
      context.assign(note, to: store)
      #expect(context.insertedObjects == [note])
      try context.obtainPermanentIDs(for: [note])
      #expect(context.object(with: note.objectID) === note)
      #expect(context.registeredObject(for: note.objectID) === note)
      try context.save()
      note.title = "Watched"
      // Nobody records what they could take back.
      context.undo()
      context.redo()
      #expect(context.updatedObjects == [note] && context.registeredObjects == [note])
      #expect(context.deletedObjects.isEmpty)
      context.rollback()
      context.detectConflicts(for: note)
      #expect(
        context.calls == [
          "assign", "insertedObjects", "obtainPermanentIDs", "object", "registeredObject", "undo",
          "redo", "detectConflicts",
        ]
      )
    }
  }

  @Test func `performAndWait could not be overridden`() throws {
    let context = try connected(SpyingContext(concurrencyType: .privateQueueConcurrencyType))
    context.blocks = 0
    context.performAndWait { context.name = "spied on" }
    #expect(context.blocks == 1)
    #expect(context.performAndWait { context.name } == "spied on")
    #expect(try context.performAndWait { try context.count(for: Note.fetchRequest()) } == 0)
    #expect(context.blocks == 1)
  }

  /// A container whose main context is the program's own.
  private final class FailingContainer: NSPersistentContainer, @unchecked Sendable {
    private lazy var failing: FailingContext = {
      let context = FailingContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = persistentStoreCoordinator
      return context
    }()

    override var viewContext: NSManagedObjectContext { failing }
  }

  @MainActor @Test func `a container could not have a main context of its own`() throws {
    let container = FailingContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let store = NSPersistentStoreDescription()
    store.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [store]
    container.loadPersistentStores { #expect($1 == nil) }
    let context = container.viewContext
    _ = Note(context: context)
    #expect(throws: CocoaError(.fileWriteOutOfSpace)) { try context.save() }
  }

  /// A controller without a store, for tests of a view.
  private final class StillController: NSFetchedResultsController<Note> {
    var isFetched = false

    override func performFetch() throws { isFetched = true }
    override var fetchedObjects: [Note]? { isFetched ? [] : nil }
    override var sections: [any NSFetchedResultsSectionInfo]? { isFetched ? [] : nil }
    override func indexPath(forObject object: Note) -> IndexPath? { IndexPath(row: 7, section: 0) }
  }

  @Test func `a controller's results could not be overridden`() throws {
    let context = try connected(
      NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    )
    try context.performAndWait { () throws in
      let request = Note.fetchRequest()
      request.sortDescriptors = []
      let controller = StillController(
        fetchRequest: request,
        managedObjectContext: context,
        sectionNameKeyPath: nil,
        cacheName: nil
      )
      let note = Note(context: context)
      #expect(controller.fetchedObjects == nil)
      try controller.performFetch()
      #expect(controller.fetchedObjects == [])
      #expect(controller.sections?.isEmpty == true)
      #expect(controller.indexPath(forObject: note)?.row == 7)
    }
  }
}
