import CoreData
import Synchronization
import TestSupport
import Testing

@Suite struct MergePolicyTests {
  @Test func `the policies are shared, and the default is the one of errors (54, 57)`() throws {
    let stack = try NotesStack()
    let context = stack.context()
    #expect(context.mergePolicy as? NSMergePolicy === NSMergePolicy.error)
    let globals = [
      (NSErrorMergePolicy, NSMergePolicy.error), (NSRollbackMergePolicy, .rollback),
      (NSOverwriteMergePolicy, .overwrite),
      (NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrump),
      (NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrump),
    ]
    for (global, policy) in globals {
      #expect(ObjectIdentifier(global) == ObjectIdentifier(policy))
    }
    #expect(NSMergePolicy(merge: .rollbackMergePolicyType).mergeType == .rollbackMergePolicyType)
    #expect(NSMergePolicyType(rawValue: 2) == .mergeByPropertyObjectTrumpMergePolicyType)
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    #expect(context.mergePolicy as? NSMergePolicy === NSMergePolicy.mergeByPropertyObjectTrump)
  }

  @Test func `something else than a policy stops the program`() async {
    await #expect(processExitsWith: .failure) {
      try NotesStack().context().mergePolicy = "overwrite"
    }
  }

  /// Two contexts of one coordinator, and two coordinators of one file.
  @Test func `a conflict says who knew of the change (55)`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("One") }
    let other = try NotesStack(reopening: try #require(stack.file))
    try stack.work { context in
      let note = context.find(id)
      note.title = "Mine"
      try change(id, in: other) { $0.title = "Theirs" }
      let first = try conflict(context)
      #expect(first.cachedSnapshot?["title"] as? String == "One")
      #expect(first.persistedSnapshot?["title"] as? String == "Theirs")
      #expect((first.oldVersionNumber, first.newVersionNumber) == (1, 2))
      let second = try conflict(context)
      #expect(second.cachedSnapshot?["title"] as? String == "Theirs")
      #expect(second.persistedSnapshot == nil)
      try change(id, in: other) { $0.managedObjectContext?.delete($0) }
      let third = try conflict(context)
      #expect(third.persistedSnapshot == nil)
      #expect(third.newVersionNumber == 0)
      #expect(third.sourceObject === note)
      #expect(note.title == "Mine")
    }
  }

  private func conflict(_ context: NSManagedObjectContext) throws -> NSMergeConflict {
    let error = try #require(throws: CocoaError.self) { try context.save() }
    #expect(error.code == .managedObjectMerge)
    return try #require(error.persistentStoreSaveConflicts?.first)
  }

  @Test func `an object is found by its store too, not by its number alone`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let stores = try ["A", "B"].map { name in
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType,
        configurationName: nil,
        at: URL(fileURLWithPath: "/\(name)")
      )
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let notes = stores.map { store in
        let note = context.note("One")
        context.assign(note, to: store)
        return note
      }
      try context.save()
      let other = NSManagedObjectContext(.privateQueue)
      other.persistentStoreCoordinator = coordinator
      try other.performAndWait {
        for note in notes { other.find(note.objectID).text = "theirs" }
        try other.save()
      }
      notes[1].title = "Mine"
      #expect(try conflict(context).sourceObject === notes[1])
      notes[0].title = "Mine"
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(
        Set(error.persistentStoreSaveConflicts?.map(\.sourceObject) ?? []) == Set(notes),
        "the conflicts of all stores are in one error"
      )
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(notes.map(\.text) == ["theirs", "theirs"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `an object that was merged is told as refreshed`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      context.mergePolicy = NSMergePolicy.rollback
      let note = context.find(id)
      note.title = "Mine"
      context.processPendingChanges()
      try change(id, in: stack) { $0.title = "Theirs" }
      let heard = Mutex<[String]>([])
      let tokens = [
        (Notification.Name.NSManagedObjectContextObjectsDidChange, "change"),
        (.NSManagedObjectContextDidSave, "save"),
      ].map { name, word in
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
          let sets = ($0.userInfo ?? [:]).compactMapValues { $0 as? Set<NSManagedObject> }
          let keys = sets.filter { !$0.value.isEmpty }.keys.map { "\($0)" }.sorted()
          heard.withLock { $0.append("\(word) \(keys)") }
        }
      }
      try context.save()
      for token in tokens { NotificationCenter.default.removeObserver(token) }
      #expect(heard.withLock { $0 } == ["change [\"refreshed\"]", "save []"])
      #expect(note.title == "Theirs")
      #expect(!note.hasChanges)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `an object hears that a policy has given it other values`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      let note = context.find(id)
      note.title = "Mine"
      try change(id, in: stack) { $0.title = "Theirs" }
      var titles: [String?] = []
      let observation = note.observe(\.title, options: [.new]) { note, _ in
        titles.append(note.title)
      }
      try context.save()
      observation.invalidate()
      #expect(titles == ["Theirs"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `detectConflicts concerns the next save only (53)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      context.detectConflicts(for: note)
      try context.save()
      try change(id, in: stack) { $0.title = "Two" }
      context.note("New")
      try context.save()
      context.detectConflicts(for: note)
      context.note("Newer")
      #expect(errorCode { try context.save() } == 133_020)
      context.refresh(note, mergeChanges: true)
      try context.save()
      context.detectConflicts(for: note)
      try change(id, in: stack) { $0.managedObjectContext?.delete($0) }
      #expect(errorCode { try context.save() } == 133_020)
      context.rollback()
      try context.save()
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `a user's policy decides for itself (57)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let policy = LongerTitle(merge: .mergeByPropertyObjectTrumpMergePolicyType)
      context.mergePolicy = policy
      let note = context.find(id)
      note.title = "Mine"
      try change(id, in: stack) { $0.title = "Their longer title" }
      try context.save()
      #expect(note.title == "Their longer title")
      #expect(policy.calls.withLock { $0 } == ["merge 1", "locking 1"])
      #expect(try stack.work { try $0.titles() } == ["Their longer title"])
      note.title = "Mine which is longer still"
      try change(id, in: stack) { $0.title = "Theirs" }
      try context.save()
      #expect(try stack.work { try $0.titles() } == ["Mine which is longer still"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a policy could not say anew of which type it is`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      context.mergePolicy = AlwaysMine(merge: .errorMergePolicyType)
      let note = context.find(id)
      note.title = "Mine"
      try change(id, in: stack) { $0.title = "Theirs" }
      try context.save()
      #expect(try stack.work { try $0.titles() } == ["Mine"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .uniqueness))
  func `a policy that throws leaves the context as it was (57)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("One", in: context.folder("F"))
      context.tag("t").addToNotes(note)
      return note
    }
    try stack.work { context in
      context.mergePolicy = ChangesItsMind(merge: .rollbackMergePolicyType)
      let note = context.find(id)
      let folder = try #require(note.folder)
      note.title = "Mine"
      let gone = context.folder("G")
      note.folder = gone
      let new = context.note("New", in: folder)
      let tag = try #require((note.tags as? Set<TestSupport.Tag>)?.first)
      tag.removeFromNotes(note)
      context.processPendingChanges()
      try change(id, in: stack) { $0.title = "Theirs" }
      let before = picture(context)
      #expect(errorCode { try context.save() } == 7)
      #expect(picture(context) == before)
      #expect(note.title == "Mine")
      #expect(note.folder === gone)
      #expect(gone.titles == ["Mine"])
      #expect(folder.titles == ["New"])
      #expect(tag.notes?.count == 0)
      #expect(new.isInserted)
      #expect(checkInvariants(of: context) == [])
      context.mergePolicy = NSMergePolicy.overwrite
      try context.save()
      #expect(try stack.work { try $0.titles() } == ["Mine", "New"])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a policy that does nothing is told so`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      context.mergePolicy = DoesNothing(merge: .overwriteMergePolicyType)
      let note = context.find(id)
      note.title = "Mine"
      try change(id, in: stack) { $0.title = "Theirs" }
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectMerge)
      #expect((error as NSError).localizedFailureReason?.contains("DoesNothing") == true)
      #expect(note.title == "Mine")
      #expect(note.isUpdated)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `a policy resolves conflicts that a program makes`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.title = "Mine"
      note.stars = 3
      try change(id, in: stack) { $0.title = "Theirs" }
      let conflict = NSMergeConflict(
        source: note,
        newVersion: 2,
        oldVersion: 1,
        cachedSnapshot: ["title": "Theirs"],
        persistedSnapshot: nil
      )
      #expect(conflict.objectSnapshot?["title"] as? String == "Mine")
      #expect(conflict.cachedSnapshot?["title"] as? String == "Theirs")
      try NSMergePolicy.mergeByPropertyStoreTrump.resolve(optimisticLockingConflicts: [conflict])
      #expect(note.title == "Theirs")
      #expect(note.stars == 3)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest))
  func `values that do not fit together after a merge are not saved`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      context.mergePolicy = SetsManyStars(merge: .overwriteMergePolicyType)
      let note = context.find(id)
      note.title = "Mine"
      try change(id, in: stack) { $0.title = "Theirs" }
      #expect(errorCode { try context.save() } == 1610)
      #expect(note.stars == 0)
      #expect(note.title == "Mine")
    }
  }

  private func picture(_ context: NSManagedObjectContext) -> [String] {
    context.registeredObjects.map { object in
      "\(object.objectID) \(object.isInserted) \(object.isUpdated) \(object.isDeleted) "
        + "\(object.changedValues().keys.sorted())"
    }.sorted()
  }

  private func change(
    _ id: NSManagedObjectID,
    in stack: NotesStack,
    _ change: (Note) -> Void
  ) throws {
    try stack.work { context in
      let uri = id.uriRepresentation()
      change(
        context.find(try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri)))
      )
      try context.save()
    }
  }
}

