import ChildPrograms
import CoreData
import CoreDataSyncDevice
import CoreDataSyncHTTP
import CoreDataSyncServer
import Foundation
import Synchronization
import Testing

/// Containers as programs use them, with a server over HTTP.
@Suite(.serialized) struct SyncedContainerTests {
  @Test("what one device saves, another shows without being asked")
  func following() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    try laptop.title("Seeds and soil", of: "garden")
    #expect(try await comes { try phone.titles == ["garden": "Seeds and soil"] })
    try await phone.syncNow()
    #expect(phone.pendingChangeCount == 0)
    #expect(phone.lastConfirmed != nil)
    #expect(phone.syncStatus.problem == nil)
  }

  @Test("the first export of a device was told as one that had failed")
  func eventsOfFirstMeeting() async throws {
    let server = try LocalServer()
    for name in ["phone", "laptop"] {
      let device = try server.container(name, address: "")
      try device.title("Seeds of the \(name)", of: name)
      try device.startSyncing(at: try server.address())
      defer { device.stopSyncing() }
      try await device.syncNow()
      #expect(device.pendingChangeCount == 0)
      #expect(try device.events.filter { $0 == "export true" }.count == 1)
      #expect(try !device.events.contains { $0.hasSuffix("false") })
    }
  }

  @Test("a device that found no place among those who wait never heard of others, nor said why")
  func noPlace() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let token = String(address.split(separator: "#")[1])
    let lines = try (0..<64).map { _ in
      let line = try RawLine(port: server.port)
      line.say(
        "GET /v1/zones/Notes/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n"
      )
      #expect(line.heard(until: "data: 0\n").hasPrefix("HTTP/1.1 200"))
      return line
    }
    let phone = try server.container("phone", address: address)
    defer { phone.stopSyncing() }
    #expect(
      try await comes { phone.syncStatus.problem?.description.contains("64 devices") == true }
    )
    let laptop = try server.container("laptop", address: try server.address())
    defer { laptop.stopSyncing() }
    try laptop.title("Seeds", of: "garden")
    #expect(try await comes { try phone.titles == ["garden": "Seeds"] })
    withExtendedLifetime(lines) {}
  }

  @Test("a model that cannot be kept in step was tried again and again")
  func unusableModel() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: "")
    let model = phone.managedObjectModel.copy() as! NSManagedObjectModel
    model.entitiesByName["Folder"]?.userInfo = ["CoreDataSync.identity": "nonsense"]
    let other = NSPersistentCloudKitContainer(name: "other", managedObjectModel: model)
    let url = server.folder.appending(path: "other.sqlite")
    let description = NSPersistentStoreDescription(url: url)
    let options = NSPersistentCloudKitContainerOptions(containerIdentifier: "other")
    options.syncAddress = try server.address()
    description.cloudKitContainerOptions = options
    other.persistentStoreDescriptions = [description]
    other.loadPersistentStores { _, error in #expect(error == nil) }
    defer { other.stopSyncing() }
    #expect(try await comes { other.syncStatus.problem != nil })
    let problem = try #require(other.syncStatus.problem)
    #expect(problem.description.contains("'nonsense'") && !problem.isTemporary)
  }

  @Test("a zone is new until a device has sent something, and not again once that is deleted")
  func newZone() async throws {
    typealias Container = NSPersistentCloudKitContainer
    let server = try LocalServer()
    let address = try server.address()
    #expect(try await Container.isNewZone(at: address))
    let phone = try server.container("phone", address: address)
    defer { phone.stopSyncing() }
    try await phone.syncNow()
    #expect(try await Container.isNewZone(at: address))
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    #expect(try await !Container.isNewZone(at: try server.address(.read)))
    try phone.deleteFolders(forgettingHistory: false)
    try await phone.syncNow()
    #expect(try await !Container.isNewZone(at: try Container.pairingCode(for: address)))
    await #expect { try await Container.isNewZone(at: "nowhere") } throws: {
      ($0 as? Container.SyncProblem)?.isTemporary == false
    }
    await #expect { try await Container.isNewZone(at: address + "0") } throws: {
      ($0 as? Container.SyncProblem)?.description.contains("token") == true
    }
    server.stop()
    await #expect { try await Container.isNewZone(at: address) } throws: {
      ($0 as? Container.SyncProblem)?.isTemporary == true
    }
  }

  @Test("a store that is kept in step keeps few pages in memory, unless the program says how many")
  func pageCache() throws {
    let server = try LocalServer()
    for (address, chosen, cache) in [
      (try server.address(), nil, "-8192"), ("", nil, nil),
      (try server.address(), "-4000", "-4000"),
    ] as [(String, String?, String?)] {
      let container = try server.container(
        "phone-\(chosen ?? "")",
        address: address,
        pageCache: chosen
      )
      container.stopSyncing()
      let pragmas = container.persistentStoreDescriptions[0].sqlitePragmas
      #expect(pragmas["cache_size"]?.description == cache)
    }
  }

  @Test("what is done is told: events, their request, and a status that changes")
  func events() async throws {
    let server = try LocalServer()
    let seen = Mutex<[(container: NSPersistentCloudKitContainer?, said: String)]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification,
      object: nil,
      queue: nil
    ) { notification in
      let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
      guard let event = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event else {
        return
      }
      let container = notification.object as? NSPersistentCloudKitContainer
      let said = "\(event.type) \(event.endDate == nil ? "begins" : "ends")"
      seen.withLock { $0.append((container, said)) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    let said = {
      seen.withLock { $0.filter { $0.container === phone }.map(\.said) }
    }
    #expect(try await comes { said().contains("export ends") })
    #expect(try await comes { said().contains("import ends") })
    #expect(said().prefix(2) == ["setup begins", "setup ends"])
    let events = try phone.events
    #expect(events.contains("setup true") && events.contains("export true"))
    var statuses = phone.syncStatuses.makeAsyncIterator()
    #expect(await statuses.next()?.pendingChangeCount == 0)
  }

  @Test("nothing is exchanged while nothing happens")
  func idleness() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    // One's message is news to the other, and its end is news to nobody.
    #expect(try await comes { try !phone.hasExchangedLately && !laptop.hasExchangedLately })
  }

  @Test("a program that asked for conflicts when it was told of an event waited for ever")
  func askingInAnEvent() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try await phone.syncNow()
    let counts = Mutex<[Int]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification,
      object: phone,
      queue: nil
    ) { notification in
      guard let container = notification.object as? NSPersistentCloudKitContainer,
        let conflicts = try? container.conflicts
      else { return }
      counts.withLock { $0.append(conflicts.count) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    #expect(try await comes { !counts.withLock { $0 }.isEmpty })
    #expect(counts.withLock { $0 }.allSatisfy { $0 == 0 })
  }

  @Test("threads that save, ask and exchange at the same time, on two devices")
  func manyThreads() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (name, device) in [("phone", phone), ("laptop", laptop)] {
        for number in 0..<3 {
          group.addTask {
            for turn in 0..<6 { try device.title("\(name) \(turn)", of: "\(name)-\(number)") }
          }
        }
        group.addTask {
          for _ in 0..<6 {
            try await device.syncNow()
            #expect(try device.conflicts.isEmpty)
            #expect(device.syncStatus.quarantineCount == 0)
          }
        }
      }
      try await group.waitForAll()
    }
    for device in [phone, laptop, phone] { try await device.syncNow() }
    let expected = Dictionary(
      uniqueKeysWithValues: ["phone", "laptop"].flatMap { name in
        (0..<3).map { ("\(name)-\($0)", "\(name) 5") }
      }
    )
    #expect(try phone.titles == expected)
    #expect(try laptop.titles == expected)
    #expect(phone.pendingChangeCount == 0 && laptop.pendingChangeCount == 0)
  }

  @Test("changes wait while the server is away, and go when it is back")
  func absence() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try await phone.syncNow()
    server.stop()
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { phone.syncStatus.problem?.isTemporary == true })
    // The folder, its key and its title: the device's name goes along, and is not anybody's change.
    #expect(try await comes { phone.pendingChangeCount == 3 })
    try server.start()
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    #expect(try await comes { phone.pendingChangeCount == 0 && phone.syncStatus.problem == nil })
  }

  @Test("a large change waits while a server has no room for it, and small ones do not")
  func noRoom() async throws {
    let room = BodyRoom(bytes: 200_000, forToken: 200_000)
    let server = try LocalServer(room: room)
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    let others = room.share(forToken: 7)
    #expect(others.takes(265_000))
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    let long = String(repeating: "compost ", count: 10_000)
    try phone.title(long, of: "compost")
    await #expect { try await phone.syncNow() } throws: {
      ($0 as? NSPersistentCloudKitContainer.SyncProblem)?.isTemporary == true
        && "\($0)".contains("as many large messages under way")
    }
    #expect(phone.pendingChangeCount > 0)
    try await laptop.syncNow()
    #expect(try laptop.titles == ["garden": "Seeds"])
    others.giveBack()
    // Nobody asks for it: the device tries again.
    #expect(try await comes { try laptop.titles == ["garden": "Seeds", "compost": long] })
    #expect(try await comes { phone.pendingChangeCount == 0 && phone.syncStatus.problem == nil })
  }

  @Test(
    "what a full zone has no room for waits, others are followed, and it goes when there is room"
  )
  func fullZone() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    try await laptop.syncNow()
    let held = try server.service.holding(of: "Notes").bytes
    try server.service.setLimit(held + 2_000, of: "Notes")
    try phone.title(String(repeating: "soil ", count: 1_000), of: "compost")
    await #expect { try await phone.syncNow() } throws: {
      ($0 as? NSPersistentCloudKitContainer.SyncProblem)?.isTemporary == true
        && "\($0)".contains("The zone Notes is full: it holds \(held) bytes of \(held + 2_000)")
        && "\($0)".contains("--zone Notes --set-limit SIZE")
    }
    #expect(phone.pendingChangeCount > 0 && phone.syncStatus.canWrite)
    #expect(try phone.events.contains("export false") && !phone.events.contains("import false"))
    try laptop.title("Bulbs", of: "garden")
    try await laptop.syncNow()
    #expect(try await comes { try phone.titles["garden"] == "Bulbs" })
    #expect(phone.syncStatus.problem?.description.contains("is full") == true)
    try server.service.setLimit(nil, of: "Notes")
    try await phone.syncNow()
    #expect(phone.pendingChangeCount == 0 && phone.syncStatus.problem == nil)
    try await laptop.syncNow()
    #expect(try laptop.titles == phone.titles && laptop.titles.count == 2)
  }

  @Test("a value that lost is kept, and comes back when it is taken back")
  func conflicts() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    server.stop()
    try phone.title("Bulbs", of: "garden")
    try await isLater()
    try laptop.title("Soil", of: "garden")
    try server.start()
    #expect(
      try await comes { try phone.titles == laptop.titles && phone.pendingChangeCount == 0 }
    )
    #expect(try phone.titles == ["garden": "Soil"])
    #expect(
      try await comes { phone.syncStatus.conflictCount + laptop.syncStatus.conflictCount > 0 }
    )
    let holder = phone.syncStatus.conflictCount > 0 ? phone : laptop
    let conflict = try #require(try holder.conflicts.first)
    #expect(conflict.losingText == "Bulbs")
    #expect(conflict.propertyName == "title" && conflict.entityName == "Folder")
    #expect(conflict.deviceName == "the phone")
    try holder.takeBack(conflict)
    #expect(try await comes { try phone.titles == ["garden": "Bulbs"] })
    #expect(try await comes { try laptop.titles == ["garden": "Bulbs"] })
    #expect(try holder.conflicts.isEmpty)
  }

  @Test(
    "a program whose main queue hears of all saves waited for ever when it took a value back there",
    .timeLimit(.minutes(60))
  )
  @MainActor func takingBackWhileMainIsToBeTold() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    server.stop()
    try phone.title("Bulbs", of: "garden")
    try await isLater()
    try laptop.title("Soil", of: "garden")
    try server.start()
    #expect(
      try await comes { try phone.titles == laptop.titles && phone.pendingChangeCount == 0 }
    )
    #expect(
      try await comes { phone.syncStatus.conflictCount + laptop.syncStatus.conflictCount > 0 }
    )
    for device in [phone, laptop] { try await device.syncNow() }
    let holder = phone.syncStatus.conflictCount > 0 ? phone : laptop
    let conflict = try #require(try holder.conflicts.first)
    let listener = MainQueueListener(to: holder.persistentStoreCoordinator)
    defer { listener.stop() }
    #expect(throws: NSPersistentCloudKitContainer.SyncProblem.self) {
      try holder.takeBack(conflict)
    }
    // The save had begun, and goes on now.
    #expect(try await comes { try phone.titles == ["garden": "Bulbs"] })
    #expect(try await comes { try laptop.titles == ["garden": "Bulbs"] })
    #expect(try await comes { try holder.conflicts.isEmpty })
  }

  @Test("a token that can only read follows, and what is written there waits")
  func reading() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let reader = try server.container("reader", address: try server.address(.read))
    defer { for container in [phone, reader] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try reader.titles == ["garden": "Seeds"] })
    try reader.title("Weeds", of: "garden")
    #expect(try await comes { !reader.syncStatus.canWrite })
    #expect(reader.syncStatus.problem?.description.contains("can only read") == true)
    #expect(try phone.titles == ["garden": "Seeds"])
  }

  @Test(
    "an address that is wrong is told of, and the store works",
    arguments: ["http://127.0.0.1:1/Notes", "Notes", "http://127.0.0.1:1/Notes#short"]
  )
  func wrongAddress(address: String) async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: address)
    try phone.title("Seeds", of: "garden")
    #expect(try phone.titles == ["garden": "Seeds"])
    #expect(phone.syncStatus.problem?.isTemporary == false)
    // It had said that store and server have the same.
    await #expect(throws: NSPersistentCloudKitContainer.SyncProblem.self) {
      try await phone.syncNow()
    }
  }

  @Test("of a damaged sidecar SQLite's words were told, and neither its name nor what to do")
  func damagedSidecar() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let sidecar = server.folder.appending(path: "phone.sqlite-sync")
    try Data(String(repeating: "no database ", count: 1_000).utf8).write(to: sidecar)
    let phone = try server.container("phone", address: address)
    defer { phone.stopSyncing() }
    await #expect { try await phone.syncNow() } throws: { error in
      "\(error)".contains("phone.sqlite-sync cannot be read (") && "\(error)".contains("moved away")
    }
    phone.stopSyncing()
    try FileManager.default.removeItem(at: sidecar)
    try phone.title("Seeds", of: "garden")
    try phone.startSyncing(at: address)
    try await phone.syncNow()
    #expect(phone.syncStatus.problem == nil && phone.pendingChangeCount == 0)
  }

  @Test("a container that keeps nothing in step is like any other")
  func withoutAddress() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: "")
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    #expect(phone.syncStatus.problem == nil && phone.pendingChangeCount == 0)
    try phone.initializeCloudKitSchema(options: .dryRun)
  }
}

extension NSPersistentCloudKitContainer {
  /// The reported events, and whether they have succeeded.
  fileprivate var events: [String] {
    get throws {
      let context = newBackgroundContext()
      return try context.performAndWait {
        let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: nil)
        let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
        // Another exchange may be under way, which has not succeeded yet.
        return (result?.result as? [NSPersistentCloudKitContainer.Event] ?? [])
          .filter { $0.endDate != nil }
          .map { "\($0.type) \($0.succeeded)" }
      }
    }
  }

  /// Whether an exchange has begun in the last three seconds.
  fileprivate var hasExchangedLately: Bool {
    get throws {
      let context = newBackgroundContext()
      return try context.performAndWait {
        let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: Date() - 3)
        let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
        return (result?.result as? [NSPersistentCloudKitContainer.Event])?.isEmpty == false
      }
    }
  }
}
