import CoreData
import CoreDataSyncDevice
import Foundation
import Testing

/// Objects of two entities that inherit one uniqueness constraint.
struct InheritedConstraintTests {
  @Test(
    "an author and a reader of one name, made on two devices, were one object of two entities, and ended a program"
  )
  func twoEntities() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: "", model: Self.model)
    let laptop = try server.container("laptop", address: "", model: Self.model)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.make("Author", wrote: "Seeds")
    try laptop.make("Reader", wrote: "Soil")
    let address = try server.address()
    for container in [phone, laptop] { try container.startSyncing(at: address) }
    for container in [phone, laptop, phone, laptop] { try await container.syncNow() }
    let people = try phone.people
    #expect(people.count == 1)
    #expect(try laptop.people == people)
    // References to the other lack an end of their kind, and are not lost.
    #expect(try phone.texts == ["Seeds", "Soil"] && laptop.texts == ["Seeds", "Soil"])
    try phone.rewrite("Seeds", "Bulbs")
    for container in [phone, laptop] { try await container.syncNow() }
    #expect(try laptop.texts == ["Bulbs", "Soil"])
  }

  /// Authors with books and readers with notes, who are people with a unique name.
  private static let model: NSManagedObjectModel = {
    func entity(_ name: String, _ attributes: [String]) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = name
      entity.managedObjectClassName = "NSManagedObject"
      entity.properties = attributes.map { name in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
        return attribute
      }
      return entity
    }
    let person = entity("Person", ["name"])
    person.isAbstract = true
    person.uniquenessConstraints = [["name"]]
    let (author, reader) = (entity("Author", ["genre"]), entity("Reader", ["card"]))
    person.subentities = [author, reader]
    let text = entity("Text", ["title"])
    for (owner, name, inverse) in [(author, "author", "books"), (reader, "reader", "notes")] {
      let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
      (there.name, there.destinationEntity, there.inverseRelationship) = (name, owner, back)
      (back.name, back.destinationEntity, back.inverseRelationship) = (inverse, text, there)
      (there.maxCount, back.maxCount) = (1, 0)
      (there.isOptional, back.isOptional) = (true, true)
      text.properties.append(there)
      owner.properties.append(back)
    }
    let model = NSManagedObjectModel()
    model.entities = [person, author, reader, text]
    return model
  }()
}

extension NSPersistentContainer {
  /// Makes a person named Ada, who has written something.
  fileprivate func make(_ entity: String, wrote title: String) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      let ada = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      ada.setValue("Ada", forKey: "name")
      ada.setValue(entity, forKey: entity == "Author" ? "genre" : "card")
      let text = NSEntityDescription.insertNewObject(forEntityName: "Text", into: context)
      text.setValue(title, forKey: "title")
      text.setValue(ada, forKey: entity == "Author" ? "author" : "reader")
      try context.save()
    }
  }

  fileprivate func rewrite(_ title: String, _ new: String) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      for text in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Text"))
      where text.value(forKey: "title") as? String == title {
        text.setValue(new, forKey: "title")
      }
      try context.save()
    }
  }

  fileprivate var texts: Set<String> {
    get throws {
      let context = newBackgroundContext()
      return try context.performAndWait {
        let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Text"))
        return Set(all.compactMap { $0.value(forKey: "title") as? String })
      }
    }
  }

  /// All people, by entity and name.
  fileprivate var people: [String] {
    get throws {
      let context = newBackgroundContext()
      return try context.performAndWait {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).map { person in
          "\(person.entity.name ?? "?") \(person.value(forKey: "name") as? String ?? "?")"
        }.sorted()
      }
    }
  }
}