// MARK: - Policies of users

/// The longer of two titles wins.
private final class LongerTitle: NSMergePolicy, @unchecked Sendable {
  let calls = Mutex<[String]>([])

  override func resolve(mergeConflicts list: [Any]) throws {
    calls.withLock { $0.append("merge \(list.count)") }
    try super.resolve(mergeConflicts: list)
  }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    calls.withLock { $0.append("locking \(list.count)") }
    let theirs = list.map { ($0.persistedSnapshot ?? $0.cachedSnapshot)?["title"] as? String ?? "" }
    try super.resolve(optimisticLockingConflicts: list)
    for (conflict, title) in zip(list, theirs) {
      guard let note = conflict.sourceObject as? Note else { continue }
      if title.count > note.title?.count ?? 0 { note.title = title }
    }
  }
}

private final class AlwaysMine: NSMergePolicy, @unchecked Sendable {
  override var mergeType: NSMergePolicyType { .mergeByPropertyObjectTrumpMergePolicyType }
}

private final class ChangesItsMind: NSMergePolicy, @unchecked Sendable {
  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    try super.resolve(optimisticLockingConflicts: list)
    if let context = list.first?.sourceObject.managedObjectContext {
      context.note("not to stay")
      for note in context.insertedObjects where (note as? Note)?.title == "New" {
        context.delete(note)
      }
    }
    throw NSError(domain: "Test", code: 7)
  }
}

private final class DoesNothing: NSMergePolicy, @unchecked Sendable {
  override func resolve(mergeConflicts list: [Any]) throws {}
}

private final class SetsManyStars: NSMergePolicy, @unchecked Sendable {
  override func resolve(mergeConflicts list: [Any]) throws {
    try super.resolve(mergeConflicts: list)
    for case let conflict as NSMergeConflict in list {
      (conflict.sourceObject as? Note)?.stars = 99
    }
  }
}
