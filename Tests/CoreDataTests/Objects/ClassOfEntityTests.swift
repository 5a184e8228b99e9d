import CoreData
import TestSupport
import Testing

private final class Counting: NSManagedObject {
  var reads = 0
}

final class AuthorOfTests: NSManagedObject {}

private final class HiddenReader: NSManagedObject {}

private final class Stranger: NSManagedObject {}

/// Two entities have it, and one of them is meant.
final class ArchivedNote: NSManagedObject {
  static let model = {
    let model = CodedModel.model(
      CodedModel.entity("Current", ArchivedNote.self, CodedModel.attribute("title")),
      CodedModel.entity("Archived", ArchivedNote.self, CodedModel.attribute("title"))
    )
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    return model
  }()

  override class func entity() -> NSEntityDescription {
    model.entitiesByName["Archived"] ?? super.entity()
  }
}

/// The only entity with its class is another than it names.
final class DraftOfTests: NSManagedObject {
  override class func entity() -> NSEntityDescription {
    ArchivedNote.model.entitiesByName["Current"] ?? super.entity()
  }
}

/// Two models have it, with other properties.
final class NoteOfTwoModels: NSManagedObject {
  var heading: String? { value(forKey: "title") as? String }

  static func model(_ attribute: String) -> NSManagedObjectModel {
    CodedModel.model(CodedModel.entity("Note", self, CodedModel.attribute(attribute)))
  }
}

private enum One { final class TwofoldClass: NSManagedObject {} }

private enum Two { final class TwofoldClass: NSManagedObject {} }

@Suite struct ClassOfEntityTests {
  @Test func `a class without a module is found in whatever module it stands`() throws {
    let coordinator = try CodedModel.coordinator(
      CodedModel.model(
        Self.entity("Writer", "AuthorOfTests"),
        Self.entity("Poet", "PoetWithinSuite"),
        Self.entity("Reader", "HiddenReader"),
        Self.entity("Nobody", "NoSuchClassAnywhere")
      )
    )
    try LivingNotes.work(coordinator) { context in
      let author = AuthorOfTests(context: context)
      #expect(author.entity.name == "Writer")
      #expect(AuthorOfTests.entity().name == "Writer")
      #expect(context.new("Writer") is AuthorOfTests)
      #expect(context.new("Poet") is PoetWithinSuite)
      #expect(context.new("Reader") is HiddenReader)
      #expect(type(of: context.new("Nobody")) == NSManagedObject.self)
    }
  }

