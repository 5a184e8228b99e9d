import CoreData
import CoreDataSyncCore
import Foundation
import TestSupport
import Testing

@testable import CoreDataSyncDevice
@testable import SyncSimulation

/// The public type that keeps one store in step, as a program for Apple's systems uses it.
@Suite(.serialized) struct SyncedStoreTests {
  /// A device whose store is in a container of the usual kind.
  private final class Device {
    let container: NSPersistentContainer
    let name: String

    init(_ name: String, in folder: URL, options: [String] = Device.options) throws {
      self.name = name
      container = NSPersistentContainer(name: name, managedObjectModel: SimulatedModel.model)
      let description = container.persistentStoreDescriptions[0]
      description.url = folder.appending(path: "\(name).sqlite")
      for option in options { description.setOption(true as NSNumber, forKey: option) }
      var failure: (any Error)?
      container.loadPersistentStores { _, error in failure = error }
      if let failure { throw failure }
    }

    static let options = [
      NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ]

    /// The device in step, as the package for Apple's systems would do it: with what that asks of the framework, and over a
    /// URLSession.
    func synced(at address: String, _ kind: ConnectionKind = .urlSession) throws -> SyncedStore {
      try SyncedStore(
        container.persistentStoreCoordinator,
        at: address,
        deviceName: "the \(name)",
        framework: .documented,
        over: kind.connect
      )
    }
  }

