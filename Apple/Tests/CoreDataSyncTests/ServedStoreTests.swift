import CoreData
import CoreDataSyncDevice
import Foundation
import Testing

/// A store in step with a server that runs elsewhere, as an app keeps it.
///
/// Run `coredata serve` on a machine that this one reaches, and give its address:
///
///     COREDATA_SYNC_TEST_ADDRESS='http://192.168.1.5:8788/Test#…' swift test
struct ServedStoreTests {
  private static let address = ProcessInfo.processInfo.environment["COREDATA_SYNC_TEST_ADDRESS"]

  @Test(
    "an object comes from one store to the other over a server, and its events are told",
    .enabled(if: Self.address != nil)
  )
  func followed() async throws {
    let address = try #require(Self.address)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await follow(at: address, in: folder)
  }

  private func follow(at address: String, in folder: URL) async throws {
    let (phone, laptop) = try (Self.container("phone", folder), Self.container("laptop", folder))
    let one = try SyncedStore(phone, at: address, deviceName: "phone")
    let other = try SyncedStore(laptop, at: address, deviceName: "laptop")
    defer {
      one.stop()
      other.stop()
    }
    let events = one.events
    let title = "Seeds \(UUID().uuidString)"
    let context = phone.newBackgroundContext()
    try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(title, forKey: "title")
      try context.save()
    }
    // Nobody asks for it: the save and the server's news are enough.
    let end = Date(timeIntervalSinceNow: 60)
    while try !Self.titles(in: laptop).contains(title), Date() < end {
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(try Self.titles(in: laptop).contains(title))
    try await one.syncNow()
    try await other.syncNow()
    #expect(one.status.problem == nil && one.status.pendingChangeCount == 0)
    #expect(one.status.countsAreKnown && one.status.lastConfirmed != nil)
    #expect(try one.conflicts.isEmpty && one.quarantine.isEmpty)
    one.stop()
    var exports = 0
    for await event in events where event.type == .export && event.succeeded { exports += 1 }
    #expect(exports > 0)
  }

  private static func container(_ name: String, _ folder: URL) throws -> NSPersistentContainer {
    let title = NSAttributeDescription()
    (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
    let note = NSEntityDescription()
    (note.name, note.managedObjectClassName) = ("Note", "NSManagedObject")
    note.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [note]
    let container = NSPersistentContainer(name: name, managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: folder.appending(path: "\(name).sqlite"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber,
      forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey
    )
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private static func titles(in container: NSPersistentContainer) throws -> [String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
  }
}
