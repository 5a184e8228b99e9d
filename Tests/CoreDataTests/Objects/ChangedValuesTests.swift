import CoreData
import TestSupport
import Testing

@Suite struct ChangedValuesTests {
  /// Finds a saved note, which is in a folder, in a context of a new store.
  private func work(
    _ kind: StoreKind,
    _ body: (NSManagedObjectContext, Note) throws -> Void
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("One", in: context.folder("F"))
      note.stars = 1
      return note
    }
    try stack.work { context in try body(context, context.find(id)) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `changed values are those set since the last save`(kind: StoreKind) throws {
    try work(kind) { context, note in
      #expect(note.changedValues().isEmpty)
      note.title = "Two"
      note.setValue(nil, forKey: "stars")
      note.folder = nil
      note.scratch = "transient"
      let changes = note.changedValues()
      #expect(changes.keys.sorted() == ["folder", "stars", "title"])
      #expect(changes["title"] as? String == "Two")
      #expect(changes["stars"] is NSNull)
      #expect(changes["folder"] is NSNull)
      try context.save()
      #expect(note.changedValues().isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `committed values are those of the last save`(kind: StoreKind) throws {
    try work(kind) { context, note in
      let folder = note.folder
      note.title = "Two"
      note.stars = 5
      note.folder = nil
      let values = note.committedValues(forKeys: ["title", "stars", "text", "folder"])
      #expect(values["title"] as? String == "One")
      #expect(values["stars"] as? Int == 1)
      #expect(values["text"] is NSNull)
      #expect(values["folder"] as? Folder === folder)
      let all = note.committedValues(forKeys: nil)
      #expect(all["scratch"] == nil)
      #expect(all["title"] as? String == "One")
      #expect(all["tags"] as? NSSet == NSSet())
      try context.save()
      #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "Two")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `committed members are those of the last save`(kind: StoreKind) throws {
    try work(kind) { context, note in
      let folder = try #require(note.folder)
      folder.addToNotes(context.note("Two"))
      #expect(folder.committedValues(forKeys: ["notes"])["notes"] as? Set<Note> == [note])
      #expect(folder.titles == ["One", "Two"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an equal value is a change but not a persistent one`(kind: StoreKind) throws {
    try work(kind) { context, note in
      note.title = "One"
      #expect(note.hasChanges)
      #expect(note.isUpdated)
      #expect(context.hasChanges)
      #expect(!note.hasPersistentChangedValues)
      note.scratch = "transient"
      #expect(!note.hasPersistentChangedValues)
      note.title = "Two"
      #expect(note.hasPersistentChangedValues)
      note.title = "One"
      #expect(!note.hasPersistentChangedValues)
      note.price = 3
      #expect(note.hasPersistentChangedValues)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `values that were set back were listed as changed`(kind: StoreKind) throws {
    try work(kind) { context, note in
      let folder = try #require(note.folder)
      note.title = "Two"
      note.title = "One"
      note.stars = 1
      note.folder = context.folder("G")
      note.folder = folder
      #expect(note.isUpdated && folder.isUpdated)
      #expect(note.changedValues().isEmpty)
      #expect(folder.changedValues().isEmpty)
      note.stars = 2
      #expect(note.changedValues().keys.sorted() == ["stars"])
    }
  }

  /// Swift compares two spellings of a letter as equal, but a file keeps one of them.
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a text that only its bytes distinguish was not a change`(kind: StoreKind) throws {
    try work(kind) { context, note in
      note.title = "\u{e9}"
      try context.save()
      note.title = "e\u{301}"
      #expect(note.hasPersistentChangedValues)
      #expect(note.changedValues().keys.sorted() == ["title"])
      try context.save()
      context.refresh(note, mergeChanges: false)
      #expect(note.title.map { Array($0.unicodeScalars).count } == 2)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the current event ends with processPendingChanges`(kind: StoreKind) throws {
    try work(kind) { context, note in
      note.title = "Two"
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["title"])
      context.processPendingChanges()
      #expect(note.changedValuesForCurrentEvent().isEmpty)
      note.text = "T"
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["text"])
      #expect(note.changedValues().keys.sorted() == ["text", "title"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the changed values of the current event were the new ones, not those before it`(
    kind: StoreKind
  ) throws {
    try work(kind) { context, note in
      let folder = try #require(note.folder)
      note.title = "Two"
      note.title = "Three"
      note.text = "T"
      note.folder = nil
      let first = note.changedValuesForCurrentEvent()
      #expect(first.keys.sorted() == ["folder", "text", "title"])
      #expect(first["title"] as? String == "One")
      #expect(first["text"] is NSNull)
      #expect(first["folder"] as? Folder === folder)
      #expect(folder.changedValuesForCurrentEvent()["notes"] as? Set<Note> == [note])
      #expect(note.changedValues()["title"] as? String == "Three")
      context.processPendingChanges()
      note.title = "Four"
      note.title = "Five"
      note.folder = folder
      let second = note.changedValuesForCurrentEvent()
      #expect(second["title"] as? String == "Three", "not saved, but of an earlier event")
      #expect(second["folder"] is NSNull)
      context.processPendingChanges()
      #expect(note.changedValuesForCurrentEvent().isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the members before an event are told though they were not saved`(kind: StoreKind) throws {
    try work(kind) { context, note in
      let folder = try #require(note.folder)
      let (two, three) = (context.note("Two"), context.note("Three"))
      folder.addToNotes(two)
      context.processPendingChanges()
      folder.addToNotes(three)
      folder.removeFromNotes(note)
      folder.removeFromNotes(two)
      folder.addToNotes(two)
      #expect(folder.changedValuesForCurrentEvent()["notes"] as? Set<Note> == [note, two])
      #expect(folder.changedValues()["notes"] as? Set<Note> == [two, three])
      context.processPendingChanges()
      folder.removeFromNotes(three)
      #expect(folder.changedValuesForCurrentEvent()["notes"] as? Set<Note> == [two, three])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `of a new object the defaults are what it had before its first event`(
    kind: StoreKind
  ) throws {
    try work(kind) { context, _ in
      let note = context.note("New")
      note.stars = 3
      let values = note.changedValuesForCurrentEvent()
      #expect(values["title"] is NSNull)
      #expect(values["stars"] as? Int == 0)
      context.processPendingChanges()
      note.title = "Newer"
      #expect(note.changedValuesForCurrentEvent()["title"] as? String == "New")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object that was never saved has no committed values`(kind: StoreKind) throws {
    try work(kind) { context, _ in
      let note = context.note("New")
      #expect(note.committedValues(forKeys: nil).isEmpty)
      #expect(note.committedValues(forKeys: ["title", "stars", "tags"]).isEmpty)
      #expect(note.changedValues().keys.sorted() == ["title"])
      try context.save()
      #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "New")
      note.title = "Newer"
      context.delete(note)
      #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "New")
    }
  }

  @Test func `primitive values of awakeFromInsert are changed values`() throws {
    let coordinator = try CodedModel.coordinator(
      CodedModel.model(
        CodedModel.entity(
          "Dated",
          DatedNote.self,
          CodedModel.attribute("title"),
          CodedModel.attribute("created", .dateAttributeType),
          CodedModel.attribute("stars", .integer64AttributeType, default: 1)
        )
      )
    )
    try LivingNotes.work(coordinator) { context in
      let note = DatedNote(context: context)
      #expect(note.changedValues().keys.sorted() == ["created"])
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["created"])
      context.processPendingChanges()
      #expect(note.changedValuesForCurrentEvent().isEmpty)
      note.setPrimitiveValue("quiet", forKey: "title")
      #expect(note.changedValues().keys.sorted() == ["created"], "later ones are not tracked (25)")
      note.setValue(2, forKey: "stars")
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["stars"])
      try context.save()
      #expect(note.changedValues().isEmpty)
      #expect(note.committedValues(forKeys: nil)["title"] as? String == "quiet")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `both ends of a changed relationship are changed`(kind: StoreKind) throws {
    try work(kind) { context, note in
      let (former, new) = (try #require(note.folder), context.folder("New"))
      try context.save()
      note.folder = new
      #expect(former.isUpdated)
      #expect(new.isUpdated)
      #expect(former.changedValues().keys.sorted() == ["notes"])
      #expect(new.changedValues()["notes"] as? Set<Note> == [note])
    }
  }
}

final class DatedNote: NSManagedObject {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 1), forKey: "created")
  }
}
