import CoreData
import TestSupport
import Testing

/// Tests of the objects that belong to a context, and of how long they do.
@Suite struct RegisteringTests {
  @Test func `an identity of another coordinator over the same file is understood by its URI`()
    throws
  {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("1", in: $0.folder("F")) }
    let other = try NotesStack(reopening: try #require(stack.file))
    try other.work { context in
      let note = try #require(try context.existingObject(with: id) as? Note)
      #expect(note.title == "1")
      #expect(context.object(with: id) === note)
      #expect(context.registeredObject(for: id) === note)
      #expect(note.objectID.persistentStore?.persistentStoreCoordinator === other.coordinator)
      #expect(note.folder?.name == "F")
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "SELF == %@", id)
      #expect(try context.fetch(request) == [note])
      #expect(NSPredicate(format: "SELF IN %@", [id]).evaluate(with: note))
      let child = context.child()
      #expect(try child.performAndWait { try child.existingObject(with: id).isFault } == false)
    }
  }

  @available(*, deprecated)
  @Test func `a context for one thread could not be made`() throws {
    let stack = try NotesStack()
    let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    #expect(context.concurrencyType.rawValue == 0)
    let note = context.note("1")
    #expect(try context.fetch(Note.fetchRequest()) == [note])
    try context.save()
    context.delete(note)
    #expect(context.hasChanges)
    context.processPendingChanges()
    try context.save()
    #expect(try stack.work { try $0.count(for: Note.fetchRequest()) } == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `an identity of a store that is not open is told of as such`(kind: StoreKind) throws {
    let id = try NotesStack(kind).saved { $0.note("1") }
    try NotesStack(kind).work { context in
      do {
        _ = try context.existingObject(with: id)
        Issue.record("nothing was thrown")
      } catch let error as NSError {
        #expect(error.code == NSManagedObjectReferentialIntegrityError)
        #expect(error.localizedDescription == "The Note is in no store that is open here.")
        #expect(error.localizedFailureReason?.contains("deleted") == false)
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a context keeps changed objects alive and no others (4)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    for title in ["clean", "updated", "deleted"] { try stack.saved { $0.note(title) } }
    try stack.work { context in
      #expect(!context.retainsRegisteredObjects)
      do {
        for note in try context.fetch(Note.fetchRequest()) {
          if note.title == "updated" { note.stars = 1 }
          if note.title == "deleted" { context.delete(note) }
        }
        context.note("inserted")
        context.processPendingChanges()
      }
      let titles = context.registeredObjects.map { $0.value(forKey: "title") as? String ?? "" }
      #expect(titles.sorted() == ["deleted", "inserted", "updated"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a context that retains keeps what it has fetched (4)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      context.retainsRegisteredObjects = true
      do { for note in try context.fetch(Note.fetchRequest()) { _ = note.folder?.name } }
      #expect(context.registeredObjects.count == 2)
      context.retainsRegisteredObjects = false
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `after a reset objects have no context, and all identities are told (9)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let (note, new) = (context.find(id), context.note("New"))
      let newID = new.objectID
      _ = note.title
      let received = Received(context, .NSManagedObjectContextObjectsDidChange)
      context.reset()
      #expect(note.managedObjectContext == nil && new.managedObjectContext == nil)
      #expect(context.registeredObjects.isEmpty && !context.hasChanges)
      #expect(received.all.count == 1)
      let ids = received.last?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
      #expect(Set(ids ?? []) == [id, newID])
      #expect(context.find(id) !== note)
      #expect(context.find(id).title == "One")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object does not keep its context (10)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    var context: NSManagedObjectContext? = stack.context()
    let note = try #require(
      context?.performAndWait {
        let note = context?.object(with: id) as? Note
        _ = note?.title
        return note
      }
    )
    weak let gone = context
    context = nil
    #expect(gone == nil)
    #expect(note.managedObjectContext == nil)
    #expect(note.title == "One")
  }

  @Test func `a fault whose context is gone cannot be read (10)`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stack = try NotesStack()
      let id = try stack.saved { $0.note("One") }
      let note = try stack.work { $0.object(with: id) }
      _ = note.value(forKey: "title")
    }
    #expect(result.says("its context is gone, or was reset"))
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object can be filled before it has a context (36)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let entity = try #require(NotesStack.model.entitiesByName["Note"])
    try stack.work { context in
      let note = Note(entity: entity, insertInto: nil)
      #expect(note.managedObjectContext == nil && !note.isInserted && !note.hasChanges)
      #expect(note.rating == 0, "defaults are there")
      note.title = "Filled"
      context.insert(note)
      #expect(note.isInserted && note.managedObjectContext === context)
      #expect(note.title == "Filled")
      try context.save()
    }
    try stack.work { context throws in #expect(try context.titles() == ["Filled"]) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `objects without a context come in with the one they are related to (36)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let make = { (name: String) throws -> NSManagedObject in
      let entity = try #require(NotesStack.model.entitiesByName[name])
      return NSManagedObject(entity: entity, insertInto: nil)
    }
    try stack.work { context in
      let folder = try #require(try make("Folder") as? Folder)
      let (one, two) = (try make("Note"), try make("Note"))
      one.setValue("1", forKey: "title")
      two.setValue("2", forKey: "title")
      one.setValue(folder, forKey: "folder")
      folder.mutableOrderedSetValue(forKey: "pinned").add(two)
      context.insert(folder)
      #expect(context.insertedObjects == [folder, one, two])
      try context.save()
    }
    try stack.work { context in
      let folder = try #require(try context.fetch(Folder.fetchRequest()).first)
      #expect(folder.titles == ["1"])
      #expect(folder.pinnedTitles == ["2"])
    }
  }

  @Test func `an object without a context cannot be related to one with (36)`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stack = try NotesStack()
      try stack.work { context in
        let entity = try #require(NotesStack.model.entitiesByName["Note"])
        Note(entity: entity, insertInto: nil).folder = context.folder("F")
      }
    }
    #expect(result.says("the two objects belong to different contexts"))
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the entity's class wins, and an unknown one is NSManagedObject (37)`(
    kind: StoreKind
  ) throws {
    let plain = CodedModel.entity("Plain", NSManagedObject.self, CodedModel.attribute("title"))
    plain.managedObjectClassName = "NobodyWroteThis"
    let titled = CodedModel.entity("Titled", TitledNote.self, CodedModel.attribute("title"))
    let coordinator = try CodedModel.coordinator(CodedModel.model(plain, titled), kind)
    try LivingNotes.work(coordinator) { context in
      #expect(type(of: NSManagedObject(entity: plain, insertInto: context)) == NSManagedObject.self)
      let note = NSManagedObject(entity: titled, insertInto: context)
      #expect(note is TitledNote)
      #expect(TitledNote(context: context).entity === titled)
      try context.save()
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Titled"))
      #expect(found.allSatisfy { $0 is TitledNote })
    }
  }

  @Test func `an object could not be inserted for the effect alone without a warning`() throws {
    try NotesStack().work { context in
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      #expect(context.insertedObjects.map(\.entity.name) == ["Note"])
    }
  }

  @Test func `a class of two entities cannot be made by its context alone (37)`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let entities = ["One", "Two"].map { CodedModel.entity($0, TitledNote.self) }
      let model = CodedModel.model(entities[0], entities[1])
      try LivingNotes.work(try CodedModel.coordinator(model)) { _ = TitledNote(context: $0) }
    }
    #expect(result.says("stands for several entities of the context's model"))
  }
}

/// A class of the tests' own without stored properties.
class TitledNote: NSManagedObject {}
