import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Migrations that are refused, fail, are cancelled or killed: the file is as it was.
struct FailedMigrationTests {
  private typealias Notes = LightweightMigrationTests

  /// Everything at once: other numbers, columns, tables of pairs, indexes, derived values.
  static let second = Notes.first
    .changing("Note") {
      $0.name = "Page"
      $0.renamingIdentifier = "Note"
      $0.attributes.removeAll { $0.name == "stars" }
      $0.attributes.append(.attribute("rank", .integer32).with { $0.defaultValue = .integer(1) })
      $0.attributes.append(.derived("search", .string, from: "canonical:(title)"))
      $0.change(relationship: "folder") {
        $0.maxCount = 0
        $0.name = "folders"
        $0.renamingIdentifier = "folder"
      }
      $0.uniquenessConstraints = [["title"]]
    }
    .changing("Folder") {
      $0.change(relationship: "notes") {
        $0.destinationName = "Page"
        $0.inverseName = "folders"
        $0.isOrdered = true
      }
    }
    .adding(.entity("Attachment", [.text("name")]))

  private func model(_ schema: ModelSchema) -> NSManagedObjectModel {
    NSManagedObjectModel(schema: schema.classless)
  }

  /// All that is in the tables, as text.
  private static func dump(_ file: URL) throws -> [String] {
    let connection = try Connection(path: file.path)
    let shape = try FileShape(connection)
    var lines: [String] = []
    for table in shape.tables.keys.sorted() {
      lines.append(shape.tables[table]?.sql ?? "")
      let statement = try connection.statement("SELECT * FROM \(table) ORDER BY 1")
      defer { statement.reset() }
      while try statement.step() {
        lines.append((0..<statement.columnCount).map { "\(statement.value($0))" }.joined())
      }
    }
    return lines
  }

