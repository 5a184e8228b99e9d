import CoreData
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Members of sets without an inverse, which have one owner.
struct StolenMembersTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  private static func bin(
    _ key: String,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    try object("Bin", whose: "key", is: key, in: context)
  }

  private func count(_ name: String, of key: String, at device: SimulatedDevice) throws -> Int {
    let context = device.context()
    return try context.performAndWait {
      try Self.bin(key, in: context).members(named: name).count
    }
  }

  @Test(
    "a note that another bin took and gave up stayed in its first bin for all others",
    arguments: ["kept", "queue"],
    [true, false]
  )
  func takenAndGivenUp(name: String, deleting: Bool) throws {
    try makeNote(at: phone)
    try world.save(at: phone) { context in
      for key in ["first", "second"] {
        let bin = NSEntityDescription.insertNewObject(forEntityName: "Bin", into: context)
        bin.setValue(key, forKey: "key")
      }
      let note = try Self.note(in: context)
      try Self.bin("first", in: context).setMembers([note], named: name)
    }
    for device in [phone, laptop] { try world.synchronize(device) }
    #expect(try count(name, of: "first", at: laptop) == 1)
    try world.save(at: phone) { context in
      let note = try Self.note(in: context)
      try Self.bin("second", in: context).setMembers([note], named: name)
    }
    try world.save(at: phone) { context in
      let second = try Self.bin("second", in: context)
      if deleting { context.delete(second) } else { second.setMembers([], named: name) }
    }
    #expect(try count(name, of: "first", at: phone) == 0)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try count(name, of: "first", at: device) == 0) }
  }
}
