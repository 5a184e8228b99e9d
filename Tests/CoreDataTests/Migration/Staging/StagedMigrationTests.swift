import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Stores that are brought to the newest model stage by stage.
///
/// ```
/// 1  Note title
/// 2  Note title, words          lightweight
/// 3  Note heading, words        custom: words are counted
/// 4  Note heading, words, stars
/// ```
struct StagedMigrationTests {
  private static let schemas: [ModelSchema] = [
    .model(.entity("Note", [.text("title")])),
    .model(.entity("Note", [.text("title"), .attribute("words", .integer32)])),
    .model(
      .entity(
        "Note",
        [TwoVersions.renamed(.text("heading"), "title"), .attribute("words", .integer32)]
      )
    ),
    .model(
      .entity(
        "Note",
        [
          TwoVersions.renamed(.text("heading"), "title"), .attribute("words", .integer32),
          .attribute("stars", .integer16),
        ]
      )
    ),
  ].map(TwoVersions.plain)

  private func model(_ version: Int) -> NSManagedObjectModel {
    TwoVersions.model(Self.schemas[version - 1])
  }

  private func checksum(_ version: Int) -> String { Self.schemas[version - 1].versionChecksum }

  private func reference(_ version: Int) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(model: model(version), versionChecksum: checksum(version))
  }

  private func store(_ version: Int, _ type: String = NSSQLiteStoreType) throws -> URL {
    let file =
      type == NSPostgreSQLStoreType
      ? PostgreSQLServer.shared.place() : TestSupport.TemporaryFolder.file("Notes.store")
    let store = try VersionStore(model(version), at: file, type)
    try store.work { context throws in
      for title in ["one", "two words", "three short words"] {
        let key = version < 3 ? "title" : "heading"
        _ = TwoVersions.make("Note", key, title, in: context)
      }
      try context.save()
    }
    try store.close()
    return file
  }

  private func open(
    _ file: URL,
    _ version: Int,
    _ manager: NSStagedMigrationManager,
    _ type: String = NSSQLiteStoreType
  ) throws -> VersionStore {
    try VersionStore(
      model(version),
      at: file,
      type,
      [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
        NSPersistentStoreStagedMigrationManagerOptionKey: manager,
      ]
    )
  }

  /// Counts the words of each note with the second model, and asks the third how many there are.
  private func counting(_ log: Log) -> NSCustomMigrationStage {
    let stage = NSCustomMigrationStage(migratingFrom: reference(2), to: reference(3))
    stage.willMigrateHandler = { manager, stage in
      log.lines.append("will")
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
          let title = note.value(forKey: "title") as? String ?? ""
          note.setValue(title.split(separator: " ").count, forKey: "words")
        }
        try context.save()
      }
    }
    stage.didMigrateHandler = { manager, stage in
      let context = try #require(manager.container).newBackgroundContext()
      let count = try context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "heading != nil AND words > 1")
        return try context.count(for: request)
      }
      log.lines.append("did \(count)")
    }
    return stage
  }

  private final class Log {
    var lines: [String] = []
  }

  private func notes(_ store: VersionStore) throws -> [String] {
    try store.work { context throws in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).map {
        "\($0.value(forKey: "heading") ?? "") \($0.value(forKey: "words") ?? "-")"
      }.sorted()
    }
  }

  // MARK: -

  private static let types =
    [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
    + (PostgreSQLServer.isInstalled ? [NSPostgreSQLStoreType] : [])

  @Test(arguments: types, 1...3)
  func `a store enters at its own version and goes on to the newest (110)`(
    type: String,
    version: Int
  ) throws {
    let log = Log()
    let manager = NSStagedMigrationManager([
      NSLightweightMigrationStage([checksum(1), checksum(2)]), counting(log),
      NSCustomMigrationStage(migratingFrom: reference(3), to: reference(4)),
    ])
    // No program carries the first version; the SQLite file has it, the others need it from here.
    let first = NSCustomMigrationStage(migratingFrom: reference(1), to: reference(2))
    let own = NSStagedMigrationManager([first] + manager.stages.dropFirst())
    let store = try open(
      store(version, type),
      4,
      type == NSSQLiteStoreType && version > 1 ? manager : own,
      type
    )
    if version < 3 {
      #expect(try notes(store) == ["one 1", "three short words 3", "two words 2"])
      #expect(log.lines == ["will", "did 2"])
    } else {
      #expect(try notes(store) == ["one -", "three short words -", "two words -"])
      #expect(log.lines.isEmpty)
    }
    #expect(manager.container == nil && own.container == nil)
  }

  @Test func `a store of the program's version is opened and nothing else (110)`() throws {
    let log = Log()
    let manager = NSStagedMigrationManager([counting(log)])
    #expect(try notes(open(store(3), 3, manager)).count == 3)
    let new = TestSupport.TemporaryFolder.file("New.store")
    #expect(try notes(open(new, 3, manager)).isEmpty)
    #expect(log.lines.isEmpty)
  }

  @Test func `nothing is migrated unless the options say so (110)`() throws {
    let code = errorCode {
      try VersionStore(
        model(3),
        at: store(2),
        NSSQLiteStoreType,
        [
          NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([
            counting(Log())
          ])
        ]
      )
    }
    #expect(code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func `a handler that throws ends the migration, which can go on later (110)`() throws {
    struct Refusal: Error {}
    let file = try store(2)
    let stage = NSCustomMigrationStage(migratingFrom: reference(2), to: reference(3))
    stage.willMigrateHandler = { _, _ in throw Refusal() }
    #expect(throws: Refusal.self) { try open(file, 3, NSStagedMigrationManager([stage])) }
    #expect(try VersionStore(model(2), at: file).uuid?.isEmpty == false)
    stage.willMigrateHandler = nil
    stage.didMigrateHandler = { _, _ in throw Refusal() }
    let manager = NSStagedMigrationManager([stage])
    #expect(throws: Refusal.self) { try open(file, 3, manager) }
    #expect(manager.container == nil)
    #expect(try notes(open(file, 3, manager)).count == 3)
  }

  @Test func `backward, unknown and old versions have errors of their own (110)`() throws {
    let manager = NSStagedMigrationManager([
      NSLightweightMigrationStage([checksum(1), checksum(2)]), counting(Log()),
    ])
    #expect(
      errorCode { try open(store(3), 2, manager) } == NSStagedMigrationBackwardMigrationError
    )
    #expect(
      errorCode { try open(store(4), 3, manager) } == NSManagedObjectModelReferenceNotFoundError
    )
    #expect(
      errorCode { try open(store(2), 4, manager) } == NSManagedObjectModelReferenceNotFoundError
    )
    let file = try store(2)
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: file
    )
    metadata[NSStoreModelVersionHashesVersionKey] = 2
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: file)
    #expect(
      errorCode { try open(file, 3, manager) } == NSStagedMigrationFrameworkVersionMismatchError
    )
  }

  @Test func `a version that nobody has is told of by its checksum (110)`() throws {
    let lost = NSManagedObjectModelReference(
      name: "Nowhere",
      in: nil,
      versionChecksum: checksum(2)
    )
    let manager = NSStagedMigrationManager([
      NSCustomMigrationStage(migratingFrom: reference(1), to: lost)
    ])
    let file = try store(1)
    let error = #expect(throws: NSError.self) {
      try StagedMigration(
        manager: NSStagedMigrationManager([
          NSCustomMigrationStage(migratingFrom: reference(1), to: lost),
          NSLightweightMigrationStage([checksum(3)]),
        ]),
        place: StorePlace(
          number: .none,
          type: NSSQLiteStoreType,
          configuration: nil,
          url: file,
          options: nil
        ),
        destination: model(3)
      ).perform()
    }
    #expect(error?.code == NSManagedObjectModelReferenceNotFoundError)
    #expect(error?.localizedFailureReason?.contains(checksum(2)) == true)
    // The coordinator's own model needs no reference.
    #expect(try open(file, 2, manager).uuid?.isEmpty == false)
  }

  @Test func `a version stands at one place only (110)`() async {
    await #expect(processExitsWith: .failure) {
      _ = NSStagedMigrationManager([
        NSLightweightMigrationStage(["a", "b"]), NSLightweightMigrationStage(["a"]),
      ])
    }
  }

  // MARK: References

  @Test func `a model is found by file, by name and by its hashes (110)`() throws {
    let folder = TestSupport.TemporaryFolder.file("Models.bundle")
    let file = folder.appendingPathComponent("Notes.momd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try CompiledModel(
      name: "Notes",
      versions: (1...4).map {
        .init(name: $0 == 1 ? "Notes" : "Notes \($0)", schema: Self.schemas[$0 - 1])
      },
      currentVersionName: "Notes 4"
    ).write(to: file)
    let bundle = try #require(Bundle(url: folder))
    let second = checksum(2)
    let hashes = Self.schemas[1].entityVersionHashes
    for reference in [
      NSManagedObjectModelReference(fileURL: file, versionChecksum: second),
      NSManagedObjectModelReference(
        fileURL: file.appendingPathComponent("Notes 2.mom"),
        versionChecksum: second
      ),
      NSManagedObjectModelReference(name: "Notes 2", in: bundle, versionChecksum: second),
      NSManagedObjectModelReference(name: "Notes", in: bundle, versionChecksum: second),
      NSManagedObjectModelReference(
        entityVersionHashes: hashes,
        in: bundle,
        versionChecksum: second
      ),
      reference(2),
    ] {
      #expect(reference.resolvedModel.entityVersionHashesByName == hashes)
      #expect(reference.resolvedModel === reference.resolvedModel)
      #expect(reference.versionChecksum == second)
    }
    let wrong = NSManagedObjectModelReference(model: model(1), versionChecksum: second)
    #expect(throws: StagingFailure.self) { try wrong.resolve() }
  }

  @Test func `a reference that leads nowhere stops the program (110)`() async {
    await #expect(processExitsWith: .failure) {
      _ =
        NSManagedObjectModelReference(name: "Nowhere", in: nil, versionChecksum: "x").resolvedModel
    }
  }

  @Test func `stages have labels`() {
    let stage = NSLightweightMigrationStage(["a"])
    #expect(stage.label.isEmpty && stage.versionChecksums == ["a"])
    stage.label = "first"
    #expect(NSStagedMigrationManager([stage]).stages.first?.label == "first")
  }
}
