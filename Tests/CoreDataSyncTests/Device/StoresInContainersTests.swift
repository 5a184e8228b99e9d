import CoreData
import CoreDataSyncDevice
import Dispatch
import Foundation
import Glibc
import Testing

@testable import SyncSimulation

/// Containers with several stores, and programs that hear of events on the main queue.
@Suite(.serialized) struct StoresInContainersTests {
  private static func model(_ configurations: [String: [String]]) throws -> NSManagedObjectModel {
    let model = try #require(SimulatedModel.model.copy() as? NSManagedObjectModel)
    for (name, entities) in configurations {
      let members = entities.compactMap { model.entitiesByName[$0] }
      model.setEntities(members, forConfigurationName: name)
    }
    return model
  }

  /// A container with a store for each configuration, all of them at one address.
  private func container(
    _ name: String,
    _ configurations: [String?],
    of model: NSManagedObjectModel,
    in server: LocalServer,
    address: String
  ) throws -> NSPersistentCloudKitContainer {
    let container = NSPersistentCloudKitContainer(name: name, managedObjectModel: model)
    container.persistentStoreDescriptions = configurations.enumerated().map { number, part in
      let url = server.folder.appending(path: "\(name)-\(number).sqlite")
      let description = NSPersistentStoreDescription(url: url)
      description.configuration = part
      let options = NSPersistentCloudKitContainerOptions(containerIdentifier: name)
      options.syncAddress = address
      description.cloudKitContainerOptions = options
      return description
    }
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    return container
  }

  @Test(
    "a store got objects of entities that it does not have, and they were deleted everywhere once its history was purged"
  )
  func configurations() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let model = try Self.model([
      "Paper": ["Folder", "Note", "Checklist", "Tag", "Bin", "Label"], "Deeds": ["Deed"],
    ])
    let phone = try container(
      "phone",
      ["Paper", "Deeds"],
      of: model,
      in: server,
      address: address
    )
    let laptop = try server.container("laptop", address: address)
    defer { for device in [phone, laptop] { device.stopSyncing() } }
    #expect(phone.syncStatus.problem == nil)
    try phone.title("Seeds", of: "garden")
    try phone.make("Deed")
    try await phone.syncNow()
    try await laptop.syncNow()
    #expect(try laptop.count(of: "Deed") == 1 && laptop.titles == ["garden": "Seeds"])
    // While nobody looks, the history of the new objects is purged.
    phone.stopSyncing()
    try phone.title("Bulbs", of: "garden")
    try phone.purgeHistory()
    try phone.startSyncing(at: address)
    try await phone.syncNow()
    try await laptop.syncNow()
    for device in [phone, laptop] {
      #expect(try device.count(of: "Deed") == 1 && device.titles == ["garden": "Bulbs"])
    }
  }

  @Test("two stores with one address each got the objects of the other")
  func oneAddress() async throws {
    let server = try LocalServer()
    let model = SimulatedModel.model
    let address = try server.address()
    let phone = try container("phone", [nil, nil], of: model, in: server, address: address)
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    #expect(
      phone.syncStatus.problem?.description
        == """
        phone-1.sqlite and phone-0.sqlite both have objects of the entity Bin, and one address, so that each would get the \
        other's objects. Give phone-1.sqlite an address of its own in its cloudKitContainerOptions, or the stores \
        configurations without a common entity.
        """
    )
  }

  @Test(
    "a program whose main queue hears of events waited for ever when it ended the exchange there",
    .timeLimit(.minutes(60))
  )
  @MainActor func endingWithinMain() async throws {
    let server = try LocalServer()
    // It takes connections and never answers.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(listener, $0, length) == 0 && listen(listener, 16) == 0)
        #expect(getsockname(listener, $0, &length) == 0)
      }
    }
    let port = UInt16(bigEndian: place.sin_port)
    let token = try #require(try server.address().split(separator: "#").last)
    let phone = try server.container("phone", address: "http://127.0.0.1:\(port)/Notes#\(token)")
    let observer = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification,
      object: phone,
      queue: .main
    ) { _ in }
    defer { NotificationCenter.default.removeObserver(observer) }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { phone.syncStatus.isActive })
    phone.stopSyncing()
    #expect(!phone.syncStatus.isActive)
  }

  @Test(
    "a program whose main queue hears of all saves waited for ever when it ended the exchange there",
    .timeLimit(.minutes(60))
  )
  @MainActor func endingWhileMainIsToBeTold() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let laptop = try server.container("laptop", address: address)
    try laptop.title("Seeds", of: "garden")
    try await laptop.syncNow()
    laptop.stopSyncing()
    let phone = try server.container("phone", address: "")
    defer { phone.stopSyncing() }
    let listener = MainQueueListener(to: phone.persistentStoreCoordinator)
    defer { listener.stop() }
    try phone.startSyncing(at: address)
    Self.stop(phone, after: listener.saves)
    // The save had begun.
    #expect(try phone.titles == ["garden": "Seeds"])
    #expect(phone.syncStatus.problem == nil && !phone.syncStatus.isActive)
    try phone.startSyncing(at: address)
    #expect(
      try await comes { phone.lastConfirmed != nil && phone.syncStatus.problem == nil }
    )
  }

  @Test("a store that was removed could not be kept in step by the program's next container")
  func removedStore() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let first = try server.container("phone", address: address)
    defer { first.stopSyncing() }
    try first.title("Seeds", of: "garden")
    try await first.syncNow()
    let coordinator = first.persistentStoreCoordinator
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(first.syncStatus.problem == nil && !first.syncStatus.isActive)
    let second = try server.container("phone", address: address)
    defer { second.stopSyncing() }
    // The first one may still be writing its last words; the second asks again until it has the store.
    #expect(
      try await comes { second.syncStatus.problem == nil && second.lastConfirmed != nil }
    )
  }

  @Test("a program that loaded its stores twice was told that another program keeps them in step")
  func loadedTwice() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    phone.loadPersistentStores { _, _ in }
    try await phone.syncNow()
    #expect(phone.syncStatus.problem == nil && phone.lastConfirmed != nil)
  }

  @Test("a store in memory was kept in step, by files beside the device that it is named after")
  func inMemory() throws {
    let server = try LocalServer()
    let phone = NSPersistentCloudKitContainer(
      name: "phone",
      managedObjectModel: SimulatedModel.model
    )
    let description = phone.persistentStoreDescriptions[0]
    description.url = URL(fileURLWithPath: "/dev/null")
    description.cloudKitContainerOptions?.syncAddress = try server.address()
    phone.loadPersistentStores { _, error in #expect(error == nil) }
    defer { phone.stopSyncing() }
    #expect(
      phone.syncStatus.problem?.description
        == "A store without a file cannot be kept in step; use a SQLite store."
    )
    #expect(!FileManager.default.fileExists(atPath: "/dev/null-sync-lock"))
  }

  /// Keeps the main thread from everything else until the save.
  @MainActor private static func stop(
    _ container: NSPersistentCloudKitContainer,
    after save: DispatchSemaphore
  ) {
    save.wait()
    container.stopSyncing()
  }
}

extension NSPersistentCloudKitContainer {
  fileprivate func make(_ entity: String) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      try context.save()
    }
  }

  fileprivate func count(of entity: String) throws -> Int {
    let context = newBackgroundContext()
    return try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  fileprivate func purgeHistory() throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60))
    }
  }
}
