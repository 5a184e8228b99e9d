import CoreDataModel
import CoreDataModelChanges
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Programs of an older version of the model, in a store that a newer program has migrated.
struct OlderProgramTests {
  static let old = LightweightMigrationTests.first
  /// A version that only adds attributes; the new columns are between the old ones.
  static let more = old.changing("Note") {
    $0.attributes.append(.text("author"))
    $0.attributes.append(
      .attribute("pages", .integer32).with {
        $0.isOptional = false
        $0.defaultValue = .integer(4)
      }
    )
    $0.attributes.append(.attribute("price", .decimal).with { $0.defaultValue = .decimal(1.5) })
    $0.attributes.append(.text("subtitle").with { $0.defaultValue = .text("it's") })
  }
  /// A version with which an older program cannot go on.
  static let other = old.adding(.entity("Annex", [.text("name")]))

  enum Kind: String, CaseIterable {
    case file
    case database

    static var here: [Kind] { PostgreSQLServer.isInstalled ? allCases : [.file] }

    var type: String { self == .file ? NSSQLiteStoreType : NSPostgreSQLStoreType }

    func place() -> URL {
      switch self {
      case .file: TestSupport.TemporaryFolder.file("Notes.sqlite")
      case .database: PostgreSQLServer.shared.place()
      }
    }
  }

