/// The kinds of queues to which a context can belong, with the raw values of Apple's framework.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The context belongs to the thread that uses it, as before iOS 5.
  ///
  /// The program must use the context and its objects on one thread only. Nothing checks this, not even
  /// `-com.apple.CoreData.ConcurrencyDebug`. Changes are processed before a save and a fetch, and by
  /// ``NSManagedObjectContext/processPendingChanges()``. `perform` and `performAndWait`, which raise an exception on
  /// Apple's systems, use a private queue of the context, and so do merges of
  /// ``NSManagedObjectContext/automaticallyMergesChangesFromParent``.
  @available(*, deprecated, message: "Use privateQueueConcurrencyType and perform(_:)")
  case confinementConcurrencyType = 0
  /// The context has a private queue.
  case privateQueueConcurrencyType = 1
  /// The context belongs to the main queue.
  case mainQueueConcurrencyType = 2

  /// Whether the program keeps the context to one thread itself.
  var isConfinement: Bool { rawValue == 0 }
}

extension NSManagedObjectContext {
  /// The kinds of queues to which a context can belong.
  public struct ConcurrencyType: Hashable, Sendable {
    let objectiveCType: NSManagedObjectContextConcurrencyType

    /// A private queue, for work that does not block the main thread.
    public static let privateQueue = ConcurrencyType(objectiveCType: .privateQueueConcurrencyType)
    /// The main queue, for contexts that the user interface reads.
    public static let mainQueue = ConcurrencyType(objectiveCType: .mainQueueConcurrencyType)
  }
}
