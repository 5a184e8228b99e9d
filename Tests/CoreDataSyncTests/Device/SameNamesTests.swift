import CoreData
import CoreDataSyncDevice
import Foundation
import Testing

/// Relationships that several entities call alike.
struct SameNamesTests {
  @Test("a note that got a file lost its keyword, because both call their notes `notes`")
  func sets() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address(), model: Self.model)
    let laptop = try server.container("laptop", address: try server.address(), model: Self.model)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.change { note in
      note.setValue(Set([NSManagedObject.made("Keyword", with: note)]), forKey: "keywords")
    }
    try await phone.syncNow()
    try phone.change { note in
      note.setValue(Set([NSManagedObject.made("File", with: note)]), forKey: "files")
    }
    try phone.change { note in
      note.setValue(NSManagedObject.made("Picture", with: note), forKey: "picture")
      note.setValue(Set([NSManagedObject.made("Version", with: note)]), forKey: "versions")
    }
    try await phone.syncNow()
    try await laptop.syncNow()
    try await phone.syncNow()
    for container in [phone, laptop] {
      let counts = try container.counts
      #expect(counts == ["files": 1, "keywords": 1, "picture": 1, "versions": 1])
    }
  }

  /// A note with keywords and files, each with a set of notes, and a picture and versions, each with a note.
  private static let model: NSManagedObjectModel = {
    func entity(_ name: String) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = name
      entity.managedObjectClassName = "NSManagedObject"
      return entity
    }
    let note = entity("Note")
    let others = ["Keyword", "File", "Picture", "Version"].map(entity)
    for (other, name) in zip(others, ["keywords", "files", "picture", "versions"]) {
      let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
      (there.name, there.destinationEntity, there.inverseRelationship) = (name, other, back)
      (back.destinationEntity, back.inverseRelationship) = (note, there)
      let isToMany = name == "keywords" || name == "files"
      back.name = isToMany ? "notes" : "note"
      back.maxCount = isToMany ? 0 : 1
      there.maxCount = name == "picture" ? 1 : 0
      (there.isOptional, back.isOptional) = (true, true)
      note.properties.append(there)
      other.properties.append(back)
    }
    let model = NSManagedObjectModel()
    model.entities = [note] + others
    return model
  }()
}

extension NSManagedObject {
  fileprivate static func made(_ entity: String, with note: NSManagedObject) -> NSManagedObject {
    guard let context = note.managedObjectContext else { preconditionFailure("no context") }
    return NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }
}

extension NSPersistentContainer {
  /// Changes the one note, which is made if it does not exist.
  fileprivate func change(_ change: (NSManagedObject) -> Void) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      let known = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
      change(
        known ?? NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      )
      try context.save()
    }
  }

  /// How many the one note has of each.
  fileprivate var counts: [String: Int] {
    get throws {
      let context = newBackgroundContext()
      return try context.performAndWait {
        let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        guard let note = notes.first, notes.count == 1 else { return [:] }
        return note.entity.relationshipsByName.mapValues { relationship in
          let value = note.value(forKey: relationship.name)
          return (value as? NSSet)?.count ?? (value as? Set<NSManagedObject>)?.count
            ?? (value == nil ? 0 : 1)
        }
      }
    }
  }
}
