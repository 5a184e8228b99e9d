import CoreData
import CoreDataSync
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import Testing

/// The engine between two stores and a server in memory, without a network.
///
/// The package for Apple's systems runs these tests over Apple's Core Data, and the package beside it over its own.
final class TwoStoresTests {
  private let folder: URL
  private let server: ZoneServer
  private let phone: Device
  private let laptop: Device

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "stores-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    server = ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: 1)
    phone = try Device("phone", in: folder)
    laptop = try Device("laptop", in: folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Lets a device and the server exchange all that they have.
  private func synchronize(_ device: Device) throws {
    try device.session.synchronize { request in
      let now = UInt64(Date().timeIntervalSince1970 * 1_000)
      return try server.answer(request, of: "notes", at: now)
    }
  }

  private func synchronizeAll() throws {
    for device in [phone, laptop, phone, laptop] { try synchronize(device) }
  }

  @Test("objects, their values and their relationships come to the other store")
  func everything() throws {
    try phone.edit { context in
      let folder = Device.insert("Folder", into: context)
      folder.setValue("Garden", forKey: "name")
      var shelf: [NSManagedObject] = []
      for (number, title) in ["Seeds", "Soil", "Water"].enumerated() {
        let note = Device.insert("Note", into: context)
        note.setValue(title, forKey: "title")
        note.setValue(Int64(number), forKey: "stars")
        note.setValue(Date(timeIntervalSinceReferenceDate: 7e8), forKey: "created")
        note.setValue(Data([1, 2, 3]), forKey: "picture")
        note.setValue(
          UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
          forKey: "mark"
        )
        note.setValue(Decimal(string: "1.25") as NSDecimalNumber?, forKey: "price")
        note.setValue(folder, forKey: "folder")
        shelf.insert(note, at: 0)
      }
      folder.setValue(NSOrderedSet(array: shelf), forKey: "shelf")
    }
    try synchronizeAll()
    let expected = """
      Garden: Seeds, Soil, Water; shelf Water, Soil, Seeds
      Seeds 0 700000000.0 3 01020304-0506-0708-090A-0B0C0D0E0F10 1.25
      Soil 1 700000000.0 3 01020304-0506-0708-090A-0B0C0D0E0F10 1.25
      Water 2 700000000.0 3 01020304-0506-0708-090A-0B0C0D0E0F10 1.25
      """
    #expect(try phone.content() == expected)
    #expect(try laptop.content() == expected)
  }

  @Test(
    "values of one object that two devices change are both kept; the later of one property wins"
  )
  func merging() throws {
    try phone.edit { Device.insert("Note", into: $0).setValue("Seeds", forKey: "title") }
    try synchronizeAll()
    try phone.edit { context in
      let note = try Device.notes(in: context)[0]
      note.setValue("Seeds and soil", forKey: "title")
      note.setValue(Int64(5), forKey: "stars")
    }
    Thread.sleep(forTimeInterval: 0.01)
    try laptop.edit { try Device.notes(in: $0)[0].setValue("Seeds and water", forKey: "title") }
    try synchronizeAll()
    #expect(try phone.content() == laptop.content())
    #expect(try phone.content().hasPrefix("Seeds and water 5"))
    // Each device that learns of both values keeps the one that lost.
    #expect(try phone.session.facts.conflicts + laptop.session.facts.conflicts > 0)
  }

  @Test("an object that one device deletes is deleted on the other, and does not come back")
  func deleting() throws {
    try phone.edit { Device.insert("Note", into: $0).setValue("Seeds", forKey: "title") }
    try synchronizeAll()
    try laptop.edit { context in context.delete(try Device.notes(in: context)[0]) }
    try synchronizeAll()
    #expect(try phone.content().isEmpty && laptop.content().isEmpty)
  }

  @Test("folders that two devices make with one name become one")
  func unique() throws {
    for device in [phone, laptop] {
      try device.edit { Device.insert("Folder", into: $0).setValue("Garden", forKey: "name") }
    }
    try synchronizeAll()
    #expect(try phone.content() == "Garden: ; shelf ")
    #expect(try laptop.content() == "Garden: ; shelf ")
  }

  @Test("a store whose history was deleted is compared object by object")
  func purged() throws {
    try phone.edit { Device.insert("Note", into: $0).setValue("Seeds", forKey: "title") }
    try synchronizeAll()
    try phone.edit { try Device.notes(in: $0)[0].setValue("Soil", forKey: "title") }
    try phone.edit { context in
      let all = NSPersistentHistoryChangeRequest.deleteHistory(
        before: Date(timeIntervalSinceNow: 60)
      )
      _ = try context.execute(all)
    }
    try synchronizeAll()
    #expect(try laptop.content().hasPrefix("Soil"))
  }
}

/// A store in a container of the usual kind, with the engine's session.
private final class Device {
  let container: NSPersistentContainer
  let session: SyncSession

