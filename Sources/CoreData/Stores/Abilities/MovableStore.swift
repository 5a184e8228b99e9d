import Foundation

/// A store whose file can be at another place from now on.
protocol MovableStore: RowStore {
  /// What answers for the store when its file is there; nil where it cannot be.
  ///
  /// The store itself, unless it has to be opened anew.
  func moved(
    _ store: NSPersistentStore,
    to url: URL,
    in coordinator: NSPersistentStoreCoordinator
  ) -> (any RowStore)?
}
