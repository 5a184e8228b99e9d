public import Foundation
import Synchronization

// MARK: - Stores that are looked after while they are open

extension NSPersistentStoreCoordinator {
  /// Returns the health of a store: whether it can be read and written, and how much room it has.
  ///
  /// ```swift
  /// let health = coordinator.health(of: coordinator.persistentStores[0])
  /// if !health.isHealthy { print(health) }
  /// ```
  ///
  /// Reads the metadata of a SQLite store and takes the writer's lock for a moment; if another process is writing,
  /// this waits up to two seconds. Of a store in an XML or binary file, which is in memory as a whole, only the file's
  /// sizes are looked at. For a store in a PostgreSQL database, one statement asks the server whether the zone
  /// exists and whether it accepts writes; there are no sizes. This waits for a connection as long as a fetch does.
  ///
  /// Call this method on any thread.
  ///
  /// - Parameters:
  ///   - store: One of the coordinator's stores.
  ///   - checksPages: Whether every page of a SQLite file is looked at, which reads the whole file; `false` by
  ///     default.
  /// - Returns: The sizes of the store, and a sentence for everything that is wrong.
  public func health(of store: NSPersistentStore, checksPages: Bool = false) -> StoreHealth {
    if let told = store.backend as? any HealthTelling {
      return told.health(checksPages: checksPages, isReadOnly: store.isReadOnly)
    }
    guard let url = store.url, url.isFileURL, !url.isNowhere,
      FileManager.default.fileExists(atPath: url.path)
    else {
      return StoreHealth()
    }
    var health = StoreHealth(fileAt: url.path)
    health.warnOfSizes()
    return health
  }

  /// Moves the pages of a SQLite store's write-ahead log into its file.
  ///
  /// A store does so by itself after a save, when the log has about a thousand pages; the pragma
  /// `wal_autocheckpoint` in `NSSQLitePragmasOption` sets another number, and `journal_size_limit` the bytes to
  /// which the log's file is cut afterwards, 16 MB by default. If the log has twice as many pages, a save waits a tenth of
  /// a second at most for readers of earlier moments. A reader that stays longer keeps the pages that were written
  /// since in the log.
  ///
  /// Saves of this program wait. Call this method on any thread but the main thread.
  ///
  /// - Parameters:
  ///   - store: One of the coordinator's stores.
  ///   - truncating: Whether the log's file is emptied as well, which waits for readers; `false` by default.
  ///   - patience: How long to wait for others, at most as long as the store's `NSPersistentStoreTimeoutOption` says;
  ///     one second by default.
  /// - Returns: How many pages there were, and how many have been moved.
  /// - Throws: 513 if the store may not be written; 134091 if it is not a SQLite store; 134080 if it belongs to another
  ///   coordinator; the error of a store that cannot be written.
  @discardableResult
  public func checkpoint(
    _ store: NSPersistentStore,
    truncating: Bool = false,
    patience: Duration = .seconds(1)
  ) throws -> StoreCheckpoint {
    try operated(store, "a checkpoint")
      .checkpoint(truncating: truncating, patience: patience)
  }

  /// Updates the statistics by which SQLite chooses among the indexes of a store.
  ///
  /// SQLite looks at a thousand entries of each index at most (`ANALYZE` with an `analysis_limit`). Once a day is enough for a
  /// program that runs on; `NSSQLiteAnalyzeOption` does it whenever the store is opened.
  ///
  /// Saves of this program wait. Call this method on any thread but the main thread.
  ///
  /// - Parameter store: One of the coordinator's stores.
  /// - Throws: The errors of ``checkpoint(_:truncating:patience:)``.
  public func optimize(_ store: NSPersistentStore) throws {
    try operated(store, "statistics").optimize()
  }

  /// Copies one moment of a SQLite store, together with its files of large data, while the store is used.
  ///
  /// ```swift
  /// try await coordinator.backUp(coordinator.persistentStores[0], to: url) { progress in
  ///   print(progress.step, progress.completed, progress.total)
  /// }
  /// ```
  ///
  /// The copy gets its name when it is complete and was read as a whole; a file that has the name is replaced.
  /// Readers and writers go on, in this process and in others. If the task is canceled, nothing remains.
  ///
  /// Call this method from any task. The work is done on a separate thread, which is not one of Swift's.
  ///
  /// - Parameters:
  ///   - store: One of the coordinator's stores.
  ///   - url: The file to make, in a folder that exists.
  ///   - isCompact: Whether unused pages are left out of the copy, which takes longer; `false` by default.
  ///   - progress: A closure that is called on that thread when a part of the work is done, or `nil`, which is the
  ///     default.
  /// - Throws: `CancellationError` if the task is canceled; 134091 if the store is not a SQLite store, does not have
  ///   a file, or
  ///   is itself at `url`; 134080 if it belongs to another coordinator; the error of a file that cannot be read or made.
  public func backUp(
    _ store: NSPersistentStore,
    to url: URL,
    isCompact: Bool = false,
    progress: (@Sendable (StoreBackupProgress) -> Void)? = nil
  ) async throws {
    let operated = try operated(store, "a copy")
    let wanted = Wanted()
    let isWhole = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            with: Result {
              try operated.copy(isCompact: isCompact, to: url) { step, completed, total in
                progress?(StoreBackupProgress(step, completed, total))
                return wanted.isTrue
              }
            }
          )
        }
      }
    } onCancel: {
      wanted.end()
    }
    if !isWhole { throw CancellationError() }
  }

  private func operated(
    _ store: NSPersistentStore,
    _ what: String
  ) throws -> any OperatedStore {
    guard store.persistentStoreCoordinator === self else {
      throw StoreFailure(.otherCoordinator, path: store.shownPath).error()
    }
    if let operated = store.backend as? any OperatedStore { return operated }
    throw StoreFailure(
      .unsupportedRequest("\(what), which only SQLite stores have"),
      path: store.shownPath
    ).error()
  }
}

/// Whether somebody still waits for a result.
private final class Wanted: Sendable {
  private let flag = Atomic(true)

  var isTrue: Bool { flag.load(ordering: .relaxed) }

  func end() { flag.store(false, ordering: .relaxed) }
}
