import CoreData
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// A suite whose histories happen on two devices.
protocol ToldOfTwoDevices {
  var world: TwoDevices { get }
}

extension ToldOfTwoDevices {
  var phone: SimulatedDevice { world.phone }
  var laptop: SimulatedDevice { world.laptop }
}

// MARK: - The one note and its tags

extension ToldOfTwoDevices {
  /// Makes a note in a folder.
  func makeNote(at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(folder, forKey: "folder")
    }
  }

  /// Gives the one note a tag, which is made if it does not exist.
  func tag(_ name: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      let tag =
        tags.first { $0.value(forKey: "name") as? String == name }
        ?? NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(name, forKey: "name")
      try Self.note(in: context).mutableSetValue(forKey: "tags").add(tag)
    }
  }

  /// Takes a tag off the one note, and deletes it too.
  func untag(_ name: String, deleting: Bool = false, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let note = try Self.note(in: context)
      for tag in note.members(named: "tags") where tag.value(forKey: "name") as? String == name {
        note.mutableSetValue(forKey: "tags").remove(tag)
        if deleting { context.delete(tag) }
      }
    }
  }

  static func note(in context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first)
  }

  func tags(at device: SimulatedDevice) throws -> Set<String> {
    let context = device.context()
    return try context.performAndWait {
      let tags = try Self.note(in: context).members(named: "tags")
      return Set(tags.compactMap { $0.value(forKey: "name") as? String })
    }
  }

  func exchange() throws {
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
  }

  /// The first object of an entity that has this text.
  static func object(
    _ entity: String,
    whose attribute: String,
    is text: String,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "%K == %@", attribute, text)
    return try #require(try context.fetch(request).first)
  }
}

// MARK: - Folders by their titles

extension ToldOfTwoDevices {
  func make(_ title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue(title, forKey: "title")
    }
  }

  func rename(_ old: String, _ new: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { try Self.folder(old, in: $0).setValue(new, forKey: "title") }
  }

  /// The titles of the folders, sorted.
  func titles(at device: SimulatedDevice) throws -> [String] {
    try world.titles(at: device).compactMap { $0 }.sorted()
  }

  static func folder(
    _ title: String,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    try object("Folder", whose: "title", is: title, in: context)
  }

  static func tag(in context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
  }
}

// MARK: - Covers of folders

extension ToldOfTwoDevices {
  func makeNotes(_ titles: [String], in folder: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      for title in titles {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue(title, forKey: "title")
        note.setValue(try Self.folder(folder, in: context), forKey: "folder")
      }
    }
  }

  static func note(
    _ title: String,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    try object("Note", whose: "title", is: title, in: context)
  }

  /// Gives a note's folder that note as its cover.
  func cover(with title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let note = try Self.note(title, in: context)
      note.setValue(note, forKeyPath: "folder.cover")
    }
  }

  /// Takes the one cover off its folder.
  func uncover(_ folder: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { try Self.folder(folder, in: $0).setValue(nil, forKey: "cover") }
  }

  /// The title of the cover of the folder Rome.
  func cover(at device: SimulatedDevice) throws -> String? {
    let context = device.context()
    return try context.performAndWait {
      try Self.folder("Rome", in: context).value(forKeyPath: "cover.title") as? String
    }
  }
}

// MARK: - Getting acquainted

extension ToldOfTwoDevices {
  /// Lets the program of the phone end at a moment of an exchange.
  func end(at moment: SyncMoment) throws {
    try phone.running().world.pass = { if $0 == moment { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(phone) }
    phone.crash()
  }

  /// The phone is put back to before its first exchange, and has to get acquainted with the laptop's later changes.
  func getAcquainted(
    untilEndAt moment: SyncMoment?,
    having make: () throws -> Void,
    changed change: () throws -> Void
  ) throws {
    try make()
    try end(at: .beforeDrain)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try change()
    try world.synchronize(laptop)
    try phone.restore(storeOnly: false)
    try self.make("Bern", at: phone)
    try world.purgeHistory(of: phone)
    if let moment { try end(at: moment) }
  }
}
