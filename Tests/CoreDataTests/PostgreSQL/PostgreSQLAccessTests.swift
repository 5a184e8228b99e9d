import ChildPrograms
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Tests of the errors about a server that demands a password, and about one that follows it.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLAccessTests {
  private static let server = Result { try guarded() }

  private let server: PostgreSQLServer

  init() throws {
    server = try Self.server.get()
  }

  private static func guarded() throws -> PostgreSQLServer {
    var terms = DatabaseServer.Terms()
    terms.access = """
      local all tests trust
      local replication tests trust
      local all all scram-sha-256

      """
    let server = try PostgreSQLServer(terms)
    try PostgreSQLShell.run(
      """
      CREATE ROLE ada LOGIN PASSWORD 'swordfish'; CREATE SCHEMA AUTHORIZATION ada
      """,
      at: server.address
    )
    return server
  }

  /// The server's address for somebody, with more settings.
  private func address(
    _ user: String,
    _ settings: String = "",
    on server: PostgreSQLServer? = nil
  ) throws -> URL {
    let folder = (server ?? self.server).folder
    return try #require(URL(string: "postgresql://\(user)@/postgres?host=\(folder)\(settings)"))
  }

  private func refusal(at address: URL) throws -> NSError {
    try #require(throws: NSError.self) {
      try NotesStack(type: NSPostgreSQLStoreType, at: address)
    }
  }

  @Test func `who gives the right password is let in`() throws {
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: address("ada:swordfish"))
    try stack.saved { $0.note("first") }
    #expect(try stack.work { try $0.titles() } == ["first"])
  }

  @Test(arguments: ["ada:mackerel", "ada"])
  func `a wrong password, and none, are told as such`(user: String) throws {
    let error = try refusal(at: address(user))
    #expect(error.code == CocoaError.fileReadNoPermission.rawValue)
    let reason = try #require(error.localizedFailureReason)
    #expect(reason.contains("does not let this user in (SQLSTATE 28P01"))
  }

  @Test(arguments: ["-cnope%3D1", "-cwork_mem%3Dmuch", "-cfsync%3Doff", "-nope"])
  func `a setting that the server refuses was told as a wrong password`(setting: String) throws {
    let error = try refusal(at: address("ada:swordfish", "&options=\(setting)"))
    #expect(error.code == NSPersistentStoreOpenError)
    let reason = try #require(error.localizedFailureReason)
    #expect(reason.contains("the address has a setting that is not taken"))
  }

  @Test func `a server that only follows another one was told as a wrong password`() throws {
    let follower = try PostgreSQLServer(following: server)
    defer { #expect(throws: Never.self) { try follower.stop() } }
    let settings = "&target_session_attrs=read-write"
    let url = try address("ada:swordfish", settings, on: follower)
    let error = try refusal(at: url)
    #expect(error.code == NSPersistentStoreOpenError)
    let reason = try #require(error.localizedFailureReason)
    #expect(reason.contains("no server of the address is the one that it asks for"))
    // So a save goes on looking, and a COMMIT without an answer is asked about.
    let refused = try #require(throws: PostgreSQLError.self) {
      try PostgreSQLShell.connect(PostgreSQLAddress(url, options: nil))
    }
    #expect(refused.isLoss && !refused.isSilence)
    // A program that names both finds the one that writes.
    let both = try address("ada:swordfish", ",\(server.folder)\(settings)", on: follower)
    #expect(try PostgreSQLShell.rows("SELECT 1", at: both) == [["1"]])
  }
}

/// Tests of the errors about a server in another language, if Debian's catalogues are installed.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled))
struct ForeignServerTests {
  private static let server = Result { try german() }

  private static func german() throws -> PostgreSQLServer {
    var terms = DatabaseServer.Terms()
    terms.language = "de"
    terms.access = """
      local all tests trust
      local all none reject
      local all all scram-sha-256

      """
    let server = try PostgreSQLServer(terms)
    try PostgreSQLShell.run(
      "CREATE ROLE ada LOGIN PASSWORD 'swordfish'; CREATE ROLE guest LOGIN CONNECTION LIMIT 0",
      at: server.address
    )
    return server
  }

