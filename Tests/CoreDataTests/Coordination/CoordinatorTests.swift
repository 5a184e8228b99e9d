import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite struct CoordinatorTests {
  @Test func `blocks are performed one after the other, and may perform again`() async throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let order = Mutex<[Int]>([])
    let later = { coordinator.perform { order.withLock { $0.append(1) } } }
    later()
    let two = coordinator.performAndWait {
      coordinator.performAndWait { order.withLock { $0.append(2) } }
      return 2
    }
    #expect(two == 2)
    let three = await coordinator.perform { () -> Int in
      order.withLock { $0.append(3) }
      return 3
    }
    #expect(three == 3)
    #expect(order.withLock { $0 } == [1, 2, 3])
    await #expect(throws: CocoaError.self) {
      try await coordinator.perform { throw CocoaError(.coreData) }
    }
    #expect(throws: CocoaError.self) {
      try coordinator.performAndWait { throw CocoaError(.coreData) }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `removing a store invalidates its objects (89)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let (note, other) = (context.note("n"), context.note("o"))
      try context.save()
      note.title = "changed"
      context.delete(other)
      context.processPendingChanges()
      let changed = Received(context, .NSManagedObjectContextObjectsDidChange)
      let store = try #require(stack.coordinator.persistentStores.first)
      let will = Received(store, .NSPersistentStoreCoordinatorWillRemoveStore)
      try stack.coordinator.remove(store)
      #expect(changed.sets == [NSInvalidatedObjectsKey: [note, other]])
      #expect(will.last?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [store])
      #expect(note.isFault)
      #expect(!context.hasChanges)
      #expect(note.title == nil)
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `objects in contexts of other queues are invalidated a little later (89)`(
    kind: StoreKind
  ) async throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    let id = try await context.perform { () -> NSManagedObjectID in
      let note = context.note("n")
      try context.save()
      context.retainsRegisteredObjects = true
      return note.objectID
    }
    try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
    await context.perform {
      #expect(context.registeredObject(for: id)?.isFault != false)
    }
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `one file that was added twice was two stores of a coordinator`(kind: StoreKind) throws {
    let stack = try kind.stack()
    guard kind != .postgreSQL, let file = stack.file else { return }
    try stack.saved { $0.note("n") }
    let add = { try stack.coordinator.addPersistentStore(type: kind.storeType, at: file) }
    let error = try #require(throws: NSError.self) { try add() }
    #expect(error.domain == NSCocoaErrorDomain && error.code == 134_081)
    #expect(error.localizedFailureReason?.contains(file.path) == true)
    #expect(stack.coordinator.persistentStores.count == 1)
    try stack.work { context throws in #expect(try context.titles() == ["n"]) }
    try stack.coordinator.remove(stack.store)
    _ = try add()
    try stack.work { context throws in #expect(try context.titles() == ["n"]) }
  }

  @Test func `there can be several stores at /dev/null`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let nowhere = URL(fileURLWithPath: "/dev/null")
    for _ in 0..<2 { try coordinator.addPersistentStore(type: .sqlite, at: nowhere) }
    #expect(coordinator.persistentStores.count == 2)
  }

  @Test func `a description that was made without a location had none`() throws {
    let (one, two) = (NSPersistentStoreDescription(), NSPersistentStoreDescription())
    two.type = NSInMemoryStoreType
    #expect(one.type == NSSQLiteStoreType)
    #expect(one.url == URL(fileURLWithPath: "/dev/null") && two.url == one.url)
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    container.persistentStoreDescriptions = [one, two]
    container.loadPersistentStores { #expect($1 == nil) }
    let coordinator = container.persistentStoreCoordinator
    #expect(coordinator.persistentStores.map(\.type) == [NSSQLiteStoreType, NSInMemoryStoreType])
    #expect(coordinator.health(of: coordinator.persistentStores[1]).warnings.isEmpty)
  }

  @Test func `a description is a value`() throws {
    let one = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    one.type = NSXMLStoreType
    one.configuration = "Cloud"
    one.timeout = 3
    one.isReadOnly = true
    one.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    one.setOption(NSNumber(value: 1), forKey: "own")
    let two = try #require(one.copy() as? NSPersistentStoreDescription)
    #expect(one == two)
    #expect(one.hash == two.hash)
    #expect(two.timeout == 3)
    #expect(two.sqlitePragmas["journal_mode"] == "DELETE" as NSString)
    two.setValue(nil, forPragmaNamed: "journal_mode")
    #expect(one != two)
    #expect(one.sqlitePragmas.count == 1)
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `a container loads stores of every type (84)`(store: StoreKind) throws {
    let (place, options) = store.described(at: TestSupport.TemporaryFolder.file("Notes"))
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let description = NSPersistentStoreDescription(url: place)
    description.type = store.type
    for (name, value) in options { description.setOption(value as? NSString, forKey: name) }
    container.persistentStoreDescriptions = [description]
    var calls = 0
    container.loadPersistentStores { loaded, error in
      #expect(loaded === description)
      #expect(error == nil)
      calls += 1
    }
    #expect(calls == 1)
    #expect(container.persistentStoreCoordinator.persistentStores.first?.type == store.type)
  }

  @Test func `fetched properties cross from one store into another`() throws {
    let model = try modelWithNamesakes()
    let entities = model.entitiesByName
    model.setEntities(["Folder"].compactMap { entities[$0] }, forConfigurationName: "Folders")
    model.setEntities(
      ["Note", "Checklist", "Tag", "Bin"].compactMap { entities[$0] },
      forConfigurationName: "Notes"
    )
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .xml,
      configuration: "Folders",
      at: TestSupport.TemporaryFolder.file("Folders")
    )
    try coordinator.addPersistentStore(
      type: .sqlite,
      configuration: "Notes",
      at: TestSupport.TemporaryFolder.file("Notes")
    )
    try LivingNotes.work(coordinator) { context throws in
      context.note("same")
      context.note("other")
      let folder = context.folder("same")
      try context.save()
      let found = folder.value(forKey: "namesakes") as? [Note]
      #expect(found?.map(\.title) == ["same"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a fetched property that reads its own description stopped the program`(
    kind: StoreKind
  ) throws {
    let model = try modelWithNamesakes(
      "title CONTAINS[cd] $FETCHED_PROPERTY.userInfo.search AND folder.name == $FETCHED_PROPERTY.entity.name"
    )
    let stack = try NotesStack(model: model, kind)
    try stack.work { context in
      let folder = context.folder("Folder")
      context.note("the Same", in: folder)
      context.note("the same", in: context.folder("G"))
      try context.save()
      let found = folder.value(forKey: "namesakes") as? [Note]
      #expect(found?.map(\.title) == ["the Same"])
    }
  }

  /// The model of the notes, whose folders have the notes of their own name.
  private func modelWithNamesakes(
    _ format: String = "title == $FETCH_SOURCE.name"
  ) throws -> NSManagedObjectModel {
    let model = try #require(NotesStack.model.copy() as? NSManagedObjectModel)
    let folder = try #require(model.entitiesByName["Folder"])
    let property = NSFetchedPropertyDescription()
    property.name = "namesakes"
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    request.predicate = NSPredicate(format: format)
    property.fetchRequest = request
    property.userInfo = ["search": "SAME"]
    folder.properties.append(property)
    return model
  }

  @Test func `a fetched property that a cancelled block read stopped the program`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try modelWithNamesakes())
    try coordinator.addPersistentStore(
      type: .sqlite,
      configuration: nil,
      at: TestSupport.TemporaryFolder.file("Notes")
    )
    try LivingNotes.work(coordinator) { context throws in
      context.note("same")
      let folder = context.folder("same")
      try context.save()
      let control = FetchControl(estimate: 0)
      context.reading = control
      defer { context.reading = nil }
      control.cancel()
      #expect(throws: CocoaError.self) {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
      }
      let found = folder.value(forKey: "namesakes") as? [Note]
      #expect(found?.map(\.title) == ["same"])
    }
  }
}
