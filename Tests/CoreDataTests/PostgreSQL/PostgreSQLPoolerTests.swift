import ChildPrograms
import CoreDataModel
import CoreDataSQL
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Stores behind PgBouncer, which lends a connection of the server for one transaction at a time.
@Suite(.enabled(if: DatabasePooler.isInstalled))
struct PostgreSQLPoolerTests {
  private static let transaction = [NSPostgreSQLPoolingOption: "transaction"]

  // MARK: Objects

  @Test(arguments: ["transaction", nil])
  func `objects, faults and batches are what they are without a pooler`(pooling: String?) throws {
    let database = try PooledDatabase()
    try database.spread()
    var options: [String: Any] = [:]
    options[NSPostgreSQLPoolingOption] = pooling
    let stack = try database.stack(options)
    for number in 1...20 {
      try stack.saved { $0.note("note \(number)", in: $0.folder("folder \(number % 2)")) }
    }
    try stack.work { context in
      #expect(try context.fetch(Note.fetchRequest()).compactMap(\.folder?.name).count == 20)
      for note in try context.fetch(Note.fetchRequest()) where note.folder?.name == "folder 1" {
        note.title = "changed"
      }
      try context.save()
      let insertion = NSBatchInsertRequest(
        entityName: "Note",
        objects: (1...1_500).map { ["title": "row \($0)"] }
      )
      try context.execute(insertion)
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.predicate = NSPredicate(format: "title BEGINSWITH 'row'")
      update.propertiesToUpdate = ["stars": 3]
      try context.execute(update)
      let found = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      found.predicate = NSPredicate(format: "stars == 3 AND title ENDSWITH '7'")
      try context.execute(NSBatchDeleteRequest(fetchRequest: found))
    }
    let titles = try stack.work { try $0.titles() }
    #expect(titles.count == 20 + 1_500 - 150)
    #expect(titles.filter { $0 == "changed" }.count == 10)
  }

  @Test(arguments: [false, true])
  func `no statement stays compiled on a server that is lent by transaction`(
    isInAddress: Bool
  ) throws {
    let database = try PooledDatabase()
    try database.spread()
    let text = database.pooled.absoluteString + (isInAddress ? "&pooling=transaction" : "")
    let stack = try NotesStack(
      type: NSPostgreSQLStoreType,
      at: #require(URL(string: text)),
      options: isInAddress ? [:] : Self.transaction
    )
    for number in 1...12 {
      try stack.saved { $0.note("note \(number)") }
      #expect(try stack.work { try $0.titles() }.count == number)
    }
    let left = try database.onEachConnection("SELECT COUNT(*) FROM pg_prepared_statements")
    #expect(left == ["0", "0", "0"])
  }

  @Test func `a save goes through after the server has ended the pooler's connections`() throws {
    let database = try PooledDatabase()
    let stack = try database.stack(Self.transaction)
    try stack.saved { $0.note("before") }
    _ = try PostgreSQLShell.rows(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND "
        + "pid <> pg_backend_pid()",
      at: database.direct
    )
    try stack.saved { $0.note("behind") }
    #expect(try stack.work { try $0.titles() } == ["before", "behind"])
  }

