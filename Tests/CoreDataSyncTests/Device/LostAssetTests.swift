import CoreData
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer
import Foundation
import Testing

@testable import CoreDataSyncDevice

/// A server whose folder of large values was lost, or was not restored with its database.
struct LostAssetTests {
  private let text = String(repeating: "One thought on each slip. ", count: 20_000)

  @Test(
    "a large value that the server had lost kept devices that lacked it from all that came later",
    arguments: [false, true]
  )
  func lost(isEncrypted: Bool) async throws {
    let server = try LocalServer()
    let key = isEncrypted ? ZoneKey.random() : nil
    let phone = try server.container("phone", address: try address(of: server, key))
    let laptop = try server.container("laptop", address: try address(of: server, key))
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    laptop.stopSyncing()
    try phone.title(text, of: "garden")
    try phone.title(text + "More.", of: "shed")
    try await phone.syncNow()
    // Nobody who has the values is there.
    phone.stopSyncing()
    let kept = try lose(of: server)

    try laptop.startSyncing(at: try address(of: server, key))
    let tablet = try server.container("tablet", address: try address(of: server, key))
    defer { tablet.stopSyncing() }
    try tablet.title("Rain", of: "sky")
    #expect(try await comes { try laptop.titles["sky"] == "Rain" })
    // The values it had stay, and those it lacks are named.
    #expect(try laptop.titles == ["garden": "Seeds", "sky": "Rain"])
    try await laptop.syncNow()
    #expect(laptop.syncStatus.problem == nil)
    #expect(laptop.syncStatus.quarantineCount == 2)
    let waiting = try laptop.quarantine
    #expect(waiting.map(\.propertyName) == ["title", "title"])
    #expect(waiting.allSatisfy { $0.objectID != nil && $0.reason.contains("folder assets") })

    // Changes made there are sent, and nothing else is.
    try laptop.title("Rain and wind", of: "sky")
    #expect(try await comes { try tablet.titles["sky"] == "Rain and wind" })
    #expect(try phone.titles["garden"] == text)

    try FileManager.default.copyItem(at: kept, to: assets(of: server))
    try await laptop.syncNow()
    #expect(
      try laptop.titles == ["garden": text, "shed": text + "More.", "sky": "Rain and wind"]
    )
    #expect(laptop.syncStatus.quarantineCount == 0)
    #expect(try laptop.quarantine.isEmpty)
    #expect(try laptop.conflicts.isEmpty && phone.conflicts.isEmpty)
  }

  @Test("a large value that the server had damaged came no more, also where it was written anew")
  func damaged() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title(text, of: "garden")
    try await phone.syncNow()
    phone.stopSyncing()
    for file in try FileManager.default.contentsOfDirectory(
      at: assets(of: server),
      includingPropertiesForKeys: nil
    ) {
      try Data(repeating: 65, count: Int(try Data(contentsOf: file).count)).write(to: file)
    }
    let laptop = try server.container("laptop", address: try server.address())
    defer { laptop.stopSyncing() }
    try await laptop.syncNow()
    #expect(try laptop.titles.isEmpty && laptop.quarantine.count == 1)
    // The device that has it sends it again; nobody has to write it.
    try phone.startSyncing(at: try server.address())
    #expect(try await comes { try laptop.titles == ["garden": text] })

    try phone.title(text + "More.", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": text + "More."] })
    try await laptop.syncNow()
    #expect(try laptop.quarantine.isEmpty)
  }

  @Test(
    "A device sends the large values again that the server has lost, and others get them at once",
    arguments: [false, true]
  )
  func givenBack(isEncrypted: Bool) async throws {
    let server = try LocalServer()
    let key = isEncrypted ? ZoneKey.random() : nil
    let phone = try server.container("phone", address: try address(of: server, key))
    defer { phone.stopSyncing() }
    try phone.title(text, of: "garden")
    try phone.title(text + "More.", of: "shed")
    try await phone.syncNow()
    _ = try lose(of: server)

    let laptop = try server.container("laptop", address: try address(of: server, key))
    defer { laptop.stopSyncing() }
    let titles = ["garden": text, "shed": text + "More."]
    #expect(try await comes { try laptop.titles == titles })
    #expect(try await comes { try names(of: server).count == 2 })
    #expect(try await comes { try laptop.quarantine.isEmpty })
    #expect(try laptop.conflicts.isEmpty && phone.conflicts.isEmpty && phone.titles == titles)
  }

  @Test(
    "what waited for a large value that the server had lost was written here, and counted as sent"
  )
  func writtenHere() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    laptop.stopSyncing()
    try phone.title(text, of: "garden")
    try await phone.syncNow()
    phone.stopSyncing()
    _ = try lose(of: server)
    try laptop.title("Mine", of: "garden")
    try laptop.startSyncing(at: try server.address())
    try await laptop.syncNow()
    // The text is at its writer; here it would be a conflict.
    #expect(try laptop.conflicts.isEmpty)
    try phone.startSyncing(at: try server.address())
    try await phone.syncNow()
    #expect(try laptop.titles == ["garden": "Mine"])
    #expect(try phone.titles == ["garden": "Mine"])
    #expect(laptop.pendingChangeCount == 0)
    #expect(try phone.conflicts.map(\.losingText) == [text])
  }

  @Test(
    "a large value that had lost unseen was never told of once the server had lost it as well",
    arguments: [false, true]
  )
  func lostTwice(isEncrypted: Bool) async throws {
    let server = try LocalServer()
    let key = isEncrypted ? ZoneKey.random() : nil
    let phone = try server.container("phone", address: try address(of: server, key))
    let laptop = try server.container("laptop", address: try address(of: server, key))
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    laptop.stopSyncing()
    try phone.title(text, of: "garden")
    try await phone.syncNow()
    phone.stopSyncing()
    let kept = try lose(of: server)
    try laptop.title("Mine", of: "garden")
    try laptop.startSyncing(at: try address(of: server, key))
    for _ in 0..<2 {
      try await laptop.syncNow()
      #expect(try laptop.conflicts.isEmpty)
      let waiting = try laptop.quarantine
      #expect(waiting.map(\.propertyName) == ["title"])
      #expect(waiting.allSatisfy { $0.objectID != nil && $0.reason.contains("the conflicts") })
    }

    try FileManager.default.copyItem(at: kept, to: assets(of: server))
    for _ in 0..<2 {
      try await laptop.syncNow()
      #expect(try laptop.conflicts.map(\.losingText) == [text])
      #expect(try laptop.quarantine.isEmpty)
      #expect(laptop.syncStatus.quarantineCount == 0)
    }
    #expect(try laptop.titles == ["garden": "Mine"])
  }

  @Test(
    "somebody new waited for a large value that had lost before, and of which nobody tells him"
  )
  func lostBefore() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    laptop.stopSyncing()
    try phone.title(text, of: "garden")
    try await phone.syncNow()
    try laptop.title("Mine", of: "garden")
    try laptop.startSyncing(at: try server.address())
    try await laptop.syncNow()
    _ = try lose(of: server)
    let tablet = try server.container("tablet", address: try server.address())
    defer { tablet.stopSyncing() }
    try await tablet.syncNow()
    #expect(try tablet.titles == ["garden": "Mine"])
    #expect(try tablet.quarantine.isEmpty && tablet.conflicts.isEmpty)
  }

  @Test("a value that had lost unseen was never told of where the server had lost what had won")
  func winnerLost() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    let tablet = try server.container("tablet", address: try server.address())
    defer { for container in [phone, laptop, tablet] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    for container in [laptop, tablet] {
      #expect(try await comes { try container.titles == ["garden": "Seeds"] })
      container.stopSyncing()
    }
    try phone.title(text, of: "garden")
    try await phone.syncNow()
    let before = try names(of: server)
    try laptop.title(text + "More.", of: "garden")
    try laptop.startSyncing(at: try server.address())
    try await laptop.syncNow()
    for container in [phone, laptop] { container.stopSyncing() }
    let lost = try #require(names(of: server).subtracting(before).first)
    let kept = server.folder.appending(path: "kept")
    try FileManager.default.moveItem(at: assets(of: server).appending(path: lost), to: kept)

    try tablet.startSyncing(at: try server.address())
    try await tablet.syncNow()
    #expect(try tablet.titles == ["garden": "Seeds"])
    #expect(try tablet.conflicts.map(\.losingText) == [text])
    #expect(try tablet.quarantine.map(\.propertyName) == ["title"])

    try FileManager.default.moveItem(at: kept, to: assets(of: server).appending(path: lost))
    try await tablet.syncNow()
    #expect(try tablet.titles == ["garden": text + "More."])
    #expect(try tablet.conflicts.map(\.losingText) == [text])
    #expect(try tablet.quarantine.isEmpty)
  }

  /// The names of the files of large values.
  private func names(of server: LocalServer) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: assets(of: server).path))
  }

  private func assets(of server: LocalServer) -> URL {
    server.folder.appending(path: "assets/Notes")
  }

  private func address(of server: LocalServer, _ key: ZoneKey?) throws -> String {
    var address = try SyncAddress(try server.address())
    address.key = key
    return address.description
  }

  /// Takes the large values from a server; returns the folder where they are kept.
  private func lose(of server: LocalServer) throws -> URL {
    let kept = server.folder.appending(path: "kept")
    try FileManager.default.moveItem(at: assets(of: server), to: kept)
    return kept
  }
}
