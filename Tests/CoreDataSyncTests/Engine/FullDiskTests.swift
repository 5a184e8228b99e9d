import CoreData
import CoreDataSQLite
import CoreDataSyncServer
import Foundation
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

  private static let isFull = SQLiteError(code: 13, message: "database or disk is full")

  @Test("folders were there twice when the disk was full between a save and its mark")
  func fullBeforeTheMark() throws {
    try world.synchronize(world.phone)
    let engine = try world.laptop.running()
    engine.world.pass = { if $0 == .afterSave { throw Self.isFull } }
    #expect(throws: SQLiteError.self) { try world.synchronize(world.laptop) }
    engine.world.pass = { _ in }
    for device in [world.laptop, world.phone] { try world.synchronize(device) }
    #expect(try world.titles(at: world.laptop).count == 60)
    #expect(try world.titles(at: world.phone).count == 60)
  }

  @Test("of what a store has no room for nothing is shown, and all of it when there is room")
  func fullStore() throws {
    try world.synchronize(world.phone)
    try world.laptop.close()
    try openLaptop(["max_page_count": "1"]) { engine in
      let error = #expect(throws: CocoaError.self) { try synchronize(engine) }
      #expect(error?.code == .fileWriteOutOfSpace)
    }
    try world.laptop.reopen()
    #expect(try world.titles(at: world.laptop).isEmpty)
    try world.laptop.close()
    try openLaptop([:]) { try synchronize($0) }
    try world.laptop.reopen()
    #expect(try world.titles(at: world.laptop).count == 60)
  }

  private func synchronize(_ engine: SyncEngine) throws {
    try engine.synchronize { try world.server.answer($0, of: "notes", at: world.now) }
  }

  /// Opens the laptop's store by itself, with a sidecar of its own.
  private func openLaptop(_ pragmas: [String: String], _ work: (SyncEngine) throws -> Void) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: world.laptop.objectModel)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: world.laptop.storeFile,
      options: [NSPersistentHistoryTrackingKey: true, NSSQLitePragmasOption: pragmas]
    )
    try work(
      SyncEngine(
        StoreDoor(coordinator: coordinator, store: store),
        sidecar: world.folder.appendingPathComponent("laptop.sync").path,
        world.laptop.world,
        isDurable: false
      )
    )
    try coordinator.remove(store)
  }

  @Test("a device whose disk is full said so in words of SQLite, and not what to do")
  func sentence() throws {
    let store = try #require(world.phone.coordinator.persistentStores.first)
    let session = try SyncSession(
      world.phone.coordinator,
      store,
      sidecar: world.folder.appendingPathComponent("phone.sync").path
    ) { if $0 == .beforePush { throw Self.isFull } }
    let error = #expect(throws: SyncFailure.self) {
      try session.synchronize { try world.server.answer($0, of: "notes", at: world.now) }
    }
    #expect(
      error?.description == """
        The disk has no room for what keeps Notes.sqlite in step. What was saved stays, and nothing half arrives; make \
        room, and the exchange goes on by itself.
        """
    )
  }
}
