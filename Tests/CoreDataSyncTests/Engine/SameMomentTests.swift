import CoreData
import CoreDataSyncCore
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tests of two devices that write at once, one after the other and both behind a clock that is ahead of theirs.
struct SameMomentTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    // The clocks of the others count on from its saves.
    world = try TwoDevices(phoneSkew: 200_000)
  }

  private func title(_ title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { try Self.note(in: $0).setValue(title, forKey: "title") }
  }

  private func lost(at device: SimulatedDevice) throws -> [String] {
    try device.running().sidecar.keptConflicts()
      .compactMap { CellValue(payload: $0.keyed.cell.payload)?.words }
  }

  @Test(
    "a title was lost without a conflict to the second of two, where the first had its very moment"
  )
  func retitledAtOnce() throws {
    let tablet = try world.newDevice()
    try makeNote(at: phone)
    for device in [phone, laptop, tablet] { try world.synchronize(device) }
    try title("Arena", at: laptop)
    try title("Forum", at: tablet)
    try world.synchronize(tablet)
    try title("Baths", at: tablet)
    for device in [tablet, laptop, tablet] { try world.synchronize(device) }
    for device in [laptop, tablet] {
      #expect(try world.titles(of: "Note", at: device) == ["Baths"])
    }
    #expect(try lost(at: laptop) == ["Arena"])
  }
}
