import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite struct ContainerTests {
  private func container(_ url: URL) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    return container
  }

  @Test func `a container has one store in the user's data folder`() throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let description = try #require(container.persistentStoreDescriptions.first)
    let url = try #require(description.url)
    let folder = NSPersistentContainer.defaultDirectoryURL()
    #expect(url.deletingLastPathComponent().standardizedFileURL == folder.standardizedFileURL)
    #expect(url.lastPathComponent == "Notes.sqlite")
    #expect(description.type == NSSQLiteStoreType)
    let home = ProcessInfo.processInfo.environment["XDG_DATA_HOME"]
    #expect(folder.path.hasPrefix(home ?? FileManager.default.homeDirectoryForCurrentUser.path))
  }

  @Test func `the variable XDG_DATA_HOME says where stores are, and the folder is made`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let home = TestSupport.TemporaryFolder.file("data").path
      setenv("XDG_DATA_HOME", home, 1)
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      #expect(failure == nil)
      let url = try #require(container.persistentStoreDescriptions.first?.url)
      #expect(url.path.hasPrefix(home + "/"))
      #expect(FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func `the folder that a container's class names for its stores was not made`() throws {
    let container = ShelfContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let file = try #require(container.persistentStoreDescriptions.first?.url)
    #expect(file.deletingLastPathComponent().path == ShelfContainer.folder.path)
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `stores are loaded before the call returns`() throws {
    let container = container(TestSupport.TemporaryFolder.file("Notes.sqlite"))
    var calls: [String] = []
    container.loadPersistentStores { description, error in
      calls.append("\(description.url?.lastPathComponent ?? "") \(error == nil)")
    }
    #expect(calls == ["Notes.sqlite true"])
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.type == NSSQLiteStoreType)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      Note(context: context).title = "first"
      try context.save()
      let count = try context.count(for: Note.fetchRequest())
      #expect(count == 1)
    }
  }

  @Test func `a container that loaded its stores once more had each of them twice`() throws {
    let container = container(TestSupport.TemporaryFolder.file("Notes.sqlite"))
    let coordinator = container.persistentStoreCoordinator
    var calls: [String] = []
    let load = {
      container.loadPersistentStores { description, error in
        calls.append(
          "\(description.url?.lastPathComponent ?? "") \((error as? NSError)?.code ?? 0)"
        )
      }
    }
    load()
    load()
    #expect(calls == ["Notes.sqlite 0"])
    #expect(coordinator.persistentStores.count == 1)
    let more = NSPersistentStoreDescription(url: TestSupport.TemporaryFolder.file("More.sqlite"))
    container.persistentStoreDescriptions.append(more)
    load()
    #expect(calls == ["Notes.sqlite 0", "More.sqlite 0"])
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    load()
    #expect(calls == ["Notes.sqlite 0", "More.sqlite 0", "Notes.sqlite 0"])
    // Another description of the same file is another matter.
    let first = try #require(container.persistentStoreDescriptions.first?.url)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: first)]
    load()
    #expect(calls.last == "Notes.sqlite 134081")
    #expect(coordinator.persistentStores.count == 2)
  }

  @Test func `a store that shall be loaded asynchronously comes later, on another thread`()
    async throws
  {
    let container = container(TestSupport.TemporaryFolder.file("Notes.sqlite"))
    container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
    let isMain: Bool = await withCheckedContinuation { continuation in
      container.loadPersistentStores { _, error in
        #expect(error == nil)
        continuation.resume(returning: Thread.isMainThread)
      }
    }
    #expect(!isMain)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test(arguments: [false, true])
  func `an error goes to the handler, and other stores are loaded`(
    isAsynchronous: Bool
  ) async throws {
    let good = NSPersistentStoreDescription(
      url: TestSupport.TemporaryFolder.file("Notes.sqlite")
    )
    let bad = NSPersistentStoreDescription(url: TestSupport.TemporaryFolder.file("Bad.sqlite"))
    try Data("no database at all".utf8).write(to: #require(bad.url))
    for description in [good, bad] { description.shouldAddStoreAsynchronously = isAsynchronous }
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    container.persistentStoreDescriptions = [bad, good]
    let outcomes = Outcomes()
    await withCheckedContinuation { continuation in
      container.loadPersistentStores { description, error in
        let name = description.url?.lastPathComponent ?? ""
        if outcomes.add(name, (error as? NSError)?.code ?? 0) == 2 { continuation.resume() }
      }
    }
    #expect(outcomes.codes == ["Notes.sqlite": 0, "Bad.sqlite": 259])
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  private final class Outcomes: Sendable {
    private let known = Mutex<[String: Int]>([:])

    var codes: [String: Int] { known.withLock { $0 } }

    func add(_ name: String, _ code: Int) -> Int {
      known.withLock { known in
        known[name] = code
        return known.count
      }
    }
  }

  @Test func `a store with a name below /dev/null was taken for a file in a folder`() throws {
    func memory(_ name: String) -> NSPersistentContainer {
      let name = "\(name) 100 %? \(UUID().uuidString)"
      return container(URL(fileURLWithPath: "/dev/null").appendingPathComponent(name))
    }
    let (one, apart) = (memory("one"), memory("other"))
    let same = container(try #require(one.persistentStoreDescriptions.first?.url))
    for container in [one, same, apart] {
      container.loadPersistentStores { #expect($1 == nil) }
      #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }
    let (context, other) = (one.newBackgroundContext(), same.newBackgroundContext())
    try context.performAndWait {
      Note(context: context).title = "first"
      try context.save()
    }
    try other.performAndWait {
      let note = try #require(try other.fetch(Note.fetchRequest()).first)
      #expect(note.title == "first")
      note.title = "second"
      try other.save()
    }
    try context.performAndWait {
      let titles = try context.fetch(Note.fetchRequest()).map(\.title)
      #expect(titles == ["second"])
    }
    let lonely = apart.newBackgroundContext()
    try lonely.performAndWait {
      let count = try lonely.count(for: Note.fetchRequest())
      #expect(count == 0)
    }
  }
}

/// Pragmas and other options of a description.
@Suite struct StoreOptionTests {
  @Test func `pragmas reach every connection`() throws {
    let description = NSPersistentStoreDescription(
      url: TestSupport.TemporaryFolder.file("Notes.sqlite")
    )
    description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    description.setValue(NSNumber(value: 1000), forPragmaNamed: "cache_size")
    #expect(description.sqlitePragmas.count == 3)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    coordinator.addPersistentStore(with: description) { #expect($1 == nil) }
    let pool = try #require(coordinator.pool)
    #expect(try pool.write { try $0.text("PRAGMA journal_mode") } == "delete")
    #expect(try pool.write { try $0.integer("PRAGMA synchronous") } == 2)
    #expect(try pool.write { try $0.integer("PRAGMA cache_size") } == 1000)
    #expect(try pool.read { try $0.integer("PRAGMA cache_size") } == 1000)
    #expect(try pool.read { try $0.integer("SELECT COUNT(*) FROM ZNOTE") } == 0)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      Note(context: context).title = "first"
      try context.save()
      let notes = try context.fetch(Note.fetchRequest())
      #expect(notes.map(\.title) == ["first"])
    }
  }

  @Test func `a pragma cannot smuggle in another statement`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    _ = try NotesStack(file: file, options: [:])
    let error = #expect(throws: CocoaError.self) {
      try NotesStack(
        file: file,
        options: [NSSQLitePragmasOption: ["user_version": "1; DROP TABLE ZNOTE"]]
      )
    }
    #expect(error?.code == .persistentStoreOpen)
    #expect((error as? NSError)?.localizedFailureReason?.contains("user_version") == true)
    let stack = try NotesStack(file: file, options: [:])
    let context = stack.context()
    try context.performAndWait { _ = try context.fetch(Note.fetchRequest()) }
  }

  @Test func `without pragmas a store has a write-ahead log and a large cache`() throws {
    let stack = try NotesStack(.sqlite)
    let pool = try #require(stack.coordinator.pool)
    #expect(try pool.write { try $0.text("PRAGMA journal_mode") } == "wal")
    #expect(try pool.write { try $0.integer("PRAGMA synchronous") } == 1)
    #expect(try pool.write { try $0.integer("PRAGMA cache_size") } == -32768)
    #expect(try pool.read { try $0.integer("PRAGMA cache_size") } == -16384)
  }

  @Test func `the store at /dev/null is in memory, each its own`() throws {
    let before = try FileManager.default.attributesOfItem(atPath: "/dev/null")
    let stacks = try (0..<2).map { _ in try NotesStack(.sqliteInMemory) }
    for stack in stacks {
      let context = stack.context()
      try context.performAndWait {
        Note(context: context).title = "first"
        try context.save()
      }
      let other = stack.context()
      try other.performAndWait {
        let notes = try other.fetch(Note.fetchRequest())
        #expect(notes.map(\.title) == ["first"])
        let id = try #require(notes.first).objectID
        #expect(id.uriRepresentation().lastPathComponent == "p1")
      }
      #expect(stack.coordinator.persistentStores.first?.type == NSSQLiteStoreType)
    }
    let after = try FileManager.default.attributesOfItem(atPath: "/dev/null")
    #expect(before[.type] as? FileAttributeType == after[.type] as? FileAttributeType)
    #expect(!FileManager.default.fileExists(atPath: "/dev/null-wal"))
  }
}

/// A container whose stores are in a folder of their own.
private final class ShelfContainer: NSPersistentContainer, @unchecked Sendable {
  static let folder = TestSupport.TemporaryFolder.file("Shelf").appendingPathComponent("Stores")

  override class func defaultDirectoryURL() -> URL { folder }
}
