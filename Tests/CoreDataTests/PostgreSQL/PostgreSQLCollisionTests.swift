import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Saves that are in each other's way, of several programs at one database.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLCollisionTests {
  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  // MARK: Tried again

  @Test(arguments: ["40001", "40P01"])
  func `a save that others were in the way of is tried again, and not without end`(
    state: String
  ) throws {
    let wire = FaultyWire()
    let context = context(try wire.coordinator())
    try context.performAndWait {
      context.note("first")
      wire.refuseRows(with: state, times: 3)
      try context.save()
      context.note("second")
      wire.refuseRows(with: state, times: .max)
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSPersistentStoreSaveError)
      let reason = error.localizedFailureReason
      #expect(reason?.contains("others write the same rows again and again") == true)
      #expect(context.hasChanges)
      wire.refuseRows(with: state, times: 0)
      try context.save()
      #expect(try context.titles() == ["first", "second"])
    }
  }

  @Test func `a save failed whose transaction the server had ended as idle`() throws {
    let wire = FaultyWire()
    let context = context(try wire.coordinator())
    try context.performAndWait {
      context.note("first")
      wire.refuseRows(with: PostgreSQLError.idleState, times: 1)
      try context.save()
      #expect(try context.titles() == ["first"])
    }
  }

  /// Two transactions that lock the same two rows, each first the one that the other wants next.
  @Test func `the server ends a save that it finds in a deadlock, and the save goes through`()
    throws
  {
    let place = PostgreSQLServer.shared.place()
    let name = "deadlock-\(UUID().uuidString)"
    let text = place.absoluteString + "%20-cdeadlock_timeout%3D2s&application_name=\(name)"
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: text)))
    let id = try stack.saved { context in context.note("first", in: context.folder("Ideas")) }
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run("SET deadlock_timeout = '30s'")
    var isVictim = false
    for attempt in 1...10 where !isVictim {
      // Which table a save writes first is its own affair; the other one holds the second, and wants the first.
      let (held, wanted) = attempt % 2 == 1 ? ("NOTE", "FOLDER") : ("FOLDER", "NOTE")
      // Neither changes a version, so that no conflict comes of it.
      try other.run("BEGIN; UPDATE \"Z\(held)\" SET \"Z_OPT\" = \"Z_OPT\"")
      let saved = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        #expect(throws: Never.self) {
          try stack.work { context in
            let note = try #require(try context.existingObject(with: id) as? Note)
            note.stars = Int16(attempt % 5)
            note.folder?.name = "Ideas \(attempt)"
            try context.save()
          }
        }
        saved.signal()
      }
      try BoundedWait("The save has not met the other program's lock").until { try isWaiting(name) }
      if try hasWritten("Z\(wanted)", name) {
        isVictim = try getsThrough("UPDATE \"Z\(wanted)\" SET \"Z_OPT\" = \"Z_OPT\"", other)
      } else {
        try other.run("COMMIT")
      }
      saved.wait()
      let stars = try stack.work { try ($0.existingObject(with: id) as? Note)?.stars }
      #expect(stars == Int16(attempt % 5))
    }
    #expect(isVictim)
  }

  /// Whether the server ends the save for it, and not this one, which it does where it comes late.
  private func getsThrough(_ sql: String, _ other: any PostgreSQLWire) throws -> Bool {
    do throws(PostgreSQLError) {
      try other.run(sql)
      try other.run("COMMIT")
      return true
    } catch {
      #expect(error.state == "40P01")
      try other.run("ROLLBACK")
      return false
    }
  }

  private func isWaiting(_ name: String) throws -> Bool {
    try !PostgreSQLShell.rows(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'",
      at: PostgreSQLServer.shared.address
    ).isEmpty
  }

  /// Whether a transaction of the store that is open has written to a table.
  private func hasWritten(_ table: String, _ name: String) throws -> Bool {
    try !PostgreSQLShell.rows(
      """
      SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_class c ON c.oid = l.relation \
      WHERE a.application_name = '\(name)' AND c.relname = '\(table)' AND l.mode = 'RowExclusiveLock' AND l.granted
      """,
      at: PostgreSQLServer.shared.address
    ).isEmpty
  }

  // MARK: The order of writing

  /// Another program keeps the rows until both saves wait for one of them, so that both begin at once.
  @Test func `two saves of the same rows in different orders waited for each other in a circle`()
    throws
  {
    let wire = FaultyWire()
    let name = "order-\(UUID().uuidString)"
    let named = FaultyWire(
      at: try #require(URL(string: wire.place.absoluteString + "&application_name=\(name)"))
    )
    let first = context(try wire.coordinator())
    try first.performAndWait {
      for title in ["one", "two"] { first.note(title, in: first.folder("of \(title)")) }
      try first.save()
    }
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(wire.place, options: nil))
    try other.run("BEGIN; UPDATE \"ZNOTE\" SET \"Z_OPT\" = \"Z_OPT\"")
    try other.run("UPDATE \"ZFOLDER\" SET \"Z_OPT\" = \"Z_OPT\"")
    let saved = DispatchSemaphore(value: 0)
    let orders: [@Sendable ([Note]) -> Void] = [
      { notes in
        notes[0].stars = 1
        notes[1].title = "first"
        notes[0].folder?.name = "first"
      },
      { notes in
        notes[1].folder?.name = "second"
        notes[1].stars = 2
        notes[0].title = "second"
      },
    ]
    for change in orders {
      let context = context(try named.coordinator())
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      Thread.detachNewThread {
        #expect(throws: Never.self) {
          try context.performAndWait {
            let request = Note.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            change(try context.fetch(request))
            try context.save()
          }
        }
        saved.signal()
      }
    }
    try BoundedWait("The two saves have not met the lock").until { try waiting(name) >= 2 }
    try other.run("COMMIT")
    for _ in orders { saved.wait() }
    #expect(named.refusedStates == [])
    let titles = try first.performAndWait {
      first.refreshAllObjects()
      return try first.titles()
    }
    #expect(titles == ["first", "second"])
  }

  private func waiting(_ name: String) throws -> Int {
    try PostgreSQLShell.rows(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'",
      at: PostgreSQLServer.shared.address
    ).count
  }

  @Test func `a save writes table by table, and rows by their keys`() throws {
    let wire = FaultyWire()
    let context = context(try wire.coordinator())
    try context.performAndWait {
      let notes = ["one", "two", "three"].map { context.note($0, in: context.folder($0)) }
      try context.save()
      notes[2].title = "drei"
      notes[1].folder?.name = "zwei"
      notes[0].stars = 1
      context.tag("new")
      try context.obtainPermanentIDs(for: Array(context.insertedObjects))
      wire.reset()
      try context.save()
    }
    let words = wire.texts.compactMap { text in
      text.wholeMatch(of: /(SELECT|UPDATE|INSERT INTO)[^$]*?"(Z[A-Z]+)".*?( FOR NO KEY UPDATE)?/)
        .map { "\($0.1) \($0.2)\($0.3 ?? "")" }
    }
    let expected = [
      "UPDATE ZFOLDER", "SELECT ZNOTE FOR NO KEY UPDATE", "UPDATE ZNOTE", "UPDATE ZNOTE",
      "INSERT INTO ZTAG",
    ]
    #expect(words == expected)
  }

  // MARK: Values that must be unique

  @Test func `a value that another program has taken meanwhile is a conflict as any other`() throws
  {
    let wire = FaultyWire()
    let other = try UniqueNotes(type: StoreKind.postgreSQL.type, at: wire.place)
    let context = context(try wire.coordinator(UniqueNotes.model))
    try context.performAndWait {
      let note = context.make("Note", ["slug": "a", "title": "mine"])
      wire.before("INSERT INTO \"ZNOTE\"") {
        try other.work { context in
          context.make("Note", ["slug": "a", "title": "theirs"])
          try context.save()
        }
      }
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSManagedObjectConstraintMergeError)
      let conflicts =
        error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      let conflict = try #require(conflicts?.first)
      #expect(conflict.constraint == ["slug"])
      #expect(conflict.databaseObject?.value(forKey: "title") as? String == "theirs")
      #expect(conflict.conflictingObjects == [note])
      #expect(context.hasChanges)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try other.rows("Note", "slug", "title") == ["a mine"])
  }

  // MARK: Numbers of a history

  @Test(arguments: [false, true])
  func `whoever reads a history while a commit is held back loses nothing`(
    _ isBatch: Bool
  ) throws {
    let wire = FaultyWire()
    let options: [String: Any] = [NSPersistentHistoryTrackingKey: true]
    let slow = context(try wire.coordinator(options: options))
    let quick = try NotesStack(type: NSPostgreSQLStoreType, at: wire.place, options: options)
    let reader = try NotesStack(type: NSPostgreSQLStoreType, at: wire.place, options: options)
    let token = Mutex<NSPersistentHistoryToken?>(nil)
    let seen = Mutex<[Int64]>([])
    let isSaved = DispatchSemaphore(value: 0)
    wire.before("COMMIT") {
      Thread.detachNewThread {
        #expect(throws: Never.self) { try quick.saved { $0.note("quick") } }
        isSaved.signal()
      }
      // The other one is waiting in line, or will be: it cannot be told from here, and either is a case.
      if isSaved.wait(timeout: .now() + 0.3) == .success { isSaved.signal() }
      let found = try transactions(reader, after: nil)
      // A batch has its number already, a save not yet.
      if isBatch { #expect(found.isEmpty) }
      seen.withLock { $0 = found.map(\.transactionNumber) }
      token.withLock { $0 = found.last?.token }
    }
    try slow.performAndWait {
      guard !isBatch else {
        _ = try slow.execute(
          NSBatchInsertRequest(entityName: "Note", objects: [["title": "slow"]])
        )
        return
      }
      slow.note("slow")
      try slow.save()
    }
    isSaved.wait()
    let rest = try transactions(reader, after: token.withLock { $0 })
    #expect(seen.withLock { $0 } + rest.map(\.transactionNumber) == [1, 2])
    #expect(try reader.work { try $0.titles() } == ["quick", "slow"])
  }

  private func transactions(
    _ stack: NotesStack,
    after token: NSPersistentHistoryToken?
  ) throws -> [NSPersistentHistoryTransaction] {
    let result = try stack.coordinator.answer(.fetchHistory(after: token))
    return result.result as? [NSPersistentHistoryTransaction] ?? []
  }

  /// Why the numbers come from a row that is locked.
  @Test func `a sequence would lose what is committed behind a greater number`() throws {
    let place = PostgreSQLServer.shared.place()
    try PostgreSQLShell.run("CREATE TABLE told (number BIGSERIAL, writer TEXT)", at: place)
    let slow = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try slow.run("BEGIN; INSERT INTO told (writer) VALUES ('slow')")
    try PostgreSQLShell.run("INSERT INTO told (writer) VALUES ('quick')", at: place)
    let seen = try PostgreSQLShell.rows("SELECT max(number) FROM told", at: place)
    #expect(seen == [["2"]])
    try slow.run("COMMIT")
    #expect(try PostgreSQLShell.rows("SELECT writer FROM told WHERE number > 2", at: place) == [])
  }

  // MARK: A COMMIT without an answer

  private func pool(_ place: URL) throws -> PostgreSQLPool {
    let door = PostgreSQLDoor { address throws(PostgreSQLError) in
      try PostgreSQLShell.connect(address)
    }
    return PostgreSQLPool(try PostgreSQLAddress(place, options: nil), through: door)
  }

  @Test
  func
    `what became of a transaction is told in the life of the server that it is of, and in no other`()
    throws
  {
    let place = PostgreSQLServer.shared.place()
    let found = try PostgreSQLShell.rows(CommitOutcome.ownNumber, at: place)
    let number = try #require(found.first?.first ?? nil)
    let pool = try pool(place)
    #expect(CommitOutcome(of: number, in: pool) == .happened)
    // A standby that took over begins another timeline, and a crash sets the time back.
    let (own, life) = try #require(number.split(separator: " ").pair)
    let otherTimeline = "\(own) 7\(life.dropFirst())"
    let otherLife = "\(own) \(life.prefix(8))20200101000000000000"
    #expect(CommitOutcome(of: otherTimeline, in: pool) == .unknown)
    #expect(CommitOutcome(of: otherLife, in: pool) == .unknown)
  }
}

extension Array {
  fileprivate var pair: (Element, Element)? { count == 2 ? (self[0], self[1]) : nil }
}
