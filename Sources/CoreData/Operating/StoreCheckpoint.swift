/// What a checkpoint has moved from a write-ahead log into the store's file.
public struct StoreCheckpoint: Hashable, Sendable {
  /// How many pages the log had; 0 for a store without a write-ahead log.
  public let pagesInLog: Int
  /// How many of them are in the store's file now.
  public let pagesMoved: Int
  /// Whether all of them are, so that the log begins anew with the next save.
  public var isComplete: Bool { pagesMoved == pagesInLog }
}

/// How far a backup is.
public struct StoreBackupProgress: Hashable, Sendable {
  /// What is being done.
  public let step: Step
  /// How many parts of the step are done: pages of the file, or files beside it; 0 where nobody knows.
  public let completed: Int
  /// How many parts the step has; 0 where nobody knows.
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