  @Test func `programs that open an empty database at once make its tables once`() async throws {
    let database = try PooledDatabase()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask {
          let stack = try database.stack(Self.transaction)
          try stack.saved { $0.note("program \(number)") }
        }
      }
      try await group.waitForAll()
    }
    let titles = try database.stack(Self.transaction).work { try $0.titles() }
    #expect(titles == ["program 1", "program 2", "program 3"])
  }

  @Test func `tables are migrated behind a pooler`() throws {
    let old = LightweightMigrationTests.first
    let new = old.changing("Note") { $0.attributes.append(.text("subtitle")) }
    let upgrade = PostgreSQLUpgrade(at: try PooledDatabase().pooled)
    try upgrade.make(old, options: Self.transaction) { context in
      context.make("Note", ["title": "kept"])
    }
    let options = Upgrade.options.merging(Self.transaction) { _, given in given }
    let values = try upgrade.work(with: new, options: options) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      return try context.fetch(request).map {
        [$0.value(forKey: "title"), $0.value(forKey: "subtitle")]
      }
    }
    #expect(values.count == 1)
    #expect(values.first?.first as? String == "kept")
  }

  // MARK: History and moments

  @Test(arguments: ["transaction", nil])
  func `what another program wrote was told to nobody where the pooler was not known`(
    pooling: String?
  ) throws {
    let database = try PooledDatabase()
    var options: [String: Any] = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    options[NSPostgreSQLPoolingOption] = pooling
    let other = try HistoryStack(kind: .postgreSQL, at: database.pooled, Self.transaction)
    let stack = try HistoryStack(kind: .postgreSQL, at: database.pooled, options)
    let heard = HeardWrites(stack.coordinator)
    try other.save { $0.note("theirs") }
    #expect(heard.wait(for: 1))
    try stack.save { $0.note("ours") }
    #expect(heard.wait(for: 2))
    #expect(try stack.picture().map { $0.prefix(13) } == ["1 insert Note", "2 insert Note"])
    let tokens = heard.all.map { $0[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken }
    #expect(try tokens == stack.transactions().map(\.token))
  }

  @Test func `a context is pinned to a moment, which is one transaction`() throws {
    let stack = try PooledDatabase().stack(Self.transaction)
    try stack.saved { $0.note("first") }
    let pinned = stack.context()
    try pinned.performAndWait {
      try pinned.setQueryGenerationFrom(.current)
      #expect(try pinned.titles() == ["first"])
    }
    try stack.saved { $0.note("second") }
    try pinned.performAndWait {
      #expect(try pinned.titles() == ["first"])
      try pinned.setQueryGenerationFrom(.current)
      #expect(try pinned.titles() == ["first", "second"])
    }
  }

  // Waits as often as the pooler refuses.
  @Test(.enabled(if: Tries.areMany))
  func `a save asked a pooler ten times whose connections are all lent`() throws {
    let pooler = try DatabasePooler(
      of: .shared,
      connections: 1,
      settings: ["query_wait_timeout": "5"]
    )
    defer { try? pooler.stop() }
    let stack = try PooledDatabase(behind: pooler).stack(Self.transaction)
    let (pinned, context) = (stack.context(), stack.context())
    try pinned.performAndWait {
      try pinned.setQueryGenerationFrom(.current)
      #expect(try pinned.titles() == [])
    }
    try context.performAndWait {
      context.note("waits")
      let start = ContinuousClock.now
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(ContinuousClock.now - start < .seconds(40))
      #expect(error.code.rawValue == NSPersistentStoreTimeoutError)
      let reason = try #require((error as NSError).localizedFailureReason)
      #expect(reason.contains("the pooler in front of the server had no connection to lend"))
      let remedy = try #require((error as NSError).localizedRecoverySuggestion)
      #expect(
        remedy.hasPrefix("Let long requests and pinned contexts end, or give the pooler more")
      )
      #expect(context.hasChanges)
      // A moment says so too: its first words to the server are those that wait.
      try context.setQueryGenerationFrom(.current)
      let code = errorCode { try context.titles() }
      #expect(code == NSPersistentStoreTimeoutError)
      try context.setQueryGenerationFrom(nil)
    }
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(nil) }
    try context.performAndWait { try context.save() }
    #expect(try stack.work { try $0.titles() } == ["waits"])
  }

  @Test(.timeLimit(.minutes(60)), arguments: ["transaction", nil])
  func `a fetch is canceled through a pooler, and the next one is not`(
    pooling: String?
  ) async throws {
    let database = try PooledDatabase()
    try database.spread()
    var options: [String: Any] = [:]
    options[NSPostgreSQLPoolingOption] = pooling
    let stack = try database.stack(options)
    try stack.saved { $0.note("before") }
    let lock = try PostgreSQLShell.connect(PostgreSQLAddress(database.direct, options: nil))
    try await CanceledFetches(stack: stack, lock: lock).run(rounds: 20)
  }

  @Test func `a pooler that takes no more clients was a server that does not answer`() throws {
    let pooler = try DatabasePooler(of: .shared, connections: 1, settings: ["max_client_conn": "1"])
    defer { try? pooler.stop() }
    let database = try PooledDatabase(behind: pooler)
    let first = try PostgreSQLShell.connect(PostgreSQLAddress(database.pooled, options: nil))
    defer { first.close() }
    let error = try #require(throws: CocoaError.self) { _ = try database.stack(Self.transaction) }
    #expect(error.code.rawValue == NSPersistentStoreTimeoutError)
    let reason = try #require((error as NSError).localizedFailureReason)
    #expect(reason.contains("the server has no connection left"))
    #expect(reason.contains("max_client_conn"))
  }

  // MARK: Settings

  @Test func `a setting of the address that the pooler refuses was a server that does not answer`()
    throws
  {
    let database = try PooledDatabase()
    let text = database.pooled.absoluteString + "&options=-csearch_path%3Dnotes"
    let error = try #require(throws: CocoaError.self) {
      _ = try NotesStack(
        type: NSPostgreSQLStoreType,
        at: #require(URL(string: text)),
        options: Self.transaction
      )
    }
    #expect(error.code.rawValue == NSPersistentStoreOpenError)
    let reason = try #require((error as NSError).localizedFailureReason)
    #expect(reason.contains("does not take a setting of the address"))
    #expect(reason.contains("unsupported startup parameter: options"))
    let remedy = try #require((error as NSError).localizedRecoverySuggestion)
    #expect(remedy.contains("ALTER ROLE"))
  }

  @Test(arguments: [true, false])
  func `a person's statements left their time limit to other programs`(isWritable: Bool) throws {
    let database = try PooledDatabase()
    let session = try PostgreSQLSession(
      at: database.pooled,
      options: [:],
      isWritable: isWritable,
      patience: 7
    )
    #expect(try session.run("SELECT 1", into: DroppedRows()) == 0)
    let limits = try database.onEachConnection("SHOW statement_timeout")
    #expect(limits == ["0", "0", "0"])
  }
}

