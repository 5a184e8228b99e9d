import Foundation

// MARK: - Changes as values

extension NSManagedObjectContext {
  /// The identities of the objects that changed in one event or one save of a context.
  public struct ObjectIDChanges: Hashable, Sendable {
    /// The identities of inserted objects.
    ///
    /// In ``NSManagedObjectContext/changes(bufferingPolicy:)`` they can still be temporary.
    public var inserted: Set<NSManagedObjectID> = []
    /// The identities of updated objects.
    public var updated: Set<NSManagedObjectID> = []
    /// The identities of deleted objects.
    public var deleted: Set<NSManagedObjectID> = []
    /// The identities of objects whose values were read again from the store or rolled back.
    public var refreshed: Set<NSManagedObjectID> = []
    /// The identities of objects whose store was removed.
    public var invalidated: Set<NSManagedObjectID> = []
    /// A Boolean value that indicates whether the context was reset.
    public var isReset = false

    /// Creates a value without changes.
    public init() {}
  }

  /// Returns an asynchronous sequence of the changes of each event.
  ///
  /// ```swift
  /// for await change in context.changes() { print(change.inserted.count) }
  /// ```
  ///
  /// The sequence contains everything that changes after the call. You can call the method on any
  /// thread. Iterate over each sequence only once. The sequence does not keep the context alive and
  /// ends when it is deallocated.
  ///
  /// - Parameter bufferingPolicy: The number of changes to keep until they are read. By default it
  ///   is unlimited.
  /// - Returns: The sequence of changes.
  public func changes(
    bufferingPolicy: AsyncStream<ObjectIDChanges>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<ObjectIDChanges> {
    stream(of: .events, bufferingPolicy)
  }

  /// Returns an asynchronous sequence of the changes of each save, with permanent identities.
  ///
  /// ```swift
  /// for await save in context.saves() { await index.update(save.inserted) }
  /// ```
  ///
  /// Saves without changes are not included. Otherwise the sequence is like that of
  /// ``changes(bufferingPolicy:)``.
  ///
  /// - Parameter bufferingPolicy: The number of saves to keep until they are read. By default it is
  ///   unlimited.
  /// - Returns: The sequence of saves.
  public func saves(
    bufferingPolicy: AsyncStream<ObjectIDChanges>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<ObjectIDChanges> {
    stream(of: .saves, bufferingPolicy)
  }

  private func stream(
    of subject: StreamFeed.Subject,
    _ bufferingPolicy: AsyncStream<ObjectIDChanges>.Continuation.BufferingPolicy
  ) -> AsyncStream<ObjectIDChanges> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ObjectIDChanges.self,
      bufferingPolicy: bufferingPolicy
    )
    let feed = StreamFeed(subject, continuation)
    // The stream keeps its feed; the context does not.
    continuation.onTermination = { [weak listeners] _ in listeners?.remove(feed) }
    listeners.add(feed)
    return stream
  }
}

/// Puts the events of a context's listener into a stream.
private final class StreamFeed: ContextListener, Sendable {
  typealias Changes = NSManagedObjectContext.ObjectIDChanges

  enum Subject {
    case events
    case saves
  }

  private let subject: Subject
  private let continuation: AsyncStream<Changes>.Continuation

  init(_ subject: Subject, _ continuation: AsyncStream<Changes>.Continuation) {
    self.subject = subject
    self.continuation = continuation
  }

  func contextDidChange(_ changes: ContextChanges) {
    if subject == .events { tell(Changes(changes)) }
  }

  func contextDidSave(_ changes: ContextChanges) {
    if subject == .saves { tell(Changes(changes)) }
  }

  func contextDidReset() {
    guard subject == .events else { return }
    var changes = Changes()
    changes.isReset = true
    tell(changes)
  }

  func contextDidEnd() {
    continuation.finish()
  }

  private func tell(_ changes: Changes) {
    if changes != Changes() { continuation.yield(changes) }
  }
}

extension NSManagedObjectContext.ObjectIDChanges {
  fileprivate init(_ changes: ContextChanges) {
    inserted = Set(changes.inserted.map(\.objectID))
    updated = Set(changes.updated.map(\.objectID))
    deleted = Set(changes.deleted.map(\.objectID))
    refreshed = Set(changes.refreshed.map(\.objectID))
    invalidated = Set(changes.invalidated.map(\.objectID))
  }
}
