import CoreData
import CoreDataSyncCore
import Foundation

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import SyncSimulation

/// Two devices and a server in a folder of their own, for histories that are told step by step.
final class TwoDevices {
  let folder: URL
  let phone: SimulatedDevice
  let laptop: SimulatedDevice
  private var others: [SimulatedDevice] = []
  private(set) var server: ZoneServer
  private(set) var now: UInt64 = 1_700_000_000_000

  private let versions: [NSManagedObjectModel]

  /// Both devices begin with the first of the program's versions.
  init(
    phoneSkew: Int64 = 0,
    laptopSkew: Int64 = 0,
    _ versions: [NSManagedObjectModel] = SimulatedModel.versions
  ) throws {
    self.versions = versions
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-two-\(UUID().uuidString)")
    server = try Self.emptyServer(era: 1)
    phone = try Self.device(1, phoneSkew, in: folder, versions)
    laptop = try Self.device(2, laptopSkew, in: folder, versions)
    for device in [phone, laptop] { follow(clockOf: device) }
  }

  private func follow(clockOf device: SimulatedDevice) {
    device.world.time = { [unowned self, unowned device] in UInt64(Int64(now) + device.skew) }
    device.world.timeOfSave = { [unowned device] in device.told($0) }
  }

  /// A device that has nothing yet.
  func newDevice() throws -> SimulatedDevice {
    let device = try Self.device(UInt64(3 + others.count), 0, in: folder, versions)
    follow(clockOf: device)
    others.append(device)
    return device
  }

  private static func emptyServer(era: UInt64) throws -> ZoneServer {
    ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: era)
  }

  /// Puts the server back to a backup of before all that it has taken.
  func restoreServer() throws { server = try Self.emptyServer(era: 2) }

  private static func device(
    _ number: UInt64,
    _ skew: Int64,
    in folder: URL,
    _ versions: [NSManagedObjectModel]
  ) throws -> SimulatedDevice {
    var chance = Chance(seed: number)
    let world = SyncWorld(time: { 0 }, random: { chance.next() })
    let place = folder.appendingPathComponent("device \(number)")
    return try SimulatedDevice(
      Int(number),
      in: place,
      skew: skew,
      world,
      try versions.map { try SyncModel($0) },
      of: versions
    )
  }

  deinit {
    for device in [phone, laptop] + others { try? device.close() }
    try? FileManager.default.removeItem(at: folder)
  }

  func synchronize(_ device: SimulatedDevice) throws {
    now += 1000
    try device.running().synchronize { try server.answer($0, of: "notes", at: now) }
  }

  /// Synchronizes with a server whose pages come as something changes them.
  func synchronize(
    _ device: SimulatedDevice,
    changing change: (inout SyncResponse.Page) throws -> Void
  ) throws {
    now += 1000
    try device.running().synchronize { request in
      let response = try server.answer(request, of: "notes", at: now)
      guard case .page(var page) = response else { return response }
      try change(&page)
      return .page(page)
    }
  }

  /// Brings a device to the server's state, while what was written there waits.
  func follow(_ device: SimulatedDevice) throws {
    now += 1000
    try device.running().follow { try server.answer($0, of: "notes", at: now) }
  }

  /// Lets days go by.
  func wait(days: UInt64) { wait(seconds: days * 24 * 3600) }

  func wait(seconds: UInt64) { now += seconds * 1000 }

  /// Lets a program change something and save.
  func save(
    at device: SimulatedDevice,
    _ change: (NSManagedObjectContext) throws -> Void
  ) throws {
    now += 1000
    let context = device.context()
    try context.performAndWait {
      try change(context)
      device.noteTime()
      try context.save()
    }
  }

  /// Gives the one folder a title, and makes the folder if it does not exist.
  func title(_ title: String, at device: SimulatedDevice) throws {
    try save(at: device) { context in
      let known = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).first
      let folder =
        known ?? NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue(title, forKey: "title")
    }
  }

  func titles(
    of entity: String = "Folder",
    under key: String = "title",
    at device: SimulatedDevice
  ) throws -> [String?] {
    let context = device.context()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        .map { $0.value(forKey: key) as? String }
    }
  }

  func purgeHistory(of device: SimulatedDevice) throws {
    let context = device.context()
    try context.performAndWait {
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60))
    }
  }
}
