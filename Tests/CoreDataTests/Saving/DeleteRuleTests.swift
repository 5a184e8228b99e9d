import CoreData
import TestSupport
import Testing

@Suite struct DeleteRuleTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `nullify lets the others forget`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let (one, two) = (context.note("1", in: folder), context.note("2", in: folder))
      folder.cover = one
      one.addToRelated(two)
      one.addToTags(context.tag("t"))
      try context.save()
      context.delete(one)
      #expect(one.isDeleted)
      #expect(context.deletedObjects == [one])
      #expect(folder.titles == ["1", "2"], "rules wait for the end of the event")
      context.processPendingChanges()
      #expect(folder.titles == ["2"])
      #expect(folder.cover == nil)
      #expect(two.related?.count == 0)
      try context.save()
      #expect(!one.isDeleted)
      #expect(one.managedObjectContext == nil)
    }
    try stack.work { context in
      let folder = try #require(try context.fetch(Folder.fetchRequest()).first)
      #expect(folder.titles == ["2"])
      #expect(folder.cover == nil)
      #expect(try context.fetch(Tag.fetchRequest()).first?.notes?.count == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `cascade deletes what belongs to it, all the way down`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let root = context.folder("0")
      var folder = root
      for depth in 1...30 {
        folder = context.folder("\(depth)", in: folder)
        for number in 1...3 { context.note("\(depth).\(number)", in: folder) }
      }
      context.note("apart")
      return root
    }
    try stack.work { context in
      context.delete(context.find(id, as: Folder.self))
      try context.save()
      #expect(!context.hasChanges)
      #expect(try context.titles() == ["apart"])
    }
    try stack.work { context throws in
      #expect(try context.count(for: Folder.fetchRequest()) == 0)
      #expect(try context.titles() == ["apart"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `cascades in a circle end`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folders = (0..<3).map { context.folder("\($0)") }
      for index in 0..<3 { folders[index].parent = folders[(index + 1) % 3] }
      return folders[0]
    }
    try stack.work { context in
      context.delete(context.find(id, as: Folder.self))
      try context.save()
      #expect(try context.count(for: Folder.fetchRequest()) == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `deny refuses at the save and keeps everything`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let tag = context.tag("t")
      let note = context.note("1")
      note.addToTags(tag)
      try context.save()
      context.delete(tag)
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .validationRelationshipDeniedDelete)
      #expect(error.code.rawValue == 1600)
      #expect(error.validationKey == "notes")
      #expect(error.localizedDescription == "Items cannot be deleted from notes.")
      #expect(tag.isDeleted)
      context.rollback()
      #expect(!tag.isDeleted)
      #expect(note.tags as? Set<Tag> == [tag])
      context.delete(tag)
      context.delete(note)
      try context.save()
      #expect(try context.count(for: Tag.fetchRequest()) == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `no action leaves the others as they are`(kind: StoreKind) throws {
    let coordinator = try NoActionNotes.coordinator(kind)
    try LivingNotes.work(coordinator) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(folder, forKey: "folder")
      try context.save()
      context.delete(folder)
      try context.save()
      #expect(!note.hasChanges)
      context.refresh(note, mergeChanges: false)
      let dangling = try #require(note.value(forKey: "folder") as? NSManagedObject)
      #expect(dangling.isFault)
      #expect(dangling.value(forKey: "name") == nil)
      #expect(dangling.isDeleted)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a new object that is deleted just disappears`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let note = context.note("1", in: folder)
      context.delete(note)
      try context.save()
      #expect(folder.titles == [])
      #expect(note.managedObjectContext == nil)
      #expect(try context.titles() == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object that is deleted and inserted again is saved`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (new, old) = (context.note("new"), context.note("old"))
      try context.save()
      let newest = context.note("newest")
      for note in [new, old, newest] { context.delete(note) }
      for note in [old, newest] { context.insert(note) }
      #expect(newest.isInserted)
      #expect(!old.isDeleted)
      try context.save()
    }
    try stack.work { context throws in #expect(try context.titles() == ["newest", "old"]) }
  }

  @Test(arguments: StoreKind.with(.everyRequest), [true, false])
  func `rules can wait for the save`(kind: StoreKind, atSave: Bool) throws {
    try NotesStack(kind).work { context in
      context.propagatesDeletesAtEndOfEvent = !atSave
      let folder = context.folder("F")
      let note = context.note("1", in: folder)
      try context.save()
      context.delete(note)
      context.processPendingChanges()
      #expect(folder.titles == (atSave ? ["1"] : []))
      try context.save()
      #expect(folder.titles == [])
    }
  }
}

struct LeftBehindTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a key of an object that is gone was no object in stores that compare in memory`(
    kind: StoreKind
  ) throws {
    try LivingNotes.work(try NoActionNotes.coordinator(kind)) { context in
      let make = { (name: String) in
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      }
      let (folder, note) = (make("Folder"), make("Note"))
      folder.setValue("F", forKey: "name")
      note.setValue(folder, forKey: "folder")
      try context.save()
      let id = folder.objectID
      context.delete(folder)
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      for (format, count) in [
        ("folder == nil", 0), ("folder != nil", 1), ("folder == %@", 1), ("folder.name == nil", 1),
      ] {
        let arguments = format.contains("%") ? [id] : []
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        #expect(try context.count(for: request) == count, "\(format)")
      }
    }
  }
}

/// Notes whose folders release them with the rule No Action.
enum NoActionNotes {
  private static let model: NSManagedObjectModel = {
    let (folder, note) = (NSEntityDescription(), NSEntityDescription())
    (folder.name, note.name) = ("Folder", "Note")
    let name = NSAttributeDescription()
    (name.name, name.attributeType) = ("name", .stringAttributeType)
    let (notes, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (notes.name, back.name) = ("notes", "folder")
    back.maxCount = 1
    notes.deleteRule = .noActionDeleteRule
    (notes.destinationEntity, back.destinationEntity) = (note, folder)
    (notes.inverseRelationship, back.inverseRelationship) = (back, notes)
    folder.properties = [name, notes]
    note.properties = [back]
    let model = NSManagedObjectModel()
    model.entities = [folder, note]
    return model
  }()

  static func coordinator(_ kind: StoreKind) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try kind.add(to: coordinator)
    return coordinator
  }
}
