import CoreDataSQLite
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataSync
@testable import SyncSimulation

/// Stores with a long history, of which an opening looks at the end.
struct LongHistoryTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    for number in 1...12 {
      try world.title("Bed \(number)", at: world.laptop)
      // Some of what is read has several transactions, and some of them are the engine's.
      if number % 3 == 0 {
        try world.synchronize(world.laptop)
        try world.synchronize(world.phone)
        try world.title("Row \(number)", at: world.phone)
        try world.synchronize(world.phone)
        try world.synchronize(world.laptop)
      }
    }
    laptop.crash()
  }

  /// The statements that read transactions while an engine is opened.
  private func readings() throws -> [String] {
    let store = try #require(laptop.coordinator.persistentStores.first?.backend as? SQLiteStore)
    let readings = Readings()
    store.pool.observe { sql throws(SQLiteError) in
      if sql.contains("ATRANSACTION"), sql.contains("ZTIMESTAMP") { readings.add(sql) }
    }
    defer { store.pool.observe(nil) }
    _ = try laptop.running()
    return readings.all
  }

  private final class Readings: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  /// How many transactions an opening sees besides those that are still to be read.
  private func seen() throws -> Int? {
    let engine = try laptop.running()
    let sight = try engine.sidecar.sight
    return try sight.map { try engine.door.transactions(after: $0).count }
  }

  @Test("opening a store read all of its history")
  func opening() throws {
    let readings = try readings()
    #expect(readings.count == 1)
    #expect(readings.allSatisfy { $0.contains(" > ") })
    // The last that was read, and the engine's own behind it.
    #expect(try #require(try seen()) <= 2)
    #expect(try laptop.running().door.transactions(after: nil).count > 12)
  }

  @Test("a store whose history was purged is not taken for another")
  func purged() throws {
    try world.purgeHistory(of: laptop)
    _ = try laptop.running()
    #expect(try laptop.running().sidecar.number("isStale") != 1)
    try world.title("Soil", at: laptop)
    for device in [laptop, world.phone] { try world.synchronize(device) }
    #expect(try world.titles(at: world.phone) == ["Soil"])
  }

  @Test("all objects were looked at once a history was purged that ended with what had come")
  func purgedBehindWhatCame() throws {
    try world.title("Soil", at: world.phone)
    for device in [world.phone, laptop] { try world.synchronize(device) }
    try world.purgeHistory(of: laptop)
    let engine = try laptop.running()
    #expect(try engine.transactionsIfKept(after: engine.sidecar.token)?.isEmpty == true)
    // Changes made in between come before the received ones, and are not passed over.
    laptop.world.pass = { [unowned world] moment in
      guard moment == .beforeSave else { return }
      try world.save(at: world.laptop) { context in
        NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
          .setValue("Shed", forKey: "title")
      }
    }
    laptop.crash()
    try world.title("Soil and seeds", at: world.phone)
    try world.synchronize(world.phone)
    try world.synchronize(laptop)
    laptop.world.pass = { _ in }
    for device in [laptop, world.phone] { try world.synchronize(device) }
    for device in [laptop, world.phone] {
      #expect(try Set(world.titles(at: device)).isSuperset(of: ["Soil and seeds", "Shed"]))
    }
  }

  @Test("a folder came back that was deleted in a store put back to before the first reading of it")
  func deletedWherePutBackBehindAPurge() throws {
    try world.title("Soil", at: world.phone)
    for device in [world.phone, laptop] { try world.synchronize(device) }
    try world.purgeHistory(of: laptop)
    try world.save(at: laptop) { context in
      NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        .setValue("Shed", forKey: "title")
    }
    try laptop.backUp()
    try world.title("Beds", at: laptop)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    try world.save(at: laptop) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
      request.predicate = NSPredicate(format: "title == 'Shed'")
      for folder in try context.fetch(request) { context.delete(folder) }
    }
    for device in [laptop, world.phone] { try world.synchronize(device) }
    for device in [laptop, world.phone] { #expect(try world.titles(at: device) == ["Beds"]) }
  }

  @Test("a store that was put back, and written to until its history was as long, is noticed")
  func putBack() throws {
    try laptop.backUp()
    try world.title("Lost", at: laptop)
    try world.synchronize(laptop)
    try world.synchronize(world.phone)
    try laptop.restore(storeOnly: true)
    // The number of this transaction is that of the lost one.
    try world.save(at: laptop) { context in
      NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        .setValue("Shed", forKey: "title")
    }
    #expect(try laptop.running().sidecar.number("isStale") == 1)
    for device in [laptop, world.phone, laptop] { try world.synchronize(device) }
    for device in [laptop, world.phone] {
      #expect(try Set(world.titles(at: device)) == ["Lost", "Shed"])
    }
  }
}
