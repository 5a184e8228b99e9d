// Objects stay in the block that they belong to.

import CoreData

func note(_ id: NSManagedObjectID, in container: NSPersistentContainer) async throws {
  let object = try await container.read { try $0.existingObject(with: id) }
  // expected-error@-1 {{type 'NSManagedObject' does not conform to the 'Sendable' protocol}}
  print(object)
}

func title(_ id: NSManagedObjectID, in container: NSPersistentContainer) async throws -> String? {
  try await container.write { context in
    try context.existingObject(with: id).value(forKey: "title") as? String
  }
}
