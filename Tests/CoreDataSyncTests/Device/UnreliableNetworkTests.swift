import CoreData
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import TestSupport
import Testing

@testable import CoreDataSyncDevice

/// Devices and a server with a network between them that loses, delays and holds back.
@Suite(.serialized) struct UnreliableNetworkTests {
  @Test("devices whose connections are cut at random agree, and nothing that was saved is lost")
  func cutting() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(cutsPercent: 20, delay: 5))
    defer { proxy.stop() }
    let devices = try (0..<3).map {
      try server.container("\($0)", address: server.address(over: proxy))
    }
    defer { for device in devices { device.stopSyncing() } }
    let count = Tries.count(40, long: 2_000)
    for number in 0..<count {
      try devices[number % 3].title("by \(number)", of: "\(number)")
      // One that the same device has made, so that it is there once.
      try devices[number % 3].title("again by \(number)", of: "\(number % 3)")
    }
    #expect(try await comes { proxy.deeds.cuts > 3 })
    proxy.manner = .init()
    // Devices that have failed often wait a minute before they try again.
    for device in devices { try await device.syncNow() }
    let keys = Set((0..<count).map(String.init))
    #expect(
      try await comes {
        let all = try devices.map { try $0.titles }
        return Set(all[0].keys) == keys && all[0] == all[1] && all[1] == all[2]
      }
    )
    for device in devices { try await device.syncNow() }
    #expect(devices.allSatisfy { $0.pendingChangeCount == 0 })
  }

  @Test(
    "a proxy that holds back answers without an end is noticed, and changes come all the same",
    .enabled(if: Tries.areMany)
  )
  func holding() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(holdsStreams: true))
    defer { proxy.stop() }
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address(over: proxy))
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    let begin = ContinuousClock.now
    try await laptop.syncNow()
    #expect(try await comes { proxy.deeds.held > 0 })
    for number in 0..<3 {
      try phone.title("Seeds \(number)", of: "garden")
      #expect(try await comes { try laptop.titles == ["garden": "Seeds \(number)"] })
    }
    // If that took longer, it may have been tried again.
    if ContinuousClock.now - begin < .seconds(500) {
      #expect(proxy.deeds.held == 1, "It is not tried again for a while.")
    }
  }

  @Test(
    "a message that a proxy takes for too large was sent again for ever",
    arguments: ["413 Request Entity Too Large", "502 Bad Gateway"]
  )
  func limitedBodies(answer: String) async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(
      to: server.port,
      .init(messages: .limited(20_000, answer: answer))
    )
    defer { proxy.stop() }
    let phone = try server.container("phone", address: "")
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    let text = String(repeating: "soil ", count: 400)
    for number in 0..<30 { try phone.title("\(number) \(text)", of: "\(number)") }
    try phone.startSyncing(at: try server.address(over: proxy))
    // A message that seems not to reach the server is tried again before it is sent in parts.
    if answer.hasPrefix("502") { _ = try? await phone.syncNow() }
    try await phone.syncNow()
    try await laptop.syncNow()
    #expect(try laptop.titles == phone.titles && laptop.titles.count == 30)
    #expect(phone.pendingChangeCount == 0 && phone.syncStatus.problem == nil)
    let refused = proxy.bodies.refused
    #expect(refused > 0 && proxy.bodies.largest <= 20_000)
    // Later messages are small from the beginning.
    for number in 0..<30 { try phone.title("again \(number) \(text)", of: "\(number)") }
    try await phone.syncNow()
    #expect(proxy.bodies.refused == refused)
  }

  @Test("a value for which a proxy has no room is told of with what to do, and sent when there is")
  func limitedValue() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .limited(1_000)))
    defer { proxy.stop() }
    let phone = try server.container("phone", address: try server.address(over: proxy))
    defer { phone.stopSyncing() }
    // Digits of chance, which do not get small enough by compression.
    let digits = (1...200).map { "\($0 &* 0x1E37_79B9_7F4A_7C15)" }.joined()
    try phone.title(digits, of: "garden")
    await #expect { try await phone.syncNow() } throws: {
      "\($0)".contains("status 413") && "\($0)".contains("client_max_body_size 16m")
    }
    #expect(phone.pendingChangeCount > 0)
    proxy.manner = .init()
    try await phone.syncNow()
    #expect(phone.pendingChangeCount == 0)
  }

  @Test(
    "a page for people in the place of an answer was told of without a remedy",
    arguments: [
      ("502 Bad Gateway", "does not reach coredata serve"), ("200 OK", "sign in"),
      ("404 Not Found", "begins with /v1/"),
    ]
  )
  func pages(status: String, words: String) async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .answered(status)))
    defer { proxy.stop() }
    let phone = try server.container("phone", address: try server.address(over: proxy))
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    await #expect { try await phone.syncNow() } throws: {
      "\($0)".contains(words)
        && ($0 as? NSPersistentCloudKitContainer.SyncProblem)?.isTemporary == true
    }
    proxy.manner = .init()
    try await phone.syncNow()
    #expect(phone.pendingChangeCount == 0 && phone.syncStatus.problem == nil)
  }

  @Test(
    "over a network that is slow both ways everything arrives, and nothing is taken for lost",
    .enabled(if: Tries.areMany)
  )
  func slowness() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(
      to: server.port,
      .init(latency: 100, bytesPerSecond: 200_000)
    )
    defer { proxy.stop() }
    let phone = try server.container("phone", address: try server.address(over: proxy))
    let laptop = try server.container("laptop", address: try server.address(over: proxy))
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title(String(repeating: "soil ", count: 20_000), of: "garden")
    try await phone.syncNow()
    try await laptop.syncNow()
    #expect(try laptop.titles == phone.titles)
  }

  @Test(
    "a proxy that passes on only what is whole holds nothing up for good",
    .enabled(if: Tries.areMany)
  )
  func buffering() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .buffered))
    defer { proxy.stop() }
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address(over: proxy))
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try laptop.title("Soil", of: "compost")
    try await laptop.syncNow()
    try phone.title("Seeds", of: "garden")
    let both = ["compost": "Soil", "garden": "Seeds"]
    #expect(try await comes { try laptop.titles == both && phone.titles == both })
  }

  @Test(
    "who takes requests and is silent is waited for, and reached when he answers again",
    arguments: ConnectionKind.allCases
  )
  func silence(kind: ConnectionKind) throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .swallowed))
    defer { proxy.stop() }
    let address = try SyncAddress(try server.address(over: proxy))
    let hasty = HTTPTransport(
      address,
      patience: .init(silence: 0.2, whole: 300),
      over: kind.connect
    )
    #expect { try hasty.seal() } throws: { "\($0)".contains("Nothing came for 1 seconds") }
    proxy.manner = .init()
    #expect(try HTTPTransport(address, over: kind.connect).seal().isEmpty)
  }

  @Test(
    "an answer of which a byte came now and then was waited for without end",
    arguments: ConnectionKind.allCases
  )
  func dripping(kind: ConnectionKind) throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .dripped))
    defer { proxy.stop() }
    let hasty = HTTPTransport(
      try SyncAddress(try server.address(over: proxy)),
      patience: .init(silence: 60, whole: 0.2),
      over: kind.connect
    )
    // The head alone takes some seconds.
    #expect { try hasty.seal() } throws: { "\($0)".contains("too slowly") }
  }

  @Test("a large value arrives, and one that is larger than a message stays and is told of")
  func largeValues() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address(), model: Self.files)
    let laptop = try server.container("laptop", address: try server.address(), model: Self.files)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    let content = Data((0..<(12 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try phone.keep(content, as: "plan")
    try await phone.syncNow()
    try await laptop.syncNow()
    #expect(try laptop.content(of: "plan") == content)
    try phone.keep(Data(count: 66 << 20), as: "film")
    try phone.keep(Data(count: 5), as: "note")
    try await phone.syncNow()
    try await laptop.syncNow()
    #expect(try laptop.content(of: "note") == Data(count: 5))
    #expect(try laptop.content(of: "film") == nil)
    #expect(try phone.content(of: "film")?.count == 66 << 20)
    let refused = try phone.quarantine
    #expect(refused.map(\.propertyName) == ["content"])
    #expect(refused.first?.reason.contains("stays on this device") == true)
    #expect(phone.pendingChangeCount == 0 && phone.syncStatus.problem == nil)
  }

  /// Files with contents, in one entity.
  private static let files: NSManagedObjectModel = {
    let (name, content) = (NSAttributeDescription(), NSAttributeDescription())
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
    (content.name, content.attributeType, content.isOptional) = (
      "content", .binaryDataAttributeType, true
    )
    let file = NSEntityDescription()
    file.name = "File"
    file.managedObjectClassName = "NSManagedObject"
    file.properties = [name, content]
    let model = NSManagedObjectModel()
    model.entities = [file]
    return model
  }()
}

extension NSPersistentContainer {
  fileprivate func keep(_ content: Data, as name: String) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      let file = NSEntityDescription.insertNewObject(forEntityName: "File", into: context)
      file.setValue(name, forKey: "name")
      file.setValue(content, forKey: "content")
      try context.save()
    }
  }

  fileprivate func content(of name: String) throws -> Data? {
    let context = newBackgroundContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "File")
      request.predicate = NSPredicate(format: "name == %@", name)
      return try context.fetch(request).first?.value(forKey: "content") as? Data
    }
  }
}