  @Test func `without the option a store of another model is refused (106)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let code = errorCode { try Upgrade.work(with: Self.second, at: upgrade.file) { _ in } }
    #expect(code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func `without leave to infer there is no mapping model (106)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let code = errorCode {
      try upgrade.work(with: Self.second, [NSInferMappingModelAutomaticallyOption: false]) { _ in }
    }
    #expect(code == NSMigrationMissingMappingModelError)
  }

  @Test func `a store whose model nobody knows is refused (106)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    try Connection(path: upgrade.file.path).run("DELETE FROM Z_MODELCACHE" as String)
    let before = try Self.dump(upgrade.file)
    let code = errorCode { try upgrade.lines(Self.second) }
    #expect(code == NSMigrationMissingSourceModelError)
    #expect(try Self.dump(upgrade.file) == before)
  }

  @Test func `a container migrates by itself (106)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model(Self.second))
    let description = NSPersistentStoreDescription(url: upgrade.file)
    description.setOption(NSNumber(value: true), forKey: CoreDataMigrationLossOption)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func `what cannot be inferred is refused with every reason and remedy (106, 108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let before = try Self.dump(upgrade.file)
    let new = Notes.first.changing("Note") {
      $0.change("stars") { $0.type = .string }
      $0.attributes.append(.text("key").with { $0.isOptional = false })
    }
    let error = #expect(throws: CocoaError.self) { try upgrade.lines(new) }
    #expect(error?.code.rawValue == NSInferredMappingModelError)
    let reason = "\(error?.userInfo[NSLocalizedFailureReasonErrorKey] ?? "")"
    #expect(reason.contains("Note.stars are not converted from Integer 16 to String"))
    #expect(reason.contains("Note.key is required"))
    let suggestion = "\(error?.userInfo[NSLocalizedRecoverySuggestionErrorKey] ?? "")"
    #expect(suggestion.contains("Give it a default value or make it optional."))
    #expect(try Self.dump(upgrade.file) == before)
  }

  @Test func `when the n-th statement fails, for every n, the file is as it was (108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let before = try Self.dump(upgrade.file)
    var place = 1
    while true {
      let refusal = Refusal(ofStatement: place)
      var migration = StoreMigration(
        of: upgrade.file,
        to: model(Self.second),
        options: Upgrade.options
      )
      migration.observer = { sql in try refusal.observe(sql) }
      let code = errorCode { try migration.perform() }
      if !refusal.happened {
        #expect(code == nil)
        break
      }
      #expect(code == CocoaError.fileWriteOutOfSpace.rawValue, "statement \(place)")
      #expect(try Self.dump(upgrade.file) == before, "statement \(place)")
      #expect(try upgrade.companions() == [], "statement \(place)")
      place += Tries.step(3)
    }
    #expect(place > 40)
    try upgrade.expectShape(of: Self.second)
    #expect(try upgrade.lines(Self.second).contains("Page/1 folders = 1"))
  }

  @Test func `a full disk leaves the file as it was (108)`() throws {
    let upgrade = try Upgrade(Notes.first) { context in
      for number in 0..<500 { context.make("Note", ["title": "note \(number)"]) }
    }
    let before = try Self.dump(upgrade.file)
    let pages = try Connection(path: upgrade.file.path).integer("PRAGMA page_count") ?? 0
    let code = errorCode {
      try upgrade.lines(
        Self.second,
        [NSSQLitePragmasOption: ["max_page_count": "\(pages)"]]
      )
    }
    #expect(code == CocoaError.fileWriteOutOfSpace.rawValue)
    #expect(try Self.dump(upgrade.file) == before)
    #expect(try upgrade.lines(Self.second).contains("Page/500 rank = 1"))
  }

  @Test(arguments: Tries.spread(8, of: 24))
  func `a program killed while it migrates leaves the old state or the new one (108)`(
    attempt: Int
  ) async throws {
    let upgrade = try Upgrade(Notes.first) { context in
      for number in 0..<300 { context.make("Note", ["title": "note \(number)", "stars": 3]) }
    }
    let before = try Self.dump(upgrade.file)
    let path = upgrade.file.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, attempt = attempt as Int] in
      let count = Mutex(0)
      var migration = StoreMigration(
        of: URL(filePath: path),
        to: NSManagedObjectModel(schema: FailedMigrationTests.second.classless)
      )
      let place = attempt * 3 + 1
      migration.observer = { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == place { kill(getpid(), SIGKILL) }
      }
      try migration.perform()
      // So few statements: after the commit.
      kill(getpid(), SIGKILL)
    }
    let version = try StoredModel(inStoreAt: upgrade.file).schema
    if version.entity(named: "Page") == nil {
      #expect(try Self.dump(upgrade.file) == before)
    }
    #expect(try upgrade.lines(Self.second).contains("Page/300 title = 'note 299'"))
    try upgrade.expectShape(of: Self.second)
  }

  @Test func `a migration is followed, and can be cancelled (108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let before = try Self.dump(upgrade.file)
    let progress = Progress(totalUnitCount: 0)
    progress.cancel()
    let code = errorCode {
      try upgrade.lines(Self.second, [CoreDataMigrationProgressOption: progress])
    }
    #expect(code == NSMigrationCancelledError)
    #expect(try Self.dump(upgrade.file) == before)
    let other = Progress(totalUnitCount: 0)
    _ = try upgrade.lines(Self.second, [CoreDataMigrationProgressOption: other])
    #expect(other.isFinished && other.totalUnitCount > 5)
  }

  @Test func `several programs that open a store at once migrate it once (106, 108)`() throws {
    let upgrade = try Upgrade(Notes.first) { context in
      for number in 0..<300 { context.make("Note", ["title": "note \(number)", "stars": 3]) }
    }
    let model = model(Self.second)
    let path = upgrade.file.path
    let outcomes = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let outcome: String
      do {
        let report = try StoreMigration(
          of: URL(filePath: path),
          to: model,
          options: Upgrade.options
        ).perform()
        outcome = report.steps.isEmpty ? "found" : "migrated"
      } catch {
        outcome = "\(error)"
      }
      outcomes.withLock { $0.append(outcome) }
    }
    #expect(outcomes.withLock { $0 }.sorted() == ["found", "found", "found", "migrated"])
    #expect(try upgrade.lines(Self.second).contains("Page/300 title = 'note 299'"))
    #expect(try upgrade.companions() == ["Notes.sqlite.before-migration"])
  }

  @Test func `a read-only store is not migrated (106)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let code = errorCode {
      try upgrade.lines(Self.second, [NSReadOnlyPersistentStoreOption: true])
    }
    #expect(code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func `keys, metadata and tables of others stay (105, 108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    try NSPersistentStoreCoordinator.setMetadata(
      ["mine": "kept", "NSPersistenceFrameworkVersion": 1522],
      type: .sqlite,
      at: upgrade.file
    )
    let connection = try Connection(path: upgrade.file.path)
    try connection.run("CREATE TABLE MINE (X)")
    try connection.run("ALTER TABLE ZNOTE ADD COLUMN MYOWN TEXT")
    let before = try connection.text("SELECT Z_UUID FROM Z_METADATA")
    _ = try upgrade.lines(Self.second)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: upgrade.file
    )
    #expect(metadata["mine"] as? String == "kept")
    #expect(metadata["NSPersistenceFrameworkVersion"] as? Int == 1522)
    #expect(metadata[NSStoreUUIDKey] as? String == before)
    let shape = try FileShape(Connection(path: upgrade.file.path))
    #expect(shape.tables["MINE"] != nil && shape.tables["ZPAGE"]?.has("MYOWN") == true)
    try upgrade.work(with: Self.second) { context in
      let page = context.make("Page", ["title": "new"])
      try context.save()
      #expect(page.objectID.key.number == 4)
    }
  }

  @Test func `a store that is mirrored is refused when numbers change (108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    try Connection(path: upgrade.file.path).run(
      "CREATE TABLE ANSCKRECORDMETADATA (ZENTITYID INTEGER)"
    )
    #expect(errorCode { try upgrade.lines(Self.second) } == NSInferredMappingModelError)
    let same = Notes.first.changing("Note") { $0.attributes.append(.text("subtitle")) }
    #expect(try upgrade.lines(same).contains("Note/1 subtitle = nil"))
  }

  @Test func `versions between are gone through where one step is not enough (108)`() throws {
    let last = Notes.first.changing("Note") {
      $0.change("stars") { $0.type = .string }
    }
    let between = Notes.first.changing("Note") { $0.attributes.removeAll { $0.name == "stars" } }
    let direct = SourceModel(Notes.first)
    #expect(throws: MigrationFailure.self) { try direct.route(to: last) }
    let steps = try SourceModel(Notes.first, versionsBetween: [between]).route(to: last)
    #expect(steps.count == 2)
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let report = try StoreMigration(of: upgrade.file, to: model(last)).perform(along: steps)
    #expect(report.losses.map(\.description) == ["Note.stars: 2 values"])
    try upgrade.expectShape(of: last)
  }
}
