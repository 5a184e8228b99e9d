import CoreData
import CoreDataSyncDevice
import CoreDataSyncServer
import Foundation
import TestSupport
import Testing

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

  @Test("a proxy that holds back answers without an end is noticed, and changes come all the same")
  func holding() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(holdsStreams: true))
    defer { proxy.stop() }
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address(over: proxy))
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try await laptop.syncNow()
    #expect(try await comes { proxy.deeds.held > 0 })
    for number in 0..<3 {
      try phone.title("Seeds \(number)", of: "garden")
      #expect(try await comes { try laptop.titles == ["garden": "Seeds \(number)"] })
    }
    #expect(proxy.deeds.held == 1, "It is not tried again for a while.")
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