  private func refusal(_ user: String, _ rest: String) throws -> PostgreSQLError {
    let address = "postgresql://\(user)@/\(rest)host=\(try Self.server.get().folder)"
    let url = try #require(URL(string: address))
    return try #require(throws: PostgreSQLError.self) {
      try PostgreSQLShell.connect(PostgreSQLAddress(url, options: nil))
    }
  }

  @Test(arguments: [
    ("ada:mackerel", "postgres?", "28P01"), ("none", "postgres?", "28000"),
    ("tests", "nowhere?", "3D000"), ("ada:swordfish", "postgres?options=-cnope%3D1&", "CD011"),
  ])
  func `a refusal in another language was one that nobody knows`(
    user: String,
    rest: String,
    state: String
  ) throws {
    let error = try refusal(user, rest)
    #expect(error.state == state, "\(error)")
    // The words stay the server's own.
    #expect(error.message.contains("failed: "))
    #expect(!error.message.contains("swordfish") && !error.message.contains("mackerel"))
  }

  /// The server calls it by the state that it has for all that it does not support.
  @Test func `a compiled statement that fits no more was not known in another language`() throws {
    let place = try Self.server.get().place()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try coordinator.addPersistentStore(
      ofType: NSPostgreSQLStoreType,
      configurationName: nil,
      at: place
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      context.note("first")
      try context.save()
      let id = try #require(try context.fetch(Note.fetchRequest()).first).objectID
      let readStars = { () throws -> Int16? in
        coordinator.persistentStores[0].rowCache.removeAll()
        context.reset()
        return try (context.existingObject(with: id) as? Note)?.stars
      }
      // From the second time on the statement is a compiled one.
      for _ in 1...3 { #expect(try readStars() == 0) }
      try PostgreSQLShell.run("ALTER TABLE \"ZNOTE\" ALTER \"ZSTARS\" TYPE INTEGER", at: place)
      #expect(try readStars() == 0)
    }
  }

  /// libpq takes its own words from catalogues as soon as a program has chosen a language.
  @Test func `a program of another language was told of no reason`() async throws {
    await #expect(processExitsWith: .success) {
      setenv("LANGUAGE", "de", 1)
      setlocale(LC_ALL, "C.utf8")
      let url = try #require(URL(string: "postgresql://ada@/notes?nope=1"))
      let error = try #require(throws: PostgreSQLError.self) {
        try PostgreSQLShell.connect(PostgreSQLAddress(url, options: nil))
      }
      #expect(error.state == PostgreSQLError.badSettingState, "\(error)")
      #expect(String(cString: setlocale(LC_MESSAGES, nil)) == "C.utf8")
    }
  }
}

/// Tests of words of servers, poolers and libpq that no server here says.
@Suite struct ConnectionRefusalTests {
  @Test(arguments: [
    ("FATAL: server login failed: FATAL password authentication failed", "CD010"),
    ("FATAL:  server login has been failing, try again later (server_login_retry)", "CD010"),
    ("failed: session is read-only; failed: FATAL:  password authentication failed", "28P01"),
    ("failed: Connection refused; failed: session is read-only", "08001"),
    ("FATAL:  the database system is in recovery mode", "57P03"),
    ("FATAL:  unsupported startup parameter: options", "CD007"),
    ("SSL error: certificate verify failed", "CD012"),
    ("server does not support SSL, but SSL was required", "CD012"),
    ("invalid URI query parameter: \"sslmod\"", "CD011"),
    ("FATAL:  Passwort-Authentifizierung fehlgeschlagen", "CD013"),
    ("server closed the connection unexpectedly", ""), ("failed: Connection refused", ""),
    ("SSL SYSCALL error: EOF detected", ""),
  ])
  func `are told apart, whatever became of the password`(words: String, state: String) {
    #expect(ConnectionRefusal(words, password: .sent).state == state)
    #expect(ConnectionRefusal(words, password: .unasked).state == state)
  }

  @Test func `whoever has no password for a server is told so in all languages`() {
    #expect(ConnectionRefusal("aucun mot de passe", password: .missing).state == "28P01")
  }

  @Test(arguments: [
    ("connection to server at \"a\" failed: FATAL:  28P01\n", "28P01"),
    ("failed: timeout expired\nfailed: ВАЖНО:  3D000", "3D000"),
    ("failed: FATAL:  42704", "CD011"), ("failed: FATAL:  zu viele Verbindungen", nil),
  ])
  func `a state that libpq shows is the one that counts`(words: String, state: String?) {
    #expect(ConnectionRefusal.state(shownIn: words) == state)
  }

  @Test func `notifications that nobody takes were told as a value that is too long`() {
    #expect(PostgreSQLError.isFullQueue("54000", of: "PreCommit_Notify"))
    #expect(!PostgreSQLError.isFullQueue("54000", of: "index_form_tuple"))
    let error = PostgreSQLError(
      state: PostgreSQLError.fullQueueState,
      message: "too many notifications in the NOTIFY queue"
    )
    #expect(!error.isOfValues)
    let text = error.text(.saving, path: "postgresql://notes")
    #expect(text.reason.contains("no room for one more notification"))
    #expect(!text.reason.contains("longer than"))
  }

  @Test func `more than goes over the wire at once was told as too much for an index`() {
    let error = PostgreSQLError(
      state: PostgreSQLError.tooLargeState,
      message: "the values of one statement have more than a gigabyte"
    )
    #expect(error.isOfValues)
    let text = error.text(.saving, path: "postgresql://notes")
    #expect(text.reason.contains("more values than PostgreSQL takes at once"))
    #expect(!text.reason.contains("index"))
  }
}
