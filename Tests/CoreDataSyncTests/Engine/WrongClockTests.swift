import CoreData
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Devices whose clocks are minutes ahead, or a year behind.
struct WrongClockTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  @Test(
    "a change was lost that was made after seeing another, by clocks that are wrong by minutes or a year",
    arguments: [
      (240_000 as Int64, 600_000 as Int64), (-600_000, 600_000), (240_000, -600_000),
      (31_557_600_000, 0), (0, 31_557_600_000), (-31_557_600_000, 31_557_600_000),
    ]
  )
  func clocksAhead(skews: (phone: Int64, laptop: Int64)) throws {
    let world = try TwoDevices(phoneSkew: skews.phone, laptopSkew: skews.laptop)
    try world.title("Seeds", at: world.phone)
    try world.synchronize(world.phone)
    try world.synchronize(world.laptop)
    try world.title("Seeds and soil", at: world.laptop)
    for _ in 0..<2 {
      try world.synchronize(world.laptop)
      try world.synchronize(world.phone)
    }
    #expect(try world.titles(at: world.phone) == ["Seeds and soil"])
    #expect(try world.titles(at: world.laptop) == ["Seeds and soil"])
  }

  @Test(
    "a title was on one device only, whose clock was ahead while it had taken another as the earlier one"
  )
  func aheadOfWhatCame() throws {
    let world = try TwoDevices(phoneSkew: 60_000, laptopSkew: 480_000)
    try world.title("Seeds", at: world.phone)
    try world.synchronize(world.phone)
    try world.synchronize(world.laptop)
    try world.title("Seeds and soil", at: world.laptop)
    try world.title("Seeds and pots", at: world.phone)
    try world.synchronize(world.phone)
    // It sees the other title before the server refuses its own as one of the future.
    try world.follow(world.laptop)
    try world.synchronize(world.laptop)
    try world.synchronize(world.phone)
    // Neither had seen the other.
    let titles = try world.titles(at: world.laptop)
    #expect(titles == ["Seeds and soil"] || titles == ["Seeds and pots"])
    #expect(try world.titles(at: world.phone) == titles)
  }

  @Test(
    "a device that was put back to before it was first heard of overwrote later titles, if its clock was ahead",
    arguments: [false, true],
    // The server's clock is then near enough to the stamps that it has refused.
    [0, 120]
  )
  func restoredWithClockAhead(hadMet: Bool, seconds: UInt64) throws {
    phone.skew = 400_000
    if hadMet { try world.synchronize(phone) }
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try rename("Rome", "Roma", at: laptop)
    try world.synchronize(laptop)
    world.wait(seconds: seconds)
    try phone.restore(storeOnly: false)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    #expect(try titles(at: phone) == ["Roma"])
    #expect(try titles(at: laptop) == ["Roma"])
  }

  @Test(
    "a save kept the stamp of a clock that was ahead, where another was made once that was known"
  )
  func savedAgainWithClockAhead() throws {
    phone.skew = 400_000
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try rename("Rome", "Roma", at: laptop)
    try world.synchronize(laptop)
    world.wait(seconds: 120)
    try phone.restore(storeOnly: false)
    let engine = try phone.running()
    engine.world.pass = { if $0 == .afterReceipt { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(phone) }
    phone.crash()
    try make("Food", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Food", "Roma"]) }
  }

  @Test("a restored server made what it had lost later than what was written since")
  func restoredServerWithClocksAhead() throws {
    laptop.skew = 240_000
    phone.skew = 250_000
    try make("Rome", at: laptop)
    try make("Food", at: phone)
    for device in [laptop, phone] { try world.synchronize(device) }
    try rename("Food", "Meals", at: phone)
    phone.skew = 700_000
    try make("Music", at: phone)
    try world.synchronize(phone)
    try rename("Rome", "Roma", at: laptop)
    try world.restoreServer()
    for device in [phone, laptop, phone, laptop] { try world.synchronize(device) }
    #expect(try titles(at: phone) == ["Meals", "Music", "Roma"])
    #expect(try titles(at: laptop) == ["Meals", "Music", "Roma"])
  }

  @Test("a title lost against one that had come from a clock ahead, once its own clock was refused")
  func refusedAfterClockAhead() throws {
    phone.skew = 250_000
    try make("Food", at: phone)
    try world.synchronize(phone)
    phone.skew = 700_000
    try make("Rome", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    laptop.skew = 2_000_000
    try rename("Rome", "Roma", at: laptop)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    #expect(try titles(at: phone) == ["Food", "Roma"])
    #expect(try titles(at: laptop) == ["Food", "Roma"])
  }
}
