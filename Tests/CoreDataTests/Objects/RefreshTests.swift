import CoreData
import TestSupport
import Testing

/// Tests of the values of faults: their source, and their release.
@Suite struct RefreshTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a fault is filled from the cache and wakes each time (11, 12)`(kind: StoreKind) throws {
    let coordinator = try LivingNotes.coordinator(kind)
    let id = try LivingNotes.work(coordinator) { context in
      let note = LoggingNote(context: context)
      try context.save()
      #expect(!note.log.contains("awakeFromFetch"), "an inserted object never woke from a fetch")
      return note.objectID
    }
    try LivingNotes.work(coordinator) { context in
      let note = try #require(
        try context.fetch(NSFetchRequest<LoggingNote>(entityName: "Logging")).first
      )
      #expect(note.objectID == id)
      #expect(note.isFault && note.log.isEmpty)
      #expect(note.value(forKey: "title") as? String == "Untitled")
      _ = note.value(forKey: "title")
      #expect(note.events() == ["awakeFromFetch"])
      context.refresh(note, mergeChanges: false)
      _ = note.value(forKey: "text")
      #expect(note.events().filter { $0 == "awakeFromFetch" }.count == 1)
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `awakeFromInsert comes once, and refresh and rollback have their marks (13, 14)`(
    kind: StoreKind
  ) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      let note = LoggingNote(context: context)
      context.insert(note)
      try context.save()
      context.insert(note)
      #expect(note.events().filter { $0.hasPrefix("awakeFromInsert") }.count == 1)
      context.refresh(note, mergeChanges: true)
      #expect(note.events() == ["awakeFromSnapshot \(NSSnapshotEventType.refresh.rawValue)"])
      note.setValue("x", forKey: "title")
      context.rollback()
      #expect(note.events() == ["awakeFromSnapshot \(NSSnapshotEventType.rollback.rawValue)"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object has its values before it turns into a fault, and not after (15)`(
    kind: StoreKind
  ) throws {
    try LivingNotes.work(try LivingNotes.coordinator(kind)) { context in
      let note = LoggingNote(context: context)
      try context.save()
      note.setValue("transient", forKey: "scratch")
      var seen: [String] = []
      let look = { (note: LoggingNote) in
        let fault = note.isFault
        let scratch = fault ? "gone" : note.primitiveValue(forKey: "scratch") as? String ?? "nil"
        seen.append("\(fault) \(scratch)")
      }
      note.actions = ["willTurnIntoFault": look, "didTurnIntoFault": look]
      context.refresh(note, mergeChanges: false)
      #expect(seen == ["false transient", "true gone"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a refresh with merging keeps transient values, one without drops them (18)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      note.scratch = "here"
      note.title = "Mine"
      context.refresh(note, mergeChanges: true)
      #expect(note.scratch == "here" && note.title == "Mine" && note.isUpdated)
      weak var folder: Folder?
      do { folder = note.folder }
      #expect(folder != nil)
      context.refresh(note, mergeChanges: false)
      #expect(folder == nil, "related objects are let go")
      #expect(note.isFault && !context.hasChanges)
      #expect(note.scratch == nil && note.title == "One")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `refreshing all makes faults of clean objects and keeps changes of others`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let ids = try ["clean", "changed", "deleted"].map { title in try stack.saved { $0.note(title) }
    }
    try stack.work { context in
      let notes: [Note] = ids.map { context.find($0) }
      for note in notes { #expect(note.title != nil) }
      notes[1].text = "mine"
      context.delete(notes[2])
      let new = context.note("new")
      try stack.work { other in
        for id in ids[..<2] { other.find(id).stars = 5 }
        try other.save()
      }
      context.refreshAllObjects()
      #expect(notes.map(\.isFault) == [true, false, false])
      #expect(!new.isFault && new.isInserted && new.title == "new")
      #expect(notes[2].isDeleted)
      #expect(notes[1].isUpdated && notes[1].text == "mine" && notes[1].stars == 5)
      #expect(notes[0].stars == 5)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try stack.work { try $0.titles() } == ["changed", "clean", "new"])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a refresh without merging takes an insertion back`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      let note = context.note("new", in: folder)
      context.processPendingChanges()
      context.refresh(note, mergeChanges: true)
      #expect(note.isInserted && note.title == "new")
      let changes = Received(context, .NSManagedObjectContextObjectsDidChange)
      context.refresh(note, mergeChanges: false)
      #expect(note.isFault && !note.isInserted && !note.hasChanges)
      #expect(context.insertedObjects.isEmpty)
      #expect(folder.titles == [])
      context.processPendingChanges()
      #expect(changes.sets[NSRefreshedObjectsKey]?.contains(note) == true)
      try context.save()
      #expect(note.title == nil)
      try context.save()
    }
    #expect(try stack.work { try $0.titles() } == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `an insertion that a refresh took back can be undone and redone`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.undoManager = UndoManager()
      let folder = context.folder("F")
      try context.save()
      let note = context.note("new", in: folder)
      context.processPendingChanges()
      context.refresh(note, mergeChanges: false)
      context.undo()
      #expect(folder.titles == [])
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `objects of a context that was reset are faults`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    try stack.work { context in
      let (note, new) = (context.find(id), context.note("new"))
      #expect(note.title == "1")
      context.reset()
      #expect(note.isFault && new.isFault)
      #expect(note.faultingState != 0)
      #expect(note.managedObjectContext == nil && !new.isInserted)
      #expect(context.registeredObjects.isEmpty)
      context.insert(new)
      #expect(!new.isFault && new.isInserted && new.title == "new")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a refresh of a folder gives its notes back (18)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let (one, two) = (context.note("1", in: home), context.note("2", in: home))
      let new = context.note("3")
      for note in [one, two] { home.addToPinned(note) }
      try context.save()
      work.addToNotes(one)
      home.removeFromNotes(two)
      context.refresh(home, mergeChanges: false)
      #expect(one.folder === home && two.folder === home)
      #expect(home.titles == ["1", "2"] && work.titles == [])
      home.addToNotes(new)
      home.removeFromPinned(one)
      work.addToPinned(two)
      context.refresh(home, mergeChanges: false)
      #expect(new.folder == nil && one.pinnedIn === home && two.pinnedIn === home)
      #expect(home.pinnedTitles == ["1", "2"] && work.pinnedTitles == [])
      #expect(checkInvariants(of: context) == [])
      try context.save()
    }
    try stack.work { context in
      for folder in try context.fetch(Folder.fetchRequest()) {
        #expect(folder.titles == (folder.name == "Home" ? ["1", "2"] : []))
        #expect(folder.pinnedTitles == (folder.name == "Home" ? ["1", "2"] : []))
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `refreshAllObjects keeps changes and takes what others saved (19)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let (note, new) = (context.find(id), context.note("New"))
      note.stars = 3
      try stack.work { other in
        other.find(id).title = "Two"
        try other.save()
      }
      context.refreshAllObjects()
      #expect(note.title == "Two" && note.stars == 3)
      #expect(context.updatedObjects == [note] && context.insertedObjects == [new])
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a relationship is a fault of its own and knows its identities (17)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "One")
      #expect(note.hasFault(forRelationshipNamed: "tags"))
      let folder = try #require(note.objectIDs(forRelationshipNamed: "folder").first)
      #expect(context.object(with: folder).isFault)
      #expect(context.object(with: folder).objectIDs(forRelationshipNamed: "notes") == [id])
      #expect(note.objectIDs(forRelationshipNamed: "tags") == [])
      #expect(!note.hasFault(forRelationshipNamed: "tags"))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `willAccessValue fires the whole object (21)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.willAccessValue(forKey: nil)
      #expect(!note.isFault)
      #expect(note.primitiveValue(forKey: "title") as? String == "One")
      note.didAccessValue(forKey: nil)
    }
  }
}
