import CoreData
import TestSupport
import Testing

private final class Counting: NSManagedObject {
  var reads = 0
}

@Suite struct ClassOfEntityTests {
  @Test(arguments: StoreKind.allCases)
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
}
