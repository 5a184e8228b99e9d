import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData
@testable import TestSupport

/// Tests of a coordinator's actions on the files of stores.
@Suite struct StoreFilesTests {
  private static let types = StoreKind.with(.managedFiles).map(\.storeType)

  private func stack(_ type: NSPersistentStore.StoreType) throws -> NotesStack {
    StoreKind.register()
    return try NotesStack(type: type.rawValue, at: TestSupport.TemporaryFolder.file("Notes"))
  }

  private func again(_ stack: NotesStack) throws -> NotesStack {
    try NotesStack(type: stack.store.type, at: try #require(stack.file))
  }

  // MARK: Metadata

  @Test(arguments: types)
  func `metadata are read and written without a store (105)`(
    type: NSPersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    try stack.saved { $0.note("n") }
    let (file, uuid) = (try #require(stack.file), try #require(stack.store.identifier))
    try stack.coordinator.remove(stack.store)
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: file)
    #expect(metadata[NSStoreUUIDKey] as? String == uuid)
    #expect(metadata[NSStoreTypeKey] as? String == type.rawValue)
    #expect(NotesStack.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    metadata["author"] = "me"
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: type, at: file)
    let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type.rawValue,
      at: file
    )
    #expect(read["author"] as? String == "me")
    try NSPersistentStoreCoordinator.setMetadata(["author": "you"], type: type, at: file)
    let again = try NotesStack(type: type.rawValue, at: file)
    #expect(again.store.metadata["author"] as? String == "you")
    #expect(again.store.identifier == uuid)
    try again.work { context throws in #expect(try context.titles() == ["n"]) }
  }

