import Foundation

/// A store whose file can be at another place from now on.
protocol MovableStore: RowStore {
  /// Returns the backend for the store when its file is at `url`; `nil` if it cannot be there.
  ///
  /// The store itself, unless it has to be opened again.
  func moved(
    _ store: NSPersistentStore,
    to url: URL,
    in coordinator: NSPersistentStoreCoordinator
  ) -> (any RowStore)?
}
