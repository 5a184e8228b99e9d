import Foundation

// MARK: - Changes as values

extension NSManagedObjectContext {
  /// The identities of objects that something happened to, in one event or one save.
  public struct ObjectIDChanges: Hashable, Sendable {
    /// New objects; in ``changes(bufferingPolicy:)`` their identities may still be temporary.
    public var inserted: Set<NSManagedObjectID> = []
    public var updated: Set<NSManagedObjectID> = []
    public var deleted: Set<NSManagedObjectID> = []
    /// Objects whose values came anew from the store, or were rolled back.
    public var refreshed: Set<NSManagedObjectID> = []
    /// Objects that have lost their store.
    public var invalidated: Set<NSManagedObjectID> = []
    /// Whether the context has forgotten all its objects.
    public var isReset = false

    public init() {}
  }

  /// The changes of each event from now on, for whoever wants to await them.
  ///
  /// ```swift
  /// for await change in context.changes() { print(change.inserted.count) }
  /// ```
  ///
  /// May be called on any thread. Whatever happens after the call is in the stream, awaited or not:
  /// changes wait there without limit unless `bufferingPolicy` sets one. A stream is for one loop, does
  /// not keep the context alive, and ends with it. Costs the sets of identities for each event.
  public func changes(
    bufferingPolicy: AsyncStream<ObjectIDChanges>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<ObjectIDChanges> {
    stream(of: .events, bufferingPolicy)
  }

  /// The changes of each save from now on, with permanent identities.
  ///
  /// ```swift
  /// for await save in context.saves() { await index.update(save.inserted) }
  /// ```
  ///
  /// A save of nothing is not in it. The rest is as with ``changes(bufferingPolicy:)``.
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

/// What a context's listener hears, put into a stream.
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
