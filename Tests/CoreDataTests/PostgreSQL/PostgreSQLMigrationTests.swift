import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataModelChanges
@testable import CoreDataPostgreSQL

/// Lightweight migrations of PostgreSQL databases, held against those of SQLite files.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLMigrationTests {
  /// Migrates a database and a file in the same way, and looks at objects and tables.
  private func expectAgreement(
    _ old: ModelSchema,
    _ new: ModelSchema,
    _ comment: Comment,
    _ fill: (NSManagedObjectContext) throws -> Void
  ) throws {
    let (file, database) = try (Upgrade(old, fill), PostgreSQLUpgrade(old, fill))
    #expect(try database.lines(new) == file.lines(new), comment)
    #expect(try database.shape() == PostgreSQLUpgrade.shape(of: new), comment)
    // Migrated objects can be changed, by programs that do not ask for a migration.
    try database.make(new) { context in
      for entity in new.entities where !entity.isAbstract { context.make(entity.name) }
    }
  }

  // MARK: Attributes and entities

  private static let first = LightweightMigrationTests.first

  /// The possible changes by a developer, by name.
  private static let versions: [String: ModelSchema] = [
    "attributes come and go, some with defaults": first.changing("Note") {
      $0.attributes.removeAll { $0.name == "title" }
      $0.attributes.append(.text("subtitle"))
      $0.attributes.append(.attribute("pages", .integer32).with { $0.defaultValue = .integer(4) })
      $0.attributes.append(
        .attribute("price", .decimal).with {
          $0.defaultValue = .decimal(1.5)
          $0.isOptional = false
        }
      )
      $0.attributes.append(
        .attribute("cover", .binaryData).with {
          $0.defaultValue = .data(Data([1, 2]))
          $0.allowsExternalBinaryDataStorage = true
        }
      )
      $0.attributes.append(.attribute("seen", .date).with { $0.defaultValue = .date(60) })
    },
    "an attribute becomes required": first.changing("Note") {
      $0.change("stars") {
        $0.isOptional = false
        $0.defaultValue = .integer(7)
      }
    },
    "data may stand in files": first.changing("Note") {
      $0.change("image") { $0.allowsExternalBinaryDataStorage = true }
    },
    "entities come before others": first.adding(
      .entity("Attachment", [.text("path")]),
      .entity("Album", below: "Folder", [.text("cover")])
    ),
    "an entity goes": first.removing("Folder").changing("Note") { $0.relationships = [] },
    "everything is renamed, and indexed": first.changing("Note") {
      $0.name = "Page"
      $0.renamingIdentifier = "Note"
      $0.change("title") {
        $0.name = "heading"
        $0.renamingIdentifier = "title"
      }
      $0.indexes = [FetchIndexSchema(name: "byHeading", elements: [.init(.property("heading"))])]
      $0.uniquenessConstraints = [["heading"]]
    }
    .changing("Folder") { $0.change(relationship: "notes") { $0.destinationName = "Page" } },
    "attributes are derived": first.changing("Folder") {
      $0.attributes += [
        .attribute("count", .integer64).with { $0.derivationExpression = "notes.@count" },
        .text("plainName").with { $0.derivationExpression = "lowercase:(name)" },
      ]
    },
  ]

  // Migrates a database for each of many versions.
  @Test(.enabled(if: Tries.areMany), arguments: versions.keys.sorted())
  func `a database becomes what a file becomes`(name: String) throws {
    let new = try #require(Self.versions[name])
    try expectAgreement(Self.first, new, "\(name)", LightweightMigrationTests.fill)
    // And back again, if no model forbids it.
    guard ModelComparison(from: new, to: Self.first).obstacles.isEmpty else { return }
    try expectAgreement(new, Self.first, "back from: \(name)") { context in
      for entity in new.entities where !entity.isAbstract { context.make(entity.name) }
    }
  }

  @Test func `attributes that exchange their names keep their values in a database`() throws {
    let old = Self.first.changing("Note") { $0.attributes.append(.text("text")) }
    let new = old.changing("Note") {
      $0.change("title") { $0.renamingIdentifier = "text" }
      $0.change("text") { $0.renamingIdentifier = "title" }
      $0.versionHashModifier = "2"
    }
    try expectAgreement(old, new, "exchanged names") { context in
      context.make("Note", ["title": "title", "text": "text"])
    }
  }

  // MARK: Relationships

  private static let changes = Tries.spread(
    6,
    of: RelationshipMigrationTests.changes.count
  ).map { RelationshipMigrationTests.changes[$0] }

  @Test(arguments: changes)
  func `what was linked stays linked in a database`(change: (String, String)) throws {
    let forms = RelationshipMigrationTests.forms
    let (old, new) = (try #require(forms[change.0]), try #require(forms[change.1]))
    try expectAgreement(old, new, "\(change)", RelationshipMigrationTests.fill)
  }

  // MARK: Zones, keys, history

  @Test func `all zones of a database are migrated at once`() throws {
    let forms = RelationshipMigrationTests.forms
    let (old, new) = (try #require(forms["one, many back"]), try #require(forms["many, many back"]))
    let database = PostgreSQLUpgrade()
    try database.make(old, zone: "home", RelationshipMigrationTests.fill)
    try database.make(old, zone: "work") { context in
      try RelationshipMigrationTests.fill(context)
      context.make("Folder", ["name": "empty"])
    }
    let second = new.adding(.entity("Attachment"))
    let home = try database.lines(second, zone: "home")
    // Nobody asks for a migration.
    let work = try database.work(with: second, zone: "work") { try $0.lines(second) }
    #expect(work.filter { $0.hasPrefix("Note/") } == home.filter { $0.hasPrefix("Note/") })
    #expect(work.contains("Folder/3 name = 'empty'"))
    #expect(!home.contains { $0.hasPrefix("Folder/3") })
  }

  @Test func `new objects of a migrated database do not get keys that others have`() throws {
    let database = try PostgreSQLUpgrade(Self.first, LightweightMigrationTests.fill)
    let new = Self.first.adding(.entity("Attachment"))
    try database.work(with: new, options: Upgrade.options) { context in
      let old = Set(try context.every("Note").map { $0.objectID.key.number })
      let note = context.make("Note", ["title": "new"])
      try context.save()
      #expect(!old.contains(note.objectID.key.number))
      #expect(try context.every("Note").count == old.count + 1)
    }
  }

  @Test(arguments: ["Tenant", "tenant-1", "550e8400", "my schema's"])
  func `tables in a schema whose name needs signs around it were never migrated`(
    name: String
  ) throws {
    let schema = "\(name) \(UUID().uuidString)"
    let server = PostgreSQLServer.shared.address
    try PostgreSQLShell.run("CREATE SCHEMA \"\(schema)\"", at: server)
    // A backslash takes the meaning of a space from it.
    let path = "-csearch_path=\"\(schema)\"".replacing(" ", with: "\\ ")
    let setting = try #require(path.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let text = server.absoluteString + "&options=" + setting
    let database = PostgreSQLUpgrade(at: try #require(URL(string: text)))
    try database.make(Self.first, LightweightMigrationTests.fill)
    let new = Self.first.adding(.entity("Attachment", [.text("path")]))
    let file = try Upgrade(Self.first, LightweightMigrationTests.fill)
    #expect(try database.lines(new) == file.lines(new))
  }

  @Test func `a history in a database follows its entities and properties`() throws {
    let old = try #require(RelationshipMigrationTests.forms["one, many back"]).changing("Note") {
      $0.attributes += [
        .attribute("stars", .integer16),
        .text("key").with { $0.preservesValueInHistoryOnDeletion = true },
      ]
    }
    let new = old.adding(.entity("Attachment")).changing("Note") {
      $0.attributes.removeAll { $0.name == "stars" }
      $0.attributes += [
        .text("author"), .text("code").with { $0.preservesValueInHistoryOnDeletion = true },
      ]
    }
    let kept: [String: Any] = [NSPersistentHistoryTrackingKey: true]
    let (file, database) = (
      TestSupport.TemporaryFolder.file("Notes.sqlite"), PostgreSQLUpgrade()
    )
    try Upgrade.work(with: old, at: file, kept, writeHistory)
    try database.work(with: old, options: kept, writeHistory)
    let options = Upgrade.options.merging(kept) { $1 }
    let wanted = try Upgrade.work(with: new, at: file, options, history)
    let found = try database.work(with: new, options: options, history)
    #expect(found == wanted)
    #expect(found.contains { $0.contains("Note") && $0.contains("title") })
  }

  private func writeHistory(_ context: NSManagedObjectContext) throws {
    try RelationshipMigrationTests.fill(context)
    let notes = try context.every("Note")
    notes[0].setValue("other", forKey: "title")
    notes[0].setValue(3, forKey: "stars")
    notes[1].setValue("k", forKey: "key")
    try context.save()
    context.delete(notes[1])
    try context.save()
  }

  private func history(_ context: NSManagedObjectContext) throws -> [String] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(
      after: nil as NSPersistentHistoryToken?
    )
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
    return transactions.flatMap(\.picture)
  }

  // MARK: Programs that stay open

  @Test func `a program with the old model that stayed open wrote rows under old numbers`() throws {
    let database = try PostgreSQLUpgrade(Self.first, LightweightMigrationTests.fill)
    // It comes before the others, so that these get other numbers.
    let new = Self.first.adding(.entity("Attachment", [.text("path")]))
    try database.work(with: Self.first) { context in
      let note = try #require(try context.every("Note").first)
      note.setValue("changed", forKey: "title")
      context.make("Note", ["title": "another"])
      let migrated = try database.lines(new)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
      #expect(error.localizedFailureReason?.contains("migrated the database") == true)
      #expect(error.localizedRecoverySuggestion?.contains("Open the store again") == true)
      #expect(context.insertedObjects.count == 1 && context.updatedObjects.count == 1)
      #expect(try database.lines(new) == migrated)
    }
  }

  @Test(arguments: [true, false])
  func `no request of a program with the old model is answered from migrated tables`(
    thatKeepTheirDigest: Bool
  ) throws {
    let database = try PostgreSQLUpgrade(Self.first, LightweightMigrationTests.fill)
    if !thatKeepTheirDigest {
      // As earlier versions made it.
      try PostgreSQLShell.run("ALTER TABLE z_model DROP COLUMN z_digest", at: database.place)
    }
    let kept: [String: Any] = [NSPersistentHistoryTrackingKey: true]
    let new = Self.first.adding(.entity("Attachment", [.text("path")]))
    try database.work(with: Self.first, options: kept) { context in
      let options = Upgrade.options.merging(kept) { $1 }
      try database.work(with: new, options: options) { _ in }
      let batch = NSBatchUpdateRequest(entityName: "Note")
      batch.propertiesToUpdate = ["title": "changed"]
      let history = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?
      )
      let codes = [
        errorCode { try context.every("Note") },
        errorCode { try context.execute(batch) },
        errorCode { try context.execute(history) },
        errorCode {
          try context.setQueryGenerationFrom(.current)
          _ = try context.every("Note")
        },
      ]
      #expect(codes.allSatisfy { $0 == NSPersistentStoreIncompatibleVersionHashError }, "\(codes)")
    }
  }

  // MARK: Two at once, and failures

  @Test func `of programs that open at once one migrates, and the others find it done`()
    async throws
  {
    let database = try PostgreSQLUpgrade(Self.first, LightweightMigrationTests.fill)
    let new = Self.first.adding(.entity("Attachment"))
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try database.lines(new) } }
      return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("Note/1 title = 'one'") == true)
  }

  @Test func `wherever the connection breaks, the tables are the old ones or the new`() throws {
    let wire = FaultyWire()
    let database = PostgreSQLUpgrade(at: wire.place)
    let forms = RelationshipMigrationTests.forms
    let (old, new) = (try #require(forms["one, many back"]), try #require(forms["many"]))
    try database.make(old, RelationshipMigrationTests.fill)
    let (shape, lines) = try (database.shape(), database.lines(old))
    var trip = 1
    while true {
      wire.reset(breakingAt: trip)
      let code = errorCode { try wire.migrate(to: new) }
      wire.reset()
      if code == nil { break }
      #expect(try database.shape() == shape, "trip \(trip)")
      #expect(try database.lines(old) == lines, "trip \(trip)")
      trip += Tries.step(4)
    }
    #expect(trip > 15)
    #expect(try database.shape() == PostgreSQLUpgrade.shape(of: new))
  }

  @Test func `values that are not unique leave the tables as they were`() throws {
    let database = try PostgreSQLUpgrade(Self.first) { context in
      for _ in 0..<2 { context.make("Note", ["title": "same"]) }
    }
    let before = try database.shape()
    let new = Self.first.changing("Note") { $0.uniquenessConstraints = [["title"]] }
    let error = #expect(throws: NSError.self) { try database.lines(new) }
    #expect(error?.code == NSMigrationConstraintViolationError)
    #expect(error?.localizedFailureReason?.contains("'same'") == true)
    #expect(try database.shape() == before)
    #expect(try database.lines(Self.first).contains("Note/2 title = 'same'"))
  }

  @Test func `a change that cannot be inferred is refused with its reasons`() throws {
    let database = try PostgreSQLUpgrade(Self.first, LightweightMigrationTests.fill)
    let new = Self.first.changing("Note") {
      $0.change("stars") { $0.type = .string }
    }
    #expect(errorCode { try database.lines(new) } == NSInferredMappingModelError)
    #expect(try database.lines(Self.first).contains("Note/2 stars = 2"))
  }

  @Test func `tables that somebody has changed are not migrated`() throws {
    let database = try PostgreSQLUpgrade(Self.first, LightweightMigrationTests.fill)
    try PostgreSQLShell.run("ALTER TABLE \"ZNOTE\" DROP COLUMN \"ZTITLE\"", at: database.place)
    let new = Self.first.adding(.entity("Attachment"))
    let error = #expect(throws: NSError.self) { try database.lines(new) }
    #expect(error?.code == NSMigrationManagerSourceStoreError)
    #expect(error?.localizedFailureReason?.contains("ZNOTE.ZTITLE") == true)
  }
}
