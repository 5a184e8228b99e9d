import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Tests of the errors if a connection is lost after the password.
@Suite struct PostgreSQLPasswordTests {
  @Test func `a connection that was lost behind the password was told as a wrong password`() throws
  {
    let server = try SilentServer()
    let address = "postgresql://ada:swordfish@/notes?host=\(server.folder)"
    let url = try #require(URL(string: address))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let error = try #require(throws: NSError.self) {
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType,
        configurationName: nil,
        at: url,
        options: nil
      )
    }
    #expect(error.code == NSPersistentStoreOpenError)
    #expect(error.localizedFailureReason?.contains("server closed the connection") == true)
    #expect(server.wasGivenPassword)
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType])
  func `who forgot the type of a store read its password in the error`(type: String) throws {
    let address = "postgresql://ada:swordfish@db.example.org/notes?password=mackerel"
    let url = try #require(URL(string: address))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let error = try #require(throws: NSError.self) {
      try coordinator.addPersistentStore(
        ofType: type,
        configurationName: nil,
        at: url,
        options: nil
      )
    }
    #expect(error.code == CocoaError.fileReadNoSuchFile.rawValue)
    let words = "\(error) \(error.userInfo)"
    #expect(!words.contains("swordfish") && !words.contains("mackerel"))
    #expect(words.contains("postgresql://ada@db.example.org/notes is the address of a database"))
    #expect(error.localizedRecoverySuggestion?.contains("NSPostgreSQLStoreType") == true)
  }
}

/// Asks for a password, as a server of PostgreSQL does, and ends the connection when it has it.
private final class SilentServer: Sendable {
  let folder: String
  private let listener: Int32
  private let passwords = Mutex(0)

  var wasGivenPassword: Bool { passwords.withLock { $0 > 0 } }

  init() throws {
    let temporary = FileManager.default.temporaryDirectory
    folder = temporary.appendingPathComponent("silent-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(folder)/.s.PGSQL.5432".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard isBound == 0, listen(listener, 4) == 0 else { throw CocoaError(.fileWriteUnknown) }
    Thread.detachNewThread { [self] in answer() }
  }

  deinit {
    close(listener)
    // Leftovers in the folder for temporary files harm nobody.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// One client, which is asked for its password in plain words.
  private func answer() {
    let client = accept(listener, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 1_000)
    _ = read(client, &bytes, bytes.count)
    let question: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
    _ = write(client, question, question.count)
    if read(client, &bytes, bytes.count) > 0, bytes[0] == UInt8(ascii: "p") {
      passwords.withLock { $0 += 1 }
    }
    close(client)
  }
}
