import CoreData
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Devices of which only one knows all elements of a composite attribute.
struct CompositeChangeTests: ToldOfTwoDevices {
  let world: TwoDevices

  /// A phone that knows a place's city and its code, and has sent both to a laptop that knows the city.
  init() throws {
    world = try TwoDevices([Self.model(["city"]), Self.model(["city", "code"])])
    try phone.migrate()
    try world.save(at: phone) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(["city": "Rome", "code": "00100"], forKey: "place")
    }
    try exchange()
  }

  private static func model(_ names: [String]) -> NSManagedObjectModel {
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = names.map { name in
      let element = NSAttributeDescription()
      element.name = name
      element.attributeType = .stringAttributeType
      return element
    }
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = "NSManagedObject"
    note.properties = [place]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }

  private func exchange() throws {
    for device in [phone, laptop, phone] { try world.synchronize(device) }
  }

  private func setPlace(_ place: [String: String]?, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      try #require(notes.first).setValue(place, forKey: "place")
    }
  }

  private func places(at device: SimulatedDevice) throws -> [[String: String]?] {
    let context = device.context()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        .map { $0.value(forKey: "place") as? [String: String] }
    }
  }

  @Test(
    "an element of a composite value was lost where a program changed another that did not know it"
  )
  func changedByOlderVersion() throws {
    #expect(try places(at: laptop) == [["city": "Rome"]])
    try setPlace(["city": "Oslo"], at: laptop)
    try exchange()
    #expect(try places(at: phone) == [["city": "Oslo", "code": "00100"]])
    #expect(try places(at: laptop) == [["city": "Oslo"]])
  }

  @Test("a place that an older version empties is gone everywhere")
  func emptiedByOlderVersion() throws {
    try setPlace(nil, at: laptop)
    try exchange()
    #expect(try places(at: phone) == [nil])
  }

  @Test("what an older version has none of stays as it is")
  func nothingToShow() throws {
    try setPlace(["code": "00100"], at: phone)
    try exchange()
    #expect(try places(at: laptop) == [nil])
    try setPlace(["city": "Oslo"], at: laptop)
    try exchange()
    #expect(try places(at: phone) == [["city": "Oslo", "code": "00100"]])
  }

  @Test(
    "an element that had waited for a migration was lost, or never shown",
    arguments: [false, true]
  )
  func migrated(isPurged: Bool) throws {
    try laptop.migrate()
    if isPurged { try world.purgeHistory(of: laptop) }
    for device in [laptop, phone] {
      try world.synchronize(device)
      #expect(try places(at: device) == [["city": "Rome", "code": "00100"]])
    }
  }

  @Test("what was written before a migration wins, and what had waited is kept as a conflict")
  func writtenBeforeMigration() throws {
    try setPlace(["city": "Oslo"], at: laptop)
    try laptop.migrate()
    try world.synchronize(laptop)
    try world.synchronize(phone)
    for device in [laptop, phone] {
      #expect(try places(at: device) == [["city": "Oslo"]])
      #expect(try device.running().sidecar.keptConflicts().count == 1)
    }
  }

  @Test("nothing is written where a value has parts that are not shown")
  func quiet() throws {
    let before = try phone.running().sidecar.token
    try world.synchronize(laptop)
    #expect(try laptop.running().sidecar.unsentCount == 0)
    try world.synchronize(phone)
    #expect(try phone.running().sidecar.token == before)
  }
}
