import CoreData
import TestSupport
import Testing

/// A child's save and its effect on the parent.
@Suite struct ChildContextTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child's save goes one level up and no further (78)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.family { parent, child in
      child.find(id).title = "Two"
      child.note("New", in: child.find(id).folder)
      #expect(!parent.hasChanges)
      try child.save()
      #expect(!child.hasChanges)
      #expect(try parent.titles() == ["New", "Two"])
      #expect(parent.insertedObjects.count == 1)
      #expect(parent.updatedObjects.count == 2, "the note, and the folder that has a new one")
      #expect(parent.find(id).changedValues().keys.sorted() == ["title"])
      #expect(try stack.work { try $0.titles() } == ["One"], "nothing is stored yet")
      #expect(checkInvariants(of: parent).isEmpty)
      #expect(checkInvariants(of: child).isEmpty)
      try parent.save()
    }
    try stack.work { context throws in
      #expect(try context.titles() == ["New", "Two"])
      #expect(context.find(id).folder?.titles == ["New", "Two"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deletion in a child is a deletion in the parent`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.family { parent, child in
      let note = child.find(id)
      child.delete(note)
      try child.save()
      #expect(note.managedObjectContext == nil)
      #expect(!child.hasChanges)
      #expect(parent.deletedObjects == [parent.find(id)])
      #expect(try parent.titles() == [])
      #expect(try child.titles() == [])
      #expect(try stack.work { try $0.titles() } == ["One"])
      try parent.save()
    }
    #expect(try stack.work { try $0.titles() } == [])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `delete rules reach objects that only the parent knows`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    try stack.family { parent, child in
      child.delete(child.find(id, as: Folder.self))
      parent.note("New", in: parent.find(id, as: Folder.self))
      try child.save()
      #expect(try parent.titles() == [])
      #expect(!parent.hasChanges || parent.insertedObjects.isEmpty)
      try parent.save()
    }
    #expect(try stack.work { try $0.folders() } == [])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what was new in a child and is deleted there leaves no trace in the parent (29)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).family { parent, child in
      let note = child.note("One")
      try child.save()
      #expect(parent.insertedObjects.count == 1)
      child.delete(note)
      try child.save()
      #expect(!parent.hasChanges)
      #expect(try parent.titles() == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `only what the child changed is changed in the parent`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.family { parent, child in
      let note = child.find(id)
      note.title = "Child's"
      parent.find(id).title = "Parent's"
      parent.find(id).stars = 4
      try child.save()
      #expect(parent.find(id).title == "Child's", "who saves last wins")
      #expect(parent.find(id).stars == 4)
      #expect(note.stars == 0, "the child sees it with a refresh")
      child.refresh(note, mergeChanges: true)
      #expect(note.stars == 4)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child's change of an object that the parent has deleted is refused`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let ids = try ["One", "Two"].map { title in try stack.saved { $0.note(title) } }
    try stack.family { parent, child in
      child.find(ids[0]).title = "Changed"
      child.find(ids[1]).title = "Changed too"
      child.note("New")
      parent.delete(parent.find(ids[1]))
      let code = errorCode { try child.save() }
      #expect(code == CocoaError.managedObjectMerge.rawValue)
      #expect(child.updatedObjects.count == 2)
      #expect(child.insertedObjects.count == 1)
      #expect(parent.updatedObjects.isEmpty)
      #expect(parent.insertedObjects.isEmpty)
      #expect(try parent.titles() == ["One"])
      child.delete(child.find(ids[1]))
      try child.save()
      #expect(try parent.titles() == ["Changed", "New"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child's save validates, and a refused one changes neither context`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).family { parent, child in
      let note = child.note("One")
      note.stars = 9
      #expect(errorCode { try child.save() } == CocoaError.validationNumberTooLarge.rawValue)
      #expect(child.insertedObjects == [note])
      #expect(!parent.hasChanges)
      note.stars = 5
      try child.save()
      #expect(try parent.titles() == ["One"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the parent posts what came from its child (86)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    let gone = try stack.saved { $0.note("Gone") }
    try stack.family { parent, child in
      let changes = Received(parent, .NSManagedObjectContextObjectsDidChange)
      let saves = Received(parent, .NSManagedObjectContextDidSave)
      child.find(id).title = "Two"
      child.delete(child.find(gone))
      let new = child.note("New")
      try child.save()
      #expect(changes.all.count == 1)
      #expect(changes.sets[NSInsertedObjectsKey] == [parent.same(new)])
      #expect(changes.sets[NSUpdatedObjectsKey] == [parent.find(id)])
      #expect(changes.sets[NSDeletedObjectsKey]?.count == 1)
      #expect(saves.all.isEmpty)
    }
  }

  @Test func `a new object awakes in the child only (13)`() throws {
    let coordinator = try LivingNotes.coordinator()
    try LivingNotes.work(coordinator) { parent in
      try parent.inChild { child in
        let note = NSEntityDescription.insertNewObject(forEntityName: "Logging", into: child)
        note.setValue("Changed", forKey: "title")
        try child.save()
        let above = try #require(parent.insertedObjects.first as? LoggingNote)
        #expect(above.value(forKey: "title") as? String == "Changed")
        #expect(above.events() == [])
        #expect((note as? LoggingNote)?.events().first == "awakeFromInsert Untitled")
        child.delete(note)
        try child.save()
        #expect(!above.events().contains("prepareForDeletion"))
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyValue))
  func `all kinds of values go up and come down`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.family { parent, child in
      let (uuid, date) = (UUID(), Date(timeIntervalSinceReferenceDate: 1234.5))
      let note = child.note("Values")
      note.created = date
      note.image = Data([1, 2, 3])
      note.isFavourite = true
      note.keywords = ["a", "b"]
      note.link = URL(string: "https://example.org/a?b=c")
      note.price = NSDecimalNumber(string: "12.345")
      note.rating = 4.25
      note.stars = 3
      note.uuid = uuid
      note.views = NSNumber(value: 1 << 40)
      note.scratch = "not stored"
      try child.save()
      try parent.inChild { sibling in
        for note in [parent.same(note), sibling.same(note)] {
          #expect(note.created == date)
          #expect(note.image == Data([1, 2, 3]))
          #expect(note.isFavourite)
          #expect(note.keywords as? [String] == ["a", "b"])
          #expect(note.link == URL(string: "https://example.org/a?b=c"))
          #expect(note.price?.compare(NSDecimalNumber(string: "12.345")) == .orderedSame)
          #expect(note.rating == 4.25)
          #expect(note.stars == 3)
          #expect(note.uuid == uuid)
          #expect(note.views?.int64Value == 1 << 40)
          #expect(note.scratch == (note.managedObjectContext === parent ? "not stored" : nil))
        }
        let below = sibling.same(note)
        below.title = nil
        below.image = nil
        below.stars = 0
        try sibling.save()
      }
      #expect(parent.same(note).title == nil)
      #expect(parent.same(note).image == nil)
      #expect(parent.same(note).stars == 0)
      try parent.save()
    }
    try stack.work { context in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.title == nil)
      #expect(note.rating == 4.25)
      #expect(note.keywords as? [String] == ["a", "b"])
    }
  }

  @Test func `a child keeps its parent, and has its coordinator`() throws {
    let stack = try NotesStack()
    let child = NSManagedObjectContext(.privateQueue)
    weak var weakParent: NSManagedObjectContext?
    do {
      let parent = stack.context()
      weakParent = parent
      child.parent = parent
      child.parent = parent
    }
    #expect(weakParent != nil)
    #expect(child.parent === weakParent)
    #expect(child.persistentStoreCoordinator === stack.coordinator)
  }

  @Test func `mistakes with parents stop the program`() async {
    await #expect(processExitsWith: .failure) {
      let context = try NotesStack().context()
      context.parent = NSManagedObjectContext(.privateQueue)
    }
    await #expect(processExitsWith: .failure) {
      let child = try NotesStack().context().child()
      child.parent = try NotesStack().context()
    }
    await #expect(processExitsWith: .failure) {
      let child = try NotesStack().context().child()
      child.parent = nil
    }
    await #expect(processExitsWith: .failure) {
      let child = try NotesStack().context().child()
      child.persistentStoreCoordinator = try NotesStack().coordinator
    }
    await #expect(processExitsWith: .failure) {
      let context = NSManagedObjectContext(.privateQueue)
      context.parent = context.child()
    }
  }
}
