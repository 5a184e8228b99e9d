import CoreData
import TestSupport
import Testing

@Suite struct LifeCycleTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a new object wakes, is validated and saved`(kind: StoreKind) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      let note = LoggingNote(context: context)
      #expect(note.events() == ["awakeFromInsert Untitled"])
      try context.save()
      #expect(note.events() == ["willSave", "validateForInsert", "didSave"])
      note.setValue("Titled", forKey: "title")
      try context.save()
      #expect(note.events() == ["willSave", "validateForUpdate", "didSave"])
      try context.save()
      #expect(note.events() == [])
      context.delete(note)
      #expect(note.events() == ["prepareForDeletion"])
      try context.save()
      #expect(note.events() == ["willSave deleted", "validateForDelete", "didSave"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest), [false, true])
  func `in didSave the flags of the save were gone already`(kind: StoreKind, inChild: Bool) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      try context.withChild(ifWanted: inChild) { context in
        let note = LoggingNote(context: context)
        var seen: [String] = []
        note.actions["didSave"] = { note in
          seen.append(note.flags + (note.hasChanges ? " changed" : ""))
          seen.append(note.value(forKey: "title") as? String ?? "nil")
        }
        try context.save()
        #expect(note.flags == "")
        note.setValue("Second", forKey: "title")
        try context.save()
        context.delete(note)
        try context.save()
        #expect(seen == ["inserted", "Untitled", "updated", "Second", "deleted", "Second"])
        #expect(note.flags == "")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what didSave changes is pending, and can be saved at once`(kind: StoreKind) throws {
    let coordinator = try LivingNotes.coordinator(kind)
    let id = try LivingNotes.work(coordinator) { context in
      let (note, other) = (LoggingNote(context: context), LoggingNote(context: context))
      var seen: [String] = []
      note.actions["didSave"] = { note in
        seen.append("note \(note.flags), other \(other.flags)")
        if note.value(forKey: "text") != nil { return }
        note.setValue("kept", forKey: "text")
        #expect(note.hasChanges && context.updatedObjects == [note])
        #expect(errorCode { try context.save() } == nil)
        #expect(!note.hasChanges)
        seen.append("note \(note.flags), other \(other.flags)")
        note.setValue("pending", forKey: "text")
      }
      try context.save()
      #expect(
        seen == [
          "note inserted, other inserted", "note updated, other inserted",
          "note inserted, other inserted",
        ]
      )
      #expect(note.flags == "updated" && other.flags == "" && context.updatedObjects == [note])
      try context.save()
      #expect(note.flags == "" && !context.hasChanges)
      return note.objectID
    }
    try LivingNotes.work(coordinator) { context in
      let title = try context.existingObject(with: id).value(forKey: "title") as? String
      #expect(title == "Untitled")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `changes made while awakening from a fetch are no changes`(kind: StoreKind) throws {
    let coordinator = try LivingNotes.coordinator(kind)
    let id = try saved(coordinator)
    try LivingNotes.work(coordinator) { context in
      let note = try #require(context.object(with: id) as? LoggingNote)
      #expect(note.events() == [])
      #expect(note.value(forKey: "title") as? String == "Untitled")
      #expect(note.events() == ["awakeFromFetch"])
      #expect(note.value(forKey: "scratch") as? String == "computed")
      #expect(note.value(forKey: "text") as? String == "only here")
      #expect(!note.hasChanges)
      #expect(!context.hasChanges)
      #expect(note.changedValues().isEmpty)
      _ = note.value(forKey: "title")
      #expect(note.events() == [])
    }
  }

  @Test func `awakening happens again after each refault`() throws {
    let coordinator = try LivingNotes.coordinator()
    let id = try saved(coordinator)
    try LivingNotes.work(coordinator) { context in
      let note = try #require(context.object(with: id) as? LoggingNote)
      note.willAccessValue(forKey: nil)
      context.refresh(note, mergeChanges: false)
      #expect(note.events() == ["awakeFromFetch", "willTurnIntoFault", "didTurnIntoFault"])
      _ = note.value(forKey: "title")
      #expect(note.events() == ["awakeFromFetch"])
      context.refresh(note, mergeChanges: true)
      #expect(note.events() == ["awakeFromSnapshot 32"])
      note.setValue("x", forKey: "title")
      context.rollback()
      #expect(note.events() == ["awakeFromSnapshot 16"])
    }
  }

  @Test func `relationships set while awakening have no inverse`() throws {
    let coordinator = try LivingNotes.coordinator()
    let (id, other) = (try saved(coordinator), try saved(coordinator))
    try LivingNotes.work(coordinator) { context in
      let note = try #require(context.object(with: id) as? LoggingNote)
      let next = try #require(context.object(with: other) as? LoggingNote)
      note.actions["awakeFromFetch"] = { $0.setValue(next, forKey: "next") }
      #expect(note.value(forKey: "next") as? LoggingNote === next)
      #expect(next.value(forKey: "previous") == nil)
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what willSave sets is saved`(kind: StoreKind) throws {
    let coordinator = try LivingNotes.coordinator(kind)
    let id = try LivingNotes.work(coordinator) { context in
      let note = StampedNote(context: context)
      #expect(note.value(forKey: "text") as? String == "stamped")
      try context.save()
      #expect(!note.hasChanges)
      return note.objectID
    }
    try LivingNotes.work(coordinator) { context in
      #expect(context.object(with: id).value(forKey: "text") as? String == "saved")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what willSave inserts and changes elsewhere is saved too`(kind: StoreKind) throws {
    let coordinator = try LivingNotes.coordinator(kind)
    try LivingNotes.work(coordinator) { context in
      let (one, two) = (LoggingNote(context: context), LoggingNote(context: context))
      try context.save()
      one.actions["willSave"] = { note in
        note.actions = [:]
        two.setValue("by one", forKey: "title")
        LoggingNote(context: context).setValue("new", forKey: "title")
      }
      one.setValue("x", forKey: "title")
      _ = two.events()
      try context.save()
      #expect(two.events() == ["willSave", "validateForUpdate", "didSave"])
      #expect(!context.hasChanges)
    }
    try LivingNotes.work(coordinator) { context in
      let notes = try context.fetch(NSFetchRequest<LoggingNote>(entityName: "Logging"))
      #expect(
        notes.compactMap { $0.value(forKey: "title") as? String }.sorted() == [
          "by one", "new", "x",
        ]
      )
    }
  }

  @Test func `an object that changes in every willSave is refused at last`() throws {
    try LivingNotes.work(try LivingNotes.coordinator()) { context in
      _ = RestlessNote(context: context)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.localizedFailureReason?.contains("willSave()") == true)
      #expect(context.hasChanges)
    }
  }

  @Test func `a change in didSave waits for the next save`() throws {
    let coordinator = try LivingNotes.coordinator()
    try LivingNotes.work(coordinator) { context in
      let note = LoggingNote(context: context)
      note.actions["didSave"] = { note in
        note.actions = [:]
        note.setValue("later", forKey: "title")
      }
      try context.save()
      #expect(note.isUpdated)
      #expect(context.updatedObjects == [note])
      try context.save()
      #expect(!context.hasChanges)
      context.refresh(note, mergeChanges: false)
      #expect(note.value(forKey: "title") as? String == "later")
    }
  }

  @Test func `a refused save calls no didSave`() throws {
    let coordinator = try LivingNotes.coordinator()
    let id = try saved(coordinator)
    try LivingNotes.work(coordinator) { context in
      let note = try #require(context.object(with: id) as? LoggingNote)
      note.setValue("mine", forKey: "title")
      try LivingNotes.work(coordinator) { other in
        other.object(with: id).setValue("theirs", forKey: "title")
        try other.save()
      }
      _ = note.events()
      #expect(throws: (any Error).self) { try context.save() }
      #expect(note.events() == ["willSave", "validateForUpdate"])
    }
  }

  private func saved(_ coordinator: NSPersistentStoreCoordinator) throws -> NSManagedObjectID {
    try LivingNotes.work(coordinator) { context in
      let note = LoggingNote(context: context)
      try context.save()
      return note.objectID
    }
  }
}

extension NSManagedObject {
  /// The flags that are set, as words.
  fileprivate var flags: String {
    [("inserted", isInserted), ("updated", isUpdated), ("deleted", isDeleted)]
      .filter { $0.1 }.map { $0.0 }.joined(separator: " ")
  }
}

extension NSManagedObjectContext {
  /// Gives the body a child of this context, or the context itself.
  fileprivate func withChild(
    ifWanted isWanted: Bool,
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    if isWanted { try inChild(body) } else { try body(self) }
  }
}
