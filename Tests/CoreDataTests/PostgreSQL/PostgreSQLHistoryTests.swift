import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Histories in a PostgreSQL database, held against that of a SQLite file.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLHistoryTests {
  private static let kinds: [StoreKind] = [.sqlite, .postgreSQL]

  @Test func `a history tells of saves and batches what it tells in a file`() throws {
    let pictures = try Self.kinds.map { kind -> [String] in
      let stack = try HistoryStack(kind: kind)
      try write(in: stack)
      let authors = try stack.transactions().map { "\($0.transactionNumber) \($0.author ?? "–")" }
      let found = try stack.numbers(where: "author BEGINSWITH[c] %@", "BO").map { "\($0)" }
      return try stack.picture() + authors + found + stack.changes(where: "changeType == 2")
    }
    #expect(pictures[0] == pictures[1])
  }

  private func write(in stack: HistoryStack) throws {
    try stack.save(author: "ada") { context in
      let folder = context.folder("Ideas")
      context.note("One", in: folder).addToTags(context.tag("swift"))
      context.note("Two")
    }
    try stack.save(author: "bob") { context in
      for note in try context.fetch(Note.fetchRequest()) {
        if note.title == "One" { note.title = "Uno" } else { context.delete(note) }
      }
    }
    let context = stack.context(author: "batch")
    try context.performAndWait { () throws in
      try context.insert("Note", [["title": "Three"], ["title": "Four"]])
      try context.update("Note", ["stars": 4], where: NSPredicate(format: "title == 'Four'"))
      try context.delete("Note", where: NSPredicate(format: "title == 'Uno'"))
      try context.update("Note", ["stars": 1], where: NSPredicate(format: "title == 'nobody'"))
    }
  }

  @Test func `a notification of a write had the password of the server in it`() throws {
    let place = PostgreSQLServer.shared.place().absoluteString
    let address = place.replacing("//tests@", with: "//tests:swordfish@")
    let stack = try NotesStack(
      type: NSPostgreSQLStoreType,
      at: #require(URL(string: address)),
      options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    )
    let heard = HeardWrites(stack.coordinator)
    try stack.saved { $0.note("One") }
    #expect(heard.wait(for: 1))
    let told = try #require(heard.all.first)
    #expect((told[NSPersistentStoreURLKey] as? URL)?.absoluteString == place)
    #expect(told[NSStoreUUIDKey] as? String == stack.store.identifier)
  }

  @Test func `a reader with a token misses nothing of those who write at once`() async throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    _ = try HistoryStack(kind: .postgreSQL, at: file)
    let seen = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for writer in 1...3 {
        group.addTask {
          let stack = try HistoryStack(kind: .postgreSQL, at: file)
          for number in 1...15 { try stack.save { _ = $0.note("\(writer).\(number)") } }
          return []
        }
      }
      group.addTask {
        let stack = try HistoryStack(kind: .postgreSQL, at: file)
        var (token, seen): (NSPersistentHistoryToken?, [Int64]) = (nil, [])
        while (seen.last ?? 0) < 45, !Task.isCancelled {
          let new = try stack.transactions(after: token)
          seen += new.map(\.transactionNumber)
          token = new.last?.token ?? token
        }
        return seen
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(seen == Array(1...45))
  }

  @Test func `writes of another program and of one's own are told, each once`() throws {
    let stack = try HistoryStack(
      kind: .postgreSQL,
      [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    )
    let other = try HistoryStack(kind: .postgreSQL, at: stack.file)
    let heard = HeardWrites(stack.coordinator)
    try other.save { _ = $0.note("theirs") }
    #expect(heard.wait(for: 1))
    try stack.save { _ = $0.note("ours") }
    #expect(heard.wait(for: 2))
    let tokens = heard.all.map { $0[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken }
    #expect(try tokens == stack.transactions().map(\.token))
  }

  /// Without a history only the notice reports a write, and the server gives it to nobody who is not there.
  @Test func `what is written while the connection of a listener is lost is told once, as one`()
    throws
  {
    let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    let place = PostgreSQLServer.shared.place()
    let name = "listener-\(UUID().uuidString)"
    let wire = FaultyWire(
      at: try #require(URL(string: place.absoluteString + "&application_name=\(name)"))
    )
    let coordinator = try wire.coordinator(options: options)
    let heard = HeardWrites(coordinator)
    let other = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: options)
    wire.closeDoor()
    _ = try PostgreSQLShell.rows(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = '\(name)'",
      at: place
    )
    for title in ["one", "two", "three"] { try other.saved { $0.note(title) } }
    #expect(heard.all.isEmpty)
    wire.openDoor()
    #expect(heard.wait(for: 1))
    try other.saved { $0.note("four") }
    #expect(heard.wait(for: 2))
    #expect(heard.all.count == 2)
    #expect(heard.all.allSatisfy { $0[NSPersistentHistoryTokenKey] == nil })
  }

  @Test func `changes of another zone are not told`() throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try HistoryStack(
      kind: .postgreSQL,
      at: place,
      [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true, "NSPostgreSQLZone": "home"]
    )
    let work = try HistoryStack(kind: .postgreSQL, at: place, ["NSPostgreSQLZone": "work"])
    let home = try HistoryStack(kind: .postgreSQL, at: place, ["NSPostgreSQLZone": "home"])
    let heard = HeardWrites(stack.coordinator)
    try work.save { _ = $0.note("work") }
    try home.save { _ = $0.note("home") }
    #expect(heard.wait(for: 1))
    #expect(heard.all.count == 1)
  }

  @Test func `behind a pooler nobody listens without a history`() throws {
    let options: [String: Any] = [
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      "NSPostgreSQLPooling": "transaction",
    ]
    let error = try #require(throws: CocoaError.self) {
      _ = try NotesStack(
        type: StoreKind.postgreSQL.type,
        at: PostgreSQLServer.shared.place(),
        options: options
      )
    }
    #expect((error as NSError).localizedFailureReason?.contains("keeps no history") == true)
  }

  @Test(arguments: ["", "%20-cbytea_output%3Descape%20-cextra_float_digits%3D0"])
  func `values of deleted objects are those of their rows, however the server writes texts`(
    setting: String
  ) throws {
    let place = try #require(URL(string: PostgreSQLServer.shared.place().absoluteString + setting))
    let date = Date(timeIntervalSinceReferenceDate: 1000.1000000000001)
    let (uuid, data) = (UUID(), Data([0, 1, 255]))
    let kept = [
      CodedModel.attribute("title"), CodedModel.attribute("count", .integer32AttributeType),
      CodedModel.attribute("when", .dateAttributeType),
      CodedModel.attribute("id", .UUIDAttributeType),
      CodedModel.attribute("bytes", .binaryDataAttributeType),
      CodedModel.attribute("price", .decimalAttributeType),
    ]
    for attribute in kept { attribute.preservesValueInHistoryOnDeletion = true }
    let entity = CodedModel.entity("Note")
    entity.properties = kept
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: CodedModel.model(entity)
    )
    try StoreKind.postgreSQL.add(
      to: coordinator,
      at: place,
      options: HistoryStack.options
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("Öne", forKey: "title")
      note.setValue(7, forKey: "count")
      note.setValue(date, forKey: "when")
      note.setValue(uuid, forKey: "id")
      note.setValue(data, forKey: "bytes")
      note.setValue(NSDecimalNumber(string: "1.25"), forKey: "price")
      _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      try context.save()
      context.delete(note)
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?
      )
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let all = try #require(result?.result as? [NSPersistentHistoryTransaction])
      let tombstone = try #require(all.last?.changes?.first?.tombstone)
      #expect(tombstone.count == 6)
      #expect(tombstone["title"] as? String == "Öne")
      #expect(tombstone["count"] as? Int == 7)
      #expect(tombstone["when"] as? Date == date)
      #expect(tombstone["id"] as? UUID == uuid)
      #expect(tombstone["bytes"] as? Data == data)
      #expect("\(tombstone["price"] ?? "none")" == "1.25")
    }
  }

  @Test func `a purged history forgets its tokens and goes on numbering`() throws {
    let stack = try HistoryStack(kind: .postgreSQL)
    for title in ["One", "Two", "Three"] { try stack.save { _ = $0.note(title) } }
    let first = try #require(try stack.transactions().first?.token)
    _ = try stack.result(nil, .deleteHistory(before: Date.distantFuture))
    #expect(
      errorCode { try stack.transactions(after: first) } == NSPersistentHistoryTokenExpiredError
    )
    try stack.save { _ = $0.note("Four") }
    #expect(try stack.picture() == ["4 insert Note/4"])
    #expect(try stack.token == HistoryStack(kind: .postgreSQL, at: stack.file).token)
  }

  @Test func `a zone that keeps a history is not written without one`() throws {
    let codes = try Self.kinds.map { kind -> Int? in
      let stack = try HistoryStack(kind: kind)
      try stack.save { _ = $0.note("One") }
      let plain = try NotesStack(type: kind.type, at: stack.file)
      #expect(plain.store.isReadOnly)
      let code = errorCode {
        try plain.work { context in
          context.note("Two")
          try context.save()
        }
      }
      #expect(try stack.picture() == ["1 insert Note/1"])
      return code
    }
    #expect(codes[0] != nil)
    #expect(codes[0] == codes[1])
  }

  @Test func `a program that was open before a history began left gaps in it`() throws {
    let place = PostgreSQLServer.shared.place()
    let plain = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    let elsewhere = try NotesStack(
      type: NSPostgreSQLStoreType,
      at: place,
      options: [NSPostgreSQLZoneOption: "elsewhere"]
    )
    try plain.saved { $0.note("One") }
    let stack = try HistoryStack(kind: .postgreSQL, at: place)
    try stack.save { _ = $0.note("Two") }
    let context = plain.context()
    try context.performAndWait {
      context.note("Three")
      let refusal = try #require(throws: NSError.self) { try context.save() }
      #expect(refusal.code == CocoaError.fileWriteNoPermission.rawValue)
      #expect(refusal.localizedFailureReason?.contains("keeps a persistent history") == true)
      let remedy = try #require(refusal.localizedRecoverySuggestion)
      #expect(remedy.contains("NSPersistentHistoryTrackingKey"))
      #expect(context.hasChanges)
      #expect(throws: NSError.self) { try context.insert("Note", [["title": "Four"]]) }
    }
    #expect(try stack.notes.work { try $0.titles() } == ["One", "Two"])
    // A history is one zone's.
    for title in ["One", "Two"] { try elsewhere.saved { $0.note(title) } }
    #expect(try elsewhere.work { try $0.titles() } == ["One", "Two"])
  }

  @Test func `zones have histories of their own`() throws {
    let place = PostgreSQLServer.shared.place()
    let pictures = try ["home", "work"].map { zone -> [String] in
      let options = HistoryStack.options.merging(["NSPostgreSQLZone": zone]) { $1 }
      let stack = try NotesStack(type: StoreKind.postgreSQL.type, at: place, options: options)
      return try stack.work { context in
        context.note(zone)
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
          after: nil as NSPersistentHistoryToken?
        )
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let all = try #require(result?.result as? [NSPersistentHistoryTransaction])
        return all.flatMap(\.picture)
      }
    }
    #expect(pictures == [["1 insert Note/1"], ["1 insert Note/1"]])
  }
}
