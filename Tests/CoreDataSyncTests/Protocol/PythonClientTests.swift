import ChildPrograms
import CoreData
import CoreDataSyncServer
import Foundation
import Testing

/// A client in Python, which was written from Documentation/SyncProtocol.md alone.
struct PythonClientTests {
  private static let client = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "client.py")

  private func python(_ arguments: String...) throws -> ChildProgram.Outcome {
    try ChildProgram.run(
      URL(filePath: "/usr/bin/env"),
      ["python3", "-B", Self.client.path] + arguments
    )
  }

  @Test func `what the page on the protocol says was not what a server does`() throws {
    let server = try LocalServer()
    let token = try server.service.tokens.make(
      zone: AccessToken.everyZone,
      .server,
      label: "test",
      at: 0
    )
    let outcome = try python("check", "http://127.0.0.1:\(server.port)", token)
    #expect(outcome.output == "ok\n", "\(outcome.errors)")
    #expect(outcome.status == 0)
  }

  @Test func `a device did not show what another program had written by the page`() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    try await isLater()
    let outcome = try python("rename", try server.address(), "Seeds", "Soil")
    #expect(outcome.output == "ok\n", "\(outcome.errors)")
    #expect(try await comes { try phone.titles["garden"] == "Soil" })
    #expect(try await comes { try phone.keys == ["garden", "python"] })
  }
}

extension NSPersistentCloudKitContainer {
  /// The keys of all folders.
  fileprivate var keys: Set<String> {
    get throws {
      let context = newBackgroundContext()
      return try context.performAndWait {
        let folders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
        return Set(folders.compactMap { $0.value(forKey: "key") as? String })
      }
    }
  }
}
