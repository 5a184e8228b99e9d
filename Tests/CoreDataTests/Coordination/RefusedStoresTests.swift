import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Stores that were refused, or that said nothing, without need.
struct RefusedStoresTests {
  // MARK: Configurations

  private static let family: ModelSchema = {
    var schema = ModelSchema.model(
      .entity("Folder", [.text("name")]),
      .entity("Note", [.text("title")]),
      .entity("Checklist", below: "Note", [.attribute("count", .integer16)])
    )
    .withoutOwnClasses
    schema.configurations = ["All": ["Note", "Checklist"], "Part": ["Note"]]
    return schema
  }()

  private func open(
    _ schema: ModelSchema,
    _ configuration: String?,
    at file: URL,
    type: String = NSSQLiteStoreType
  ) throws -> NSManagedObjectContext {
    let model = NSManagedObjectModel(schema: schema)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type,
      configurationName: configuration,
      at: file
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
  func `a configuration that does not name a subentity of the file opens it`(type: String) throws {
    let file = TestSupport.TemporaryFolder.file("Notes.store")
    let first = try open(Self.family, "All", at: file, type: type)
    try first.performAndWait {
      first.make("Checklist", ["title": "list", "count": 2])
      try first.save()
    }
    let second = try open(Self.family, "Part", at: file, type: type)
    try second.performAndWait {
      let notes = try second.all("Note")
      #expect(notes.map { $0.textValue("title") } == ["list"])
      notes.first?.setValue("changed", forKey: "title")
      try second.save()
    }
    let third = try open(Self.family, "All", at: file, type: type)
    try third.performAndWait {
      let titles = try third.all("Checklist").map { $0.textValue("title") }
      #expect(titles == ["changed"])
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: NSPersistentStore.StoreType(rawValue: type),
      at: file
    )
    #expect(
      NSManagedObjectModel(schema: Self.family)
        .isConfiguration(withName: "Part", compatibleWithStoreMetadata: metadata)
    )
  }

