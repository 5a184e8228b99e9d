import CoreData
import TestSupport
import Testing

@Suite struct UndoTests {
  private func working(
    _ kind: StoreKind,
    _ body: (NSManagedObjectContext, UndoManager) throws -> Void
  ) throws {
    try NotesStack(kind).work { context in
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      context.undoManager = undoManager
      try body(context, undoManager)
    }
  }

  @Test func `a context has no undo manager at first (90)`() throws {
    try NotesStack().work { context in
      #expect(context.undoManager == nil)
      context.note("a")
      context.undo()
      #expect(context.insertedObjects.count == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an insertion is taken back and made again, as the same object (90)`(
    _ kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager in
      let note = undoManager.group(in: context) { context.note("first") }
      let id = note.objectID
      context.undo()
      #expect(!context.hasChanges)
      let titles = try context.titles()
      #expect(titles == [])
      context.redo()
      let found = try context.fetch(Note.fetchRequest()).first
      #expect(found === note)
      #expect(note.title == "first")
      #expect(note.objectID == id)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a new object whose deletion was not propagated yet was not saved after the undo`(
    _ kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager in
      context.propagatesDeletesAtEndOfEvent = false
      let note = undoManager.group(in: context) {
        context.note("first", in: context.folder("F"))
      }
      undoManager.group(in: context) { context.delete(note) }
      context.undo()
      #expect(note.isInserted)
      #expect(note.title == "first")
      #expect(note.folder?.titles == ["first"])
      try context.save()
      let titles = try context.titles()
      #expect(titles == ["first"])
      #expect(checkInvariants(of: context).isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest), [true, false])
  func `undo brought objects of a store back that was removed, and no save went through`(
    kind: StoreKind,
    deletionIsSaved: Bool
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let note = context.note("first", in: context.folder("F"))
      try context.save()
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      context.undoManager = undoManager
      undoManager.group(in: context) { context.delete(note) }
      if deletionIsSaved { try context.save() }
      try stack.coordinator.remove(stack.store)
      context.undo()
      #expect(!context.hasChanges)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a group opened by hand after a change in the same event left undo with too many groups`(
    _ kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let undoManager = UndoManager()
      context.undoManager = undoManager
      let note = context.note("first")
      undoManager.beginUndoGrouping()
      #expect(undoManager.groupingLevel == 2)
      note.stars = 2
      undoManager.endUndoGrouping()
      #expect(undoManager.groupingLevel == 1)
      undoManager.undo()
      #expect(!context.hasChanges)
      let titles = try context.titles()
      #expect(titles == [])
      undoManager.redo()
      #expect(note.title == "first" && note.stars == 2)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a registration of another object after a change left undo with too many groups`(
    _ kind: StoreKind
  ) throws {
    final class Lamp {
      var isOn = true
    }
    try NotesStack(kind).work { context in
      let undoManager = UndoManager()
      context.undoManager = undoManager
      let lamp = Lamp()
      context.note("first")
      undoManager.registerUndo(withTarget: lamp) { $0.isOn = false }
      #expect(undoManager.groupingLevel == 1)
      undoManager.undo()
      #expect(!context.hasChanges)
      #expect(!lamp.isOn)
    }
  }

  @Test func `the name of an action went to the action before it`() throws {
    try NotesStack().work { context in
      let undoManager = UndoManager()
      context.undoManager = undoManager
      undoManager.beginUndoGrouping()
      let note = context.note("first")
      undoManager.endUndoGrouping()
      undoManager.undo()
      undoManager.redo()
      undoManager.setActionName("New Note")
      note.title = "second"
      undoManager.setActionName("Typing")
      undoManager.undo()
      #expect(note.title == "first")
      #expect(undoManager.undoActionName == "New Note")
      #expect(undoManager.redoActionName == "Typing")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a group opened by hand after a change stopped the program where none is by event`(
    _ kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager in
      let note = context.note("first")
      undoManager.beginUndoGrouping()
      note.stars = 2
      undoManager.endUndoGrouping()
      context.undo()
      #expect(!context.hasChanges)
      #expect(!undoManager.canUndo)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a change that is taken back leaves the object as it was, and unchanged (90)`(
    _ kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager in
      let note = undoManager.group(in: context) { context.note("first") }
      undoManager.group(in: context) { note.stars = 1 }
      try context.save()
      undoManager.group(in: context) {
        note.title = "second"
        note.stars = 2
      }
      context.undo()
      #expect(note.title == "first")
      #expect(note.stars == 1)
      #expect(!note.hasChanges)
      #expect(!context.hasChanges)
      context.redo()
      #expect(note.title == "second")
      #expect(note.changedValues().keys.sorted() == ["stars", "title"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `undo of one of two changes keeps the other`(_ kind: StoreKind) throws {
    try working(kind) { context, undoManager in
      let note = undoManager.group(in: context) { context.note("first") }
      try context.save()
      undoManager.group(in: context) { note.title = "second" }
      undoManager.group(in: context) { note.stars = 5 }
      context.undo()
      #expect(note.changedValues().keys.sorted() == ["title"])
      try context.save()
      #expect(note.title == "second")
      #expect(note.stars == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deletion with its cascade is taken back before it is saved (90)`(
    _ kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager in
      let folder = undoManager.group(in: context) { context.folder("Home") }
      let note = undoManager.group(in: context) { context.note("a", in: folder) }
      undoManager.group(in: context) { folder.cover = note }
      try context.save()
      undoManager.group(in: context) { context.delete(folder) }
      #expect(note.isDeleted)
      context.undo()
      #expect(!folder.isDeleted && !note.isDeleted)
      #expect(!context.hasChanges)
      #expect(note.folder === folder && folder.cover === note)
      #expect(folder.titles == ["a"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a saved deletion is taken back: the rows return under their keys (90, 91)`(
    _ kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.undoManager = UndoManager()
      let folder = context.folder("Home")
      let notes = ["a", "b", "c"].map { context.note($0, in: folder) }
      folder.pinned = NSOrderedSet(array: [notes[2], notes[0]])
      notes[0].addToTags(context.tag("red"))
      notes[1].price = 12
      try context.save()
      context.undoManager?.removeAllActions()
      let id = folder.objectID
      context.delete(folder)
      try context.save()
      #expect(try stack.work { try $0.titles() } == [])
      context.undo()
      #expect(folder.isInserted && folder.managedObjectContext === context)
      #expect(folder.objectID == id)
      try context.save()
      try stack.work { other in
        let found: Folder = other.find(id, as: Folder.self)
        #expect(found.titles == ["a", "b", "c"])
        #expect(found.pinnedTitles == ["c", "a"])
        let notes = try other.fetch(Note.fetchRequest())
        #expect(notes.first { $0.title == "b" }?.price == 12)
        #expect(notes.first { $0.title == "a" }?.tags?.count == 1)
      }
      context.undo()
      try context.save()
      #expect(try stack.work { try $0.titles() } == ["a", "b", "c"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an event of a private queue ends with its block`(kind: StoreKind) async throws {
    let context = try NotesStack(kind).context()
    await context.perform { context.undoManager = UndoManager() }
    await context.perform(schedule: .enqueued) { _ = context.note("one") }
    await context.perform(schedule: .enqueued) { _ = context.note("two") }
    let titles = try await context.perform {
      context.undo()
      return try context.titles()
    }
    #expect(titles == ["one"])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `changes made while registration is disabled stay`(kind: StoreKind) throws {
    try working(kind) { context, undoManager in
      let note = undoManager.group(in: context) { context.note("a") }
      undoManager.disableUndoRegistration()
      note.stars = 3
      context.processPendingChanges()
      undoManager.enableUndoRegistration()
      undoManager.group(in: context) { note.title = "b" }
      context.undo()
      #expect(note.title == "a")
      #expect(note.stars == 3)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `rollback and reset forget what could be undone, a save does not (91)`(
    _ kind: StoreKind
  ) throws {
    try working(kind) { context, undoManager in
      undoManager.group(in: context) { context.note("a") }
      try context.save()
      #expect(undoManager.canUndo)
      context.rollback()
      #expect(!undoManager.canUndo)
      undoManager.group(in: context) { context.note("b") }
      context.reset()
      #expect(!undoManager.canUndo)
    }
  }

  @Test func `an object hears why its values were replaced, and may set what does not count (14)`()
    throws
  {
    let stack = try NotesStack(model: UndoneNote.model)
    try stack.work { context in
      context.undoManager = UndoManager()
      context.undoManager?.groupsByEvent = false
      let undoManager = try #require(context.undoManager)
      let note = undoManager.group(in: context) { UndoneNote(context: context) }
      undoManager.group(in: context) { note.setValue("x", forKey: "title") }
      context.undo()
      #expect(note.heard == [.undoUpdate])
      undoManager.group(in: context) { context.delete(note) }
      context.undo()
      #expect(note.heard == [.undoUpdate, .undoDeletion])
      context.undo()
      #expect(note.heard == [.undoUpdate, .undoDeletion, .undoInsertion])
      #expect(!context.hasChanges)
    }
  }

  @Test func `awakeFromInsert is not called again by a redo (13)`() throws {
    let stack = try NotesStack(model: UndoneNote.model)
    try stack.work { context in
      context.undoManager = UndoManager()
      let note = UndoneNote(context: context)
      context.undo()
      context.redo()
      #expect(note.isInserted)
      #expect(note.insertions == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `observers of a property hear of its undo`(kind: StoreKind) throws {
    try working(kind) { context, undoManager in
      let note = undoManager.group(in: context) { context.note("a") }
      var heard: [String?] = []
      let observation = note.observe(\.title, options: [.new]) { note, _ in heard.append(note.title)
      }
      undoManager.group(in: context) { note.title = "b" }
      context.undo()
      context.redo()
      #expect(heard == ["b", "a", "b"])
      observation.invalidate()
    }
  }

  @Test func `a context that is gone is not kept by its undo manager`() throws {
    let stack = try NotesStack()
    let undoManager = UndoManager()
    weak var gone: NSManagedObjectContext?
    try stack.work { context in
      context.undoManager = undoManager
      context.note("a")
      context.processPendingChanges()
      gone = context
    }
    #expect(gone == nil)
    undoManager.undo()
  }
}

extension UndoManager {
  /// One group for the body's changes in the context.
  @discardableResult
  func group<Result>(in context: NSManagedObjectContext, _ body: () -> Result) -> Result {
    beginUndoGrouping()
    let result = body()
    context.processPendingChanges()
    endUndoGrouping()
    return result
  }
}

/// A note that remembers what it was told.
final class UndoneNote: NSManagedObject {
  var heard: [NSSnapshotEventType] = []
  var insertions = 0

  override func awakeFromInsert() { insertions += 1 }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    heard.append(flags)
    setValue("awake", forKey: "scratch")
  }

  static let model: NSManagedObjectModel = {
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    title.isOptional = true
    let scratch = NSAttributeDescription()
    scratch.name = "scratch"
    scratch.attributeType = .stringAttributeType
    scratch.isTransient = true
    scratch.isOptional = true
    let entity = NSEntityDescription()
    entity.name = "UndoneNote"
    entity.managedObjectClassName = NSStringFromClass(UndoneNote.self)
    entity.properties = [title, scratch]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()
}
