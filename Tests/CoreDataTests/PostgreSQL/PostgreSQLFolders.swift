import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Suites that open stores by coordinators alone, and keep folders in them.
protocol PostgreSQLFolders {}

extension PostgreSQLFolders {
  func stack(
    at place: URL,
    zone: String? = nil,
    model: NSManagedObjectModel = NotesStack.model
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSPostgreSQLStoreType,
      configurationName: nil,
      at: place,
      options: zone.map { [NSPostgreSQLZoneOption: $0] }
    )
    return coordinator
  }

  func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  func saveFolder(_ name: String, in coordinator: NSPersistentStoreCoordinator) throws {
    let context = context(coordinator)
    try context.performAndWait {
      context.folder(name)
      try context.save()
    }
  }

  func folderNames(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = context(coordinator)
    return try context.performAndWait {
      try context.fetch(Folder.fetchRequest()).compactMap(\.name).sorted()
    }
  }

  /// A place whose connections the server knows by a name.
  func namedPlace() throws -> (URL, name: String) {
    let name = "test-\(UUID().uuidString)"
    let text = PostgreSQLServer.shared.place().absoluteString + "&application_name=\(name)"
    return (try #require(URL(string: text)), name)
  }
}
