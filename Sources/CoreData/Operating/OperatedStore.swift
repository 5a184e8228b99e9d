import Foundation

/// A store that reports its health.
package protocol HealthTelling: RowStore {
  /// How it is; every page of a file is looked at if that is wanted, and writing is tried unless the store only reads.
  func health(checksPages: Bool, isReadOnly: Bool) -> StoreHealth
}

/// A store with a file that an operator looks after while it is open.
protocol OperatedStore: HealthTelling {
  /// Moves the log's pages into the file.
  func checkpoint(truncating: Bool, patience: Duration) throws -> StoreCheckpoint
  /// Looks at how the values of indexes are spread.
  func optimize() throws
  /// Copies the file, of one moment; returns false if `progress` canceled the copy.
  func copy(isCompact: Bool, to url: URL, _ progress: @escaping FileCopy.Progress) throws -> Bool
}