  @Test(
    "two devices that ask the framework only for what Apple documents show each other's changes",
    arguments: ConnectionKind.allCases
  )
  func following(kind: ConnectionKind) async throws {
    let server = try LocalServer()
    let (phone, laptop) = try (
      Device("phone", in: server.folder), Device("laptop", in: server.folder)
    )
    let one = try phone.synced(at: try server.address(), kind)
    let other = try laptop.synced(at: try server.address(), kind)
    try phone.container.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.container.titles == ["garden": "Seeds"] })
    try laptop.container.title("Seeds and soil", of: "garden")
    #expect(try await comes { try phone.container.titles == ["garden": "Seeds and soil"] })
    for store in [one, other] {
      try await store.syncNow()
      #expect(store.status.problem == nil && store.status.pendingChangeCount == 0)
      #expect(store.status.countsAreKnown && store.status.lastConfirmed != nil)
    }
  }

  @Test("the initializers of a program keep a container's store in step, and its coordinator's")
  func initializers() async throws {
    let server = try LocalServer()
    let (phone, laptop) = try (
      Device("phone", in: server.folder), Device("laptop", in: server.folder)
    )
    let one = try SyncedStore(phone.container, at: try server.address(), deviceName: "phone")
    let other = try SyncedStore(
      laptop.container.persistentStoreCoordinator,
      store: laptop.container.persistentStoreCoordinator.persistentStores[0],
      at: try SyncedStore.pairingCode(for: try server.address())
    )
    try phone.container.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.container.titles == ["garden": "Seeds"] })
    try await one.syncNow()
    try await other.syncNow()
  }

  @Test("a value that lost is a conflict with its device, and can be taken back or dismissed")
  func conflicts() async throws {
    let server = try LocalServer()
    let (phone, laptop) = try (
      Device("phone", in: server.folder), Device("laptop", in: server.folder)
    )
    let one = try phone.synced(at: try server.address())
    try phone.container.title("Seeds", of: "garden")
    try await one.syncNow()
    let other = try laptop.synced(at: try server.address())
    try await other.syncNow()
    one.stop()
    other.stop()
    try phone.container.title("Seeds and soil", of: "garden")
    try await isLater()
    try laptop.container.title("Seeds and water", of: "garden")
    let first = try phone.synced(at: try server.address())
    try await first.syncNow()
    let second = try laptop.synced(at: try server.address())
    try await second.syncNow()
    let conflict = try #require(try second.conflicts.first)
    #expect(conflict.losingText == "Seeds and soil" && conflict.propertyName == "title")
    #expect(conflict.deviceName == "the phone")
    try second.takeBack(conflict)
    #expect(try await comes { try phone.container.titles == ["garden": "Seeds and soil"] })
    #expect(try second.conflicts.isEmpty)
    try second.dismiss(conflict)
    #expect(second.status.conflictCount == 0)
  }

  @Test("events come as a stream, each with its end; both streams end with the exchange")
  func streams() async throws {
    let server = try LocalServer()
    let phone = try Device("phone", in: server.folder)
    let store = try phone.synced(at: try server.address())
    let events = store.events
    let statuses = store.statuses
    try phone.container.title("Seeds", of: "garden")
    try await store.syncNow()
    store.stop()
    var open: Set<UUID> = []
    var kinds: Set<SyncedStore.EventType> = []
    for await event in events {
      kinds.insert(event.type)
      if event.endDate == nil {
        open.insert(event.id)
      } else {
        open.remove(event.id)
        #expect(event.succeeded)
      }
    }
    #expect(kinds.isSuperset(of: [.export, .import]) && open.isEmpty)
    var last = SyncedStore.Status()
    for await status in statuses { last = status }
    #expect(last == store.status)
    for await _ in store.events { Issue.record("an exchange that has ended tells of nothing") }
  }

  @Test(
    "an object that nobody holds any more ends its exchange, and leaves the sidecar to the next"
  )
  func lifetime() async throws {
    let server = try LocalServer()
    let phone = try Device("phone", in: server.folder)
    do {
      let store = try phone.synced(at: try server.address())
      try await store.syncNow()
    }
    let next = try phone.synced(at: try server.address())
    try await next.syncNow()
    #expect(next.status.problem == nil)
  }

  @Test("a paused store exchanges nothing, holds no file, and goes on where it was")
  func pausing() async throws {
    let server = try LocalServer()
    let (phone, laptop) = try (
      Device("phone", in: server.folder), Device("laptop", in: server.folder)
    )
    let one = try phone.synced(at: try server.address())
    let other = try laptop.synced(at: try server.address())
    try await one.syncNow()
    one.pause()
    one.pause()
    #expect(one.isPaused && one.status.problem == nil && !one.status.isActive)
    try laptop.container.title("Seeds", of: "garden")
    try await other.syncNow()
    // Somebody else can keep the store in step meanwhile.
    let extensionOfApp = try phone.synced(at: try server.address())
    try await extensionOfApp.syncNow()
    extensionOfApp.stop()
    #expect(try phone.container.titles == ["garden": "Seeds"])
    try laptop.container.title("Soil", of: "garden")
    try await other.syncNow()
    try await Task.sleep(for: .milliseconds(300))
    #expect(try phone.container.titles == ["garden": "Seeds"])
    // Once, and it is paused again.
    try await one.syncNow(within: .seconds(20))
    #expect(try one.isPaused && phone.container.titles == ["garden": "Soil"])
    try phone.container.title("Water", of: "garden")
    one.resume()
    #expect(try await comes { try laptop.container.titles == ["garden": "Water"] })
    #expect(!one.isPaused)
    one.stop()
    one.resume()
    await #expect(throws: SyncedStore.Problem.self) { try await one.syncNow() }
  }

  @Test("an exchange with a server that does not answer held up a background task")
  func limitedTime() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .swallowed))
    defer { proxy.stop() }
    let phone = try Device("phone", in: server.folder)
    try phone.container.title("Seeds", of: "garden")
    let store = try phone.synced(at: try server.address(over: proxy))
    store.pause()
    await #expect { try await store.syncNow(within: .milliseconds(300)) } throws: {
      "\($0)".contains("was interrupted before it had ended")
    }
    #expect(store.isPaused)
    let task = Task { try await store.syncNow() }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    await #expect(throws: SyncedStore.Problem.self) { try await task.value }
    proxy.manner = .init()
    try await store.syncNow(within: .seconds(60))
    #expect(store.status.pendingChangeCount == 0 && store.status.problem == nil)
  }

  @Test("a store that another object keeps in step says so, and not that nothing waits")
  func usedElsewhere() async throws {
    let server = try LocalServer()
    let phone = try Device("phone", in: server.folder)
    let store = try phone.synced(at: try server.address())
    try await store.syncNow()
    let second = try phone.synced(at: try server.address())
    await #expect { try await second.syncNow() } throws: {
      "\($0)".contains("Another program keeps")
    }
    #expect(!second.status.countsAreKnown)
    #expect(store.status.countsAreKnown)
  }

  @Test("a store that would not tell of its saves is refused with the option that it lacks")
  func options() throws {
    let server = try LocalServer()
    for (number, lacking) in Device.options.enumerated() {
      let options = Device.options.filter { $0 != lacking }
      let device = try Device("\(number)", in: server.folder, options: options)
      #expect {
        try device.synced(at: try server.address())
      } throws: {
        "\($0)".contains("without the option \(lacking)")
      }
    }
    let empty = NSPersistentStoreCoordinator(managedObjectModel: SimulatedModel.model)
    #expect {
      try SyncedStore(empty, at: try server.address())
    } throws: {
      "\($0)".contains("Load the stores first")
    }
  }

  // Foundation's URLSession for Linux notices some cuts only when the patience is over, after a minute.
  @Test(
    "over a URLSession, devices whose connections are cut at random agree",
    .enabled(if: Tries.areMany)
  )
  func cutting() async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(to: server.port, .init(cutsPercent: 20, delay: 5))
    defer { proxy.stop() }
    let devices = try (0..<3).map { try Device("\($0)", in: server.folder) }
    let stores = try devices.map { try $0.synced(at: try server.address(over: proxy)) }
    for number in 0..<40 {
      try devices[number % 3].container.title("by \(number)", of: "\(number)")
    }
    #expect(try await comes { proxy.deeds.cuts > 3 })
    proxy.manner = .init()
    for store in stores { try await store.syncNow() }
    let keys = Set((0..<40).map(String.init))
    #expect(
      try await comes {
        let all = try devices.map { try $0.container.titles }
        return Set(all[0].keys) == keys && all[0] == all[1] && all[1] == all[2]
      }
    )
  }

  @Test(
    "over a URLSession, a message that a proxy takes for too large is sent in parts",
    arguments: ["413 Request Entity Too Large", "502 Bad Gateway"]
  )
  func limitedBodies(answer: String) async throws {
    let server = try LocalServer()
    let proxy = try UnreliableProxy(
      to: server.port,
      .init(messages: .limited(20_000, answer: answer))
    )
    defer { proxy.stop() }
    let (phone, laptop) = try (
      Device("phone", in: server.folder), Device("laptop", in: server.folder)
    )
    let text = String(repeating: "soil ", count: 400)
    for number in 0..<30 { try phone.container.title("\(number) \(text)", of: "\(number)") }
    let one = try phone.synced(at: try server.address(over: proxy))
    if answer.hasPrefix("502") { _ = try? await one.syncNow() }
    try await one.syncNow()
    let other = try laptop.synced(at: try server.address())
    try await other.syncNow()
    #expect(try laptop.container.titles == phone.container.titles)
    #expect(one.status.pendingChangeCount == 0 && one.status.problem == nil)
    #expect(proxy.bodies.refused > 0 && proxy.bodies.largest <= 20_000)
  }

  @Test("a save whose observers wait for the main queue does not keep the exchange from its end")
  func observers() async throws {
    let server = try LocalServer()
    let (phone, laptop) = try (
      Device("phone", in: server.folder), Device("laptop", in: server.folder)
    )
    let one = try phone.synced(at: try server.address())
    try phone.container.title("Seeds", of: "garden")
    try await one.syncNow()
    let isHeld = DispatchSemaphore(value: 0)
    let goesOn = DispatchSemaphore(value: 0)
    let coordinator = laptop.container.persistentStoreCoordinator
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave,
      object: nil,
      queue: nil
    ) { notification in
      let context = notification.object as? NSManagedObjectContext
      guard context?.persistentStoreCoordinator === coordinator,
        context?.transactionAuthor == "CoreDataSync"
      else { return }
      isHeld.signal()
      goesOn.wait()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let other = try laptop.synced(at: try server.address())
    #expect(try await comes { isHeld.wait(timeout: .now()) == .success })
    let begin = ContinuousClock.now
    other.stop()
    #expect(ContinuousClock.now - begin < .seconds(30))
    goesOn.signal()
  }
}
