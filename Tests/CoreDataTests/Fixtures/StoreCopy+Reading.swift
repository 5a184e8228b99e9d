import Foundation

@testable import CoreData

extension StoreCopy {
  /// Opens the store, and reads every property of every object.
  ///
  /// Relationships are read with the fetch: an error of a fetch is thrown, while one that a property
  /// meets has nowhere to go and stops the program.
  func readEverything(_ options: [String: Any] = [:]) throws {
    let store = try open(options)
    defer {
      // The store was added a moment ago.
      try? coordinator.remove(store)
    }
    let context = context()
    try context.performAndWait {
      for layout in coordinator.layout.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
        request.includesSubentities = false
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching =
          layout.slots.prefix(layout.propertyCount).filter(\.kind.isRelationship).map(\.name)
        for object in try context.fetch(request) { _ = ObjectLines(object: object).lines }
      }
    }
  }
}