  @Test func `a configuration without another entity of the file is still refused`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    _ = try open(Self.family, nil, at: file)
    #expect(errorCode { _ = try open(Self.family, "Part", at: file) } == 134_100)
    let other = Self.family.changing("Checklist") { $0.attributes.append(.text("more")) }
    let second = TestSupport.TemporaryFolder.file("Notes.sqlite")
    _ = try open(Self.family, "All", at: second)
    #expect(errorCode { _ = try open(other, "Part", at: second) } == 134_100)
  }

  // MARK: Versions beside the model

  private static let first = ModelSchema.model(.entity("Note", [.text("title"), .text("text")]))
    .withoutOwnClasses
  private static let second = ModelSchema.model(.entity("Note", [.text("title")])).withoutOwnClasses

  /// Another model than the one that these tests load from a file.
  private static func page(_ attributes: AttributeSchema...) -> ModelSchema {
    .model(.entity("Page", attributes)).withoutOwnClasses
  }

  private func migrates(with url: URL, _ file: URL) throws -> Int {
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    return errorCode {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: file,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ]
      )
    } ?? 0
  }

  @Test(arguments: ["Notes.momd", "Notes.momd/Notes 2.mom"])
  func `a version that stands beside the loaded model is known`(path: String) throws {
    let file = try Upgrade(Self.first) { $0.make("Note", ["title": "a", "text": "b"]) }.file
    let folder = file.deletingLastPathComponent()
    let compiled = CompiledModel(
      name: "Notes",
      versions: [
        CompiledModel.Version(name: "Notes", schema: Self.first),
        CompiledModel.Version(name: "Notes 2", schema: Self.second),
      ],
      currentVersionName: "Notes 2"
    )
    try compiled.write(to: folder.appending(path: "Notes.momd"))
    #expect(try migrates(with: folder.appending(path: path), file) == 0)
  }

  @Test func `a model that was edited without a new version is refused, and it is said what to do`()
    throws
  {
    let file = try Upgrade(Self.page(.text("title"), .text("text"))) {
      $0.make("Page", ["title": "a", "text": "b"])
    }.file
    let error = #expect(throws: NSError.self) {
      try Upgrade.work(
        with: Self.page(.text("title")),
        at: file,
        [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ]
      ) { _ in }
    }
    #expect(error?.code == NSMigrationMissingSourceModelError)
    #expect(error?.localizedRecoverySuggestion?.contains("add a model version") == true)
  }

  // MARK: Words

  @Test func `a save without any store says that there is none`() throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: Self.second)
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let error = context.performAndWait {
      context.make("Note", ["title": "a"])
      return #expect(throws: NSError.self) { try context.save() }
    }
    #expect(error?.localizedFailureReason?.contains("The coordinator has no store") == true)
  }

  @Test func `a save into read-only stores alone names them`() throws {
    let file = try Upgrade(Self.second).file
    let error = try Upgrade.work(
      with: Self.second,
      at: file,
      [NSReadOnlyPersistentStoreOption: true]
    ) {
      context in
      context.make("Note", ["title": "a"])
      return #expect(throws: NSError.self) { try context.save() }
    }
    #expect(error?.code == NSPersistentStoreSaveError)
    #expect(error?.localizedFailureReason?.contains(file.path) == true)
  }

  @Test(.enabled(if: geteuid() != 0, "needs a user whom permissions concern"))
  func `a store in a folder that may not be written is read-only from the beginning`() throws {
    let file = try Upgrade(Self.second) { $0.make("Note", ["title": "a"]) }.file
    let folder = file.deletingLastPathComponent().path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }
    try Upgrade.work(with: Self.second, at: file) { context in
      let store = context.persistentStoreCoordinator?.persistentStores.first
      #expect(store?.isReadOnly == true)
      let count = try context.all("Note").count
      #expect(count == 1)
    }
  }

  // MARK: Indexes

  @Test func `an index that a model lists twice is made once`() throws {
    var schema = ModelSchema.model(
      .entity("Element", [.text("domain"), .attribute("place", .double)])
    )
    .withoutOwnClasses
    let index = FetchIndexSchema(name: "domain", elements: [.init(.property("domain"))])
    schema.entities[0].indexes = [index, index]
    let file = try Upgrade(schema) { $0.make("Element", ["domain": "a"]) }.file
    #expect(try FilePicture(file).indexes == ["ZELEMENT (ZDOMAIN)"])
    let report = try StoreChecker(storeAt: file, model: nil, isDeep: true).report()
    #expect(report.findings.map(\.words) == [])
    // The model in the file is one that is opened, and migrated, as others are.
    let stored = try StoredModel(inStoreAt: file).schema
    #expect(try Upgrade(of: file).lines(stored).count == 2)
    let new = schema.changing("Element") { $0.attributes.append(.text("more")) }
    #expect(try Upgrade(of: file).lines(new).count == 3)
    #expect(try FilePicture(file).indexes == ["ZELEMENT (ZDOMAIN)"])
  }
}

/// Tests of the files beside a store, or of missing ones.
struct CompanionFilesTests {
  private static let schema = ModelSchema.model(
    .entity("Folder", [.text("name")], [.many("notes", "Note", back: "folder")]),
    .entity("Note", [.text("title"), .image], [.one("folder", "Folder", back: "notes")])
  )
  .withoutOwnClasses

