import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Files that are not quite as we would have made them, and models with more than tables.
struct UnusualFileTests {
  private typealias Notes = LightweightMigrationTests

  private func upgrade(_ statements: String...) throws -> Upgrade {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let connection = try Connection(path: upgrade.file.path)
    for statement in statements { try connection.run(statement) }
    return upgrade
  }

  @Test func `uniqueness inside a table, as old files have it, goes with its attribute (108)`()
    throws
  {
    let upgrade = try upgrade(
      "ALTER TABLE ZNOTE RENAME TO OLD",
      "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,"
        + " ZSTARS INTEGER, ZFOLDER INTEGER, ZTITLE VARCHAR UNIQUE, ZIMAGE BLOB )",
      "INSERT INTO ZNOTE SELECT Z_PK, Z_ENT, Z_OPT, ZSTARS, ZFOLDER, ZTITLE, ZIMAGE FROM OLD",
      "DROP TABLE OLD"
    )
    let second = Notes.first.changing("Note") { $0.attributes.removeAll { $0.name == "title" } }
    let lines = try upgrade.lines(second)
    #expect(lines.contains("Note/2 stars = 2") && lines.contains("Note/3 image = x'0708'"))
    #expect(lines.contains("Folder/1 notes = 1, 2"))
    try upgrade.expectShape(of: second)
  }

  @Test func `a column of somebody else's that is in the way makes room (108)`() throws {
    let upgrade = try upgrade(
      "ALTER TABLE ZNOTE ADD COLUMN ZPAGES TEXT",
      "UPDATE ZNOTE SET ZPAGES = 'no number'"
    )
    let second = Notes.first.changing("Note") {
      $0.attributes.append(.attribute("pages", .integer32).with { $0.defaultValue = .integer(4) })
    }
    #expect(try upgrade.lines(second).filter { $0.hasSuffix("pages = 4") }.count == 3)
    try upgrade.expectShape(of: second)
  }

  @Test func `a file that lacks a column of its model is refused, and stays (108)`() throws {
    let upgrade = try upgrade("ALTER TABLE ZNOTE DROP COLUMN ZSTARS")
    let second = Notes.first.changing("Note") { $0.attributes.append(.text("subtitle")) }
    let error = #expect(throws: CocoaError.self) { try upgrade.lines(second) }
    #expect(error?.code.rawValue == NSMigrationManagerSourceStoreError)
    let reason = "\(error?.userInfo[NSLocalizedFailureReasonErrorKey] ?? "")"
    #expect(reason.contains("it lacks the column ZNOTE.ZSTARS"))
  }

  @Test func `a table of pairs that Apple's framework has named otherwise keeps its name (108)`()
    throws
  {
    let old = ModelSchema.model(
      .entity(
        "Note",
        [.text("title")],
        [.many("related", "Note", back: "relatedBy"), .many("relatedBy", "Note", back: "related")]
      )
    )
    let upgrade = try Upgrade(old) { context in
      let first = context.make("Note", ["title": "first"])
      try context.save()
      context.make("Note", ["title": "second", "related": NSSet(object: first)])
    }
    let connection = try Connection(path: upgrade.file.path)
    try connection.run("ALTER TABLE Z_1RELATED RENAME TO Z_1RELATEDBY")
    let new = old.adding(.entity("Folder")).changing("Note") { $0.attributes.append(.text("text")) }
    #expect(try upgrade.lines(new).contains("Note/2 related = 1"))
    let shape = try FileShape(connection)
    #expect(shape.tableNames.contains("Z_2RELATEDBY") && !shape.tableNames.contains("Z_2RELATED"))
  }

