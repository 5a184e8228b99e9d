import CoreData
import TestSupport
import Testing

/// Following a store through its history.
@Suite struct HistoryMergingTests {
  private let first: HistoryStack
  private let second: HistoryStack

  init() throws {
    first = try HistoryStack()
    second = try HistoryStack(file: first.file)
  }

  /// Merges the changes after the token, and returns the present position.
  private func follow(
    _ token: NSPersistentHistoryToken?,
    in context: NSManagedObjectContext
  ) throws -> NSPersistentHistoryToken? {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
    let all = try #require(result.result as? [NSPersistentHistoryTransaction])
    for transaction in all {
      context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
    }
    return all.last?.token ?? token
  }

  @Test func `a context follows another through history, from a saved token (99)`() throws {
    let note = try first.save { context in
      let note = context.note("One", in: context.folder("F"))
      try context.obtainPermanentIDs(for: [note])
      return note.objectID
    }
    let context = second.context()
    var archive = try NSKeyedArchiver.archivedData(
      withRootObject: try #require(second.token),
      requiringSecureCoding: true
    )
    try context.performAndWait {
      let known = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(known.title == "One")
      known.text = "mine"
      try first.save { context in
        context.find(note, as: Note.self).title = "Eins"
        context.note("Two")
      }
      #expect(known.title == "One")
      let saved = try NSKeyedUnarchiver.unarchivedObject(
        ofClass: NSPersistentHistoryToken.self,
        from: archive
      )
      let changes = Received(context, .NSManagedObjectContextObjectsDidChange)
      let merges = Received(context, .NSManagedObjectContextDidMergeChangesObjectIDs)
      let token = try #require(try follow(saved, in: context))
      #expect(known.title == "Eins")
      #expect(known.text == "mine")
      #expect(context.updatedObjects == [known])
      #expect(changes.sets[NSRefreshedObjectsKey] == [known])
      #expect(changes.sets[NSInsertedObjectsKey]?.count == 1)
      #expect(merges.ids(NSInsertedObjectIDsKey)?.count == 1)
      archive = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      // Nothing is told twice.
      #expect(try follow(token, in: context) == token)
      try context.save()
      try first.save { context in
        let request = Note.fetchRequest()
        request.predicate = NSPredicate(format: "SELF == %@", note)
        for found in try context.fetch(request) { context.delete(found) }
      }
      let last = try follow(token, in: context)
      #expect(last == second.token)
      #expect(known.isDeleted && context.registeredObject(for: known.objectID) == nil)
      #expect(try context.titles() == ["Two"])
      #expect(known.managedObjectContext == nil)
      #expect(!context.hasChanges)
    }
  }

  @Test func `the notification has sets of identities (99)`() throws {
    let ids = try first.save { context in
      let notes = [context.note("One"), context.note("Two")]
      try context.obtainPermanentIDs(for: notes)
      return notes.map(\.objectID)
    }
    try first.save { context in
      context.find(ids[0], as: Note.self).title = "Eins"
      context.delete(context.find(ids[1], as: Note.self))
      context.note("Three")
    }
    let notification = try #require(try first.transactions().last?.objectIDNotification())
    #expect(notification.name == .NSManagedObjectContextDidSaveObjectIDs)
    let found = { notification.userInfo?[$0] as? Set<NSManagedObjectID> }
    #expect(found(NSUpdatedObjectIDsKey) == [ids[0]])
    #expect(found(NSDeletedObjectIDsKey) == [ids[1]])
    #expect(found(NSInsertedObjectIDsKey)?.count == 1)
    // A transaction without its changes has nothing to merge.
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    let bare = try first.result(.transactionsOnly, request) as? [NSPersistentHistoryTransaction]
    #expect(bare?.first?.objectIDNotification().userInfo?[NSInsertedObjectIDsKey] == nil)
  }

  @Test func `what another coordinator wrote is seen by fetches, refreshes and old faults`() throws
  {
    try first.save { context in for title in ["One", "Two", "Three"] { context.note(title) } }
    let context = second.context()
    try context.performAndWait {
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let notes = try context.fetch(request)
      #expect(notes.map(\.title) == ["One", "Three", "Two"])
      context.refresh(notes[2], mergeChanges: false)
      try first.save { context in
        for note in try context.fetch(Note.fetchRequest()) { note.text = "theirs" }
      }
      // An object keeps its values until it is told otherwise.
      #expect(notes[0].text == nil)
      request.shouldRefreshRefetchedObjects = true
      request.predicate = NSPredicate(format: "title == 'One'")
      #expect(try context.fetch(request).map(\.text) == ["theirs"])
      request.shouldRefreshRefetchedObjects = false
      // A fetch brings the row of a fault, too.
      request.predicate = NSPredicate(format: "title == 'Two'")
      #expect(try context.fetch(request).map(\.text) == ["theirs"])
      // A row that is old enough is read again.
      context.stalenessInterval = 0
      context.refresh(notes[1], mergeChanges: false)
      #expect(notes[1].text == "theirs")
    }
  }
}
