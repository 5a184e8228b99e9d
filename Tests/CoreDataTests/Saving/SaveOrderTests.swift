import CoreData
import TestSupport
import Testing

/// Tests of the steps of a save, one after the other.
@Suite struct SaveOrderTests {
  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `announcement, willSave, validation, identities, didSave, announcement (38)`(
    kind: StoreKind
  ) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      let note = LoggingNote(context: context)
      let center = NotificationCenter.default
      let log = NotificationLog(note)
      let tokens = [
        center.addObserver(
          forName: .NSManagedObjectContextWillSave,
          object: context,
          queue: nil
        ) { _ in log.note("WillSave") },
        center.addObserver(
          forName: .NSManagedObjectContextObjectsDidChange,
          object: context,
          queue: nil
        ) { _ in log.note("ObjectsDidChange") },
        center.addObserver(
          forName: .NSManagedObjectContextDidSave,
          object: context,
          queue: nil
        ) { _ in log.note("DidSave") },
      ]
      defer { for token in tokens { center.removeObserver(token) } }
      note.actions["willSave"] = { $0.log.append("temporary \($0.objectID.isTemporaryID)") }
      note.actions["didSave"] = { $0.log.append("temporary \($0.objectID.isTemporaryID)") }
      _ = note.events()
      try context.save()
      #expect(
        note.events() == [
          "ObjectsDidChange", "WillSave", "willSave", "temporary true", "validateForInsert",
          "didSave",
          "temporary false", "DidSave",
        ]
      )
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a primitive value that willSave gave an object with other changes was not saved`(
    kind: StoreKind
  ) throws {
    let counted = CodedModel.entity(
      "Counted",
      CountedNote.self,
      CodedModel.attribute("title"),
      CodedModel.attribute("saves", .integer64AttributeType)
    )
    let coordinator = try CodedModel.coordinator(CodedModel.model(counted), kind)
    let id = try LivingNotes.work(coordinator) { context in
      let note = CountedNote(context: context)
      try context.save()
      #expect(note.saves == 1)
      note.setValue("Two", forKey: "title")
      try context.save()
      #expect(note.saves == 2 && !context.hasChanges)
      note.setPrimitiveValue(7, forKey: "saves")
      try context.save()
      context.refresh(note, mergeChanges: false)
      #expect(note.saves == 2, "alone it is no change (25)")
      note.setValue("Never", forKey: "title")
      note.setPrimitiveValue(9, forKey: "saves")
      context.rollback()
      #expect(note.saves == 2)
      return note.objectID
    }
    try LivingNotes.work(coordinator) { context in
      let note = try #require(context.object(with: id) as? CountedNote)
      #expect(note.saves == 2)
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      try child.performAndWait {
        child.object(with: id).setValue("Three", forKey: "title")
        try child.save()
      }
      #expect(note.saves == 3)
      try context.save()
      #expect(note.saves == 4)
    }
    try LivingNotes.work(coordinator) { context in
      #expect((context.object(with: id) as? CountedNote)?.saves == 4)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `willSave comes again for who was changed by it, and for the deleted too (38, 39)`(
    kind: StoreKind
  ) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      let (note, gone) = (LoggingNote(context: context), LoggingNote(context: context))
      try context.save()
      note.setValue("1", forKey: "title")
      context.delete(gone)
      _ = (note.events(), gone.events())
      note.actions["willSave"] = { note in
        if note.value(forKey: "text") == nil { note.setValue("set", forKey: "text") }
      }
      try context.save()
      #expect(note.events() == ["willSave", "willSave", "validateForUpdate", "didSave"])
      #expect(gone.events() == ["willSave deleted", "validateForDelete", "didSave"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a note that is never done is refused after a thousand rounds (38)`(kind: StoreKind) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      _ = RestlessNote(context: context)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError)
      #expect(context.insertedObjects.count == 1)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `what validation inserts or changes elsewhere is validated and saved too (38)`(
    kind: StoreKind
  ) throws {
    let coordinator = try LivingNotes.coordinator(kind)
    try LivingNotes.work(coordinator) { context in
      let (one, two) = (LoggingNote(context: context), LoggingNote(context: context))
      try context.save()
      one.actions["validateForUpdate"] = { note in
        note.actions = [:]
        note.setValue("judged", forKey: "text")
        two.setValue("by one", forKey: "title")
        LoggingNote(context: context).setValue("new", forKey: "title")
      }
      one.setValue("x", forKey: "title")
      _ = (one.events(), two.events())
      try context.save()
      #expect(two.events() == ["willSave", "validateForUpdate", "didSave"])
      #expect(!context.hasChanges)
    }
    try LivingNotes.work(coordinator) { context in
      let notes = try context.fetch(NSFetchRequest<LoggingNote>(entityName: "Logging"))
      let titles = notes.compactMap { $0.value(forKey: "title") as? String }.sorted()
      #expect(titles == ["by one", "new", "x"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a save of nothing is announced with nothing (46)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let (will, did) = (
        Received(context, .NSManagedObjectContextWillSave),
        Received(context, .NSManagedObjectContextDidSave)
      )
      #expect(!context.hasChanges)
      try context.save()
      #expect(will.all.count == 1 && did.all.count == 1)
      #expect(did.sets.values.allSatisfy { $0.isEmpty })
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a transient value is validated and undone, but not stored (44)`(kind: StoreKind) throws {
    let scratch = CodedModel.attribute("scratch")
    scratch.isTransient = true
    scratch.setValidationPredicates(
      [NSPredicate(format: "length <= 3")],
      withValidationWarnings: ["Keep it short."]
    )
    let entity = CodedModel.entity("Note", TitledNote.self, scratch, CodedModel.attribute("title"))
    let coordinator = try CodedModel.coordinator(CodedModel.model(entity), kind)
    let id = try LivingNotes.work(coordinator) { context in
      let note = NSManagedObject(entity: entity, insertInto: context)
      note.setValue("much too long", forKey: "scratch")
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.localizedDescription == "Keep it short." && error.validationKey == "scratch")
      note.setValue("abc", forKey: "scratch")
      try context.save()
      #expect(note.value(forKey: "scratch") as? String == "abc", "it outlives the save in memory")
      note.setValue("def", forKey: "scratch")
      context.rollback()
      #expect(note.value(forKey: "scratch") as? String != "def")
      return note.objectID
    }
    try LivingNotes.work(coordinator) { context in
      #expect(context.object(with: id).value(forKey: "scratch") == nil)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "scratch == 'abc'")
      if kind.isSQL { #expect(throws: (any Error).self) { try context.fetch(request) } }
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `defaults of every type are there before an object wakes (45)`(kind: StoreKind) throws {
    let uuid = try #require(UUID(uuidString: "C0FFEE00-0000-4000-8000-000000000001"))
    let url = try #require(URL(string: "https://example.org"))
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    let entity = CodedModel.entity(
      "Note",
      WakingNote.self,
      CodedModel.attribute("title", default: "Untitled"),
      CodedModel.attribute("created", .dateAttributeType, default: date),
      CodedModel.attribute("uuid", .UUIDAttributeType, default: uuid),
      CodedModel.attribute("link", .URIAttributeType, default: url),
      CodedModel.attribute("stars", .integer16AttributeType, default: 3),
      CodedModel.attribute("price", .decimalAttributeType, default: NSDecimalNumber(string: "1.5")),
      CodedModel.attribute("isPinned", .booleanAttributeType, default: true),
      CodedModel.attribute("bytes", .binaryDataAttributeType, default: Data([1, 2])),
      CodedModel.attribute("woke")
    )
    let coordinator = try CodedModel.coordinator(CodedModel.model(entity), kind)
    let check = { (note: NSManagedObject) in
      #expect(note.value(forKey: "title") as? String == "Untitled")
      #expect(note.value(forKey: "created") as? Date == date)
      #expect(note.value(forKey: "uuid") as? UUID == uuid)
      #expect(note.value(forKey: "link") as? URL == url)
      #expect(note.value(forKey: "stars") as? Int == 3)
      #expect(note.value(forKey: "price") as? Decimal == Decimal(string: "1.5"))
      #expect(note.value(forKey: "isPinned") as? Bool == true)
      #expect(note.value(forKey: "bytes") as? Data == Data([1, 2]))
      #expect(note.value(forKey: "woke") as? String == "Untitled 3")
    }
    let id = try LivingNotes.work(coordinator) { context in
      let note = NSManagedObject(entity: entity, insertInto: context)
      check(note)
      try context.save()
      check(note)
      return note.objectID
    }
    try LivingNotes.work(coordinator) { check($0.object(with: id)) }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a new object goes where it was assigned, else to the first store that takes it (49)`(
    kind: StoreKind
  ) throws {
    let note = CodedModel.entity("Note", TitledNote.self, CodedModel.attribute("title"))
    let folder = CodedModel.entity("Folder")
    let model = CodedModel.model(note, folder)
    model.setEntities([folder], forConfigurationName: "Folders")
    model.setEntities([note], forConfigurationName: "Notes")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let stores = try ["Folders", "Notes", "Notes"].map {
      try CodedModel.addStore(kind, to: coordinator, configuration: $0)
    }
    try LivingNotes.work(coordinator) { context in
      let objects = [note, note, folder].map { NSManagedObject(entity: $0, insertInto: context) }
      context.assign(objects[1], to: stores[2])
      try context.save()
      #expect(objects[0].objectID.persistentStore === stores[1])
      #expect(objects[1].objectID.persistentStore === stores[2])
      #expect(objects[2].objectID.persistentStore === stores[0])
      let assigned = NSManagedObject(entity: note, insertInto: context)
      context.assign(assigned, to: stores[2])
      try context.obtainPermanentIDs(for: [assigned])
      #expect(assigned.objectID.persistentStore === stores[2])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 3)
    }
  }

  @Test func `an object that no store takes is refused by its entity's name (49)`() throws {
    let (note, folder) = (CodedModel.entity("Note"), CodedModel.entity("Folder"))
    let model = CodedModel.model(note, folder)
    model.setEntities([folder], forConfigurationName: "Folders")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try CodedModel.addStore(.memory, to: coordinator, configuration: "Folders")
    try LivingNotes.work(coordinator) { context in
      _ = NSManagedObject(entity: note, insertInto: context)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSPersistentStoreSaveError)
      #expect(error.localizedFailureReason?.contains("the entity Note") == true)
    }
  }
}

/// A note that counts how often it was saved, by primitive access.
final class CountedNote: NSManagedObject {
  override func willSave() {
    super.willSave()
    if isDeleted { return }
    let saves = primitiveValue(forKey: "saves") as? Int ?? 0
    setPrimitiveValue(saves + 1, forKey: "saves")
  }

  var saves: Int? { value(forKey: "saves") as? Int }
}

/// Writes into a note's log what notifications came.
///
/// Safety: contexts of these tests post on the thread that tests them.
private final class NotificationLog: @unchecked Sendable {
  private let object: LoggingNote

  init(_ object: LoggingNote) {
    self.object = object
  }

  func note(_ event: String) { object.log.append(event) }
}

/// A note that writes down which defaults it woke with.
class WakingNote: NSManagedObject {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    let (title, stars) = (primitiveValue(forKey: "title"), primitiveValue(forKey: "stars"))
    setPrimitiveValue("\(title ?? "-") \(stars ?? "-")", forKey: "woke")
  }
}