  @Test func `a migration is part of the progress that the thread follows (108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let second = Notes.first.changing("Note") { $0.attributes.append(.text("subtitle")) }
    let progress = Progress(totalUnitCount: 1)
    progress.becomeCurrent(withPendingUnitCount: 1)
    _ = try upgrade.lines(second)
    progress.resignCurrent()
    #expect(progress.fractionCompleted == 1)
  }

  @Test func `indexes of all kinds follow (108)`() throws {
    let indexed = Notes.first.changing("Note") {
      $0.indexes = [
        FetchIndexSchema(
          name: "byStars",
          elements: [.init(.property("stars"), isAscending: false), .init(.property("title"))],
          partialPredicateFormat: "stars > 1"
        ),
        FetchIndexSchema(name: "near", elements: [.init(.property("stars"), collation: .rTree)]),
      ]
      $0.versionHashModifier = "indexed"
    }
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    _ = try upgrade.lines(indexed)
    try upgrade.expectShape(of: indexed)
    let renamed = indexed.changing("Note") {
      $0.change("stars") {
        $0.name = "rank"
        $0.renamingIdentifier = "stars"
      }
      $0.indexes[0].elements[0].subject = .property("rank")
      $0.indexes[0].partialPredicateFormat = "rank > 1"
      $0.indexes[1].elements[0].subject = .property("rank")
    }
    #expect(try upgrade.lines(renamed).contains("Note/2 rank = 2"))
    try upgrade.expectShape(of: renamed)
    let connection = try Connection(path: upgrade.file.path)
    #expect(try connection.integer("SELECT COUNT(*) FROM Z_RT_Note_near") == 3)
    _ = try upgrade.lines(Notes.first)
    try upgrade.expectShape(of: Notes.first)
  }

  @Test func `copies that earlier migrations have left are not touched (108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let second = Notes.first.changing("Note") { $0.attributes.removeAll { $0.name == "title" } }
    let third = second.changing("Note") { $0.attributes.removeAll { $0.name == "stars" } }
    _ = try upgrade.lines(second)
    _ = try upgrade.lines(third)
    #expect(
      try upgrade.companions()
        == ["Notes.sqlite.2.before-migration", "Notes.sqlite.before-migration"]
    )
    let first = Upgrade(of: upgrade.file.appendingPathExtension("before-migration"))
    #expect(try first.lines(Notes.first).contains("Note/1 title = 'one'"))
  }

  @Test func `no copy is made where none is wanted (108)`() throws {
    let upgrade = try Upgrade(Notes.first, Notes.fill)
    let second = Notes.first.changing("Note") { $0.attributes.removeAll { $0.name == "title" } }
    _ = try upgrade.lines(second, [CoreDataMigrationBackupOption: false])
    #expect(try upgrade.companions() == [])
  }

  @Test func `the model a store was made with is found among the program's (106)`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    try stack.work { context in
      context.note("first", in: context.folder("Home"))
      try context.save()
    }
    try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    try Connection(path: file.path).run("DELETE FROM Z_MODELCACHE" as String)
    let second = NotesStack.model.layout.schema.changing("Tag") {
      $0.attributes.append(.text("colour"))
    }
    let lines = try Upgrade(of: file).lines(second)
    #expect(lines.contains("Note/1 title = 'first'"))
    #expect(try StoredModel(inStoreAt: file).schema.entity(named: "Tag")?.attributes.count ?? 0 > 1)
  }

  @Test func `a store of one configuration is migrated with it (106, 108)`() throws {
    var old = Notes.first.adding(.entity("Setting", [.text("name")]))
    old.configurations = ["Local": ["Setting"], "Cloud": ["Note", "Folder"]]
    var new = old.changing("Note") { $0.attributes.append(.text("subtitle")) }
    new = new.changing("Setting") {
      $0.attributes.append(.text("value").with { $0.defaultValue = .text("x") })
    }
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    func open(_ schema: ModelSchema, _ options: [String: Any]) throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: NSManagedObjectModel(schema: schema.classless)
      )
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: "Local",
        at: file,
        options: options
      )
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      return context
    }
    let first = try open(old, [:])
    try first.performAndWait {
      first.make("Setting", ["name": "size"])
      try first.save()
    }
    let second = try open(new, Upgrade.options)
    let values = try second.performAndWait {
      try second.every("Setting").map { $0.value(forKey: "value") as? String }
    }
    #expect(values == ["x"])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: file
    )
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(hashes?.keys.sorted() == ["Setting"])
  }
}
