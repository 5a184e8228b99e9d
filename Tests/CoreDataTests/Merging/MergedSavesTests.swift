import CoreData
import TestSupport
import Testing

/// Taking over what another context has saved.
@Suite struct MergedSavesTests {
  /// Saves changes in another context, and merges its notification into this one.
  private func merge(
    into context: NSManagedObjectContext,
    as name: Notification.Name = .NSManagedObjectContextDidSave,
    _ stack: NotesStack,
    _ change: (NSManagedObjectContext) throws -> Void
  ) throws {
    let other = stack.context()
    try other.performAndWait {
      let received = Received(other, name)
      try change(other)
      try other.save()
      let userInfo = try #require(received.last)
      context.mergeChanges(
        fromContextDidSave: Notification(name: name, object: other, userInfo: userInfo)
      )
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `updated objects take their new values, under own changes (87)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let ids = try ["1", "2", "3"].map { title in try stack.saved { $0.note(title) } }
    try stack.work { context in
      let notes = ids.map { context.find($0) }
      _ = (notes[0].title, notes[1].title)
      notes[1].title = "mine"
      context.processPendingChanges()
      let changes = Received(context, .NSManagedObjectContextObjectsDidChange)
      try merge(into: context, stack) { other in
        for id in ids {
          other.find(id).title? += " theirs"
          other.find(id).stars = 2
        }
      }
      #expect(notes.map(\.title) == ["1 theirs", "mine", "3 theirs"])
      #expect(notes.map(\.stars) == [2, 2, 2])
      #expect(context.updatedObjects == [notes[1]])
      #expect(changes.all.count == 1)
      #expect(changes.sets == [NSRefreshedObjectsKey: Set(notes)])
      try context.save()
    }
    #expect(try stack.work { try $0.titles() } == ["1 theirs", "3 theirs", "mine"])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `objects that nobody holds are not read for a merge (87)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    try stack.work { context in
      try merge(into: context, stack) { $0.find(id).title = "2" }
      #expect(context.registeredObject(for: id) == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `inserted objects become faults and are told of (87)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      #expect(folder.titles == [])
      let changes = Received(context, .NSManagedObjectContextObjectsDidChange)
      try merge(into: context, stack) { $0.note("New", in: $0.find(id, as: Folder.self)) }
      let new = try #require(changes.sets[NSInsertedObjectsKey]?.first as? Note)
      #expect(new.isFault)
      #expect(!new.isInserted)
      #expect(changes.sets[NSRefreshedObjectsKey] == [folder])
      #expect(folder.titles == ["New"], "a to-many relationship that was loaded is read anew")
      #expect(folder.notes as? Set<Note> == [new])
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object that was deleted elsewhere was unregistered, and a new one is not kept`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let ids = [try stack.saved { $0.note("gone") }, try stack.saved { $0.note("changed") }]
    let (one, two) = (stack.context(), stack.context())
    try one.performAndWait {
      let (gone, changed) = (one.find(ids[0]), one.find(ids[1]))
      let saved = Received(two, .NSManagedObjectContextDidSave)
      saved.answer = { one.mergeChanges(fromContextDidSave: $0) }
      try two.performAndWait {
        two.delete(two.find(ids[0]))
        two.find(ids[1]).title = "changed here"
        two.note("new")
        try two.save()
      }
      #expect(one.registeredObjects == [gone, changed])
      #expect(one.deletedObjects == [gone] && one.insertedObjects.isEmpty)
      #expect(changed.title == "changed here")
      one.processPendingChanges()
      #expect(one.registeredObjects == [changed])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `deleted objects are gone, and nothing is left to save (87)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    let ids = try ["1", "2", "3"].map { title in
      try stack.saved { $0.note(title, in: $0.find(id, as: Folder.self)) }
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      let notes = ids.map { context.find($0) }
      #expect(folder.titles == ["1", "2", "3"])
      notes[1].title = "changed here"
      context.delete(notes[2])
      context.processPendingChanges()
      let changes = Received(context, .NSManagedObjectContextObjectsDidChange)
      try merge(into: context, stack) { other in for id in ids { other.delete(other.find(id)) } }
      #expect(changes.sets[NSDeletedObjectsKey] == Set(notes))
      #expect(folder.titles == [])
      context.processPendingChanges()
      #expect(notes.allSatisfy { $0.managedObjectContext == nil })
      #expect(context.deletedObjects.isEmpty)
      #expect(context.insertedObjects.isEmpty)
      #expect(ids.allSatisfy { context.registeredObject(for: $0) == nil })
      #expect(checkInvariants(of: context).isEmpty)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `objects that others have deleted are among the deleted ones until the event ends`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "1")
      var seen: [Bool] = []
      let changes = Received(context, .NSManagedObjectContextObjectsDidChange)
      changes.answer = { _ in seen.append(context.deletedObjects.contains(note) && note.isDeleted) }
      try merge(into: context, stack) { $0.delete($0.find(id)) }
      #expect(seen == [true])
      #expect(changes.sets[NSDeletedObjectsKey] == [note])
      #expect(context.deletedObjects == [note])
      #expect(note.isDeleted && note.managedObjectContext === context)
      #expect(!context.hasChanges, "nothing is left to save")
      #expect(try context.count(for: Note.fetchRequest()) == 0)
      #expect(context.deletedObjects.isEmpty)
      #expect(!note.isDeleted && note.managedObjectContext == nil)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child that follows hears of a deletion as any context does`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let parent = stack.context()
    let id = try stack.saved { $0.note("1") }
    let child = parent.child()
    child.automaticallyMergesChangesFromParent = true
    let note: Note = child.performAndWait { child.find(id) }
    let changes = Received(child, .NSManagedObjectContextObjectsDidChange)
    #expect(child.performAndWait { note.title } == "1")
    try parent.performAndWait {
      parent.delete(parent.find(id))
      try parent.save()
    }
    child.performAndWait {
      #expect(changes.sets[NSDeletedObjectsKey] == [note])
      #expect(child.deletedObjects == [note])
      child.processPendingChanges()
      #expect(child.deletedObjects.isEmpty && !child.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deletion elsewhere reaches what is new here`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      context.note("stored", in: folder)
      folder.cover = context.note("cover")
      return folder
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      let new = context.note("new", in: folder)
      let pinned = context.note("pinned")
      pinned.pinnedIn = folder
      try merge(into: context, stack) { $0.delete($0.find(id, as: Folder.self)) }
      #expect(new.managedObjectContext == nil, "the rule is Cascade")
      #expect(pinned.pinnedIn == nil, "the rule is Nullify")
      #expect(try context.titles() == ["cover", "pinned"])
      try context.save()
    }
    #expect(try stack.work { try $0.folders() } == [])
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an order that was changed here takes new members from elsewhere`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      folder.pinned = NSOrderedSet(array: ["a", "b", "c"].map { context.note($0) })
      return folder
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      folder.insertIntoPinned(context.note("mine"), at: 1)
      let last = try #require(folder.pinned?.lastObject as? Note)
      folder.removeFromPinned(last)
      folder.insertIntoPinned(last, at: 0)
      #expect(folder.pinnedTitles == ["c", "a", "mine", "b"])
      try merge(into: context, stack) { other in
        let folder = other.find(id, as: Folder.self)
        folder.insertIntoPinned(other.note("theirs"), at: 1)
        let gone = try #require(folder.pinned?.array.first { ($0 as? Note)?.title == "b" } as? Note)
        folder.removeFromPinned(gone)
      }
      #expect(folder.pinnedTitles == ["c", "a", "theirs", "mine"])
      try context.save()
    }
    #expect(
      try stack.work { $0.find(id, as: Folder.self).pinnedTitles } == ["c", "a", "theirs", "mine"]
    )
  }

  @Test func `a merge of the same coordinator's save reads nothing`() throws {
    let stack = try NotesStack(.sqlite)
    let ids = try (0..<20).map { number in try stack.saved { $0.note("\(number)") } }
    try stack.work { context in
      let notes = ids.map { context.find($0) }
      for note in notes { _ = note.title }
      let other = stack.context()
      try other.performAndWait {
        let received = Received(other, .NSManagedObjectContextDidSave)
        for id in ids { other.find(id).stars = 3 }
        other.note("new")
        try other.save()
        let statements = StatementLog(stack.coordinator).during {
          context.mergeChanges(
            fromContextDidSave: Notification(
              name: .NSManagedObjectContextDidSave,
              object: other,
              userInfo: received.last
            )
          )
          #expect(notes.allSatisfy { $0.stars == 3 })
        }
        #expect(statements == [])
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the identities of what was merged are told of (86)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let ids = try ["1", "2"].map { title in try stack.saved { $0.note(title) } }
    try stack.work { context in
      let merges = Received(context, .NSManagedObjectContextDidMergeChangesObjectIDs)
      try merge(into: context, stack) { other in
        other.find(ids[0]).title = "changed"
        other.delete(other.find(ids[1]))
        other.note("new")
      }
      let userInfo = try #require(merges.last)
      #expect(userInfo[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [ids[0]])
      #expect(userInfo[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [ids[1]])
      #expect((userInfo[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
    }
  }

  @Test func `a context does not merge its own notification`() throws {
    try NotesStack().work { context in
      let merges = Received(context, .NSManagedObjectContextDidMergeChangesObjectIDs)
      context.mergeChanges(
        fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: context)
      )
      #expect(merges.all.isEmpty)
    }
  }

  @Test func `a merge did not list the objects that it refreshed`() throws {
    let stack = try NotesStack()
    let ids = try ["1", "2"].map { title in try stack.saved { $0.note(title) } }
    try stack.work { context in
      let note = context.find(ids[0])
      let merges = Received(context, .NSManagedObjectContextDidMergeChangesObjectIDs)
      try merge(into: context, stack) { other in for id in ids { other.find(id).stars = 2 } }
      #expect(merges.last?[NSUpdatedObjectIDsKey] as? Set == Set(ids))
      #expect(merges.last?[NSRefreshedObjectIDsKey] as? Set == [note.objectID])
    }
  }
}

/// Changes that come as identities or URIs, from other coordinators and processes.
@Suite struct RemoteMergingTests {
  enum Spelling: CaseIterable {
    case ids, urls, idKeys
  }

  @Test(arguments: Spelling.allCases)
  func `changes through another coordinator of the file are read anew (88)`(
    spelling: Spelling
  ) throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    let id = try stack.saved { $0.folder("F") }
    let ids = try ["1", "2"].map { title in
      try stack.saved { $0.note(title, in: $0.find(id, as: Folder.self)) }
    }
    let other = try NotesStack(reopening: file)
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      let notes = ids.map { context.find($0) }
      #expect(folder.titles == ["1", "2"])
      var changes: [AnyHashable: Any] = [:]
      try other.work { there in
        func local(_ id: NSManagedObjectID) throws -> NSManagedObjectID {
          let uri = id.uriRepresentation()
          return try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
        }
        there.find(try local(ids[0])).title = "changed"
        there.delete(there.find(try local(ids[1])))
        let new = there.note("new", in: there.find(try local(id), as: Folder.self))
        try there.save()
        let updated = try [local(ids[0]), local(id)]
        let deleted = try [local(ids[1])]
        switch spelling {
        case .ids:
          changes = [
            NSUpdatedObjectsKey: updated, NSDeletedObjectsKey: deleted,
            NSInsertedObjectsKey: [new.objectID],
          ]
        case .urls:
          changes = [
            NSUpdatedObjectsKey: updated.map { $0.uriRepresentation() },
            NSDeletedObjectsKey: Set(deleted.map { $0.uriRepresentation() }),
            NSInsertedObjectsKey: [new.objectID.uriRepresentation()] as NSArray,
          ]
        case .idKeys:
          changes = [
            NSUpdatedObjectIDsKey: Set(updated), NSDeletedObjectIDsKey: NSSet(array: deleted),
            NSInsertedObjectIDsKey: [new.objectID],
          ]
        }
      }
      let received = Received(context, .NSManagedObjectContextObjectsDidChange)
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      #expect(notes[0].title == "changed")
      #expect(notes[1].isDeleted)
      #expect(folder.titles == ["changed", "new"])
      #expect(received.sets[NSRefreshedObjectsKey] == [notes[0], folder])
      #expect(received.sets[NSInsertedObjectsKey]?.count == 1)
      #expect(received.sets[NSDeletedObjectsKey] == [notes[1]])
      #expect(!context.hasChanges)
    }
  }

  @Test func `a notification of another coordinator's context names the same objects here`() throws
  {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("1") }
    let other = try NotesStack(reopening: try #require(stack.file))
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "1")
      let there = other.context()
      try there.performAndWait {
        let received = Received(there, .NSManagedObjectContextDidSave)
        let same = try #require(try there.fetch(Note.fetchRequest()).first)
        same.title = "changed"
        try there.save()
        context.mergeChanges(
          fromContextDidSave: Notification(
            name: .NSManagedObjectContextDidSave,
            object: there,
            userInfo: received.last
          )
        )
      }
      #expect(note.title == "changed")
    }
  }

