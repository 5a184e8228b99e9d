import CoreData
import TestSupport
import Testing

@Suite struct StoreNotificationTests {
  @Test func `a store that went was announced like an account of iCloud, before and after (89)`()
    throws
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let heard = Received(coordinator)
    var log: [String] = []
    heard.answer = { notification in
      let added = notification.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
      let removed = notification.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
      let name = notification.name.rawValue
        .replacing("NSPersistentStoreCoordinator", with: "").replacing("Notification", with: "")
      log.append(
        "\(name) +\(added?.count ?? 0) -\(removed?.count ?? 0) of \(coordinator.persistentStores.count)"
      )
    }
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType,
      configurationName: nil,
      at: nil
    )
    try coordinator.remove(store)
    #expect(log == ["StoresDidChange +1 -0 of 1", "StoresDidChange +0 -1 of 0"])
    #expect(throws: (any Error).self) { try coordinator.remove(store) }
    #expect(log.count == 2)
  }

  @Test func `the removal of a store is told of by the store`() throws {
    let stack = try NotesStack()
    let store = try #require(stack.coordinator.persistentStores.first)
    let ofStore = Received(store, .NSPersistentStoreCoordinatorWillRemoveStore)
    let ofCoordinator = Received(stack.coordinator, .NSPersistentStoreCoordinatorWillRemoveStore)
    ofStore.answer = { _ in #expect(stack.coordinator.persistentStores == [store]) }
    try stack.coordinator.remove(store)
    #expect(ofStore.all.count == 1)
    #expect(ofCoordinator.all.isEmpty)
  }

  @Test func `a pinned context tells after a save to which moment it has moved`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      context.note("1")
      let saved = Received(context, .NSManagedObjectContextDidSave)
      try context.save()
      #expect(saved.last?[NSManagedObjectContextQueryGenerationKey] == nil)
      try context.setQueryGenerationFrom(.current)
      context.note("2")
      try context.save()
      let token = saved.last?[NSManagedObjectContextQueryGenerationKey]
      #expect(token as? NSQueryGenerationToken == context.queryGenerationToken)
      #expect(token != nil)
    }
    #expect(
      NSManagedObjectContext.NotificationKey.queryGeneration.rawValue
        == NSManagedObjectContextQueryGenerationKey
    )
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the objects of a removed store are told of as invalidated (89)`(
    kind: StoreKind
  ) async throws {
    let stack = try NotesStack(kind)
    let (near, far) = (stack.context(), stack.context())
    let store = try #require(stack.coordinator.persistentStores.first)
    let farChanges = far.changes()
    let id = try stack.saved { $0.note("1") }
    let farNote = try far.performAndWait { try far.existingObject(with: id) }
    try near.performAndWait {
      let note = near.find(id)
      #expect(note.title == "1")
      let unsaved = near.note("2")
      near.processPendingChanges()
      let notified = Received(near, .NSManagedObjectContextObjectsDidChange)
      try stack.coordinator.remove(store)
      #expect(notified.sets == [NSInvalidatedObjectsKey: [note]])
      #expect(unsaved.isInserted)
    }
    var heard = farChanges.makeAsyncIterator()
    #expect(await heard.next()?.invalidated == [id])
    withExtendedLifetime(farNote) {}
  }
}
