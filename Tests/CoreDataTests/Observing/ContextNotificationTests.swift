import TestSupport
import Testing

@testable import CoreData

@Suite struct ContextNotificationTests {
  @Test(arguments: StoreKind.allCases)
  func `observers hear of exactly what was inserted, updated and deleted`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let (folder, one, two) = (context.folder("F"), context.note("1"), context.note("2"))
      try context.save()
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      let new = context.note("new")
      let gone = context.note("gone")
      context.delete(gone)
      one.folder = folder
      one.title = "changed"
      context.delete(two)
      #expect(notified.all.isEmpty)
      context.processPendingChanges()
      #expect(notified.all.count == 1)
      #expect(
        notified.sets == [
          NSInsertedObjectsKey: [new], NSUpdatedObjectsKey: [one, folder],
          NSDeletedObjectsKey: [two],
        ]
      )
      context.processPendingChanges()
      #expect(notified.all.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `what was deleted and inserted again in one event was told of as deleted, or not at all`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let old = context.note("old")
      try context.save()
      let known = context.note("known")
      context.processPendingChanges()
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      let new = context.note("new")
      for note in [old, known, new] {
        context.delete(note)
        context.insert(note)
      }
      context.processPendingChanges()
      #expect(
        notified.sets == [NSInsertedObjectsKey: [new], NSUpdatedObjectsKey: [old, known]]
      )
      context.delete(old)
      context.processPendingChanges()
      #expect(notified.sets == [NSDeletedObjectsKey: [old]])
      context.insert(old)
      context.processPendingChanges()
      #expect(notified.sets == [NSInsertedObjectsKey: [old]])
      #expect(old.isUpdated && known.isInserted && new.isInserted)
      try context.save()
      #expect(try context.titles().sorted() == ["known", "new", "old"])
    }
  }

  @Test func `later changes of a new object are updates`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      context.processPendingChanges()
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      note.title = "2"
      note.title = "3"
      context.processPendingChanges()
      #expect(notified.sets == [NSUpdatedObjectsKey: [note]])
      #expect(note.isInserted)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a refresh is told as refreshed`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("1")
      try context.save()
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      context.refresh(note, mergeChanges: false)
      context.processPendingChanges()
      #expect(notified.sets == [NSRefreshedObjectsKey: [note]])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a change that a refresh had discarded was told of as an update`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let (one, two) = (context.note("1"), context.note("2"))
      try context.save()
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      one.title = "discarded"
      two.title = "changed"
      context.refresh(one, mergeChanges: false)
      context.refresh(two, mergeChanges: true)
      context.processPendingChanges()
      #expect(
        notified.sets == [NSUpdatedObjectsKey: [two], NSRefreshedObjectsKey: [one, two]]
      )
      #expect(one.title == "1" && two.title == "changed")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `what is changed again after a refresh has discarded its change is told of as an update`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let notes = (1...6).map { context.note("\($0)") }
      try context.save()
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      for note in notes { note.title = "discarded" }
      for note in notes.dropFirst() { context.refresh(note, mergeChanges: false) }
      for note in notes.dropFirst(4) { note.title = "changed" }
      context.refresh(notes[5], mergeChanges: false)
      context.processPendingChanges()
      let updated: Set = [notes[0], notes[4]]
      #expect(
        notified.sets == [
          NSUpdatedObjectsKey: updated, NSRefreshedObjectsKey: Set(notes.dropFirst()),
        ]
      )
      #expect(context.updatedObjects == updated)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `fetching and reading tell nobody`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.saved { $0.note("1") }
    try stack.work { context in
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      _ = try context.titles()
      context.processPendingChanges()
      #expect(notified.all.isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a save is announced before and after with its objects`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let (one, two) = (context.note("1"), context.note("2"))
      try context.save()
      let before = Received(context, .NSManagedObjectContextWillSave)
      let after = Received(context, .NSManagedObjectContextDidSave)
      let new = context.note("new")
      let gone = context.note("gone")
      context.delete(gone)
      one.title = "changed"
      context.delete(two)
      try context.save()
      #expect(before.all.map(\.count) == [0])
      #expect(after.all.count == 1)
      #expect(
        after.sets == [
          NSInsertedObjectsKey: [new], NSUpdatedObjectsKey: [one], NSDeletedObjectsKey: [two],
        ]
      )
      try context.save()
      #expect(after.all.count == 2)
      #expect(
        after.sets == [NSInsertedObjectsKey: [], NSUpdatedObjectsKey: [], NSDeletedObjectsKey: []]
      )
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a save tells of all its objects, whichever events have told of them before`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let after = Received(context, .NSManagedObjectContextDidSave)
      let one = context.note("1")
      context.processPendingChanges()
      let two = context.note("2")
      context.processPendingChanges()
      try context.save()
      #expect(after.sets[NSInsertedObjectsKey] == [one, two])
      #expect(after.sets[NSUpdatedObjectsKey] == [])
      one.title = "changed"
      context.processPendingChanges()
      two.title = "changed"
      context.delete(one)
      try context.save()
      #expect(after.sets[NSInsertedObjectsKey] == [])
      #expect(after.sets[NSUpdatedObjectsKey] == [two])
      #expect(after.sets[NSDeletedObjectsKey] == [one])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a save is announced with identities too (86)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let (one, two) = (context.note("1"), context.note("2"))
      try context.save()
      let notified = Received(context, NSManagedObjectContext.didSaveObjectIDsNotification)
      let new = context.note("new")
      one.title = "changed"
      context.delete(two)
      let gone = two.objectID
      try context.save()
      typealias Key = NSManagedObjectContext.NotificationKey
      #expect(notified.ids(Key.insertedObjectIDs.rawValue) == [new.objectID])
      #expect(notified.ids(NSInsertedObjectIDsKey)?.contains { $0.isTemporaryID } == false)
      #expect(notified.ids(Key.updatedObjectIDs.rawValue) == [one.objectID])
      #expect(notified.ids(Key.deletedObjectIDs.rawValue) == [gone])
      #expect(notified.last?.count == 3)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `the announcement of a save to come carries nothing, and may be answered by changes (86)`(
    kind: StoreKind
  )
    throws
  {
    try NotesStack(kind).work { context in
      let note = context.note("1")
      let notified = Received(context, NSManagedObjectContext.willSaveObjectsNotification)
      notified.answer = { notification in
        #expect(notification.userInfo == nil)
        note.title = "answered"
      }
      try context.save()
      #expect(notified.all.count == 1)
      #expect(!context.hasChanges)
      #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "answered")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `notifications come on the context's queue while the change waits (86)`(
    kind: StoreKind
  ) throws {
    let context = try NotesStack(kind).context()
    let notified = Received(context)
    notified.answer = { _ in #expect(context.queue.isCurrent) }
    try context.performAndWait {
      _ = context.note("1")
      try context.save()
      #expect(notified.all.count == 4)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a reset names every identity, and no sets (9)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("1")
      try context.save()
      let id = note.objectID
      let notified = Received(context, NSManagedObjectContext.didChangeObjectsNotification)
      context.reset()
      #expect(notified.last?.count == 1)
      let ids = notified.last?[
        NSManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue
      ]
      #expect(ids as? [NSManagedObjectID] == [id])
    }
  }

  @Test func `names and keys are Apple's`() {
    let names = [
      NSManagedObjectContext.willSaveObjectsNotification,
      NSManagedObjectContext.didSaveObjectsNotification,
      NSManagedObjectContext.didChangeObjectsNotification,
      NSManagedObjectContext.didSaveObjectIDsNotification,
      NSManagedObjectContext.didMergeChangesObjectIDsNotification,
    ]
    #expect(
      names.map(\.rawValue) == [
        "NSManagingContextWillSaveChangesNotification",
        "NSManagingContextDidSaveChangesNotification",
        "NSObjectsChangedInManagingContextNotification",
        "NSManagedObjectContextDidSaveObjectIDsNotification",
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification",
      ]
    )
    typealias Key = NSManagedObjectContext.NotificationKey
    #expect(Key.insertedObjects.rawValue == NSInsertedObjectsKey)
    #expect(Key.updatedObjects.rawValue == NSUpdatedObjectsKey)
    #expect(Key.deletedObjects.rawValue == NSDeletedObjectsKey)
    #expect(Key.refreshedObjects.rawValue == NSRefreshedObjectsKey)
    #expect(Key.invalidatedObjects.rawValue == NSInvalidatedObjectsKey)
    #expect(Key.invalidatedAllObjects.rawValue == NSInvalidatedAllObjectsKey)
    #expect(Key.insertedObjectIDs.rawValue == NSInsertedObjectIDsKey)
    #expect(Key.updatedObjectIDs.rawValue == NSUpdatedObjectIDsKey)
    #expect(Key.deletedObjectIDs.rawValue == NSDeletedObjectIDsKey)
    #expect(Key.refreshedObjectIDs.rawValue == NSRefreshedObjectIDsKey)
    #expect(Key.invalidatedObjectIDs.rawValue == NSInvalidatedObjectIDsKey)
    #expect(Key(rawValue: "newQueryGeneration") == .queryGeneration)
  }

  @Test(arguments: StoreKind.allCases)
  func `a refused save is announced before but not after`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let before = Received(context, .NSManagedObjectContextWillSave)
      let after = Received(context, .NSManagedObjectContextDidSave)
      context.tag("")
      #expect(errorCode { try context.save() } == 1670)
      #expect(before.all.count == 1)
      #expect(after.all.isEmpty)
    }
  }

  @Test func `a perform block ends the event, performAndWait does not`() async throws {
    let context = try NotesStack().context()
    let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
    context.performAndWait { _ = context.note("1") }
    #expect(notified.all.isEmpty)
    await context.perform { _ = context.note("2") }
    await context.perform {}
    #expect(notified.all.count == 1)
    #expect(notified.sets[NSInsertedObjectsKey]?.count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `a rollback tells of refreshed objects`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("1")
      try context.save()
      note.title = "2"
      context.processPendingChanges()
      let notified = Received(context, .NSManagedObjectContextObjectsDidChange)
      context.rollback()
      #expect(notified.sets == [NSRefreshedObjectsKey: [note]])
    }
  }
}
