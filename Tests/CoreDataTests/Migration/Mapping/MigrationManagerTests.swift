import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Stores that become others, with an inferred mapping model and with mappings made in code.
struct MigrationManagerTests {
  private static let types = StoreKind.with(.managedFiles).map(\.type)

  private func migrate(
    _ source: URL,
    _ mapping: NSMappingModel,
    to destination: URL,
    from type: String = NSSQLiteStoreType,
    as destinationType: String = NSSQLiteStoreType,
    by manager: NSMigrationManager = TwoVersions.manager()
  ) throws {
    try manager.migrateStore(
      from: source,
      type: NSPersistentStore.StoreType(rawValue: type),
      mapping: mapping,
      to: destination,
      type: NSPersistentStore.StoreType(rawValue: destinationType)
    )
  }

  @Test(arguments: types, types)
  func `a store of each type becomes one of each type (108, 109)`(
    from: String,
    to: String
  ) throws {
    let source = try TwoVersions.store(12, from)
    let destination = TestSupport.TemporaryFolder.file("New.store")
    let before = try TwoVersions.contents(besides: source)
    try migrate(source, TwoVersions.inferred(), to: destination, from: from, as: to)
    #expect(try TwoVersions.contents(besides: source) == before)
    let expected = try TwoVersions.lines(VersionStore(TwoVersions.old, at: source, from))
    let store = try VersionStore(TwoVersions.new, at: destination, to)
    #expect(try TwoVersions.lines(store) == expected)
    try store.work { context throws in
      #expect(try TwoVersions.count("Shelf", context) == 3)
      #expect(try TwoVersions.count("Tag", context) == 4)
      #expect(try TwoVersions.count("Colour", context) == 0)
    }
    try store.close()
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: destination.deletingLastPathComponent().path
      ).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == ["New.store"]
    )
  }

  @Test func `a store in memory is there as long as the manager is (109)`() throws {
    let source = try TwoVersions.store()
    let manager = TwoVersions.manager()
    let place = URL(fileURLWithPath: "/dev/null")
    try migrate(source, TwoVersions.inferred(), to: place, as: NSInMemoryStoreType, by: manager)
    let lines = try manager.destinationContext.performAndWait {
      try TwoVersions.lines(manager.destinationContext)
    }
    #expect(try lines == TwoVersions.lines(VersionStore(TwoVersions.old, at: source)))
    let code = errorCode {
      try migrate(place, TwoVersions.inferred(), to: source, from: NSInMemoryStoreType, by: manager)
    }
    #expect(code == NSMigrationManagerSourceStoreError)
  }

  @Test func `many objects come in batches, and large data with them (109)`() throws {
    let source = try TwoVersions.store(1700, largeData: true)
    let destination = TestSupport.TemporaryFolder.file("New.store")
    try migrate(source, TwoVersions.inferred(), to: destination)
    let expected = try TwoVersions.lines(VersionStore(TwoVersions.old, at: source))
    #expect(try TwoVersions.lines(VersionStore(TwoVersions.new, at: destination)) == expected)
    #expect(expected.contains { $0.hasSuffix("150000 bytes of 1") })
  }

  @Test func `objects come to those that are there (109)`() throws {
    let destination = TestSupport.TemporaryFolder.file("New.store")
    let source = try TwoVersions.store(4)
    try migrate(source, TwoVersions.inferred(), to: destination)
    try migrate(TwoVersions.store(3, largeData: true), TwoVersions.inferred(), to: destination)
    let lines = try TwoVersions.lines(VersionStore(TwoVersions.new, at: destination))
    #expect(lines.count == 7)
    #expect(lines.filter { $0.hasSuffix("150000 bytes of 1") }.count == 1)
  }

  @Test func `what a user has put into the metadata is taken over`() throws {
    let source = try TwoVersions.store(1)
    try NSPersistentStoreCoordinator.setMetadata(["colour": "red"], type: .sqlite, at: source)
    let destination = TestSupport.TemporaryFolder.file("New.store")
    try migrate(source, TwoVersions.inferred(), to: destination)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: destination
    )
    #expect(metadata["colour"] as? String == "red")
  }

  @Test func `progress and the mapping at work can be observed (109)`() throws {
    let manager = TwoVersions.manager()
    // A migration by SQLite in one transaction is not done in passes.
    manager.usesStoreSpecificMigrationManager = false
    #expect(manager.migrationProgress == 1)
    var steps: [Float] = []
    var names: [String] = []
    let first = manager.observe(\.migrationProgress, options: [.new, .old]) { _, change in
      steps.append(change.newValue ?? -1)
    }
    let second = manager.observe(\.currentEntityMapping, options: .new) { _, change in
      names.append(change.newValue?.name ?? "")
    }
    let observer = MappingObserver()
    manager.addObserver(observer, forKeyPath: "migrationProgress", options: .new, context: nil)
    let destination = TestSupport.TemporaryFolder.file("New.store")
    try migrate(TwoVersions.store(), TwoVersions.inferred(), to: destination, by: manager)
    first.invalidate()
    second.invalidate()
    manager.removeObserver(observer, forKeyPath: "migrationProgress")
    #expect(steps.first == 0 && steps.last == 1 && steps == steps.sorted() && steps.count > 5)
    #expect(observer.values == steps)
    let pass = ["IEM_Add_Colour", "IEM_Transform_Memo", "IEM_Transform_Shelf", "IEM_Transform_Tag"]
    #expect(names == Array(repeating: pass + ["IEM_Remove_Bin"], count: 3).flatMap { $0 })
  }

  @Test func `a way of its own is taken where nothing of the developer's is missed`() throws {
    let source = try TwoVersions.store(2)
    let manager = TwoVersions.manager()
    var calls = 0
    manager.storeSpecificMigration = { work in
      calls += 1
      #expect(FileManager.default.fileExists(atPath: work.url.path) && work.url != source)
      return false
    }
    try migrate(
      source,
      TwoVersions.inferred(),
      to: TestSupport.TemporaryFolder.file("1"),
      by: manager
    )
    #expect(calls == 1)
    manager.usesStoreSpecificMigrationManager = false
    try migrate(
      source,
      TwoVersions.inferred(),
      to: TestSupport.TemporaryFolder.file("2"),
      by: manager
    )
    manager.usesStoreSpecificMigrationManager = true
    let own = try TwoVersions.inferred()
    own.entityMappings[1].userInfo = ["mine": "yes"]
    let destination = TestSupport.TemporaryFolder.file("3")
    try migrate(source, own, to: destination, by: manager)
    #expect(calls == 1)
    #expect(try TwoVersions.lines(VersionStore(TwoVersions.new, at: destination)).count == 2)
  }

  @Test func `a manager of the program's own was not told which objects were made`() throws {
    let manager = MarkingManager(
      sourceModel: TwoVersions.model(TwoVersions.old),
      destinationModel: TwoVersions.model(TwoVersions.new)
    )
    // A migration by SQLite in one transaction does not make objects.
    manager.usesStoreSpecificMigrationManager = false
    let destination = TestSupport.TemporaryFolder.file("New.store")
    try migrate(TwoVersions.store(3), TwoVersions.inferred(), to: destination, by: manager)
    let store = try VersionStore(TwoVersions.new, at: destination)
    try store.work { context throws in
      let memos = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Memo"))
      #expect(memos.count == 3)
      #expect(memos.allSatisfy { $0.value(forKey: "origin") as? String == "the old version" })
    }
  }

  @Test func `a manager is asked for a mapping that there is not`() async {
    await #expect(processExitsWith: .failure) {
      let manager = TwoVersions.manager()
      let place = URL(fileURLWithPath: "/dev/null")
      try manager.migrateStore(
        from: TwoVersions.store(1),
        type: .sqlite,
        mapping: TwoVersions.inferred(),
        to: place,
        type: .inMemory
      )
      _ = manager.destinationInstances(forEntityMappingName: "Nothing", sourceInstances: nil)
    }
  }

  @Test func `the older spelling wants a mapping model`() throws {
    let manager: any OlderMigrating = TwoVersions.manager()
    let code = errorCode { try manager.migrateWithoutMapping(TwoVersions.store(1)) }
    #expect(code == NSMigrationMissingMappingModelError)
  }
}

/// Says of each note where it comes from.
private final class MarkingManager: NSMigrationManager {
  override func associate(
    sourceInstance: NSManagedObject,
    withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    super.associate(
      sourceInstance: sourceInstance,
      withDestinationInstance: destinationInstance,
      for: entityMapping
    )
    if entityMapping.destinationEntityName == "Memo" {
      destinationInstance.setValue("the old version", forKey: "origin")
    }
  }
}

private final class MappingObserver: KeyValueObserver {
  var values: [Float] = []

  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    values.append(change?[.newKey] as? Float ?? -1)
  }
}

/// Keeps the warning about the older spelling away.
private protocol OlderMigrating {
  func migrateWithoutMapping(_ source: URL) throws
}

extension NSMigrationManager: OlderMigrating {
  @available(*, deprecated)
  fileprivate func migrateWithoutMapping(_ source: URL) throws {
    try migrateStore(
      from: source,
      sourceType: NSSQLiteStoreType,
      with: nil,
      toDestinationURL: TestSupport.TemporaryFolder.file("New.store"),
      destinationType: NSSQLiteStoreType
    )
  }
}
