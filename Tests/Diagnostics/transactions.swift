// Objects stay in the block or the actor that they belong to.

import CoreData

func note(_ id: NSManagedObjectID, in container: NSPersistentContainer) async throws {
  let object = try await container.read { try $0.existingObject(with: id) }
  print(object)
}

actor Desk: ManagedObjectActor {
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

  func object(_ id: NSManagedObjectID) throws -> NSManagedObject? { try self[id] }

  func title(_ id: NSManagedObjectID) throws -> String? {
    try self[id]?.value(forKey: "title") as? String
  }
}

func title(_ id: NSManagedObjectID, at desk: Desk) async throws -> String? {
  print(try await desk.object(id) as Any)
  return try await desk.title(id)
}
