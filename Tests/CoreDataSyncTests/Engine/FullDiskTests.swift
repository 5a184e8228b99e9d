import CoreData
import CoreDataSQLite
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Files that cannot grow, as on a disk that is full.
struct FullDiskTests {
  private let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    try world.save(at: world.phone) { context in
      for number in 0..<60 {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        let title = String(repeating: "\(number) ", count: 300)
        folder.setValue(title, forKey: "title")
      }
    }
  }

  private func fill(_ device: SimulatedDevice) throws {
    let connection = try device.running().sidecar.connection
    // SQLite takes no limit below what there is.
    try connection.run("PRAGMA max_page_count = 1" as String)
  }

  private func makeRoom(at device: SimulatedDevice) throws {
    try device.running().sidecar.connection.run("PRAGMA max_page_count = 1000000" as String)
  }

  @Test(
    "what a device has no room for is in no part there, and comes when there is room",
    arguments: [true, false]
  )
  func fullDevice(isSending: Bool) throws {
    let (phone, laptop) = (world.phone, world.laptop)
    if !isSending { try world.synchronize(phone) }
    let full = isSending ? phone : laptop
    try fill(full)
    #expect(throws: SQLiteError.self) { try world.synchronize(full) }
    #expect(try world.titles(at: laptop).isEmpty)
    #expect(try world.titles(at: phone).count == 60)
    try makeRoom(at: full)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    #expect(try Set(world.titles(at: laptop)) == Set(world.titles(at: phone)))
    #expect(try world.titles(at: laptop).count == 60)
  }
}
