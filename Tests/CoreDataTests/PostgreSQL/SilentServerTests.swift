import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Servers that take a connection and say nothing.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct SilentServerTests {
  @Test func `a server that says nothing is given up when the time for opening is over`() throws {
    let silent = try SilentPort()
    defer { silent.stop() }
    let place = "127.0.0.1:\(silent.number)"
    let url = try #require(URL(string: "postgresql://ada:swordfish@\(place)/notes"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let start = ContinuousClock.now
    let error = try #require(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType,
        configurationName: nil,
        at: url,
        // libpq waits for two seconds at least.
        options: [NSPersistentStoreTimeoutOption: 1]
      )
    }
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(error.code.rawValue == NSPersistentStoreOpenError)
    let reason = try #require((error as NSError).localizedFailureReason)
    #expect(reason.contains("the server does not answer"))
    #expect(!reason.contains("swordfish"))
    let remedy = try #require((error as NSError).localizedRecoverySuggestion)
    #expect(remedy == "Check that it runs and can be reached; then try again.")
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test(arguments: [
    ("connection to server at \"127.0.0.1\", port 5432 failed: timeout expired", 1),
    ("server closed the connection unexpectedly", 2),
  ])
  func `a server that says nothing was waited for twice`(words: String, attempts: Int) throws {
    let made = Mutex(0)
    let door = PostgreSQLDoor { _ throws(PostgreSQLError) in
      made.withLock { $0 += 1 }
      throw PostgreSQLError(state: "", message: words)
    }
    let url = URL(string: "postgresql://127.0.0.1/notes")
    let pool = PostgreSQLPool(try PostgreSQLAddress(url, options: nil), through: door)
    #expect(throws: PostgreSQLError.self) {
      try pool.read { connection throws(PostgreSQLError) in try connection.run(plain: "SELECT 1") }
    }
    #expect(made.withLock { $0 } == attempts)
  }
}

/// A port at which connections are taken, and nobody answers.
private struct SilentPort {
  let number: UInt16
  private let listener: Int32

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
    number = UInt16(bigEndian: address.sin_port)
  }

  func stop() { close(listener) }
}