  /// A copy of a store as a program that died has left it, with its log.
  private func abandoned(_ titles: [String]) throws -> URL {
    let stack = try ModelStack(Self.schema)
    try stack.work { context in
      for title in titles { context.make("Note", ["title": title]) }
      try context.save()
    }
    let source = try #require(stack.file)
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: file.path + suffix)
    }
    return file
  }

  private func names(beside file: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      .sorted()
  }

  private static let readOnly: [String: any Sendable] = [NSReadOnlyPersistentStoreOption: true]

  @Test func `reading a store with a log leaves nothing beside it`() throws {
    let file = try abandoned(["a", "b"])
    let before = try names(beside: file)
    #expect(before == ["Notes.sqlite", "Notes.sqlite-wal"])
    _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: file,
      options: Self.readOnly
    )
    let count = try Upgrade.work(with: Self.schema, at: file, Self.readOnly) {
      try $0.all("Note").count
    }
    #expect(count == 2)
    #expect(try names(beside: file) == before)
    _ = try StoreFacts(at: file, counting: .seconds(1))
    _ = try StoreChecker(storeAt: file, model: nil, isDeep: true).report()
    #expect(try names(beside: file) == before)
  }

  @Test func `reading leaves what another connection uses`() throws {
    let file = try abandoned(["a", "b"])
    let writer = try Connection(path: file.path)
    #expect(try writer.integer("SELECT COUNT(*) FROM ZNOTE") == 2)
    _ = try StoreFacts(at: file, counting: .seconds(1))
    #expect(try names(beside: file).contains("Notes.sqlite-shm"))
    #expect(try writer.integer("SELECT COUNT(*) FROM ZNOTE") == 2)
  }

  @Test func `a file whose log is not there says that its tables may be in it`() throws {
    let source = TestSupport.TemporaryFolder.file("Source.sqlite")
    let connection = try Connection(path: source.path)
    try connection.run("PRAGMA journal_mode = WAL")
    try connection.run("CREATE TABLE Z_METADATA (Z_UUID)")
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try FileManager.default.copyItem(at: source, to: file)
    let error = #expect(throws: NSError.self) {
      try Upgrade.work(with: Self.schema, at: file, Self.readOnly) { _ in }
    }
    #expect(error?.code == 259)
    #expect(error?.localizedFailureReason?.contains("write-ahead log") == true)
    #expect(error?.localizedFailureReason?.contains("Notes.sqlite-wal") == true)
  }

  @Test func `the log of another store is told of in words`() throws {
    let file = try abandoned(["a", "b"])
    let other = try ModelStack(
      .model(.entity("Zebra", (0..<40).map { .text("stripe\($0)") })).withoutOwnClasses
    )
    let source = try #require(other.file)
    try Connection(path: source.path).run("CREATE TABLE EXTRA (x)")
    try FileManager.default.removeItem(atPath: file.path + "-wal")
    try FileManager.default.copyItem(atPath: source.path + "-wal", toPath: file.path + "-wal")
    let error = #expect(throws: NSError.self) {
      try Upgrade.work(with: Self.schema, at: file, Self.readOnly) { try $0.all("Note").count }
    }
    #expect(error?.code == 259)
    #expect(error?.localizedFailureReason?.contains("name different stores") == true)
    #expect(error?.localizedRecoverySuggestion?.contains("-wal") == true)
    #expect(StoreFacts.hasLogOfAnother(at: file))
    #expect(try !StoreFacts.hasLogOfAnother(at: abandoned(["a"])))
  }

  @Test func `a store without metadata can be looked at and copied`() throws {
    let file = try abandoned(["a"])
    try Connection(path: file.path).run("UPDATE Z_METADATA SET Z_PLIST = NULL")
    let facts = try StoreFacts(at: file, counting: .seconds(1))
    #expect(!facts.hasReadableMetadata)
    #expect(facts.metadata[NSStoreUUIDKey] is String)
    #expect(facts.entities.map(\.name) == ["Folder", "Note"])
    let copy = TestSupport.TemporaryFolder.file("Copy.sqlite")
    #expect(try FileCopy(of: file, to: copy).perform { _, _, _ in true })
    #expect(try Connection(path: copy.path).integer("SELECT COUNT(*) FROM ZNOTE") == 1)
  }

  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType, NSSQLiteStoreType])
  func `a key that leads to nothing does not stop a move to another store`(type: String) throws {
    let file = try Upgrade(Self.schema) { context in
      let folder = context.make("Folder", ["name": "f"])
      for title in ["a", "b"] { context.make("Note", ["title": title, "folder": folder]) }
    }.file
    try Connection(path: file.path).run("UPDATE ZNOTE SET ZFOLDER = 99 WHERE ZTITLE = 'b'")
    let stack = try ModelStack(Self.schema, .sqlite, file: file)
    let store = try #require(stack.coordinator.persistentStores.first)
    var lost: [String: Int] = [:]
    try stack.coordinator.migratePersistentStore(
      store,
      to: TestSupport.TemporaryFolder.file("Moved.store"),
      type: NSPersistentStore.StoreType(rawValue: type)
    ) { lost = $0 }
    #expect(lost == ["Note.folder": 1])
    try stack.work { context in
      let notes = try context.all("Note")
      let names = notes.map {
        "\($0.textValue("title") ?? "") \(($0.value(forKey: "folder") as? NSManagedObject)?.textValue("name") ?? "–")"
      }
      #expect(names.sorted() == ["a f", "b –"])
      #expect(checkInvariants(of: context) == [])
    }
  }
}
