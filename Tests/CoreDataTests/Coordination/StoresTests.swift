import CoreData
import TestSupport
import Testing

@Suite struct StoresTests {
  /// A model whose notes are in the configuration Cloud, folders in Local, and tags in both.
  private static let model: NSManagedObjectModel = {
    guard let model = NotesStack.model.copy() as? NSManagedObjectModel else {
      fatalError("a copy of a model is a model")
    }
    let entities = model.entitiesByName
    let pick = { (names: [String]) in names.compactMap { entities[$0] } }
    model.setEntities(pick(["Note", "Checklist", "Tag", "Bin"]), forConfigurationName: "Cloud")
    model.setEntities(pick(["Folder", "Tag"]), forConfigurationName: "Local")
    return model
  }()

  private struct Two {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoresTests.model)
    let cloud: NSPersistentStore
    let local: NSPersistentStore

    init(_ kind: StoreKind) throws {
      cloud = try kind.add(to: coordinator, configuration: "Cloud")
      local = try kind.add(to: coordinator, configuration: "Local")
    }

    func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
      try LivingNotes.work(coordinator, body)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `each object goes to the store of its configuration`(kind: StoreKind) throws {
    let two = try Two(kind)
    try two.work { context throws in
      let (note, folder, tag) = (context.note("n"), context.folder("f"), context.tag("t"))
      try context.save()
      #expect(note.objectID.persistentStore === two.cloud)
      #expect(folder.objectID.persistentStore === two.local)
      #expect(tag.objectID.persistentStore === two.cloud)
    }
    try two.work { context throws in
      #expect(try context.titles() == ["n"])
      #expect(try context.fetch(Folder.fetchRequest()).map(\.name) == ["f"])
    }
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `the name of a store without a configuration was not known`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let store = try #require(stack.coordinator.persistentStores.first)
    let model = stack.coordinator.managedObjectModel
    let entities = model.entities(forConfigurationName: store.configurationName)
    #expect(entities?.count == model.entities.count)
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    let added = try other.addPersistentStore(
      ofType: NSInMemoryStoreType,
      configurationName: store.configurationName,
      at: nil
    )
    #expect(added.configurationName == store.configurationName)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object is saved where it was assigned to`(kind: StoreKind) throws {
    let two = try Two(kind)
    try two.work { context throws in
      for name in ["d", "b"] { context.assign(context.tag(name), to: two.local) }
      for name in ["c", "a", "e"] { context.tag(name) }
      try context.save()
    }
    try two.work { context throws in
      let request = Tag.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      #expect(try context.fetch(request).map(\.name) == ["a", "b", "c", "d", "e"])
      #expect(try context.count(for: request) == 5)
      request.fetchOffset = 1
      request.fetchLimit = 3
      #expect(try context.fetch(request).map(\.name) == ["b", "c", "d"])
      #expect(try context.count(for: request) == 3)
      request.affectedStores = [two.local]
      #expect(try context.fetch(request).map(\.name) == ["d"])
      #expect(try context.count(for: request) == 1)
      // A change in the other store is not seen either.
      request.fetchOffset = 0
      let all = try context.fetch(Tag.fetchRequest())
      for tag in all { tag.name = tag.name?.uppercased() }
      #expect(try context.fetch(request).map(\.name) == ["B", "D"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `relationships between stores are refused with 133010`(kind: StoreKind) throws {
    let two = try Two(kind)
    try two.work { context throws in
      let (note, folder) = (context.note("n"), context.folder("f"))
      note.folder = folder
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 133_010)
      #expect(note.isInserted)
      note.folder = nil
      let tag = context.tag("t")
      context.assign(tag, to: two.local)
      note.addToTags(tag)
      #expect(errorCode { try context.save() } == 133_010)
      note.removeFromTags(tag)
      try context.save()
      note.addToTags(tag)
      #expect(errorCode { try context.save() } == 133_010)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a save in two stores is all or nothing`(kind: StoreKind) throws {
    let two = try Two(kind)
    let id = try two.work { context throws in
      let folder = context.folder("f")
      try context.save()
      return folder.objectID
    }
    try two.work { context throws in
      context.note("n")
      let folder = context.find(id, as: Folder.self)
      folder.name = "mine"
      try two.work { other in
        other.find(id, as: Folder.self).name = "theirs"
        try other.save()
      }
      #expect(errorCode { try context.save() } == 133_020)
    }
    try two.work { context throws in
      #expect(try context.titles() == [])
      #expect(context.find(id, as: Folder.self).name == "theirs")
    }
  }

  @Test func `without a store a save says which entity has none`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try LivingNotes.work(coordinator) { context in
      context.note("n")
      #expect(try context.fetch(Note.fetchRequest()).count == 1)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 134_030)
      #expect(error.localizedFailureReason?.contains("has no store") == true)
      #expect(errorCode { try context.obtainPermanentIDs(for: [context.note("m")]) } == 134_030)
      #expect(context.insertedObjects.count == 2)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a store that was removed cannot be saved to and is found no more`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let note = context.note("n")
      try context.save()
      let store = try #require(stack.coordinator.persistentStores.first)
      let uri = note.objectID.uriRepresentation()
      let changed = Received(stack.coordinator, .NSPersistentStoreCoordinatorStoresDidChange)
      try stack.coordinator.remove(store)
      #expect((changed.last?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]) == [store])
      #expect(store.persistentStoreCoordinator == nil)
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
      #expect(note.title == nil, "its store has taken the values along")
      try context.save()
      #expect(errorCode { try stack.coordinator.remove(store) } == 134_080)
      context.rollback()
      #expect(try context.titles() == [])
    }
  }

  @Test func `a store is found by its URL and removed for another`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.saved { $0.note("n") }
    let file = try #require(stack.file)
    let store = try #require(stack.coordinator.persistentStore(for: file))
    #expect(stack.coordinator.url(for: store) == file)
    try stack.coordinator.remove(store)
    try stack.coordinator.addPersistentStore(type: .sqlite, at: file)
    try stack.work { context throws in #expect(try context.titles() == ["n"]) }
  }
}
