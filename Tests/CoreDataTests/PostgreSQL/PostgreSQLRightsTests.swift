import ChildPrograms
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Users who may not do everything, each in a database of its own.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLRightsTests {
  private let owner: URL
  private let guest: String
  private let place: URL

  init() throws {
    let address = try DatabaseServer.shared.makeDatabase()
    guest = "guest_" + UUID().uuidString.prefix(8).lowercased()
    owner = try #require(URL(string: address))
    place = try #require(URL(string: address.replacing("//tests@", with: "//\(guest)@")))
    try run("CREATE ROLE \(guest) LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC")
  }

  private func run(_ sql: String) throws { try PostgreSQLShell.run(sql, at: owner) }

  private var database: String { owner.lastPathComponent }

  private func refusal(_ body: () throws -> Void) throws -> NSError {
    try #require(throws: NSError.self, performing: body)
  }

  private func open() throws -> NotesStack {
    try NotesStack(type: NSPostgreSQLStoreType, at: place)
  }

  @Test func `who may not make tables is told so, and none is made`() throws {
    try run("GRANT USAGE ON SCHEMA public TO \(guest)")
    let error = try refusal { _ = try open() }
    #expect(error.code == CocoaError.fileWriteNoPermission.rawValue)
    #expect(error.localizedFailureReason?.contains("the user may not do that") == true)
    #expect(error.localizedRecoverySuggestion?.contains("CREATE") == true)
    let tables = "SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    #expect(try PostgreSQLShell.rows(tables, at: owner) == [])
    try run("GRANT CREATE ON SCHEMA public TO \(guest)")
    try open().saved { $0.note("first") }
  }

  @Test func `who may not use the schema was told only that there is none`() throws {
    let error = try refusal { _ = try open() }
    #expect(error.code == CocoaError.fileReadNoSuchFile.rawValue)
    #expect(error.localizedFailureReason?.contains("there is no schema") == true)
    #expect(error.localizedRecoverySuggestion?.contains("the right USAGE") == true)
  }

  // Waits longer than the time-outs.
  @Test(.enabled(if: Tries.areMany), arguments: ["statement_timeout", "lock_timeout"])
  func `who waited for another program to make the tables was ended by a time-out`(
    setting: String
  ) throws {
    try run(
      "GRANT ALL ON SCHEMA public TO \(guest); ALTER ROLE \(guest) SET \(setting) = '3s'"
    )
    let owner = owner
    let other = Thread {
      // The server reports a failure by the lock that never comes.
      try? PostgreSQLShell.run(
        """
        BEGIN; SELECT pg_advisory_xact_lock(\(PostgreSQLDatabase.lock)); SELECT pg_sleep(6); COMMIT
        """,
        at: owner
      )
    }
    other.start()
    let held = """
      SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = \
      (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    try BoundedWait("The other program has not got its lock").until {
      try !PostgreSQLShell.rows(held, at: owner).isEmpty
    }
    try open().saved { $0.note("first") }
  }

  /// The server's own `search_path` begins with "$user".
  @Test func `a schema that somebody called like the user hid the store`() throws {
    _ = try stackWithFolders()
    try run("CREATE SCHEMA AUTHORIZATION \(guest)")
    let error = try refusal { _ = try open() }
    #expect(error.code == NSPersistentStoreOpenError)
    #expect(error.localizedFailureReason?.contains("the schema public has a store") == true)
    #expect(error.localizedRecoverySuggestion?.contains("search_path%3Dpublic") == true)
    let tables = "SELECT 1 FROM pg_class WHERE relnamespace = '\(guest)'::regnamespace"
    #expect(try PostgreSQLShell.rows(tables, at: owner) == [])
    for (schema, titles) in [("public", ["in Ideas", "in Plans"]), (guest, [])] {
      let named = place.absoluteString + "&options=-csearch_path%3D\(schema)"
      let stack = try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: named)))
      #expect(try stack.work { try $0.titles() } == titles)
    }
  }

  /// Two folders with notes, of which one goes with a batch.
  private func deleteFolder(in stack: NotesStack) throws {
    let request = NSBatchDeleteRequest(fetchRequest: Folder.fetchRequest(named: "Ideas"))
    try stack.work { _ = try $0.execute(request) }
  }

  private func stackWithFolders() throws -> NotesStack {
    try run("GRANT ALL ON SCHEMA public TO \(guest)")
    let stack = try open()
    for name in ["Ideas", "Plans"] {
      try stack.saved { context in context.note("in \(name)", in: context.folder(name)) }
    }
    return stack
  }

  @Test func `who may not make temporary tables was told to grant rights on the schema`() throws {
    try run("REVOKE TEMPORARY ON DATABASE \(database) FROM PUBLIC")
    let stack = try stackWithFolders()
    let error = try refusal { try deleteFolder(in: stack) }
    #expect(error.code == CocoaError.fileWriteNoPermission.rawValue)
    #expect(error.localizedFailureReason?.contains("may not make temporary tables") == true)
    #expect(error.localizedRecoverySuggestion?.contains("GRANT TEMPORARY ON DATABASE") == true)
    #expect(try stack.work { try $0.count(for: Folder.fetchRequest()) } == 2)
    try run("GRANT TEMPORARY ON DATABASE \(database) TO \(guest)")
    try deleteFolder(in: stack)
    #expect(try stack.work { try $0.count(for: Folder.fetchRequest()) } == 1)
  }

  @Test func `the table of a batch stayed with the connection`() throws {
    let stack = try stackWithFolders()
    try deleteFolder(in: stack)
    let left = "SELECT relname FROM pg_class WHERE relname = 'COREDATA_BATCH'"
    #expect(try PostgreSQLShell.rows(left, at: owner) == [])
    // The plans that the server has compiled for the first table do for the next ones.
    for _ in 1...3 {
      try stack.saved { context in context.note("again", in: context.folder("Ideas")) }
      try deleteFolder(in: stack)
    }
    #expect(try stack.work { try $0.titles() } == ["in Plans"])
  }

  @Test
  func `a store whose server only reads, and one whose zone is gone, were told to be healthy`()
    throws
  {
    let stack = try stackWithFolders()
    #expect(try health(of: stack) == StoreHealth())
    try run("ALTER ROLE \(guest) SET default_transaction_read_only = on")
    let later = try open()
    let refused = try health(of: later)
    #expect(refused.isReadable && !refused.isWritable)
    #expect(refused.warnings.count == 1)
    #expect(refused.description.contains("It cannot be written: "))
    #expect(refused.description.contains("the server only reads"))
    try run("TRUNCATE z_zones CASCADE")
    let gone = try health(of: later)
    #expect(!gone.isReadable && !gone.isWritable)
    #expect(gone.warnings.count == 1)
    #expect(gone.description.contains("It cannot be read: "))
  }

  private func health(of stack: NotesStack) throws -> StoreHealth {
    let store = try #require(stack.coordinator.persistentStores.first)
    return stack.coordinator.health(of: store)
  }

  @Test func `a server that only reads refused saves without a remedy`() throws {
    let stack = try stackWithFolders()
    try run("ALTER ROLE \(guest) SET default_transaction_read_only = on")
    let later = try open()
    let context = later.context()
    try context.performAndWait {
      context.note("new")
      let error = try refusal { try context.save() }
      #expect(error.code == CocoaError.fileWriteNoPermission.rawValue)
      #expect(error.localizedFailureReason?.contains("the server only reads") == true)
      #expect(error.localizedRecoverySuggestion?.contains("target_session_attrs") == true)
      #expect(context.hasChanges)
    }
    #expect(try stack.work { try $0.titles() } == ["in Ideas", "in Plans"])
  }
}

extension Folder {
  fileprivate static func fetchRequest(
    named name: String
  ) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Folder")
    request.predicate = NSPredicate(format: "name == %@", name)
    return request
  }
}
