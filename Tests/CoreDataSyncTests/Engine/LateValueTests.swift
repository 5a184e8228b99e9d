import CoreData
import CoreDataSyncCore
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Large values whose content the server lacks for a while, and that is put back in between; the simulation has found
/// these histories.
struct LateValueTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  /// Synchronizes with a server that lacks what titles say; the device puts aside those that it has not.
  private func synchronizeWithoutTitles(_ device: SimulatedDevice) throws {
    let sidecar = try device.running().sidecar
    try world.synchronize(device) { page in
      page.cells = try page.cells.compactMap { keyed in
        guard keyed.key.field == .value(PropertyID(name: "title")),
          try sidecar.cells(of: keyed.key.object)?[keyed.key.field]?.stamp != keyed.cell.stamp
        else { return keyed }
        return try sidecar.putAside(keyed, as: keyed.key).map { KeyedCell(keyed.key, $0) }
      }
    }
  }

  /// Synchronizes with a server that has the cells that were put aside.
  private func synchronizeWithLateTitles(_ device: SimulatedDevice) throws {
    let sidecar = try device.running().sidecar
    try world.synchronize(device) { page in
      if page.isLast { page.cells += try sidecar.takeTurn(ofCellsAside: .max) }
    }
  }

  @Test(
    "a title that came late was known to one device only, where the server had been put back to before it",
    arguments: [false, true]
  )
  func lateAndForgotten(comesWhilePutBack: Bool) throws {
    try make("Rome", at: phone)
    try world.synchronize(phone)
    try synchronizeWithoutTitles(laptop)
    #expect(try titles(at: laptop) != ["Rome"])
    try world.restoreServer()
    if !comesWhilePutBack { try world.synchronize(laptop) }
    try synchronizeWithLateTitles(laptop)
    try world.synchronize(laptop)
    let tablet = try world.newDevice()
    try world.synchronize(tablet)
    for device in [laptop, tablet] { #expect(try titles(at: device) == ["Rome"]) }
  }

  @Test("a title that came late is not sent to a server that has it")
  func lateAndKnown() throws {
    try make("Rome", at: phone)
    try world.synchronize(phone)
    try synchronizeWithoutTitles(laptop)
    try synchronizeWithLateTitles(laptop)
    #expect(try titles(at: laptop) == ["Rome"])
    #expect(try laptop.running().sidecar.pendingCount == 0)
  }

  @Test("a title was never sent again to a server that was put back, and had lost an earlier one")
  func forgottenBehindMissing() throws {
    try make("Rome", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try rename("Rome", "Roma", at: laptop)
    try world.synchronize(laptop)
    try world.restoreServer()
    try world.synchronize(phone)
    try synchronizeWithoutTitles(laptop)
    for device in [laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Roma"]) }
  }
}
