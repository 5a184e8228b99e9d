/// The result of a checkpoint, which moves pages from a write-ahead log into the store's file.
public struct StoreCheckpoint: Hashable, Sendable {
  /// The number of pages in the log; 0 for a store without a write-ahead log.
  public let pagesInLog: Int
  /// The number of these pages that are in the store's file now.
  public let pagesMoved: Int
  /// A Boolean value that indicates whether all pages were moved.
  ///
  /// The next save then writes to the beginning of the log again.
  public var isComplete: Bool { pagesMoved == pagesInLog }
}

/// The progress of a backup; see ``NSPersistentStoreCoordinator/backUp(_:to:isCompact:progress:)``.
public struct StoreBackupProgress: Hashable, Sendable {
  /// The part of the work that is being done.
  public let step: Step
  /// The number of pages, or of files beside the store, that are done in this step; 0 if it is not known.
  public let completed: Int
  /// The number of pages or files that the step has; 0 if it is not known.
  public let total: Int

  /// A part of the work.
  public enum Step: Hashable, Sendable {
    /// Pages of the database are copied.
    case copying
    /// A copy without unused pages is written, all at once.
    case compacting
    /// The copy is read as a whole.
    case checking
    /// Files of large data beside the store are copied.
    case files
  }

  init(_ step: FileCopy.Step, _ completed: Int, _ total: Int) {
    self.step =
      switch step {
      case .copying: .copying
      case .compacting: .compacting
      case .checking: .checking
      case .files: .files
      }
    (self.completed, self.total) = (completed, total)
  }
}
