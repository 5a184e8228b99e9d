import Foundation

/// A store with a file that an operator looks after while it is open.
protocol OperatedStore: RowStore {
  /// How the file is; every page is looked at if that is wanted.
  func health(checksPages: Bool) -> StoreHealth
  /// Moves the log's pages into the file.
  func checkpoint(truncating: Bool, patience: Duration) throws -> StoreCheckpoint
  /// Looks at how the values of indexes are spread.
  func optimize() throws
  /// Copies the file, of one moment; false where `progress` gave it up.
  func copy(isCompact: Bool, to url: URL, _ progress: @escaping FileCopy.Progress) throws -> Bool
}