  init(_ name: String, in folder: URL) throws {
    container = NSPersistentContainer(name: name, managedObjectModel: Self.model())
    let file = folder.appending(path: "\(name).sqlite")
    let description = NSPersistentStoreDescription(url: file)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    session = try SyncSession(
      container.persistentStoreCoordinator,
      container.persistentStoreCoordinator.persistentStores[0],
      sidecar: SyncSession.sidecar(ofStoreAt: file.path),
      deviceName: name
    )
  }

  /// Notes that lie in folders, which have names of their own and a shelf.
  private static func model() -> NSManagedObjectModel {
    func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      return attribute
    }
    func relationship(
      _ name: String,
      to end: NSEntityDescription,
      most: Int
    ) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.destinationEntity) = (name, end)
      (relationship.minCount, relationship.maxCount, relationship.isOptional) = (0, most, true)
      relationship.deleteRule = .nullifyDeleteRule
      return relationship
    }
    let (note, folder) = (NSEntityDescription(), NSEntityDescription())
    for (entity, name) in [(note, "Note"), (folder, "Folder")] {
      entity.name = name
      entity.managedObjectClassName = "NSManagedObject"
    }
    let (parent, notes) = (
      relationship("folder", to: folder, most: 1), relationship("notes", to: note, most: 0)
    )
    let (place, shelf) = (
      relationship("place", to: folder, most: 1), relationship("shelf", to: note, most: 0)
    )
    (parent.inverseRelationship, notes.inverseRelationship) = (notes, parent)
    (place.inverseRelationship, shelf.inverseRelationship) = (shelf, place)
    shelf.isOrdered = true
    note.properties = [
      attribute("title", .stringAttributeType), attribute("stars", .integer64AttributeType),
      attribute("created", .dateAttributeType), attribute("picture", .binaryDataAttributeType),
      attribute("mark", .UUIDAttributeType), attribute("price", .decimalAttributeType), parent,
      place,
    ]
    folder.properties = [attribute("name", .stringAttributeType), notes, shelf]
    folder.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [note, folder]
    return model
  }

  static func insert(_ entity: String, into context: NSManagedObjectContext) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }

  static func notes(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try sorted("Note", by: "title", in: context)
  }

  private static func sorted(
    _ entity: String,
    by key: String,
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    return try context.fetch(request).sorted { text($0, key) < text($1, key) }
  }

  private static func text(_ object: NSManagedObject, _ key: String) -> String {
    object.value(forKey: key) as? String ?? ""
  }

  func edit(_ change: (NSManagedObjectContext) throws -> Void) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try change(context)
      if context.hasChanges { try context.save() }
    }
  }

  /// All folders and notes as text.
  func content() throws -> String {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let folders = try Self.sorted("Folder", by: "name", in: context).map { folder in
        let notes = folder.value(forKey: "notes") as? Set<NSManagedObject> ?? []
        let shelf = folder.value(forKey: "shelf") as? NSOrderedSet
        let titles = notes.map { Self.text($0, "title") }.sorted().joined(separator: ", ")
        let order = (shelf?.array as? [NSManagedObject] ?? []).map { Self.text($0, "title") }
        return "\(Self.text(folder, "name")): \(titles); shelf \(order.joined(separator: ", "))"
      }
      let notes = try Self.notes(in: context).map { note in
        let created = (note.value(forKey: "created") as? Date)?.timeIntervalSinceReferenceDate
        let picture = (note.value(forKey: "picture") as? Data)?.count
        let mark = note.value(forKey: "mark") as? UUID
        let price = note.value(forKey: "price") as? NSDecimalNumber
        let parts: [Any?] = [
          note.value(forKey: "title"), note.value(forKey: "stars"), created, picture, mark, price,
        ]
        return parts.compactMap { $0 }.map { "\($0)" }.joined(separator: " ")
      }
      return (folders + notes).joined(separator: "\n")
    }
  }
}
