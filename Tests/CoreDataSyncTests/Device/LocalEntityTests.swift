import CoreData
import CoreDataSyncDevice
import Foundation
import Testing

@testable import SyncSimulation

/// Entities and relationships that a model keeps on each device (`CoreDataSync.exclude`).
@Suite(.serialized) struct LocalEntityTests {
  private let server: LocalServer
  private let address: String

  init() throws {
    server = try LocalServer()
    address = try server.address()
  }

  private func model(_ exclude: (NSManagedObjectModel) -> Void) throws -> NSManagedObjectModel {
    let model = try #require(SimulatedModel.model.copy() as? NSManagedObjectModel)
    exclude(model)
    return model
  }

  private func device(
    _ name: String,
    _ model: NSManagedObjectModel
  ) throws -> NSPersistentCloudKitContainer {
    try server.container(name, address: address, model: model)
  }

  /// Makes a folder Rome with notes of these titles; those with a star are checklists.
  private func makeRome(_ titles: [String], at device: NSPersistentCloudKitContainer) throws {
    try device.change { context in
      let rome = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      rome.setValue("Rome", forKey: "title")
      let notes = titles.map { title in
        let entity = title.hasSuffix("*") ? "Checklist" : "Note"
        let note = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        note.setValue(title, forKey: "title")
        return note
      }
      rome.setValue(NSOrderedSet(array: notes), forKey: "notes")
    }
  }

  @Test(
    "a note's origin that stays on its device, and its place among notes, were gone after the next exchange"
  )
  func excludedEntity() async throws {
    let model = try model {
      $0.entitiesByName["Checklist"]?.userInfo = ["CoreDataSync.exclude": true]
    }
    let (phone, laptop) = (try device("phone", model), try device("laptop", model))
    defer { for device in [phone, laptop] { device.stopSyncing() } }
    try makeRome(["Arena", "Packing*", "Forum"], at: phone)
    try await phone.syncNow()
    try await laptop.syncNow()
    #expect(try laptop.notesOfRome == ["Arena", "Forum"])
    try phone.change { context in
      let packing = try context.one("Checklist", titled: "Packing*")
      try context.one("Note", titled: "Arena").setValue(packing, forKey: "origin")
    }
    try await phone.syncNow()
    try laptop.change { context in
      try context.one("Note", titled: "Arena").setValue("Circus", forKey: "title")
      let notes = try context.one("Folder", titled: "Rome").mutableOrderedSetValue(forKey: "notes")
      notes.moveObjects(at: [0], to: 1)
    }
    try await laptop.syncNow()
    try await phone.syncNow()
    #expect(try phone.notesOfRome == ["Forum", "Packing*", "Circus"])
    let origin = try phone.reading {
      try $0.one("Note", titled: "Circus").value(forKeyPath: "origin.title") as? String
    }
    #expect(origin == "Packing*")
    #expect(try laptop.notesOfRome == ["Forum", "Circus"])
  }

  @Test(
    "a folder lost its notes, and tags were sent, where a model keeps one end of a relationship on the device"
  )
  func excludedEnd() async throws {
    let model = try model { model in
      let note = model.entitiesByName["Note"]
      for name in ["label", "tags"] {
        note?.relationshipsByName[name]?.userInfo = ["CoreDataSync.exclude": true]
      }
      model.entitiesByName["Checklist"]?.relationshipsByName["label"]?.userInfo = [
        "CoreDataSync.exclude": true
      ]
    }
    let (phone, laptop) = (try device("phone", model), try device("laptop", model))
    defer { for device in [phone, laptop] { device.stopSyncing() } }
    try makeRome(["Arena"], at: phone)
    try phone.change { context in
      let note = try context.one("Note", titled: "Arena")
      for (entity, key, name) in [("Tag", "name", "tags"), ("Label", "title", "label")] {
        let end = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        end.setValue("red", forKey: key)
        note.setValue(entity == "Tag" ? NSSet(object: end) : end, forKey: name)
      }
    }
    try await phone.syncNow()
    try await laptop.syncNow()
    try laptop.change { context in
      for label in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label")) {
        label.setValue("rosso", forKey: "title")
      }
    }
    try await laptop.syncNow()
    try await phone.syncNow()
    for (device, count) in [(phone, 1), (laptop, 0)] {
      let ends = try device.reading { context in
        let label = try context.one("Label", titled: "rosso")
        let tag = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first
        return [label, tag].map { ($0?.value(forKey: "notes") as? NSSet)?.count }
      }
      #expect(ends == [count, count])
    }
  }

  @Test(
    "objects of an entity that a later model keeps on the device were deleted, here and everywhere",
    arguments: [false, true]
  )
  func excludedLater(isPurged: Bool) async throws {
    let first = try device("phone", SimulatedModel.model)
    let laptop = try device("laptop", SimulatedModel.model)
    try first.change { context in
      for title in ["red", "blue"] {
        let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
        label.setValue(title, forKey: "title")
      }
    }
    try await first.syncNow()
    try await laptop.syncNow()
    first.stopSyncing()
    for store in first.persistentStoreCoordinator.persistentStores {
      try first.persistentStoreCoordinator.remove(store)
    }
    let phone = try device(
      "phone",
      model { $0.entitiesByName["Label"]?.userInfo = ["CoreDataSync.exclude": true] }
    )
    defer { for device in [phone, laptop] { device.stopSyncing() } }
    try await phone.syncNow()
    try phone.change { context in
      try context.delete(context.one("Label", titled: "blue"))
      _ = NSEntityDescription.insertNewObject(forEntityName: "Bin", into: context)
      try context.save()
      if isPurged {
        _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60))
      }
    }
    try await phone.syncNow()
    try await laptop.syncNow()
    #expect(try phone.labels == ["red"])
    #expect(try laptop.labels == ["blue", "red"])
  }
}

extension NSManagedObjectContext {
  fileprivate func one(_ entity: String, titled title: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "title == %@", title)
    return try #require(try fetch(request).first)
  }
}

extension NSPersistentCloudKitContainer {
  fileprivate func reading<Value>(
    _ read: (NSManagedObjectContext) throws -> Value
  ) throws -> Value {
    let context = newBackgroundContext()
    return try context.performAndWait { try read(context) }
  }

  fileprivate func change(_ change: (NSManagedObjectContext) throws -> Void) throws {
    try reading { context in
      try change(context)
      try context.save()
    }
  }

  fileprivate var notesOfRome: [String?] {
    get throws {
      try reading { context in
        let notes = try context.one("Folder", titled: "Rome").value(forKey: "notes")
        return (notes as? NSOrderedSet)?.array.map {
          ($0 as? NSManagedObject)?.value(forKey: "title") as? String
        } ?? []
      }
    }
  }

  fileprivate var labels: [String] {
    get throws {
      try reading { context in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label"))
          .compactMap { $0.value(forKey: "title") as? String }.sorted()
      }
    }
  }
}
