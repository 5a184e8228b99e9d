/// The kinds of queues to which a context can belong, with the raw values of Apple's framework.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The context has a private queue.
  case privateQueueConcurrencyType = 1
  /// The context belongs to the main queue.
  case mainQueueConcurrencyType = 2
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
