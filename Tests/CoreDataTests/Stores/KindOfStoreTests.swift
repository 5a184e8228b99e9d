import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import TestSupport

/// Tests of another module of the package that brings a kind of store along.
@Suite struct KindOfStoreTests {
  /// Rows in memory, and a file that is only spoken of.
  private struct ShelfKind: KindOfStore {
    let type = "Shelf \(UUID().uuidString)"
    let log = Log()

    final class Log: Sendable {
      let words = Mutex<[String]>([])
      func add(_ word: String) { words.withLock { $0.append(word) } }
    }

    func open(
      _ place: StorePlace,
      for coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
      log.add("open")
      return NSPersistentStore(
        place,
        backend: MemoryStore(coordinator.layout, number: place.number),
        metadata: [NSStoreTypeKey: type, NSStoreUUIDKey: UUID().uuidString],
        coordinator: coordinator
      )
    }

    func metadata(at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
      log.add("metadata")
      return ["shelf": url.lastPathComponent]
    }

    func setMetadata(
      _ metadata: [String: Any]?,
      at url: URL,
      _ options: [AnyHashable: Any]?
    )
      throws
    {
      log.add("set metadata")
    }

    func destroy(at url: URL, _ options: [AnyHashable: Any]?) throws { log.add("destroy") }

    func replace(
      at url: URL,
      _ options: [AnyHashable: Any]?,
      with source: URL,
      _ sourceOptions: [AnyHashable: Any]?
    ) throws {
      log.add("replace")
    }
  }

  @Test func `a kind that was registered is opened by its type, and asked about its files`() throws
  {
    let kind = ShelfKind()
    KindsOfStores.register(kind)
    defer { KindsOfStores.forget(kind.type) }
    let place = TestSupport.TemporaryFolder.file("Shelf")
    let stack = try NotesStack(type: kind.type, at: place)
    try stack.work { context throws in
      context.note("on the shelf")
      try context.save()
    }
    try stack.work { context throws in
      let notes: [Note] = try context.fetch(Note.fetchRequest())
      #expect(notes.map(\.title) == ["on the shelf"])
    }
    let type = NSPersistentStore.StoreType(rawValue: kind.type)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: type,
      at: place
    )
    #expect(metadata["shelf"] as? String == "Shelf")
    try stack.coordinator.destroyPersistentStore(at: place, type: type)
    #expect(kind.log.words.withLock { $0 } == ["open", "metadata", "destroy"])
    #expect(NSPersistentStoreCoordinator.registeredStoreTypes[kind.type] != nil)
  }

  @Test func `a class cannot take the type of a kind that is there already`() async {
    await #expect(processExitsWith: .failure) {
      let kind = ShelfKind()
      KindsOfStores.register(kind)
      NSPersistentStoreCoordinator.registerStoreClass(
        DictionaryStore.self,
        forStoreType: kind.type
      )
    }
  }
}
