import ChildPrograms
import CoreDataSQL
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Stores in PostgreSQL databases, beyond what all kinds of stores have in common.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLStoreTests: PostgreSQLFolders {
  // MARK: Zones

  @Test func `two zones share tables and see nothing of each other`() throws {
    let place = PostgreSQLServer.shared.place()
    let (home, work) = (try stack(at: place, zone: "home"), try stack(at: place, zone: "work"))
    try saveFolder("Ideas", in: home)
    try saveFolder("Plans", in: work)
    try saveFolder("Reports", in: work)
    #expect(try folderNames(home) == ["Ideas"])
    #expect(try folderNames(work) == ["Plans", "Reports"])
    #expect(home.persistentStores[0].identifier != work.persistentStores[0].identifier)
    try work.destroyPersistentStore(
      at: place,
      ofType: NSPostgreSQLStoreType,
      options: [NSPostgreSQLZoneOption: "work"]
    )
    #expect(try folderNames(stack(at: place, zone: "home")) == ["Ideas"])
    #expect(try folderNames(stack(at: place, zone: "work")) == [])
  }

  @Test func `a zone that was destroyed does not give its objects' identities to others`() throws {
    let place = PostgreSQLServer.shared.place()
    let coordinator = try stack(at: place)
    try saveFolder("Ideas", in: coordinator)
    try coordinator.destroyPersistentStore(at: place, ofType: NSPostgreSQLStoreType)
    try saveFolder("Plans", in: stack(at: place))
    let keys = try PostgreSQLShell.rows("SELECT \"Z_PK\" FROM \"ZFOLDER\"", at: place)
    #expect(keys == [[String(PostgreSQLKeys.block + 1)]])
  }

  @Test func `new objects got the keys of rows that were restored without z_keys`() throws {
    let place = PostgreSQLServer.shared.place()
    try saveFolder("Ideas", in: stack(at: place))
    try PostgreSQLShell.run(
      "UPDATE \"ZFOLDER\" SET \"Z_PK\" = 250; DELETE FROM z_keys",
      at: place
    )
    try saveFolder("Plans", in: stack(at: place))
    try PostgreSQLShell.run("UPDATE z_keys SET z_last = 3", at: place)
    try saveFolder("Reports", in: stack(at: place))
    let keys = try PostgreSQLShell.rows("SELECT \"Z_PK\" FROM \"ZFOLDER\" ORDER BY 1", at: place)
    #expect(keys == [["250"], ["251"], ["252"]])
    try PostgreSQLShell.run("DELETE FROM z_keys", at: place)
    let context = context(try stack(at: place))
    try context.performAndWait {
      _ = try context.execute(
        NSBatchInsertRequest(entityName: "Folder", objects: [["name": "of a batch"]])
      )
    }
    let last = try PostgreSQLShell.rows("SELECT MAX(\"Z_PK\") FROM \"ZFOLDER\"", at: place)
    #expect(last == [["253"]])
  }

  @Test func `a program wrote rows into a zone that another one had destroyed`() throws {
    let place = PostgreSQLServer.shared.place()
    let open = try stack(at: place)
    try saveFolder("Ideas", in: open)
    let other = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try other.destroyPersistentStore(at: place, ofType: NSPostgreSQLStoreType)
    let refusal = try #require(throws: NSError.self) { try saveFolder("Plans", in: open) }
    #expect(refusal.localizedFailureReason?.contains("has destroyed the zone") == true)
    let context = context(open)
    try context.performAndWait {
      let batch = NSBatchInsertRequest(entityName: "Folder", objects: [["name": "Plans"]])
      let refusal = try #require(throws: NSError.self) { try context.execute(batch) }
      #expect(refusal.localizedFailureReason?.contains("has destroyed the zone") == true)
    }
  }

  @Test func `a zone that was made anew took what a program with the old one saved`() throws {
    let place = PostgreSQLServer.shared.place()
    let open = try stack(at: place)
    try saveFolder("Ideas", in: open)
    let other = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try other.destroyPersistentStore(at: place, ofType: NSPostgreSQLStoreType)
    let new = try stack(at: place)
    let refusal = try #require(throws: NSError.self) { try saveFolder("Plans", in: open) }
    #expect(refusal.localizedFailureReason?.contains("has destroyed the zone") == true)
    #expect(refusal.localizedRecoverySuggestion?.contains("Open the store again") == true)
    let context = context(open)
    try context.performAndWait {
      let batch = NSBatchInsertRequest(entityName: "Folder", objects: [["name": "Plans"]])
      let refusal = try #require(throws: NSError.self) { try context.execute(batch) }
      #expect(refusal.localizedFailureReason?.contains("has destroyed the zone") == true)
    }
    #expect(try folderNames(new) == [])
    try saveFolder("Plans", in: new)
    #expect(try folderNames(stack(at: place)) == ["Plans"])
  }

  @Test func `a store that gets another UUID goes on saving`() throws {
    let place = PostgreSQLServer.shared.place()
    let coordinator = try stack(at: place)
    try saveFolder("Ideas", in: coordinator)
    let store = try #require(coordinator.persistentStores.first)
    let identifier = UUID().uuidString
    coordinator.setMetadata([NSStoreUUIDKey: identifier], for: store)
    for name in ["Plans", "Reports"] { try saveFolder(name, in: coordinator) }
    let again = try stack(at: place)
    #expect(again.persistentStores.first?.identifier == identifier)
    #expect(try folderNames(again) == ["Ideas", "Plans", "Reports"])
  }

  @Test
  func `each table has a column for the zone, which a query and a deletion name by themselves`()
    throws
  {
    let place = PostgreSQLServer.shared.place()
    _ = try stack(at: place)
    let rows = try PostgreSQLShell.rows(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> 'z_model' AND NOT EXISTS
      (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'z_zone' AND a.attnotnull)
      """,
      at: place
    )
    #expect(rows.isEmpty)
    let select = Select([.column("Z_PK", of: "t0")], from: "ZNOTE", as: "t0").fragment
    let delete = Delete(from: "ZNOTE", where: "TRUE").fragment
    for fragment in [select, delete] {
      #expect(fragment.rendered(for: .postgreSQL).sql.contains("z_zone = $1"))
      #expect(!fragment.rendered(for: .sqlite).sql.contains("z_zone"))
    }
  }

  @Test(arguments: ["", String(repeating: "z", count: 201)])
  func `a zone that cannot be one is refused with a sentence`(zone: String) throws {
    let error = try #require(throws: CocoaError.self) {
      try stack(at: PostgreSQLServer.shared.place(), zone: zone)
    }
    #expect(error.code.rawValue == NSPersistentStoreOpenError)
    #expect(error.localizedDescription == "The zone of the store cannot be used.")
  }

  // MARK: Opening

  @Test func `tables of another model are refused with 134100`() throws {
    let place = PostgreSQLServer.shared.place()
    _ = try stack(at: place)
    let entity = NSEntityDescription()
    entity.name = "Letter"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let error = try #require(throws: CocoaError.self) { try stack(at: place, model: model) }
    #expect(error.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func `a table that somebody else has made is left alone`() throws {
    let place = PostgreSQLServer.shared.place()
    try PostgreSQLShell.run("CREATE TABLE \"ZNOTE\" (title TEXT)", at: place)
    let error = try #require(throws: CocoaError.self) { try stack(at: place) }
    #expect(error.code == .fileReadCorruptFile)
    let reason = (error as NSError).localizedFailureReason
    #expect(reason?.contains("has a table ZNOTE already, and no table z_model") == true)
    let tables = try PostgreSQLShell.rows(
      "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace",
      at: place
    )
    #expect(tables == [["ZNOTE"]])
  }

  @Test func `what is said of an address has no password in it`() throws {
    let address = "postgresql://ada:swordfish@/none?host=/nowhere&password=mackerel"
    let url = try #require(URL(string: address))
    let error = try #require(throws: CocoaError.self) { try stack(at: url) }
    #expect(error.code.rawValue == NSPersistentStoreOpenError)
    let words = "\(error) \((error as NSError).userInfo)"
    #expect(words.contains("postgresql://ada@/none"))
    #expect(!words.contains("swordfish") && !words.contains("mackerel"))
  }

  @Test func `messages called a store by the path of its address, which all zones have`() throws {
    let place = PostgreSQLServer.shared.place()
    let coordinator = try stack(at: place, zone: "work")
    let store = try #require(coordinator.persistentStores.first)
    let zone = [NSPostgreSQLZoneOption: "work"]
    let name = try PostgreSQLAddress(place, options: zone).description
    #expect(name.hasPrefix("postgresql://") && name.hasSuffix("(zone work)"))
    let entity = NSEntityDescription()
    entity.name = "Letter"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let refusals = [
      try #require(throws: NSError.self) { try coordinator.checkpoint(store) },
      try #require(throws: NSError.self) { try stack(at: place, zone: "work", model: model) },
    ]
    for error in refusals {
      #expect(error.localizedFailureReason?.contains(name) == true)
      #expect(error.userInfo[NSFilePathErrorKey] as? String == name)
    }
  }

  @Test func `a database that is not there has Apple's code and a remedy`() throws {
    let here = PostgreSQLServer.shared.address.absoluteString
    let url = try #require(URL(string: here.replacing("/postgres?", with: "/none?")))
    let error = try #require(throws: CocoaError.self) { try stack(at: url) }
    #expect(error.localizedDescription == "The store could not be opened.")
    let text = "\((error as NSError).localizedFailureReason ?? "")"
    #expect(text.contains("\"none\" does not exist"))
    #expect(text.contains("there is no such database"))
    #expect(error.code == .fileReadNoSuchFile)
  }

  @Test func `a database of another encoding was refused with no word on how to make one`()
    throws
  {
    let here = PostgreSQLServer.shared.address
    try PostgreSQLShell.run(
      "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
      at: here
    )
    let there = here.absoluteString.replacing("/postgres?", with: "/latin?")
    let url = try #require(URL(string: there))
    let error = try #require(throws: NSError.self) { try stack(at: url) }
    #expect(error.code == NSPersistentStoreOpenError)
    let reason = error.localizedFailureReason
    #expect(reason?.contains("its encoding is LATIN1, and UTF8 is needed") == true)
    #expect(error.localizedRecoverySuggestion?.contains("--encoding UTF8") == true)
  }

  @Test func `a user whom the server does not know was told that no server answers`() throws {
    let here = PostgreSQLServer.shared.address.absoluteString
    let url = try #require(URL(string: here.replacing("//tests@", with: "//nobody@")))
    let error = try #require(throws: CocoaError.self) { try stack(at: url) }
    #expect(error.code == .fileReadNoPermission)
    let reason = (error as NSError).localizedFailureReason
    #expect(reason?.contains("does not let this user in") == true)
  }

  @Test func `a user without the right to a database was told that no server answers`() throws {
    let here = PostgreSQLServer.shared.address
    try PostgreSQLShell.run("CREATE ROLE guest LOGIN", at: here)
    try PostgreSQLShell.run("REVOKE CONNECT ON DATABASE template1 FROM PUBLIC", at: here)
    let there = here.absoluteString.replacing("//tests@/postgres?", with: "//guest@/template1?")
    let url = try #require(URL(string: there))
    let error = try #require(throws: CocoaError.self) { try stack(at: url) }
    #expect(error.code == .fileWriteNoPermission)
    let reason = (error as NSError).localizedFailureReason
    #expect(reason?.contains("the user may not do that") == true)
  }

  @Test func `metadata are read and set without opening the store`() throws {
    let place = PostgreSQLServer.shared.place()
    let coordinator = try stack(at: place)
    let identifier = coordinator.persistentStores[0].identifier
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSPostgreSQLStoreType,
      at: place
    )
    #expect(metadata[NSStoreUUIDKey] as? String == identifier)
    metadata["colour"] = "green"
    try NSPersistentStoreCoordinator.setMetadata(
      metadata,
      forPersistentStoreOfType: NSPostgreSQLStoreType,
      at: place
    )
    #expect(try stack(at: place).persistentStores[0].metadata["colour"] as? String == "green")
  }

  @Test func `the server counts connections under the name of the program, or of the address`()
    throws
  {
    let place = try #require(URL(string: DatabaseServer.shared.makeDatabase()))
    let names =
      "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database()"
    let coordinator = try stack(at: place)
    #expect(try PostgreSQLShell.rows(names, at: place) == [[ProcessInfo.processInfo.processName]])
    let named = try #require(URL(string: place.absoluteString + "&application_name=shop"))
    let other = try stack(at: named)
    try saveFolder("Ideas", in: other)
    #expect(
      try PostgreSQLShell.rows("\(names) AND application_name = 'shop'", at: place) == [["shop"]]
    )
    #expect(try folderNames(coordinator) == ["Ideas"])
    #expect(try folderNames(other) == ["Ideas"])
  }

  // MARK: Saving

  @Test func `a save takes two round trips, and one for each block of keys`() throws {
    let wire = FaultyWire()
    let context = context(try wire.coordinator())
    try context.performAndWait {
      let (folder, other) = (context.folder("Ideas"), context.folder("Plans"))
      for number in 1...50 { context.note("Note \(number)", in: folder) }
      wire.reset()
      try context.save()
      #expect(wire.trips <= 4)
      let notes = try context.fetch(Note.fetchRequest())
      for note in notes.prefix(20) { note.stars += 1 }
      for note in notes.suffix(20) { context.delete(note) }
      for number in 1...20 { context.note("New note \(number)", in: other) }
      try context.obtainPermanentIDs(for: Array(context.insertedObjects))
      // The rules of deletions read the objects that they lead to.
      context.processPendingChanges()
      wire.reset()
      try context.save()
      #expect(wire.trips <= 3)
    }
  }

  @Test func `an update of a row that another program has changed is a conflict`() throws {
    let place = PostgreSQLServer.shared.place()
    let (one, other) = (try stack(at: place), try stack(at: place))
    try saveFolder("Ideas", in: one)
    let (mine, theirs) = (context(one), context(other))
    try mine.performAndWait {
      let folder = try #require(try mine.fetch(Folder.fetchRequest()).first)
      folder.name = "Mine"
      try theirs.performAndWait {
        let same = try #require(try theirs.fetch(Folder.fetchRequest()).first)
        same.name = "Theirs"
        try theirs.save()
      }
      let error = try #require(throws: CocoaError.self) { try mine.save() }
      #expect(error.code.rawValue == NSManagedObjectMergeError)
      mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try mine.save()
    }
    #expect(try folderNames(stack(at: place)) == ["Mine"])
  }

  @Test func `a text with U+0000 is refused, and nothing is cut`() throws {
    let coordinator = try stack(at: PostgreSQLServer.shared.place())
    let error = try #require(throws: CocoaError.self) { try saveFolder("a\0b", in: coordinator) }
    #expect(error.code.rawValue == NSPersistentStoreSaveError)
    #expect((error as NSError).localizedFailureReason?.contains("U+0000") == true)
    #expect(try folderNames(coordinator) == [])
    let context = context(coordinator)
    try context.performAndWait {
      let request = Folder.fetchRequest()
      request.predicate = NSPredicate(format: "name == %@", "a\0b")
      let found = try context.fetch(request)
      #expect(found.isEmpty)
    }
  }

  // MARK: Waiting

  @Test func `who waits for a connection that others keep gives up with a sentence`() throws {
    let address = try PostgreSQLAddress(PostgreSQLServer.shared.address, options: nil)
    let door = PostgreSQLDoor { address throws(PostgreSQLError) in
      try PostgreSQLShell.connect(address)
    }
    let pool = PostgreSQLPool(address, through: door, limit: 1, patience: .milliseconds(1))
    let taken = try pool.take()
    let error = try #require(throws: PostgreSQLError.self) { _ = try pool.take() }
    #expect(error.code(.reading) == NSPersistentStoreTimeoutError)
    let text = error.text(.reading, path: address.description)
    #expect(text.reason.contains("no connection became free"))
    #expect(text.advice.sentence.contains("NSPersistentStoreTimeoutOption"))
    pool.giveBack(taken)
    pool.giveBack(try pool.take())
  }

  // MARK: Lost connections

  @Test func `a fetch goes on where the server has ended all connections`() throws {
    let (place, name) = try namedPlace()
    let coordinator = try stack(at: place)
    try saveFolder("Ideas", in: coordinator)
    try endConnections(named: name)
    #expect(try folderNames(coordinator) == ["Ideas"])
    try endConnections(named: name)
    try saveFolder("Plans", in: coordinator)
    #expect(try folderNames(coordinator) == ["Ideas", "Plans"])
  }

  @Test func `a save waits where others have all connections for a moment`() throws {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator()
    wire.refuseConnections(3)
    try saveFolder("Ideas", in: coordinator)
    #expect(try folderNames(coordinator) == ["Ideas"])
  }

  @Test func `a COMMIT that was not answered, and happened, is a save`() throws {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator()
    wire.setCommitFault(.unanswered)
    try saveFolder("Ideas", in: coordinator)
    #expect(try folderNames(coordinator) == ["Ideas"])
  }

  @Test func `a COMMIT that the server never heard of is an error`() throws {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator()
    wire.setCommitFault(.unheard)
    let error = try #require(throws: CocoaError.self) { try saveFolder("Ideas", in: coordinator) }
    #expect(error.code.rawValue == NSPersistentStoreSaveError)
    wire.setCommitFault(.none)
    #expect(try folderNames(coordinator) == [])
  }

  @Test func `wherever the connection breaks, a save happens wholly or not at all`() throws {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator()
    for trip in 1...6 {
      let context = context(coordinator)
      let names = ["first \(trip)", "second \(trip)"]
      let isSaved = context.performAndWait {
        for name in names { context.note("in \(name)", in: context.folder(name)) }
        wire.reset(breakingAt: trip)
        // The store's content shows whether it fails.
        return (try? context.save()) != nil
      }
      wire.reset()
      let found = try folderNames(coordinator).filter { $0.hasSuffix(" \(trip)") }
      #expect(found == (isSaved ? names : []), "trip \(trip)")
    }
  }

  @Test func `whichever statement fails, a save happens wholly or not at all, and can be repeated`()
    throws
  {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator()
    var (statement, isReached) = (0, true)
    while isReached {
      statement += 1
      let context = context(coordinator)
      let ending = " \(statement)"
      let names = ["first" + ending, "second" + ending]
      isReached = try context.performAndWait {
        for name in names { context.note("in \(name)", in: context.folder(name)) }
        wire.reset(failingAt: statement)
        // The store's content shows whether it fails.
        let isSaved = (try? context.save()) != nil
        let isReached = wire.statements >= statement
        wire.reset()
        let found = try folderNames(coordinator).filter { $0.hasSuffix(ending) }
        #expect(found == (isSaved ? names : []), "statement \(statement)")
        if context.hasChanges { try context.save() }
        let after = try folderNames(coordinator).filter { $0.hasSuffix(ending) }
        #expect(after == names, "statement \(statement)")
        return isReached
      }
    }
    #expect(statement > 5)
  }

  @Test func `two programs that make a store at once make one`() async throws {
    let place = PostgreSQLServer.shared.place()
    let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<4 {
        group.addTask { try stack(at: place).persistentStores[0].identifier }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(identifiers.count == 1)
  }

  private func endConnections(named name: String) throws {
    _ = try PostgreSQLShell.rows(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '\(name)'",
      at: PostgreSQLServer.shared.address
    )
  }
}
