import CoreData
import Foundation
import Testing

/// A library in a SQLite file of its own, with the model that the plugin compiled.
final class Library {
  let container: NSPersistentContainer
  private let folder: URL

  init(model name: String = "Library") throws {
    let location = try #require(Bundle.module.url(forResource: name, withExtension: "momd"))
    let model = try #require(NSManagedObjectModel(contentsOf: location))
    folder = URL.temporaryDirectory.appending(component: "Library-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    let store = NSPersistentStoreDescription(url: folder.appending(component: "Library.sqlite"))
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  /// Does something in a context of its own, and saves.
  func change<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let result = try body(context)
      try context.save()
      return result
    }
  }

  /// Looks at what a new context finds in the store.
  func read(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait { try body(context) }
  }

  /// Closes the store before its file goes.
  deinit {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores {
      // A store that does not close leaves nothing to do: its file is temporary.
      try? coordinator.remove(store)
    }
    try? FileManager.default.removeItem(at: folder)
  }
}
