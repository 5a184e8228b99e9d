import CoreData
import CoreDataSyncCore
import Foundation
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncServer

/// A store that has been in use before anything was kept in step.
struct FirstReadingTests {
  @Test(
    "a save between the first reading of the history and the first look at the store was lost",
    arguments: [SyncMoment.beforeDrainIsKept, .whileDraining]
  )
  func saveBeforeTheFirstLook(moment: SyncMoment) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-first-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: 1)
    let phone = try device(1, in: folder)
    let laptop = try device(2, in: folder)
    try title("Seeds", at: phone)
    var isFirst = true
    phone.world.pass = { reached in
      guard isFirst, reached == moment else { return }
      isFirst = false
      try title("Seeds and soil", at: phone)
    }
    for device in [phone, laptop] {
      try device.running().synchronize {
        try server.answer($0, of: "notes", at: device.world.time())
      }
    }
    #expect(!isFirst)
    #expect(try titles(at: laptop) == ["Seeds and soil"])
  }

  @Test("an object came back that was deleted before a restored device was first read")
  func deletionBeforeTheFirstReading() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-first-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: 1)
    let phone = try device(1, in: folder)
    let laptop = try device(2, in: folder)
    func synchronize(_ device: SimulatedDevice) throws {
      try device.running().synchronize {
        try server.answer($0, of: "notes", at: device.world.time())
      }
    }
    try title("Seeds", at: phone)
    try phone.backUp()
    try synchronize(phone)
    // The backup has no sidecar yet.
    try phone.restore(storeOnly: false)
    let context = phone.context()
    try context.performAndWait {
      for folder in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")) {
        context.delete(folder)
      }
      try context.save()
    }
    try synchronize(phone)
    try synchronize(laptop)
    #expect(try titles(at: phone).isEmpty)
    #expect(try titles(at: laptop).isEmpty)
  }

  @Test(
    "a restored store had objects twice that were changed after the backup and before the first reading"
  )
  func restoredStore() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-first-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: 1)
    let phone = try device(1, in: folder)
    func synchronize(_ device: SimulatedDevice) throws {
      try device.running().synchronize {
        try server.answer($0, of: "notes", at: device.world.time())
      }
    }
    try title("Seeds", at: phone)
    try phone.backUp()
    try title("Seeds and soil", at: phone)
    try synchronize(phone)
    try phone.restore(storeOnly: true)
    try synchronize(phone)
    #expect(try titles(at: phone) == ["Seeds and soil"])
  }

  private func device(_ number: UInt64, in folder: URL) throws -> SimulatedDevice {
    var chance = Chance(seed: number)
    let world = SyncWorld(
      time: { UInt64(Date().timeIntervalSince1970 * 1000) },
      random: { chance.next() }
    )
    let place = folder.appendingPathComponent("device \(number)")
    return try SimulatedDevice(Int(number), in: place, skew: 0, world)
  }

  /// Gives the one folder a title, and makes the folder where there is none.
  private func title(_ title: String, at device: SimulatedDevice) throws {
    let context = device.context()
    try context.performAndWait {
      let known = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).first
      let folder =
        known ?? NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue(title, forKey: "title")
      try context.save()
    }
  }

  private func titles(at device: SimulatedDevice) throws -> [String?] {
    let context = device.context()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
        .map { $0.value(forKey: "title") as? String }
    }
  }
}
