import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Batches in a PostgreSQL database, held against a SQLite file.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLBatchTests {
  private static var rows: [[String: Any]] {
    [
      ["slug": "a", "title": "new"], ["slug": "b", "title": "second"], ["slug": "b", "stars": 5],
      ["slug": "c", "title": "third", "stars": 3], ["title": "without"],
    ]
  }

  // MARK: Inserting

  @Test(arguments: [
    NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType,
    .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType,
    .rollbackMergePolicyType,
  ])
  func `rows that are there are met as in a file`(type: NSMergePolicyType) throws {
    let policy = NSMergePolicy(merge: type)
    let pictures = try [StoreKind.sqlite, .postgreSQL].map { kind in
      let notes = try UniqueNotes(kind)
      try notes.work { context in
        context.make("Note", ["slug": "a", "title": "old", "stars": 1])
        context.make("Checklist", ["slug": "c", "title": "old list", "items": 3])
        try context.save()
      }
      let versions = try notes.work(policy) { context in
        let ids = try context.insert("Note", Self.rows)
        return ids.map { "\($0.entity.name ?? "") \(context.object(with: $0).storedVersion)" }
      }
      return try versions + notes.rows("Note", "slug", "title", "stars")
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test func `an insertion that is not unique inserts nothing`() throws {
    let notes = try UniqueNotes(.postgreSQL)
    try notes.work { context throws in
      let code = errorCode { try context.insert("Note", Self.rows) }
      #expect(code == NSManagedObjectConstraintMergeError)
    }
    #expect(try notes.rows("Note", "slug") == [])
  }

  @Test(arguments: [
    // Behind thousands that the server has taken already; the first and the last of few.
    (at: 7_001, slug: "zero\0"), (at: 5_002, slug: "3"), (at: 2, slug: "1"),
    (at: 30, slug: "zero\0"),
  ])
  func `a batch that the server refused did not say which of its rows was at fault`(
    at number: Int,
    slug: String
  ) throws {
    let notes = try UniqueNotes(.postgreSQL)
    try notes.work { context throws in
      var rows = (1...number).map { ["slug": "\($0)"] }
      rows[number - 1]["slug"] = slug
      rows.append(["slug": "the last"])
      let reason = words { try context.insert("Note", rows) }
      #expect(reason.contains("(row \(number) of the batch)"), "\(reason)")
    }
    #expect(try notes.rows("Note", "slug") == [])
  }

  @Test func `a batch that resolves conflicts names the row whose value the server refuses`() throws
  {
    let notes = try UniqueNotes(.postgreSQL)
    try notes.work(.mergeByPropertyObjectTrump) { context throws in
      let rows = ["a", "b", "c\0", "d"].map { ["slug": "s\($0.prefix(1))", "title": $0] }
      let reason = words { try context.insert("Note", rows) }
      #expect(reason.contains("(row 3 of the batch)"), "\(reason)")
    }
    #expect(try notes.rows("Note", "slug") == [])
  }

  @Test func `two programs that insert the same values at once insert each once`() async throws {
    let notes = try UniqueNotes(.postgreSQL)
    let place = try #require(notes.file)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for program in 1...3 {
        group.addTask {
          let other = try UniqueNotes(type: StoreKind.postgreSQL.type, at: place)
          try other.work(.mergeByPropertyObjectTrump) { context in
            _ = try context.insert(
              "Note",
              (1...200).map { ["slug": "slug \($0)", "title": "of \(program)"] }
            )
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try notes.rows("Note", "slug").count == 200)
  }

  @Test func `a row was lost whose like another program deleted before it was updated`() throws {
    let wire = FaultyWire()
    let other = try UniqueNotes(type: StoreKind.postgreSQL.type, at: wire.place)
    try other.work { context in
      context.make("Note", ["slug": "a", "title": "old"])
      try context.save()
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = try wire.coordinator(UniqueNotes.model)
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    wire.beforeUpdate {
      try other.work { context in
        for note in try context.all("Note") { context.delete(note) }
        try context.save()
      }
    }
    try context.performAndWait { _ = try context.insert("Note", Self.rows) }
    #expect(
      try other.rows("Note", "slug", "title") == ["a new", "b second", "c third", "– without"]
    )
  }

  @Test func `an upsert onto a row of a subentity left its time of writing as it was`() throws {
    let (note, list) = (CodedModel.entity("Note"), CodedModel.entity("Checklist"))
    let time = NSDerivedAttributeDescription()
    time.name = "checkedAt"
    time.type = .date
    time.derivationExpression = NSExpression(format: "now()")
    note.properties = [CodedModel.attribute("slug"), CodedModel.attribute("title")]
    note.uniquenessConstraints = [["slug"]]
    note.subentities = [list]
    list.properties = [time]
    let place = PostgreSQLServer.shared.place()
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: CodedModel.model(note, list)
    )
    try StoreKind.postgreSQL.add(to: coordinator, at: place)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait {
      context.make("Checklist", ["slug": "a", "title": "old"])
      try context.save()
      try PostgreSQLShell.run("UPDATE \"ZNOTE\" SET \"ZCHECKEDAT\" = 0", at: place)
      _ = try context.insert("Note", [["slug": "a", "title": "new"]])
      context.reset()
      let found = try #require(try context.all("Checklist").first)
      #expect(found.value(forKey: "title") as? String == "new")
      let written = try #require(found.value(forKey: "checkedAt") as? Date)
      #expect(written.timeIntervalSinceReferenceDate != 0)
    }
  }

  @Test func `thousands of rows go with few statements`() throws {
    let wire = FaultyWire()
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = try wire.coordinator()
    try context.performAndWait {
      wire.reset()
      let ids = try context.insert("Note", (1...6_000).map { ["title": "Note \($0)"] })
      #expect(ids.count == 6_000)
      #expect(wire.trips <= 20)
      #expect(try context.count(for: Note.fetchRequest()) == 6_000)
    }
  }

  @Test
  func `a lookup of many values kept the plan that the server had made while the table was empty`()
    throws
  {
    let connection = try PostgreSQLServer.shared.connection()
    try connection.run(
      plain: "CREATE TEMPORARY TABLE words (zone TEXT, word TEXT, UNIQUE (zone, word))"
    )
    let places = (2...257).map { "$\($0)" }.joined(separator: ", ")
    let lookup = "SELECT word FROM words WHERE zone = $1 AND word IN (\(places))"
    let single = "SELECT word FROM words WHERE zone = $1 AND word = $2"
    for _ in 1...8 {
      for sql in [lookup, single] { try connection.statement(sql).run() }
    }
    // The statement that the server plans once for all values.
    let names = "SELECT statement FROM pg_prepared_statements WHERE name LIKE 'coredata%'"
    let statement = try connection.statement(names)
    var kept: [String] = []
    while try statement.step() { kept.append(statement.text(0)) }
    #expect(kept == [single])
  }

  // MARK: Updating and deleting

  @Test func `updates and deletions do what they do in a file`() throws {
    let pictures = try [StoreKind.sqlite, .postgreSQL].map { kind in
      let stack = try NotesStack(kind)
      return try stack.work { context in try work(in: context) }
    }
    #expect(pictures[0] == pictures[1])
  }

  /// Works with batches, and returns the result of each.
  private func work(in context: NSManagedObjectContext) throws -> [String] {
    let inner = context.folder("inner", in: context.folder("outer"))
    for number in 1...9 {
      let note = context.note("Note \(number)", in: number < 6 ? inner : nil)
      note.stars = Int16(number % 5)
      if number % 2 == 0 { note.addToTags(context.tag("tag \(number)")) }
    }
    try context.save()
    var picture: [String] = []
    func look(_ words: String) throws {
      context.reset()
      let notes = try context.fetch(Note.fetchRequest()).map { note in
        "\(note.title ?? "–") \(note.stars) \(note.folder?.name ?? "–") \(note.tags?.count ?? 0)"
          + " v\(note.storedVersion)"
      }
      picture.append("\(words): \(notes.sorted())")
    }
    let counted = try context.update(
      "Note",
      ["stars": NSExpression(format: "stars + 10")],
      where: NSPredicate(format: "stars > 2 OR title == 'Note 1'")
    )
    try look("\(counted) got stars")
    let named = try context.update(
      "Note",
      ["title": NSExpression(forKeyPath: "folder.name")],
      where: NSPredicate(format: "folder.parent.name == 'outer' AND stars == 13")
    )
    try look("\(named) got a name")
    let few = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    few.predicate = NSPredicate(format: "folder == nil")
    few.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
    few.fetchLimit = 2
    let gone = try context.delete(NSBatchDeleteRequest(fetchRequest: few))
    try look("\(gone.count) went")
    let cascade = try context.delete("Folder", where: NSPredicate(format: "name == 'outer'"))
    try look("\(cascade.count) went with the folder")
    return picture
  }

  @Test func `a batch sees and changes the rows of its own zone alone`() throws {
    let place = PostgreSQLServer.shared.place()
    let contexts = try ["home", "work"].map { zone in
      let stack = try NotesStack(
        type: StoreKind.postgreSQL.type,
        at: place,
        options: ["NSPostgreSQLZone": zone]
      )
      return stack.context()
    }
    for context in contexts {
      try context.performAndWait {
        context.note("mine", in: context.folder("Ideas"))
        try context.save()
      }
    }
    try contexts[0].performAndWait { () throws in
      #expect(try contexts[0].update("Note", ["title": "changed"]) == 1)
      #expect(try contexts[0].delete("Folder").count == 2)
      #expect(try contexts[0].titles() == [])
    }
    try contexts[1].performAndWait { () throws in
      #expect(try contexts[1].titles() == ["mine"])
    }
  }
}
