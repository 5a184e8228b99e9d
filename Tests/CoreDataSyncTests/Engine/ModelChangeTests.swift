import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Devices with different versions of one program.
struct ModelChangeTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    try world.save(at: phone) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("Seeds", forKey: "title")
      note.setValue(folder, forKey: "folder")
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try phone.migrate()
  }

  /// Changes the one note.
  private func change(at device: SimulatedDevice, _ work: (NSManagedObject) -> Void) throws {
    try world.save(at: device) { context in
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      work(try #require(notes.first))
    }
  }

  @Test("a property that was renamed is the same one for devices that call it by its old name")
  func renamedProperty() throws {
    try change(at: phone) { $0.setValue("Seeds and soil", forKey: "heading") }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try world.titles(of: "Note", at: laptop) == ["Seeds and soil"])
    try change(at: laptop) { $0.setValue("Compost", forKey: "title") }
    try world.synchronize(laptop)
    try world.synchronize(phone)
    #expect(try world.titles(of: "Note", under: "heading", at: phone) == ["Compost"])
  }

  @Test(
    "what an older version does not know waits beside its store, and is there after its migration"
  )
  func unknownProperties() throws {
    try change(at: phone) { note in
      note.setValue("green", forKey: "colour")
      let shelf = NSEntityDescription.insertNewObject(
        forEntityName: "Shelf",
        into: note.managedObjectContext ?? phone.context()
      )
      shelf.setValue("top", forKey: "key")
      note.setValue(shelf, forKey: "shelf")
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    // The older version's changes take nothing of it away.
    try change(at: laptop) { $0.setValue("Compost", forKey: "title") }
    try world.synchronize(laptop)
    try laptop.migrate()
    for device in [laptop, phone] {
      try world.synchronize(device)
      #expect(try world.titles(of: "Note", under: "heading", at: device) == ["Compost"])
      #expect(try world.titles(of: "Note", under: "colour", at: device) == ["green"])
      let context = device.context()
      try context.performAndWait {
        let shelves = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
        #expect(shelves.map { $0.members(named: "notes").count } == [1])
      }
    }
  }

  /// The laptop has a colour that its older version does not know.
  private func colour(_ name: String) throws {
    try change(at: phone) { $0.setValue(name, forKey: "colour") }
    for device in [phone, laptop] { try world.synchronize(device) }
  }

  private func colours(at device: SimulatedDevice) throws -> [String?] {
    try world.titles(of: "Note", under: "colour", at: device)
  }

  private func lostTexts(at device: SimulatedDevice) throws -> [CellValue?] {
    try device.running().sidecar.keptConflicts().map { CellValue(payload: $0.keyed.cell.payload) }
  }

  @Test(
    "what had waited for a migration was lost where the history was purged before the first exchange after it",
    arguments: [false, true]
  )
  func purgedBeforeMigration(isMigratedFirst: Bool) throws {
    try colour("green")
    if isMigratedFirst { try laptop.migrate() }
    try world.purgeHistory(of: laptop)
    if !isMigratedFirst { try laptop.migrate() }
    for device in [laptop, phone] {
      try world.synchronize(device)
      #expect(try colours(at: device) == ["green"])
    }
  }

  @Test(
    "what a migrated program wrote before its first exchange replaced a value that it had never seen, without a conflict",
    arguments: [false, true]
  )
  func writtenBeforeFirstExchange(isPurged: Bool) throws {
    try colour("green")
    try laptop.migrate()
    try change(at: laptop) { $0.setValue("blue", forKey: "colour") }
    if isPurged { try world.purgeHistory(of: laptop) }
    for device in [laptop, phone] {
      try world.synchronize(device)
      #expect(try colours(at: device) == ["blue"])
      #expect(try lostTexts(at: device) == [.text("green")])
    }
  }

  @Test("a place on a shelf that had waited for a migration was lost where the history was purged")
  func purgedPlace() throws {
    try change(at: phone) { note in
      let context = note.managedObjectContext ?? phone.context()
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
      shelf.setValue("top", forKey: "key")
      note.setValue(shelf, forKey: "shelf")
    }
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.migrate()
    try world.purgeHistory(of: laptop)
    for device in [laptop, phone] {
      try world.synchronize(device)
      let context = device.context()
      try context.performAndWait {
        let shelves = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
        #expect(shelves.map { $0.members(named: "notes").count } == [1])
      }
    }
  }

  /// Gives the one note a colour that is in no history, as a migration does.
  private func fillColour(_ name: String, at device: SimulatedDevice) throws {
    let connection = try Connection(path: device.storeFile.path)
    try connection.run("UPDATE ZNOTE SET ZCOLOUR = \(.text(name))" as SQLFragment)
  }

  @Test("what a migration had put into a new property was on the migrated device only")
  func filledByMigration() throws {
    try fillColour("grey", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.migrate()
    let tablet = try world.newDevice()
    try tablet.migrate()
    for device in [laptop, tablet] {
      try world.synchronize(device)
      #expect(try colours(at: device) == ["grey"])
    }
  }

  @Test("what a migration puts into a new property is older than what somebody has written there")
  func filledByMigrationAfterWriting() throws {
    try colour("green")
    try laptop.migrate()
    try fillColour("grey", at: laptop)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    for device in [laptop, phone] {
      #expect(try colours(at: device) == ["green"])
      #expect(try lostTexts(at: device) == [])
    }
  }

  @Test("what a program writes into a new property is later than what its migration has put there")
  func writtenAfterFilling() throws {
    try fillColour("grey", at: phone)
    try change(at: phone) { $0.setValue("blue", forKey: "colour") }
    try laptop.migrate()
    try fillColour("white", at: laptop)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    for device in [laptop, phone] { #expect(try colours(at: device) == ["blue"]) }
  }

  @Test("what was excluded by an earlier version stayed on its device until it was changed")
  func includedLater() throws {
    let model = try #require(SimulatedModel.versions[1].copy() as? NSManagedObjectModel)
    model.entitiesByName["Shelf"]?.userInfo = ["CoreDataSync.exclude": true]
    let store = try #require(phone.coordinator.persistentStores.first)
    let earlier = try SyncEngine(
      StoreDoor(coordinator: phone.coordinator, store: store),
      sidecar: phone.folder.appendingPathComponent("Notes.sync").path,
      phone.world,
      isDurable: false,
      model: SyncModel(model)
    )
    try change(at: phone) { note in
      let context = note.managedObjectContext ?? phone.context()
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
      shelf.setValue("top", forKey: "key")
      note.setValue(shelf, forKey: "shelf")
    }
    try earlier.synchronize { try world.server.answer($0, of: "notes", at: world.now) }
    try laptop.migrate()
    for device in [phone, laptop] {
      try world.synchronize(device)
      let context = device.context()
      try context.performAndWait {
        let shelves = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
        #expect(shelves.map { $0.members(named: "notes").count } == [1])
      }
    }
  }

  @Test(
    "a model that has nothing new, or other entities too, is told from another by its fingerprint"
  )
  func news() throws {
    let (old, new) = (
      try SyncModel(SimulatedModel.versions[0]), try SyncModel(SimulatedModel.versions[1])
    )
    #expect(ModelNews(old, since: old.fingerprint).isEmpty)
    #expect(ModelNews(old, since: new.fingerprint).isEmpty)
    let news = ModelNews(new, since: old.fingerprint)
    #expect(!news.isEmpty && Set(news.properties.keys) == ["Note", "Checklist"])
    let names = ["colour", "Note/shelf", "shelf"].map { PropertyID(name: $0) }
    #expect(news.properties["Note"]?.count == 2)
    #expect(news.properties["Note"]?.isSubset(of: names) == true)
    let onlyEntity = new.fingerprint.split(separator: ";").filter { !$0.hasPrefix("Shelf:") }
    #expect(!ModelNews(new, since: onlyEntity.joined(separator: ";")).isEmpty)
  }
}
