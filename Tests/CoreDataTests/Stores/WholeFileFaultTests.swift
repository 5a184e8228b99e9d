import CoreDataModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Tests of a file that is written as a whole and cannot be written.
@Suite struct WholeFileFaultTests {
  private static let kinds = StoreKind.with(.wholeFile)

  /// Lets the n-th step of writing fail.
  private func refuse(_ step: Int, _ number: Int32, in stack: NotesStack) throws {
    let count = Mutex(0)
    try steps(stack).observe { _ in
      count.withLock { count in
        count += 1
        return count == step ? number : nil
      }
    }
  }

  private func steps(_ stack: NotesStack) throws -> FileSteps {
    try #require((stack.store.backend as? MemoryStore)?.file?.steps)
  }

  @Test(arguments: kinds)
  func `a model with composite attributes is refused for the model, not the file (51)`(
    kind: StoreKind
  ) throws {
    var place = AttributeSchema.attribute("place", .composite)
    place.elements = [.text("city")]
    let model = NSManagedObjectModel(schema: .model(.entity("Note", [place])))
    let file = TestSupport.TemporaryFolder.file("Notes")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = try #require(
      #expect(throws: CocoaError.self) {
        try coordinator.addPersistentStore(type: kind.storeType, at: file)
      }
    )
    #expect(error.code.rawValue == NSPersistentStoreOpenError)
    #expect(error.localizedDescription == "This type of store cannot keep the model.")
    let reason = try #require((error as NSError).localizedFailureReason)
    #expect(reason.contains("Note.place"))
    #expect(!reason.contains("is there"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(arguments: kinds)
  func `a store took the place of a device, such as /dev/null`(kind: StoreKind) throws {
    // A pipe is not a store either, and nobody else's.
    let pipe = TestSupport.TemporaryFolder.file("Pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let error = try #require(
      #expect(throws: CocoaError.self) {
        try coordinator.addPersistentStore(type: kind.storeType, at: pipe)
      }
    )
    #expect(error.code == .fileReadCorruptFile)
    #expect((error as NSError).localizedFailureReason?.contains("is no file") == true)
    #expect(throws: CocoaError.self) {
      try coordinator.destroyPersistentStore(at: pipe, type: kind.storeType)
    }
    let facts = try FileManager.default.attributesOfItem(atPath: pipe.path)
    #expect(facts[.type] as? FileAttributeType != .typeRegular)
  }

  @Test(arguments: kinds, 1...4)
  func `the n-th step fails, and file and context are as they were`(
    store: StoreKind,
    step: Int
  ) throws {
    let stack = try store.stack()
    try stack.work(OtherStoresTests.populate)
    let file = try #require(stack.file)
    let before = try Data(contentsOf: file)
    try stack.work { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "a" })
      note.title = "changed"
      let new = context.note("new")
      let tag = try #require(try context.fetch(Tag.fetchRequest()).first)
      tag.notes = NSOrderedSet()
      context.delete(tag)
      try refuse(step, EIO, in: stack)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == CocoaError.fileWriteUnknown.rawValue)
      #expect(error.localizedFailureReason?.contains(file.path) == true)
      #expect(new.isInserted)
      #expect(new.objectID.isTemporaryID)
      #expect(note.isUpdated)
      #expect(tag.isDeleted)
      #expect(try Data(contentsOf: file) == before)
      #expect(try others(beside: file) == [])
      try stack.work { other throws in
        #expect(try other.titles().contains("a"), "others see nothing of it")
      }
      try steps(stack).observe(nil)
      try context.save()
      #expect(try others(beside: file) == [])
    }
    try store.reopened(stack).work { context throws in
      #expect(try context.titles().contains("changed"))
    }
  }

  private func others(beside file: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      .filter { $0 != file.lastPathComponent }
  }

  @Test(arguments: kinds)
  func `metadata that a file cannot have were told as damage of that file`(
    store: StoreKind
  ) throws {
    let stack = try store.stack()
    try stack.saved { $0.note("first") }
    let file = try #require(stack.file)
    let before = try Data(contentsOf: file)
    let home = try #require(URL(string: "https://example.org"))
    stack.coordinator.setMetadata(["author": "me", "home": home], for: stack.store)
    try stack.work { context throws in
      context.note("second")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSPersistentStoreSaveError)
      #expect(error.localizedDescription == "The file could not be written.")
      let reason = try #require(error.localizedFailureReason)
      #expect(reason.contains("home") && !reason.contains("author"), "\(reason)")
    }
    #expect(try Data(contentsOf: file) == before)
  }

  @Test(arguments: kinds)
  func `a full disk is said to be full`(store: StoreKind) throws {
    let stack = try store.stack()
    try stack.work { context throws in
      context.note("n")
      try refuse(2, ENOSPC, in: stack)
      #expect(errorCode { try context.save() } == CocoaError.fileWriteOutOfSpace.rawValue)
      try steps(stack).observe(nil)
      try context.save()
    }
  }

  @Test(arguments: kinds)
  func `a disk that is really too small for the file leaves the old one`(
    store: StoreKind
  ) async throws {
    let stack = try store.stack()
    try stack.saved { $0.note("first") }
    let path = try #require(stack.file).path
    let name = store.rawValue
    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
      let store = try #require(StoreKind(rawValue: name))
      let stack = try store.stack(at: URL(fileURLWithPath: path))
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 60_000, rlim_max: 60_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let context = stack.context()
      context.performAndWait {
        context.note("large").text = String(repeating: "many words ", count: 20_000)
        let code = errorCode { try context.save() }
        #expect(code == CocoaError.fileWriteOutOfSpace.rawValue)
      }
    }
    try store.reopened(stack).work { context throws in #expect(try context.titles() == ["first"]) }
  }

  @Test(arguments: kinds)
  func `a program killed before the new file is in its place has saved nothing`(
    store: StoreKind
  ) async throws {
    let stack = try store.stack()
    try stack.saved { $0.note("first") }
    let path = try #require(stack.file).path
    let name = store.rawValue
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, name = name as String] in
      let store = try #require(StoreKind(rawValue: name))
      let stack = try store.stack(at: URL(fileURLWithPath: path))
      (stack.store.backend as? MemoryStore)?.file?.steps.observe { step in
        if step.hasPrefix("putting") { kill(getpid(), SIGKILL) }
        return nil
      }
      try stack.saved { $0.note("second") }
    }
    try store.reopened(stack).work { context throws in #expect(try context.titles() == ["first"]) }
  }

  @Test(arguments: kinds)
  func `what another program has written is not overwritten`(store: StoreKind) throws {
    let stack = try store.stack()
    try store.reopened(stack).saved { $0.note("theirs") }
    try stack.work { context throws in
      context.note("mine")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 134_030)
      #expect(error.localizedFailureReason?.contains("another program") == true)
    }
    try store.reopened(stack).work { context throws in #expect(try context.titles() == ["theirs"]) }
  }

  // MARK: Two stores

  /// A coordinator with notes in a SQLite store and tags in an XML store, which commits later.
  private func two(_ first: URL, _ second: URL) throws -> NSPersistentStoreCoordinator {
    let model = try #require(NotesStack.model.copy() as? NSManagedObjectModel)
    let entities = model.entitiesByName
    let pick = { (names: [String]) in names.compactMap { entities[$0] } }
    model.setEntities(pick(["Tag"]), forConfigurationName: "Tags")
    model.setEntities(pick(["Note", "Checklist", "Folder", "Bin"]), forConfigurationName: "Notes")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, configuration: "Notes", at: second)
    try coordinator.addPersistentStore(type: .xml, configuration: "Tags", at: first)
    return coordinator
  }

  @Test
  func `a store that fails after another has committed gives 134040, and keeps what is left (47)`()
    throws
  {
    let coordinator = try two(
      TestSupport.TemporaryFolder.file("Tags.xml"),
      TestSupport.TemporaryFolder.file("Notes.sqlite")
    )
    let (notes, tags) = (coordinator.persistentStores[0], coordinator.persistentStores[1])
    try LivingNotes.work(coordinator) { context throws in
      let (tag, note) = (context.tag("t"), context.note("n"))
      let steps = try #require((tags.backend as? MemoryStore)?.file?.steps)
      steps.observe { $0.hasPrefix("putting") ? EIO : nil }
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 134_040)
      #expect(error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [tags])
      #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [tag])
      #expect(note.objectID.persistentStore === notes)
      #expect(!note.hasChanges)
      #expect(tag.isInserted)
      #expect(context.insertedObjects == [tag])
      steps.observe(nil)
      try context.save()
      #expect(!context.hasChanges)
    }
    try LivingNotes.work(coordinator) { context throws in
      #expect(try context.titles() == ["n"])
      #expect(try context.count(for: Tag.fetchRequest()) == 1)
    }
  }

  @Test(arguments: 1...3)
  func `a store that fails before the first commit leaves both as they were (47)`(step: Int) throws
  {
    let coordinator = try two(
      TestSupport.TemporaryFolder.file("Tags.xml"),
      TestSupport.TemporaryFolder.file("Notes.sqlite")
    )
    let tags = coordinator.persistentStores[1]
    try LivingNotes.work(coordinator) { context throws in
      context.tag("t")
      let note = context.note("n")
      let steps = try #require((tags.backend as? MemoryStore)?.file?.steps)
      let count = Mutex(0)
      steps.observe { _ in
        count.withLock { count in
          count += 1
          return count == step ? EIO : nil
        }
      }
      #expect(errorCode { try context.save() } == CocoaError.fileWriteUnknown.rawValue)
      #expect(note.isInserted)
      try LivingNotes.work(coordinator) { context throws in #expect(try context.titles() == []) }
      steps.observe(nil)
      try context.save()
    }
  }
}

extension MemoryStore {
  /// The file that the rows are written into, if there is one.
  fileprivate var file: (any WatchedFile)? { keeper as? any WatchedFile }
}