  @Test func `many known objects are read with one statement for each entity`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      for number in 0..<200 { context.note("\(number)") }
      try context.save()
    }
    let other = try NotesStack(reopening: try #require(stack.file))
    try stack.work { context in
      let notes = try context.fetch(Note.fetchRequest())
      for note in notes { _ = note.title }
      try other.work { there in
        for note in try there.fetch(Note.fetchRequest()) { note.stars = 1 }
        try there.save()
      }
      let changes = [NSUpdatedObjectIDsKey: notes.map(\.objectID)]
      let statements = StatementLog(stack.coordinator).during {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
        #expect(notes.allSatisfy { $0.stars == 1 })
      }
      #expect(statements.count == 1)
    }
  }

  @Test func `parents merge before their children, asked or not (88)`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("1") }
    let other = try NotesStack(reopening: try #require(stack.file))
    try stack.family { parent, child in
      let (above, note) = (parent.find(id), child.find(id))
      #expect(note.title == "1")
      try other.work { there in
        let same = try #require(try there.fetch(Note.fetchRequest()).first)
        same.title = "changed"
        try there.save()
      }
      let changes = [NSUpdatedObjectsKey: [id.uriRepresentation()]]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [child])
      #expect(above.title == "changed")
      #expect(note.title == "changed")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `invalidated objects lose their values and changes`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    try stack.work { context in
      let note = context.find(id)
      note.title = "mine"
      let changes = [NSInvalidatedObjectIDsKey: [id]]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      #expect(note.isFault)
      #expect(!context.hasChanges)
      #expect(note.title == "1")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `objects of unknown stores are left out`(kind: StoreKind) throws {
    let elsewhere = try NotesStack(kind).saved { $0.note("elsewhere") }
    try NotesStack(kind).work { context in
      let received = Received(context, .NSManagedObjectContextObjectsDidChange)
      let unknown = try #require(URL(string: "x-coredata://unknown/Note/p1"))
      let changes: [AnyHashable: Any] = [
        NSInsertedObjectIDsKey: [elsewhere], NSUpdatedObjectsKey: [unknown],
      ]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      #expect(received.all.isEmpty)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func `something else than objects stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let context = try NotesStack().context()
      let changes = [NSInsertedObjectsKey: [1]]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
    }
  }
}
