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
  /// The file or folder of the model, if one was named.
  package let model: URL?
  /// Reads all versions of a model that was named, with the name of the current one; `nil` for the model in a store.
  package let versions: (@Sendable () throws -> CompiledModel.Versions)?
  /// Opens the store for reading.
  ///
  /// Called from any thread, for one thread at a time.
  package let open: @Sendable () throws -> StudioContents
  /// Opens the store for writing, with the bytes of transformable values; `nil` for a source that is never changed.
  package let openForChanges: (@Sendable () throws -> StudioContents)?

  package init(
    name: String,
    store: URL?,
    model: URL? = nil,
    versions: (@Sendable () throws -> CompiledModel.Versions)? = nil,
    open: @escaping @Sendable () throws -> StudioContents,
    openForChanges: (@Sendable () throws -> StudioContents)? = nil
  ) {
    self.name = name
    self.store = store
    self.model = model
    self.versions = versions
    self.open = open
    self.openForChanges = openForChanges
  }
}

/// An opened store with its model, or a model alone.
package struct StudioContents: Sendable {
  /// The coordinator of the one store; `nil` for a model alone.
  package let coordinator: NSPersistentStoreCoordinator?
  package let schema: ModelSchema
  /// The origin of the model, as in "in the store".
  package let modelPlace: String
  /// Whether the model was named, and is not the one in the store.
  package let isModelGiven: Bool

  package init(
    coordinator: NSPersistentStoreCoordinator?,
    schema: ModelSchema,
    modelPlace: String,
    isModelGiven: Bool = false
  ) {
    self.coordinator = coordinator
    self.schema = schema
    self.modelPlace = modelPlace
    self.isModelGiven = isModelGiven
  }
}