  static var options: [String: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      NSPersistentHistoryTrackingKey: true,
      CoreDataTextSearchOption: true,
    ]
  }

  /// A program that has the store open.
  private final class Program {
    let coordinator: NSPersistentStoreCoordinator
    let context = NSManagedObjectContext(.privateQueue)

    init(_ model: ModelSchema, _ kind: Kind, _ place: URL) throws {
      coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: NSManagedObjectModel(schema: model.classless)
      )
      try coordinator.addPersistentStore(
        ofType: kind.type,
        configurationName: nil,
        at: place,
        options: OlderProgramTests.options
      )
      context.persistentStoreCoordinator = coordinator
    }

    func add(_ title: String) throws {
      try context.performAndWait {
        context.make("Note", ["title": title])
        try context.save()
      }
    }

    func change(_ title: String, _ key: String, to value: Any) throws {
      try context.performAndWait {
        let notes = try context.every("Note")
        notes.first { $0.value(forKey: "title") as? String == title }?.setValue(value, forKey: key)
        try context.save()
      }
    }

    func values(_ keys: String...) throws -> [String] {
      try context.performAndWait {
        // Programs have keys from different blocks.
        try context.every("Note").map { note in
          keys.map { "\(note.value(forKey: $0) ?? "nil")" }.joined(separator: " ")
        }.sorted()
      }
    }

    func health() async -> HealthReport { await coordinator.healthReport() }

    func close() throws {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
  }

  private func hashes(_ kind: Kind, _ place: URL) throws -> [String: Data]? {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: kind.type,
      at: place,
      options: Self.options
    )[NSStoreModelVersionHashesKey] as? [String: Data]
  }

  @Test(arguments: Kind.here)
  func `an older program migrated a store back without a word`(kind: Kind) throws {
    let place = kind.place()
    let first = try Program(Self.old, kind, place)
    try first.add("one")
    try first.close()
    try Program(Self.more, kind, place).close()

    let older = try Program(Self.old, kind, place)
    try older.add("two")
    try older.change("one", "stars", to: 3)
    #expect(try older.values("title", "stars") == ["one 3", "two nil"])
    try older.close()
    #expect(try hashes(kind, place) == Self.more.entityVersionHashes)

    let newer = try Program(Self.more, kind, place)
    #expect(
      try newer.values("title", "stars", "author", "pages", "price", "subtitle") == [
        "one 3 nil 4 1.5 it's", "two nil nil 4 1.5 it's",
      ]
    )
    try newer.close()
  }

  @Test(arguments: Kind.here)
  func `an added attribute stopped every program that was running`(kind: Kind) throws {
    let place = kind.place()
    let running = try Program(Self.old, kind, place)
    try running.add("one")
    let newer = try Program(Self.more, kind, place)
    try newer.add("two")
    try newer.change("two", "author", to: "Ann")

    try running.add("three")
    try running.change("two", "title", to: "2")
    #expect(try running.values("title") == ["2", "one", "three"])
    #expect(try newer.values("author", "pages") == ["Ann 4", "nil 4", "nil 4"])
    try running.close()
    try newer.close()
  }

  @Test(arguments: Kind.here)
  func `a batch of an older program left required values empty`(kind: Kind) throws {
    let place = kind.place()
    let running = try Program(Self.old, kind, place)
    let newer = try Program(Self.more, kind, place)
    try running.context.performAndWait {
      let request = NSBatchInsertRequest(
        entityName: "Note",
        objects: [["title": "one"], ["title": "two"]]
      )
      _ = try running.context.execute(request)
    }
    #expect(try newer.values("title", "pages", "subtitle") == ["one 4 it's", "two 4 it's"])
    try running.close()
    try newer.close()
  }

  @Test(arguments: Kind.here)
  func `the history of an older program named other properties`(kind: Kind) throws {
    let place = kind.place()
    let running = try Program(Self.old, kind, place)
    try running.add("one")
    let newer = try Program(Self.more, kind, place)
    try running.change("one", "title", to: "two")
    try newer.change("two", "subtitle", to: "new")
    let updates = { (program: Program) in
      try program.context.performAndWait {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
          after: nil as NSPersistentHistoryToken?
        )
        let result = try program.context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        return transactions.flatMap { $0.changes ?? [] }.filter { $0.changeType == .update }
          .map { ($0.updatedProperties ?? []).map(\.name).sorted() }
      }
    }
    #expect(try updates(newer) == [["title"], ["subtitle"]])
    #expect(try updates(running) == [["title"], []])
    try running.close()
    try newer.close()
  }

  @Test(arguments: Kind.here)
  func `a running program went on in tables of a model that it does not know`(
    kind: Kind
  ) async throws {
    let place = kind.place()
    let running = try Program(Self.old, kind, place)
    try running.add("one")
    let newer = try Program(Self.other, kind, place)
    try newer.add("two")
    // Nothing has been asked of the store since.
    let early = await running.health()
    #expect(!early.canServe && !early.reasons.isEmpty)
    #expect(kind == .database || early.reasons.contains { $0.contains("Annex") })
    let saving = #expect(throws: CocoaError.self) { try running.add("three") }
    #expect(saving?.code == .persistentStoreIncompatibleVersionHash)
    running.context.performAndWait { running.context.reset() }
    let reading = #expect(throws: CocoaError.self) { try running.values("title") }
    #expect(reading?.code == .persistentStoreIncompatibleVersionHash)
    let pinned = NSManagedObjectContext(.privateQueue)
    pinned.persistentStoreCoordinator = running.coordinator
    let block = #expect(throws: CocoaError.self) {
      try pinned.performAndWait {
        try pinned.setQueryGenerationFrom(.current)
        return try pinned.every("Note")
      }
    }
    #expect(block?.code == .persistentStoreIncompatibleVersionHash)
    #expect(await !running.health().canServe)
    try running.close()

    let opening = #expect(throws: CocoaError.self) { try Program(Self.old, kind, place) }
    #expect(opening?.code == .persistentStoreIncompatibleVersionHash)
    let reason = (opening as NSError?)?.localizedFailureReason ?? ""
    #expect(reason.contains("the entity Annex is not in the older model"))
    #expect(try newer.values("title") == ["one", "two"])
    try newer.close()
  }

  @Test func `metadata that a running program set took a file's model back`() throws {
    let place = Kind.file.place()
    let running = try Program(Self.old, .file, place)
    try Program(Self.more, .file, place).close()
    let store = try #require(running.coordinator.persistentStores.first)
    var metadata = running.coordinator.metadata(for: store)
    metadata["Kept"] = "yes"
    metadata["CoreDataKept"] = "yes"
    running.coordinator.setMetadata(metadata, for: store)
    try running.add("one")
    try running.close()
    #expect(try hashes(.file, place) == Self.more.entityVersionHashes)
    let newer = try Program(Self.more, .file, place)
    let found = try #require(newer.coordinator.persistentStores.first?.metadata)
    #expect(found["Kept"] as? String == "yes" && found["CoreDataKept"] as? String == "yes")
    try newer.close()
  }

  @Test(arguments: Kind.here)
  func `a store that was brought back was not migrated again`(kind: Kind) throws {
    let place = kind.place()
    try Program(Self.old, kind, place).close()
    try Program(Self.more, kind, place).close()
    // Somebody allows the way back.
    try Upgrade.work(
      with: Self.old,
      at: place,
      ofType: kind.type,
      Upgrade.options.merging(Self.options) { $1 }
    ) { _ in }
    #expect(try hashes(kind, place) == Self.old.entityVersionHashes)
    try Program(Self.more, kind, place).close()
    #expect(try hashes(kind, place) == Self.more.entityVersionHashes)
  }

  @Test func `words were not found in a store that an older program had open`() throws {
    let place = Kind.file.place()
    let indexed = { (model: ModelSchema) in
      model.changing("Note") { $0.change("title") { $0.isIndexedBySpotlight = true } }
    }
    let running = try Program(indexed(Self.old), .file, place)
    try running.add("one word")
    try StoreMigration(of: place, to: NSManagedObjectModel(schema: indexed(Self.more).classless))
      .perform()
    try running.add("another word")
    let found = try running.context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title CONTAINS[cdw] 'word'")
      return try running.context.count(for: request)
    }
    #expect(found == 2)
    try running.close()
  }

  // MARK: The rule

  @Test func `only attributes that need nothing of an older program are added without harm`() throws
  {
    let note = { (change: @escaping (inout EntitySchema) -> Void) in
      Self.old.changing("Note", change)
    }
    let attribute = { (change: @escaping (inout AttributeSchema) -> Void) in
      note { $0.attributes.append(AttributeSchema.attribute("new", .string).with(change)) }
    }
    let cases: [(ModelSchema, String?)] = [
      (Self.more, nil),
      (attribute { _ in }, nil),
      (attribute { $0.isTransient = true }, nil),
      (
        attribute { $0.isIndexedBySpotlight = true },
        "Note.new is new, and belongs to an index of words"
      ),
      (
        note {
          $0.fetchedProperties.append(
            FetchedPropertySchema(
              name: "twins",
              request: FetchRequestSchema(name: "", entityName: "Note")
            )
          )
          $0.indexes = [FetchIndexSchema(name: "byTitle", elements: [.init(.property("title"))])]
          $0.userInfo["author"] = "Ann"
        }, nil
      ),
      (
        attribute { $0.isOptional = false },
        "Note.new is new, and is required without a default value"
      ),
      (
        attribute {
          $0.type = .binaryData
          $0.allowsExternalBinaryDataStorage = true
        }, "Note.new is new, and may have its data in files"
      ),
      (
        attribute { $0.derivationExpression = "uppercase:(title)" },
        "Note.new is new, and is derived"
      ),
      (
        attribute { $0.preservesValueInHistoryOnDeletion = true },
        "Note.new is new, and is preserved in the history of deletions"
      ),
      (
        note {
          $0.attributes.append(.text("new"))
          $0.uniquenessConstraints = [["new"]]
        }, "Note has changed in more than new attributes"
      ),
      (note { $0.attributes.removeFirst() }, "Note has changed in more than new attributes"),
      (
        note { $0.change("stars") { $0.type = .integer64 } },
        "Note has changed in more than new attributes"
      ),
      (Self.other, "the entity Annex is not in the older model"),
      (
        Self.old.adding(.entity("Tag", [], [.one("note", "Note", back: "tags")])).changing("Note") {
          $0.relationships.append(.many("tags", "Tag", back: "note"))
        }, "the entity Tag is not in the older model"
      ),
      // The old column is called otherwise: a new one with the same letters comes before it.
      (note { $0.attributes.append(.text("TITLE")) }, "columns of Note have other names"),
    ]
    let program = NSManagedObjectModel(schema: Self.old.classless)
    for (model, obstacle) in cases {
      #expect(StoreSurplus.obstacle(forProgramsOf: program, after: model) == obstacle)
    }
  }
}
