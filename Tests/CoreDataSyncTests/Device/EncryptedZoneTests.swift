import CoreData
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer
import Foundation
import Testing

@testable import CoreDataSyncDevice

/// Containers whose server cannot read its own data.
@Suite(.serialized) struct EncryptedZoneTests {
  private typealias Container = NSPersistentCloudKitContainer

  private static func encrypted(_ server: LocalServer, _ key: ZoneKey?) throws -> String {
    var address = try SyncAddress(try server.address())
    address.key = key
    return address.description
  }

  /// The number of the server's last change.
  private static func head(of server: LocalServer) throws -> UInt64 {
    let token = try SyncAddress(try server.address()).token
    return try server.service.head(of: "Notes", token: token)
  }

  /// All that the server has written.
  private static func files(of server: LocalServer) throws -> Data {
    var all = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
    where name.hasPrefix("zones") {
      all += try Data(contentsOf: server.folder.appending(path: name))
    }
    return all
  }

  @Test(
    "devices with the key follow each other, and the server's file has neither names nor values"
  )
  func following() async throws {
    let server = try LocalServer()
    let key = ZoneKey.random()
    let phone = try server.container("phone", address: try Self.encrypted(server, key))
    let code = try Container.pairingCode(for: try Self.encrypted(server, key))
    let laptop = try server.container("laptop", address: code)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds of garlic", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds of garlic"] })
    try laptop.title("Soil of the forest", of: "garden")
    #expect(try await comes { try phone.titles == ["garden": "Soil of the forest"] })
    #expect(phone.syncStatus.isEncrypted && phone.syncStatus.problem == nil)
    let files = try Self.files(of: server)
    #expect(files.count > 1000)
    for secret in ["garlic", "forest", "garden", "Folder"] {
      #expect(files.range(of: Data(secret.utf8)) == nil)
    }
  }

  @Test("a wrong key and a missing key are noticed before anything is sent or applied")
  func wrongKeys() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try Self.encrypted(server, .random()))
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    let head = try Self.head(of: server)
    for (name, key, word) in [
      ("other", ZoneKey.random(), "Nothing was sent"), ("none", nil, "encrypted"),
    ] {
      let other = try server.container(name, address: try Self.encrypted(server, key))
      defer { other.stopSyncing() }
      try other.title("Mine", of: "shed")
      await #expect { try await other.syncNow() } throws: { "\($0)".contains(word) }
      #expect(try other.titles == ["shed": "Mine"])
    }
    #expect(try Self.head(of: server) == head && phone.titles == ["garden": "Seeds"])
  }

  @Test("a server without the key deleted an object, by another life of a cell that devices know")
  func forgedLife() async throws {
    let server = try LocalServer()
    let address = try Self.encrypted(server, .random())
    let phone = try server.container("phone", address: address)
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    // Anybody who has the server's file can write anything into it; here it comes as from a device.
    let transport = HTTPTransport(try SyncAddress(address))
    let seal = try transport.seal()
    let stranger = SyncID(random: 1, 1)
    let pull = SyncRequest.pull(
      .init(
        replica: stranger,
        after: .start,
        seen: .start,
        acknowledged: .start,
        isSnapshot: true,
        limit: 100
      )
    )
    guard case .page(let page) = try transport.send(pull, seal: seal) else {
      Issue.record("There is no page.")
      return
    }
    let content = [UInt8](repeating: 7, count: 10)
    let asset = AssetReference(ContentHash(of: content), size: content.count)
    #expect(try transport.put(content[...], from: 0, of: asset) == content.count)
    let forged = page.cells.filter { $0.key.field == .life }.map { keyed in
      var other = keyed
      other.cell.epoch += 1
      other.cell.payload = asset.payload
      return other
    }
    // That of the folder, and that of the object in which the phone tells its name.
    #expect(forged.count == 2)
    let push = SyncRequest.Push(
      replica: stranger,
      cursor: page.next,
      seen: page.next,
      cells: forged
    )
    _ = try transport.send(.push(push), seal: seal)
    await #expect { try await phone.syncNow() } throws: {
      "\($0)".contains("not encrypted with this zone's key")
    }
    #expect(try phone.titles == ["garden": "Seeds"])
  }

  @Test("a zone that has open values is not made an encrypted one")
  func openZones() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    let laptop = try server.container("laptop", address: try Self.encrypted(server, .random()))
    defer { laptop.stopSyncing() }
    await #expect { try await laptop.syncNow() } throws: { "\($0)".contains("another zone") }
  }

  @Test("who knows the passphrase has the key; who types another is told so")
  func passphrases() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let words = Container.SyncProtection.passphrase("mice eat cheese in the dark")
    let first = try await Container.syncAddress(from: address, protection: words)
    let second = try await Container.syncAddress(
      from: try Container.pairingCode(for: address),
      protection: words
    )
    #expect(first == second && first.hasPrefix(address) && first != address)
    await #expect {
      try await Container.syncAddress(from: address, protection: .passphrase("mice eat cheese"))
    } throws: {
      "\($0)".contains("passphrase")
    }
    let phone = try server.container("phone", address: first)
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    #expect(phone.pendingChangeCount == 0)
  }

  @Test("large values of an encrypted zone are files that do not show their content")
  func largeValues() async throws {
    let server = try LocalServer()
    let key = ZoneKey.random()
    let phone = try server.container("phone", address: try Self.encrypted(server, key))
    let laptop = try server.container("laptop", address: try Self.encrypted(server, key))
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    let text = String(repeating: "One thought on each slip. ", count: 20_000)
    try phone.title(text, of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": text] })
    let assets = server.folder.appending(path: "assets/Notes")
    let names = try FileManager.default.contentsOfDirectory(atPath: assets.path)
    #expect(names.count == 1)
    let content = try Data(contentsOf: assets.appending(path: try #require(names.first)))
    #expect(content.range(of: Data("thought".utf8)) == nil && content.count > text.utf8.count)
  }
}