  @Test func `a class that two modules have needs the module's name`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let coordinator = try CodedModel.coordinator(
        CodedModel.model(Self.entity("Double", "TwofoldClass"))
      )
      try LivingNotes.work(coordinator) { context in
        precondition(type(of: context.new("Double")) == NSManagedObject.self)
      }
    }
    #expect(result.says("the class 'TwofoldClass' of entity 'Double' may be any of"))
  }

  @Test func `a class could not say which of its entities it stands for`() throws {
    let coordinator = try CodedModel.coordinator(ArchivedNote.model)
    try LivingNotes.work(coordinator) { context in
      let note = ArchivedNote(context: context)
      note.setValue("Kept", forKey: "title")
      #expect(note.entity.name == "Archived")
      try context.save()
      let request = ArchivedNote.fetchRequest()
      #expect(request.entityName == "Archived")
      #expect(try context.fetch(request).count == 1)
      #expect(try context.fetch(NSFetchRequest<ArchivedNote>()) == [note])
      #expect(try context.count(for: NSFetchRequest<ArchivedNote>(entityName: "Current")) == 0)
    }
  }

  @Test func `a class that names an entity got the one that names the class`() throws {
    let copy = CodedModel.model(
      CodedModel.entity("Current", ArchivedNote.self, CodedModel.attribute("title")),
      CodedModel.entity("Archived", ArchivedNote.self, CodedModel.attribute("title")),
      CodedModel.entity("Draft", DraftOfTests.self)
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = try CodedModel.coordinator(copy)
    context.performAndWait {
      #expect(DraftOfTests.fetchRequest().entityName == "Current")
      #expect(ArchivedNote(context: context).entity === copy.entitiesByName["Archived"])
    }
  }

  @Test func `a class whose model is not loaded has an entity without a name`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let entity = Stranger.entity()
      precondition(entity.name == nil && entity.properties.isEmpty)
      precondition(Stranger.fetchRequest().entity?.name == nil)
    }
    #expect(result.says("Stranger stands for no entity, or for several, of the models in use"))
  }

  private static func entity(_ name: String, _ className: String) -> NSEntityDescription {
    let entity = CodedModel.entity(name, NSManagedObject.self, CodedModel.attribute("title"))
    entity.managedObjectClassName = className
    return entity
  }

  final class PoetWithinSuite: NSManagedObject {}

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object made as NSManagedObject has the class of its entity`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    try context.performAndWait {
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Note", in: context))
      let object = NSManagedObject(entity: entity, insertInto: context)
      object.setValue("Made by its entity", forKey: "title")
      let note = try #require(object as? Note)
      let folder = Folder(context: context)
      folder.addToNotes([note])
      #expect(folder.notes as? Set<Note> == [note])
      try context.save()
      #expect(try context.fetch(Note.fetchRequest()).map(\.title) == ["Made by its entity"])
    }
  }

  @Test func `an object of a subclass stays one`() throws {
    let stack = try NotesStack()
    let context = stack.context()
    try context.performAndWait {
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Checklist", in: context))
      #expect(type(of: Note(entity: entity, insertInto: context)) == Checklist.self)
    }
  }

  @Test func `a class with stored properties must be asked for by name`() async {
    await #expect(processExitsWith: .failure) {
      let entity = NSEntityDescription()
      entity.name = "Counting"
      entity.managedObjectClassName = NSStringFromClass(Counting.self)
      let model = NSManagedObjectModel()
      model.entities = [entity]
      _ = NSManagedObject(entity: entity, insertInto: nil)
    }
  }

  @Test func `an entity of another copy of the model is as good as one's own`() throws {
    let copy = try #require(NotesStack.model.copy() as? NSManagedObjectModel)
    _ = NSPersistentStoreCoordinator(managedObjectModel: copy)
    let entity = try #require(copy.entitiesByName["Note"])
    let context = try NotesStack().context()
    context.performAndWait {
      let note = Note(entity: entity, insertInto: context)
      #expect(note.entity === NotesStack.model.entitiesByName["Note"])
    }
  }

  @Test func `a controller missed insertions if a newer model had the class too`() throws {
    let coordinator = try CodedModel.coordinator(NoteOfTwoModels.model("title"))
    _ = try CodedModel.coordinator(NoteOfTwoModels.model("caption"))
    try LivingNotes.work(coordinator) { context in
      let request = NSFetchRequest<NoteOfTwoModels>()
      request.entity = NoteOfTwoModels.entity()
      request.sortDescriptors = []
      let controller = NSFetchedResultsController(
        fetchRequest: request,
        managedObjectContext: context,
        sectionNameKeyPath: nil,
        cacheName: nil
      )
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      let note = NoteOfTwoModels(context: context)
      context.processPendingChanges()
      #expect(controller.fetchedObjects == [note])
    }
  }

  @Test func `observing stopped the program if a newer model had the class without the property`()
    throws
  {
    let coordinator = try CodedModel.coordinator(NoteOfTwoModels.model("title"))
    _ = try CodedModel.coordinator(NoteOfTwoModels.model("caption"))
    try LivingNotes.work(coordinator) { context in
      let note = NoteOfTwoModels(context: context)
      var seen: [String?] = []
      let observation = note.observe(\.heading, options: .new) { _, change in
        seen.append(change.newValue ?? nil)
      }
      note.setValue("New", forKey: "title")
      observation.invalidate()
      #expect(seen == ["New"])
    }
  }
}