private struct DroppedRows: StatementReader {
  func begin(_ names: [String]) {}
  func row(_ values: [SQLValue]) -> Bool { true }
}

/// An empty database, and the way through a pooler to it.
private struct PooledDatabase {
  let pooled: URL
  let direct: URL
  private static let connections = 3

  private static let pooler: DatabasePooler = {
    do {
      return try DatabasePooler(of: .shared, connections: connections)
    } catch {
      fatalError("the pooler of the tests does not start: \(error)")
    }
  }()

  init(behind pooler: DatabasePooler = Self.pooler) throws {
    let (pooled, direct) = try pooler.makeDatabase()
    self.pooled = try #require(URL(string: pooled))
    self.direct = try #require(URL(string: direct))
  }

  func stack(_ options: [String: Any]) throws -> NotesStack {
    try NotesStack(type: NSPostgreSQLStoreType, at: pooled, options: options)
  }

  /// Has the pooler open all its connections, which it lends in turn from then on.
  func spread() throws {
    _ = try onEachConnection("SELECT 1")
  }

  /// The results of a query of one value on each connection that the pooler may lend.
  func onEachConnection(_ sql: String) throws -> [String?] {
    let address = try PostgreSQLAddress(pooled, options: nil)
    let wires = try (0..<Self.connections).map { _ in
      let wire = try PostgreSQLShell.connect(address)
      try wire.run("BEGIN")
      return PostgreSQLConnection(wire, zone: "default", namesStatements: false)
    }
    return try wires.map { connection in
      let statement = try connection.statement(SQLFragment(stringLiteral: sql))
      defer { statement.reset() }
      _ = try statement.step()
      let text = statement.text(0)
      statement.reset()
      try connection.run(plain: "COMMIT")
      return text
    }
  }
}
