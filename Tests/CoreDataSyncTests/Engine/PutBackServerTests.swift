import CoreData
import Foundation
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncCore
@testable import CoreDataSyncServer
@testable import SyncSimulation

/// A server in a file that is put back to a backup, more than once.
final class PutBackServerTests {
  private let world: TwoDevices
  private var server: ZoneServer?
  private var era: UInt64 = 1
  private var now: UInt64 = 1_700_000_100_000

  init() throws {
    world = try TwoDevices()
    try open()
  }

  private var phone: SimulatedDevice { world.phone }
  private var laptop: SimulatedDevice { world.laptop }
  private var file: String { world.folder.appendingPathComponent("server.sqlite").path }

  private func open() throws {
    server = ZoneServer(try SQLiteZoneStorage(path: file, isDurable: false), era: era)
    era += 1
  }

  /// Copies the server's file, or puts the copy in its place, while the server is stopped.
  private func copy(back: Bool) throws {
    server = nil
    let (source, copy) = back ? (file + ".backup", file) : (file, file + ".backup")
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
    }
    try FileManager.default.copyItem(atPath: source, toPath: copy)
    try open()
  }

  private func synchronize(_ device: SimulatedDevice) throws {
    now += 1000
    let server = try #require(server)
    try device.running().synchronize { try server.answer($0, of: "notes", at: now) }
  }

  /// Lets the device's program end when it passes a moment.
  private func end(_ device: SimulatedDevice, at moment: SyncMoment) throws {
    try device.running().world.pass = { if $0 == moment { throw Crash() } }
    #expect(throws: Crash.self) { try synchronize(device) }
    device.crash()
  }

  private func make(_ title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        .setValue(title, forKey: "title")
    }
  }

  private func titles(at device: SimulatedDevice) throws -> [String] {
    try world.titles(at: device).compactMap { $0 }.sorted()
  }

  @Test(
    "what a device had was lost when a server was put back twice, and its program ended in between",
    arguments: [
      SyncMoment.afterPull, .afterReceipt, .beforeApply, .beforePush, .afterPush,
      .afterConfirmation,
    ]
  )
  func putBackTwice(moment: SyncMoment) throws {
    try make("Rome", at: laptop)
    try make("Food", at: laptop)
    try synchronize(laptop)
    try copy(back: false)
    try make("Music", at: phone)
    for _ in 1...2 { try synchronize(phone) }
    try copy(back: true)
    phone.world.cellsPerPage = 1
    try phone.reopen()
    try end(phone, at: moment)
    try copy(back: true)
    for device in [laptop, phone, laptop, phone] { try synchronize(device) }
    #expect(try titles(at: phone) == ["Food", "Music", "Rome"])
    #expect(try titles(at: laptop) == ["Food", "Music", "Rome"])
  }

  @Test("a device forgot that its server was put back when it began anew for another reason")
  func beganAnew() throws {
    let engine = try phone.running()
    for mode in [InboxMode.rewound, .snapshot] { try engine.beginAnew(mode) }
    #expect(try engine.sidecar.mode == .rewound)
  }
}