  @Test(arguments: types)
  func `metadata of no file, and of another, are refused`(type: NSPersistentStore.StoreType) throws
  {
    let file = TestSupport.TemporaryFolder.file("Notes")
    let read = {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: file)
    }
    #expect(errorCode(read) == CocoaError.fileReadNoSuchFile.rawValue)
    try Data("something else".utf8).write(to: file)
    #expect(errorCode(read) == 259)
    #expect(try String(contentsOf: file, encoding: .utf8) == "something else")
  }

  @Test func `metadata of one's own store are its class's to read`() throws {
    let stack = try StoreKind.jsonLines.stack()
    try stack.saved { $0.note("n") }
    let file = try #require(stack.file)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: JSONLinesStore.storeType,
      at: file
    )
    #expect(metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
    #expect(
      errorCode {
        try NSPersistentStoreCoordinator.setMetadata([:], type: JSONLinesStore.storeType, at: file)
      } == 134_091
    )
  }

  @Test func `a new UUID changes the URIs of a store's objects (89)`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("n") }
    let changed = Received(stack.coordinator, .NSPersistentStoreCoordinatorStoresDidChange)
    stack.coordinator.setMetadata([NSStoreUUIDKey: "NEW"], for: stack.store)
    #expect(id.uriRepresentation().host == "NEW")
    #expect(changed.last?[NSUUIDChangedPersistentStoresKey] != nil)
    try stack.work { try $0.save() }
    #expect(try again(stack).store.identifier == "NEW")
  }

  // MARK: Destroying

  @Test(arguments: types)
  func `a destroyed store is empty when it is added again (112)`(
    type: NSPersistentStore.StoreType
  ) throws {
    let stack = try stack(type)
    try stack.saved { $0.note("n") }
    let (file, uuid) = (try #require(stack.file), try #require(stack.store.identifier))
    try stack.coordinator.destroyPersistentStore(at: file, type: type)
    #expect(stack.coordinator.persistentStores == [])
    if type == .sqlite { #expect(FileManager.default.fileExists(atPath: file.path)) }
    try stack.coordinator.addPersistentStore(type: type, at: file)
    #expect(stack.store.identifier != uuid)
    try stack.work { context throws in #expect(try context.titles() == []) }
    try stack.saved { $0.note("new") }
    try again(stack).work { context throws in #expect(try context.titles() == ["new"]) }
  }

  @Test func `others who have a destroyed store open find it empty (112)`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.saved { $0.note("n") }
    let file = try #require(stack.file)
    let other = try NotesStack(reopening: file)
    try other.work { context throws in #expect(try context.titles() == ["n"]) }
    let third = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try stack.coordinator.remove(stack.store)
    try third.destroyPersistentStore(at: file, ofType: NSSQLiteStoreType)
    try other.work { context throws in
      let error = try #require(throws: NSError.self) { try context.titles() }
      #expect(error.localizedFailureReason?.contains("has no tables") == true)
    }
  }

  @Test func `a store that others write is destroyed when it must be, or not at all (112)`() throws
  {
    let stack = try NotesStack(.sqlite)
    try stack.saved { $0.note("n") }
    let file = try #require(stack.file)
    let pool = try #require(stack.coordinator.pool)
    let other = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let destroy = { (options: [String: Any]) in
      try other.destroyPersistentStore(at: file, type: .sqlite, options: options)
    }
    try pool.write { writer in
      try writer.run("BEGIN IMMEDIATE")
      #expect(errorCode { try destroy([NSPersistentStoreTimeoutOption: 0.1]) } == 134_090)
      try destroy([
        NSPersistentStoreTimeoutOption: 0.1, NSPersistentStoreForceDestroyOption: true,
      ])
      try writer.run("ROLLBACK")
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `what is no store can be destroyed, and so can nothing`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let file = TestSupport.TemporaryFolder.file("Notes")
    let nowhere = file.appending(components: "folder", "Notes")
    for type in [NSPersistentStore.StoreType.sqlite, .xml, .binary, .inMemory] {
      try coordinator.destroyPersistentStore(at: file, type: type)
      try coordinator.destroyPersistentStore(at: nowhere, type: type)
      // A SQLite file is made empty, as at Apple's.
      let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
      #expect(size == (type == .sqlite ? 0 : nil))
    }
    #expect(!FileManager.default.fileExists(atPath: nowhere.path))
    try Data(String(repeating: "no database ", count: 200).utf8).write(to: file)
    try coordinator.destroyPersistentStore(at: file, type: .sqlite)
    try coordinator.addPersistentStore(type: .sqlite, at: file)
  }

  // MARK: Replacing

  @Test(arguments: types)
  func `a replaced store is what the other was (112)`(type: NSPersistentStore.StoreType) throws {
    let (source, target) = (try stack(type), try stack(type))
    try source.work(OtherStoresTests.populate)
    try target.saved { $0.note("old") }
    let (from, to) = (try #require(source.file), try #require(target.file))
    let log = from.path + "-wal"
    if type == .sqlite {
      let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
      #expect(size ?? 0 > 0, "what was saved last stands in the log")
    }
    try target.coordinator.replacePersistentStore(at: to, withPersistentStoreFrom: from, type: type)
    #expect(target.coordinator.persistentStores == [])
    try target.coordinator.addPersistentStore(type: type, at: to)
    #expect(target.store.identifier == source.store.identifier)
    try target.work(OtherStoresTests.expectPopulated)
    try source.work(OtherStoresTests.expectPopulated)
    let fresh = to.deletingLastPathComponent().appendingPathComponent("Fresh")
    try target.coordinator.replacePersistentStore(
      at: fresh,
      withPersistentStoreFrom: from,
      ofType: type.rawValue
    )
    try NotesStack(type: type.rawValue, at: fresh).work(OtherStoresTests.expectPopulated)
  }

  @Test(arguments: types)
  func `a store is not replaced by what is none`(type: NSPersistentStore.StoreType) throws {
    let target = try stack(type)
    try target.saved { $0.note("old") }
    let (missing, to) = (TestSupport.TemporaryFolder.file("None"), try #require(target.file))
    try target.coordinator.remove(target.store)
    let replace = {
      try target.coordinator.replacePersistentStore(
        at: to,
        withPersistentStoreFrom: missing,
        type: type
      )
    }
    #expect(errorCode(replace) == CocoaError.fileReadNoSuchFile.rawValue)
    try Data("something else".utf8).write(to: missing)
    #expect(errorCode(replace) == 259)
    try NotesStack(type: type.rawValue, at: to).work { context throws in
      #expect(try context.titles() == ["old"])
    }
  }

  // MARK: Moving

  @Test(arguments: [NSPersistentStore.StoreType.xml, .binary])
  func `the next save goes to the URL that was set`(type: NSPersistentStore.StoreType) throws {
    let stack = try stack(type)
    try stack.saved { $0.note("n") }
    let old = try #require(stack.file)
    let new = TestSupport.TemporaryFolder.file("Moved")
    #expect(stack.coordinator.setURL(new, for: stack.store))
    #expect(stack.coordinator.url(for: stack.store) == new)
    try stack.saved { $0.note("m") }
    try NotesStack(type: type.rawValue, at: new).work { context throws in
      #expect(try context.titles() == ["m", "n"])
    }
    try NotesStack(type: type.rawValue, at: old).work { context throws in
      #expect(try context.titles() == ["n"])
    }
  }

  @Test func `a SQLite store goes on with the file at the URL that was set`() throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.note("n") }
    let old = try #require(stack.file)
    let new = TestSupport.TemporaryFolder.file("Moved.sqlite")
    #expect(!stack.coordinator.setURL(new, for: stack.store), "there is nothing")
    let other = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try other.replacePersistentStore(at: new, withPersistentStoreFrom: old, type: .sqlite)
    #expect(stack.coordinator.setURL(new, for: stack.store))
    try stack.work { context throws in
      context.find(id).title = "changed"
      try context.save()
    }
    try NotesStack(reopening: new).work { context throws in
      #expect(try context.titles() == ["changed"])
    }
    try NotesStack(reopening: old).work { context throws in #expect(try context.titles() == ["n"]) }
    #expect(try !NotesStack(.memory).coordinator.setURL(new, for: stack.store))
  }
}
