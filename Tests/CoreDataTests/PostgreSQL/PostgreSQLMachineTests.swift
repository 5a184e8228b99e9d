import ChildPrograms
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Tests of a server's machine: it is restarted, its disk is full, the way to it is encrypted.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(60)))
struct PostgreSQLMachineTests {
  private func refusal(_ body: () throws -> Void) throws -> NSError {
    try #require(throws: NSError.self, performing: body)
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Bool {
    let outcome = try ChildProgram.run(URL(filePath: "/usr/bin/env"), [program] + arguments)
    return outcome.status == 0
  }

  // MARK: Restarted

  @Test
  func `an open store goes on behind a restart of the server, and hears of all that is written`()
    throws
  {
    let server = try PostgreSQLServer()
    defer { #expect(throws: Never.self) { try server.stop() } }
    let place = server.place()
    let options: [String: Any] = [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: options)
    let other = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: options)
    let heard = HeardWrites(stack.coordinator)
    try stack.saved { $0.note("before") }
    try other.saved { $0.note("theirs") }
    let context = stack.context()
    try context.performAndWait {
      context.note("during")
      try server.halt()
      let error = try refusal { try context.save() }
      #expect(error.code == NSPersistentStoreSaveError)
      #expect(error.localizedFailureReason?.contains("the server does not answer") == true)
      #expect(context.hasChanges)
      #expect(
        try refusal { _ = try other.work { try $0.titles() } }.code
          == NSPersistentStoreOperationError
      )
      try server.start()
      try context.save()
    }
    // The listener looks for the server once a second; writes that it has missed are reported then.
    try other.saved { $0.note("after") }
    let last = { other.coordinator.currentPersistentHistoryToken(fromStores: nil) }
    #expect(heard.waitForToken(last()))
    try other.saved { $0.note("later") }
    #expect(heard.waitForToken(last()))
    let titles = ["after", "before", "during", "later", "theirs"]
    for stack in [stack, other] { #expect(try stack.work { try $0.titles() } == titles) }
    let result = try stack.coordinator.answer(
      .fetchHistory(after: nil as NSPersistentHistoryToken?)
    )
    let transactions = result.result as? [NSPersistentHistoryTransaction]
    #expect(transactions?.map(\.transactionNumber) == [1, 2, 3, 4, 5])
  }

  // MARK: Full

  private func expectFull(
    _ stack: NotesStack,
    filling fill: () throws -> Void,
    makingRoom: () throws -> Void
  ) throws {
    try stack.saved { $0.note("before") }
    try fill()
    let context = stack.context()
    try context.performAndWait {
      for number in 1...4 {
        let note = context.note("large \(number)")
        note.image = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255) })
      }
      let error = try refusal { try context.save() }
      #expect(error.code == CocoaError.fileWriteOutOfSpace.rawValue)
      #expect(error.localizedFailureReason?.contains("the server's disk is full") == true)
      #expect(error.localizedRecoverySuggestion?.contains("Make room on the server") == true)
      #expect(context.hasChanges)
      #expect(try stack.work { try $0.titles() } == ["before"])
      try makingRoom()
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.work { try $0.titles().count } == 5)
  }

  @Test func `what the server says of a full disk is told with a remedy, and nothing is half done`()
    throws
  {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    let fill = """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
      RAISE 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$; \
      CREATE TRIGGER refuse BEFORE INSERT ON "ZNOTE" FOR EACH ROW EXECUTE FUNCTION refuse()
      """
    try expectFull(
      stack,
      filling: { try PostgreSQLShell.run(fill, at: place) },
      makingRoom: { try PostgreSQLShell.run("DROP TRIGGER refuse ON \"ZNOTE\"", at: place) }
    )
  }

  /// Tables on a small disk, which only root may make; most of it is filled with something else.
  // Makes a server on a disk of its own.
  @Test(.enabled(if: geteuid() == 0 && Tries.areMany))
  func `a disk that is full keeps nothing of a save, and takes it when there is room`() throws {
    let server = try PostgreSQLServer()
    defer { #expect(throws: Never.self) { try server.stop() } }
    let disk = server.folder + "/small"
    let (space, ballast) = (disk + "/space", disk + "/ballast")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    // If even root may mount nothing, there is nothing to try.
    guard try run("mount", ["-t", "tmpfs", "-o", "size=48m", "none", disk]) else { return }
    defer {
      #expect(throws: Never.self) {
        try server.halt()
        #expect(try run("umount", [disk]))
      }
    }
    try FileManager.default.createDirectory(atPath: space, withIntermediateDirectories: true)
    #expect(try run("chown", ["-R", "postgres", disk]))
    try PostgreSQLShell.run("CREATE TABLESPACE small LOCATION '\(space)'", at: server.address)
    let text = server.place().absoluteString + "%20-cdefault_tablespace%3Dsmall"
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: text)))
    try expectFull(
      stack,
      filling: { try Data(count: 40_000_000).write(to: URL(filePath: ballast)) },
      makingRoom: { try FileManager.default.removeItem(atPath: ballast) }
    )
  }

  // MARK: Encrypted

  /// A new key and a certificate for a host.
  private func certificate(for host: String, in folder: URL) throws -> (key: URL, certificate: URL)
  {
    let (key, certificate) = (
      folder.appending(path: "\(host).key"), folder.appending(path: "\(host).crt")
    )
    let isMade = try run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "3650", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)",
        "-keyout", key.path, "-out", certificate.path,
      ]
    )
    try #require(isMade)
    return (key, certificate)
  }

  /// A server with a certificate, behind a port that was free a moment ago.
  private func encrypted(
    _ key: URL,
    _ certificate: URL
  ) throws -> (server: PostgreSQLServer, port: Int) {
    var terms = DatabaseServer.Terms()
    terms.access = """
      local all tests trust
      hostssl all all 127.0.0.1/32 trust

      """
    terms.files = [
      "server.key": try Data(contentsOf: key), "server.crt": try Data(contentsOf: certificate),
    ]
    while true {
      terms.port = Int.random(in: 20_000...32_000)
      terms.settings = ["listen_addresses = '127.0.0.1'", "ssl = on"]
      do {
        return (try PostgreSQLServer(terms), terms.port)
      } catch  where "\(error)".contains("Address already in use") {
        // Somebody else has the port.
        continue
      }
    }
  }

  @Test func `a server is let in only with the certificate that the address demands`() throws {
    let folder = TestSupport.TemporaryFolder.file("certificates").deletingLastPathComponent()
    let (key, certificate) = try certificate(for: "localhost", in: folder)
    let stranger = try self.certificate(for: "stranger", in: folder).certificate
    let (server, port) = try encrypted(key, certificate)
    defer { #expect(throws: Never.self) { try server.stop() } }
    func address(_ settings: String, host: String = "localhost") throws -> URL {
      let text = "postgresql://tests@\(host):\(port)/postgres?hostaddr=127.0.0.1&\(settings)"
      return try #require(URL(string: text))
    }
    let place = try address("sslmode=verify-full&sslrootcert=\(certificate.path)")
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    try stack.saved { $0.note("first") }
    #expect(try stack.work { try $0.titles() } == ["first"])
    let isEncrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    #expect(try PostgreSQLShell.rows(isEncrypted, at: place) == [["t"]])
    // As Servers.md says: encrypted if possible, and nothing is checked.
    #expect(try PostgreSQLShell.rows(isEncrypted, at: address("connect_timeout=60")) == [["t"]])

    let unsafe = [
      try address("sslmode=verify-full&sslrootcert=\(stranger.path)"),
      try address("sslmode=verify-full&sslrootcert=\(certificate.path)", host: "stranger"),
      try address("sslmode=verify-full&sslrootcert=/nowhere"),
    ]
    for address in unsafe {
      let error = try refusal { _ = try NotesStack(type: NSPostgreSQLStoreType, at: address) }
      #expect(error.code == NSPersistentStoreOpenError)
      #expect(error.localizedFailureReason?.contains("not as safe as the address demands") == true)
      #expect(error.localizedRecoverySuggestion?.contains("sslrootcert") == true)
    }
    let plain = try address("sslmode=disable")
    let error = try refusal { _ = try NotesStack(type: NSPostgreSQLStoreType, at: plain) }
    #expect(error.code == CocoaError.fileReadNoPermission.rawValue)
  }
}
