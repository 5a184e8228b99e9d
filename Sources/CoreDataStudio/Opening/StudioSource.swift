package import CoreData
package import CoreDataModel
import Foundation

/// A store, a model, or both, and how Studio opens them.
///
/// The store is opened again if another file has taken its place, so that the pages always show the file at the path.
package struct StudioSource: Sendable {
  /// The name for titles, such as `Notes.sqlite`.
  package let name: String
  /// The store's file; `nil` for a model alone.
  package let store: URL?
  /// Opens the store for reading.
  ///
  /// Called from any thread, for one thread at a time.
  package let open: @Sendable () throws -> StudioContents

  package init(
    name: String,
    store: URL?,
    open: @escaping @Sendable () throws -> StudioContents
  ) {
    self.name = name
    self.store = store
    self.open = open
  }
}

/// An opened store with its model, or a model alone.
package struct StudioContents: Sendable {
  /// The coordinator of the one store; `nil` for a model alone.
  package let coordinator: NSPersistentStoreCoordinator?
  package let schema: ModelSchema
  /// The origin of the model, as in "in the store".
  package let modelPlace: String

  package init(
    coordinator: NSPersistentStoreCoordinator?,
    schema: ModelSchema,
    modelPlace: String
  ) {
    self.coordinator = coordinator
    self.schema = schema
    self.modelPlace = modelPlace
  }
}
