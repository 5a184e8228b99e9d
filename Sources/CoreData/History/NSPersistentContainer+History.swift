import CoreDataPredicates
import Foundation

// MARK: - The history as it is written

extension NSPersistentContainer {
  /// Returns the transactions that are written from now on, whichever process writes them.
  ///
  /// This is ``transactions(after:)`` with the token that the stores have when you call this method, and has the same
  /// requirements.
  ///
  /// - Returns: The new transactions, one or more at a time, in the order in which they were written. The stream throws the
  ///   errors of ``transactions(after:)``.
  public func transactions() -> AsyncThrowingStream<[NSPersistentHistoryTransaction], any Error> {
    do {
      return transactions(after: try persistentStoreCoordinator.wholeHistoryToken())
    } catch {
      // A token without a store would begin with all that was ever written to it.
      return AsyncThrowingStream(unfolding: { throw error })
    }
  }

  /// Returns the transactions of the history after a token: those that are there, and then each new one, whichever
  /// process writes it.
  ///
  /// ```swift
  /// for try await transactions in container.transactions(after: bookmark) {
  ///   for change in transactions.flatMap({ $0.changes ?? [] }) { print(change.changedObjectID) }
  ///   bookmark = transactions.last?.token
  /// }
  /// ```
  ///
  /// No transaction is left out, and none comes twice. A slow reader gets more transactions at a time, but
  /// nothing is kept for it in memory, because the stream reads the history itself. Each array costs the statements of
  /// one history request, however many saves it contains.
  ///
  /// Set both `NSPersistentHistoryTrackingKey` and `NSPersistentStoreRemoteChangeNotificationPostOptionKey` to
  /// `true` in the options of the stores. The stream holds the container's coordinator. It ends when the task that
  /// reads it is canceled.
  ///
  /// Call this method from any task, and read the stream in one task.
  ///
  /// - Parameter token: The place after which the stream begins, or `nil` for the beginning of the history.
  /// - Returns: The transactions, one or more at a time, in the order in which they were written. The stream throws
  ///   134301 if part of the history after the token was deleted, 134091 if no store keeps a history or one does not
  ///   report remote changes, and otherwise the error of a store that cannot be read.
  public func transactions(
    after token: NSPersistentHistoryToken?
  ) -> AsyncThrowingStream<[NSPersistentHistoryTransaction], any Error> {
    let follower = HistoryFollower(newBackgroundContext(), after: token)
    return AsyncThrowingStream { try await follower.next() }
  }
}

/// Continues to read the history from the last place, each time the coordinator reports more.
///
/// ```
/// a save, anywhere ─▶ NSPersistentStoreRemoteChange ─▶ one signal, however many came ─▶ the history after last
/// ```
private actor HistoryFollower {
  private let context: NSManagedObjectContext
  private let signals: RemoteChangeSignals
  private var last: NSPersistentHistoryToken?

  init(_ context: NSManagedObjectContext, after token: NSPersistentHistoryToken?) {
    self.context = context
    // From here on nothing is missed.
    signals = RemoteChangeSignals(of: context.persistentStoreCoordinator)
    last = token
  }

  /// The transactions that were not read yet, as soon as there are some; nil after the task was canceled.
  func next() async throws -> [NSPersistentHistoryTransaction]? {
    while true {
      let found = try await transactions(after: last)
      if let newest = found.last {
        last = newest.token
        return found
      }
      var iterator = signals.stream.makeAsyncIterator()
      if await iterator.next(isolation: self) == nil { return nil }
    }
  }

  private func transactions(
    after token: NSPersistentHistoryToken?
  ) async throws -> [NSPersistentHistoryTransaction] {
    let context = context
    return try await context.perform(schedule: .enqueued) {
      try context.requiredCoordinator.checkTellsOfChanges()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
  }
}

/// A signal that a coordinator's stores were written to; those that nobody has waited for are one.
private final class RemoteChangeSignals: Sendable {
  let stream: AsyncStream<Void>
  /// Taken back on any thread.
  private let observer: Immutable<any NSObjectProtocol>

  init(of coordinator: NSPersistentStoreCoordinator?) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    self.stream = stream
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { _ in continuation.yield() }
    self.observer = Immutable(observer)
  }

  deinit {
    NotificationCenter.default.removeObserver(observer.value)
  }
}

extension NSPersistentStoreCoordinator {
  /// Throws if a store with a history does not report writes.
  fileprivate func checkTellsOfChanges() throws {
    let key = NSPersistentStoreRemoteChangeNotificationPostOptionKey
    for store in persistentStores where store.history != nil {
      if (store.options?[key] as? NSNumber)?.boolValue != true {
        throw HistoryFailure.silent(store: store.shownPath).error
      }
    }
  }
}
