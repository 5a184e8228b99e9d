import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Tests of the access to a store's copies, and to the files beside it.
@Suite struct FileModeTests {
  private func mode(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
  }

  private func makePrivate(_ url: URL) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: NSNumber(value: 0o600)],
      ofItemAtPath: url.path
    )
  }

  private func privateStore() throws -> SoundStore {
    let store = try SoundStore()
    try makePrivate(store.file)
    return store
  }

  @Test(arguments: [false, true])
  func `a copy of a private store was one that all may read`(isCompact: Bool) throws {
    let store = try privateStore()
    let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
    let isMade = try FileCopy(of: store.file, to: copy, isCompact: isCompact).perform { _, _, _ in
      true
    }
    #expect(isMade)
    #expect(try mode(copy) == 0o600)
    let folder = ExternalFiles.folder(besides: copy)
    #expect(try mode(folder) == 0o700)
    #expect(try mode(folder.deletingLastPathComponent()) == 0o700)
  }

  @Test func `a store that may only be read could neither be copied nor salvaged`() throws {
    let store = try SoundStore()
    try FileManager.default.setAttributes(
      [.posixPermissions: NSNumber(value: 0o444)],
      ofItemAtPath: store.file.path
    )
    for isCompact in [false, true] {
      let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
      let isMade = try FileCopy(of: store.file, to: copy, isCompact: isCompact)
        .perform { _, _, _ in true }
      #expect(isMade)
      #expect(try mode(copy) == 0o644)
    }
    let target = TestSupport.TemporaryFolder.file("Salvaged.sqlite")
    _ = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    #expect(try mode(target) == 0o644)
  }

  @Test func `the backup of a repair was one that all may read`() throws {
    let store = try privateStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4"])
    let backup = try #require(try store.repair().perform().backup)
    #expect(try mode(backup) == 0o600)
    #expect(try mode(store.file) == 0o600)
  }

  @Test func `what is salvaged of a private store is private`() throws {
    let store = try privateStore()
    let target = TestSupport.TemporaryFolder.file("Salvaged.sqlite")
    _ = try StoreSalvage(storeAt: store.file, model: nil, to: target).perform()
    #expect(try mode(target) == 0o600)
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func `a private store of another type was one that all may read`(type: String) throws {
    let schema = ModelSchema.model(.entity("Tag", [.text("label")]))
    let stack = try ModelStack(schema)
    try stack.work { context in
      _ = context.new("Tag", ["label": "a"])
      try context.save()
    }
    let file = try #require(stack.file)
    try makePrivate(file)
    let target = TestSupport.TemporaryFolder.file("Moved.store")
    let store = try #require(stack.coordinator.persistentStores.first)
    _ = try stack.coordinator.migratePersistentStore(store, to: target, withType: type)
    #expect(try mode(target) == 0o600)
    let second = TestSupport.TemporaryFolder.file("Second.store")
    try stack.coordinator.replacePersistentStore(
      at: second,
      withPersistentStoreFrom: target,
      ofType: type
    )
    #expect(try mode(second) == 0o600)
  }

  @Test func `large data of a private store is private`() throws {
    let stack = try ModelStack(ExternalDataTests.model)
    let file = try #require(stack.file)
    try makePrivate(file)
    try stack.work { context in
      _ = context.new("Note", ["image": ExternalDataTests.large(1)])
      try context.save()
    }
    let folder = ExternalFiles.folder(besides: file)
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    #expect(try mode(folder.appendingPathComponent(name)) == 0o600)
    #expect(try mode(folder) == 0o700)
  }
}

// MARK: - Links

extension FileModeTests {
  /// A store with one large value, and the place of its file.
  private func storeWithFile() throws -> (stack: ModelStack, file: URL) {
    let stack = try ModelStack(ExternalDataTests.model)
    try stack.work { context in
      _ = context.new("Note", ["image": ExternalDataTests.large(1)])
      try context.save()
    }
    let folder = ExternalFiles.folder(besides: try #require(stack.file))
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    return (stack, folder.appendingPathComponent(name))
  }

  private func image(in stack: ModelStack) throws -> Data? {
    try ModelStack(ExternalDataTests.model, file: stack.file).work { context in
      try context.all("Note").first?.value(forKey: "image") as? Data
    }
  }

  @Test func `a link in the place of large data gave out somebody's file`() throws {
    let (stack, file) = try storeWithFile()
    let secret = TestSupport.TemporaryFolder.file("secret")
    try Data("secret".utf8).write(to: secret)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
    #expect(try image(in: stack) == nil)
    let store = try #require(stack.file)
    #expect(try !StoreChecker(storeAt: store, model: nil).report().isSound)
  }

  @Test func `a link in the place of the folder is not followed either`() throws {
    let (stack, file) = try storeWithFile()
    let folder = file.deletingLastPathComponent()
    let elsewhere = TestSupport.TemporaryFolder.file("elsewhere")
    try FileManager.default.moveItem(at: folder, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    #expect(try image(in: stack) == nil)
    #expect(throws: NSError.self) {
      try stack.work { context in
        _ = context.new("Note", ["image": ExternalDataTests.large(2)])
        try context.save()
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).count == 1)
    // Nor is a file there deleted, when the row that names it is.
    try stack.work { context in
      for note in try context.all("Note") { context.delete(note) }
      try context.save()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).count == 1)
  }

  @Test func `a pipe in the place of large data was waited for`() throws {
    let (stack, file) = try storeWithFile()
    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(try image(in: stack) == nil)
  }

  @Test func `a file that no store can have written was read to its end`() throws {
    let (stack, file) = try storeWithFile()
    #expect(truncate(file.path, off_t(1) << 31) == 0)
    #expect(try image(in: stack) == nil)
  }

  @Test func `a copy waited for a pipe and took what a link of the folder led to`() throws {
    let (stack, file) = try storeWithFile()
    let store = try #require(stack.file)
    let folder = file.deletingLastPathComponent()
    #expect(mkfifo(folder.appendingPathComponent(UUID().uuidString).path, 0o600) == 0)
    #expect(try filesOfCopies(of: store) == [1, 1])
    let elsewhere = TestSupport.TemporaryFolder.file("elsewhere")
    try FileManager.default.moveItem(at: folder, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    #expect(try filesOfCopies(of: store) == [0, 0])
  }

  /// The number of files of large data in a copy of a store, and in a salvaged one.
  private func filesOfCopies(of store: URL) throws -> [Int] {
    let copies = ["Copy.store", "Salvaged.store"].map { TestSupport.TemporaryFolder.file($0) }
    #expect(try FileCopy(of: store, to: copies[0]).perform { _, _, _ in true })
    _ = try StoreSalvage(storeAt: store, model: nil, to: copies[1]).perform()
    return try copies.map { try ExternalFiles.plainNames(besides: $0).count }
  }
}
