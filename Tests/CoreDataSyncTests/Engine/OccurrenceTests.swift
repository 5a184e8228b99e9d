import CoreData
import CoreDataSyncCore
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tags that one has given and another has taken off, of which not both were seen by everybody.
struct OccurrenceTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    try makeNote(at: phone)
    for name in ["blue", "green"] {
      try tag(name, at: phone)
      try untag(name, at: phone)
    }
    try exchange()
    try exchange()
  }

  /// Brings a device to the server's state, and lets its program save once at a moment of that.
  private func synchronize(
    _ device: SimulatedDevice,
    at moment: SyncMoment,
    _ save: @escaping () throws -> Void
  ) throws {
    var isDone = false
    let engine = try device.running()
    engine.world.pass = { passed in
      guard passed == moment, !isDone else { return }
      isDone = true
      try save()
    }
    defer { engine.world.pass = { _ in } }
    try world.synchronize(device)
    #expect(isDone)
  }

  @Test(
    "a tag that was taken off came back with a device that was put back to before it was read",
    arguments: [false, true]
  )
  func taggedBeforeBackup(getsAnother: Bool) throws {
    try tag("blue", at: phone)
    try phone.backUp()
    if getsAnother { try tag("green", at: phone) }
    for device in [phone, laptop] { try world.synchronize(device) }
    try untag("blue", at: laptop)
    try phone.restore(storeOnly: false)
    try exchange()
    #expect(try tags(at: laptop) == (getsAnother ? ["green"] : []))
    #expect(try tags(at: phone) == (getsAnother ? ["green"] : []))
  }

  @Test("a tag came back that was taken off before it was read, on a device with an older backup")
  func untaggedBeforeReading() throws {
    try tag("blue", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
    try untag("blue", at: phone)
    try tag("green", at: phone)
    try exchange()
    #expect(try tags(at: laptop) == ["green"])
    #expect(try tags(at: phone) == ["green"])
  }

  @Test(
    "a tag came back that was taken off before it was read, as device and server had older backups"
  )
  func untaggedBeforeReadingAndServerPutBack() throws {
    try tag("green", at: phone)
    try exchange()
    try tag("blue", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
    try untag("blue", at: phone)
    try world.restoreServer()
    // The server knows nothing of it until the laptop brings it.
    try world.synchronize(phone)
    try world.synchronize(phone)
    try exchange()
    #expect(try tags(at: laptop) == ["green"])
    #expect(try tags(at: phone) == ["green"])
  }

  @Test("of the occurrences that members had which nobody has read, the latest are kept")
  func latestOccurrences() throws {
    let sidecar = try phone.running().sidecar
    let dots = (1...10_001).map { Stamp(moment: (1 << 62) + $0, writer: 7) }
    try sidecar.transact {
      try sidecar.noteGone(Set(dots))
      try sidecar.forgetGone()
      #expect(try sidecar.isGone(dots[0]), "the server was not asked yet")
      try sidecar.noteAskedForGone()
      try sidecar.forgetGone()
    }
    let kept = try [0, 1, 10_000].map { try sidecar.isGone(dots[$0]) }
    #expect(kept == [false, true, true])
  }

  @Test(
    "a tag was lost that a device which was put back gave again, as others had taken it off before"
  )
  func taggedAfterBackup() throws {
    try tag("green", at: phone)
    try phone.backUp()
    try tag("blue", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try untag("blue", at: laptop)
    try phone.restore(storeOnly: false)
    try tag("blue", at: phone)
    try exchange()
    #expect(try tags(at: laptop) == ["blue", "green"])
    #expect(try tags(at: phone) == ["blue", "green"])
  }

  @Test(
    "a tag was lost that was taken off by one who was about to hear that another had given it too"
  )
  func untaggedUnseen() throws {
    try tag("blue", at: laptop)
    try tag("blue", at: phone)
    try world.title("Rome", at: phone)
    try world.synchronize(phone)
    try synchronize(laptop, at: .beforeSave) { try untag("blue", at: laptop) }
    try exchange()
    #expect(try tags(at: laptop) == ["blue"])
    #expect(try tags(at: phone) == ["blue"])
    #expect(try world.titles(at: laptop) == ["Rome"])
  }

  @Test(
    "a tag was lost that was given while the same came from another, who took it off afterwards"
  )
  func taggedUnseen() throws {
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try synchronize(laptop, at: .beforeEdit) { try tag("blue", at: laptop) }
    try untag("blue", at: phone)
    try exchange()
    #expect(try tags(at: laptop) == ["blue"])
    #expect(try tags(at: phone) == ["blue"])
  }
}
