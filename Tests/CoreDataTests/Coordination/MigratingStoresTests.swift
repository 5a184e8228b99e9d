import CoreData
import Foundation
import TestSupport
import Testing

/// Taking a store's content over into another (112).
@Suite struct MigratingStoresTests {
  /// Each kind that can have a place of its own, and the one in memory.
  private static let kinds = StoreKind.allCases.filter { $0 != .sqliteInMemory }

  @Test(arguments: kinds, kinds)
  func `everything is in the new store, whatever the types (112)`(
    from: StoreKind,
    to: StoreKind
  ) throws {
    let stack = try from.stack()
    try stack.work { context throws in
      try OtherStoresTests.populate(context)
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "a" })
      note.keywords = ["k"]
      note.image = Data(repeating: 7, count: 1000)
      note.price = NSDecimalNumber(string: "1.25")
      note.uuid = UUID()
      try context.save()
    }
    let store = stack.store
    stack.coordinator.setMetadata(["author": "me"], for: store)
    let file = TestSupport.TemporaryFolder.file("New")
    let (place, options) = to.described(at: file)
    let new = try stack.coordinator.migratePersistentStore(
      store,
      to: place,
      options: options,
      withType: to.type
    )
    #expect(stack.coordinator.persistentStores == [new])
    #expect(store.persistentStoreCoordinator == nil)
    #expect(new.type == to.type)
    #expect(new.identifier != store.identifier)
    #expect(new.metadata["author"] as? String == "me")
    try stack.work(expectAll)
    if to != .memory { try NotesStack(type: to.type, at: file).work(expectAll) }
    try stack.saved { $0.note("later") }
    try stack.work { context throws in #expect(try context.titles().contains("later")) }
  }

  private func expectAll(_ context: NSManagedObjectContext) throws {
    try OtherStoresTests.expectPopulated(context)
    let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "a" })
    #expect(note.keywords as? [String] == ["k"])
    #expect(note.image == Data(repeating: 7, count: 1000))
    #expect(note.price?.doubleValue == 1.25)
    #expect(note.uuid != nil)
  }

  @Test(arguments: [StoreKind.sqlite, .xml, .binary, .memory])
  func `large data stayed in the rows of a SQLite store (52)`(from: StoreKind) throws {
    let stack = try from.stack()
    let images = [Data(repeating: 7, count: 200_000), Data(repeating: 8, count: 10)]
    try stack.work { context throws in
      for image in images { context.note("pictured").image = image }
      try context.save()
    }
    let file = TestSupport.TemporaryFolder.file("New.sqlite")
    try stack.coordinator.migratePersistentStore(stack.store, to: file, type: .sqlite)
    let folder = ExternalFiles.folder(besides: file)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    for stack in [stack, try NotesStack(type: StoreKind.sqlite.type, at: file)] {
      try stack.work { context throws in
        let notes = try context.fetch(Note.fetchRequest())
        #expect(Set(notes.compactMap(\.image)) == Set(images))
      }
    }
  }

  @Test(arguments: [StoreKind.sqlite, .xml, .jsonLines])
  func `objects go on with new identities and their unsaved changes (89)`(to: StoreKind) throws {
    let stack = try StoreKind.memory.stack()
    StoreKind.register()
    try stack.work(OtherStoresTests.populate)
    try stack.work { context throws in
      let notes = try context.fetch(Note.fetchRequest())
      let note = try #require(notes.first { $0.title == "a" })
      let fault = try #require(notes.first { $0.isFault })
      let folder = try #require(note.folder)
      let old = note.objectID
      note.stars = 4
      let new = context.note("new", in: folder)
      let will = Received(stack.coordinator, .NSPersistentStoreCoordinatorStoresWillChange)
      let removal = Received(stack.store, .NSPersistentStoreCoordinatorWillRemoveStore)
      let did = Received(stack.coordinator, .NSPersistentStoreCoordinatorStoresDidChange)
      let former = stack.store
      let store = try stack.coordinator.migratePersistentStore(
        former,
        to: TestSupport.TemporaryFolder.file("New"),
        withType: to.type
      )
      #expect(will.all.isEmpty)
      #expect(removal.last?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [former])
      #expect(did.last?[NSAddedPersistentStoresKey] as? [NSPersistentStore] == [store])
      let changed = did.last?[NSUUIDChangedPersistentStoresKey] as? [Any]
      #expect(changed?[0] as? NSPersistentStore === former)
      #expect(changed?[1] as? NSPersistentStore === store)
      let ids = changed?[2] as? [NSManagedObjectID]
      #expect(ids?.contains(note.objectID) == true)
      #expect(note.objectID.persistentStore === store)
      #expect(note.objectID != old)
      #expect(context.registeredObject(for: note.objectID) === note)
      #expect(note.isUpdated)
      #expect(fault.title != nil)
      #expect(note.folder === folder)
      #expect(new.folder === folder)
      try context.save()
      #expect(new.objectID.persistentStore === store)
      #expect(folder.titles == ["a", "b", "c", "d", "new"])
      context.reset()
      #expect(context.find(note.objectID).stars == 4)
    }
  }

  @Test func `a migration that fails leaves everything as it was`() throws {
    let stack = try StoreKind.sqlite.stack()
    try stack.work(OtherStoresTests.populate)
    let store = stack.store
    let file = TestSupport.TemporaryFolder.file("New")
    let migrate = { (type: String) in
      try stack.coordinator.migratePersistentStore(store, to: file, withType: type)
    }
    #expect(errorCode { try migrate("Unknown") } == 134_000)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try Data("here already".utf8).write(to: file)
    #expect(errorCode { try migrate(NSXMLStoreType) } == CocoaError.fileWriteFileExists.rawValue)
    #expect(try String(contentsOf: file, encoding: .utf8) == "here already")
    #expect(stack.coordinator.persistentStores == [store])
    try stack.work(OtherStoresTests.expectPopulated)
    let other = try StoreKind.memory.stack()
    #expect(
      errorCode { try other.coordinator.migratePersistentStore(store, to: file, type: .xml) }
        == 134_080
    )
  }
}
