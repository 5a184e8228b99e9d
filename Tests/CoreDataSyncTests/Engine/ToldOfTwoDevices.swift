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

  /// Gives the one note a tag, which is made where there is none.
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
}

// MARK: - Folders by their titles

extension ToldOfTwoDevices {
  func make(_ title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue(title, forKey: "title")
    }
  }

  static func folder(
    _ title: String,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try #require(try context.fetch(request).first)
  }

  static func tag(in context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
  }
}
