public import Foundation

// Foundation on Linux does not have a sequence of notifications. If it gets one, that is preferred to this.

extension NotificationCenter {
  /// Returns an asynchronous sequence of the notifications that this center posts.
  ///
  /// ```swift
  /// for await note in NotificationCenter.default.notifications(named: .NSPersistentStoreRemoteChange) {
  ///   print(note.userInfo?[NSPersistentStoreURLKey] as? URL ?? "a store without a file")
  /// }
  /// ```
  ///
  /// Each iterator observes the center from the moment when it is made until it is released, and keeps notifications
  /// that it has not returned yet, with the objects in them. They belong to the queue of their context; for
  /// identities
  /// instead, call ``NSManagedObjectContext/saves(bufferingPolicy:)``.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object that posts them, or `nil` for notifications of all objects.
  /// - Returns: The sequence. It ends when the task that iterates over it is canceled.
  @_disfavoredOverload
  public func notifications(
    named name: Notification.Name,
    object: (any AnyObject & Sendable)? = nil
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// An asynchronous sequence of notifications.
  public struct Notifications: AsyncSequence, Sendable {
    public typealias Element = Notification
    public typealias Failure = Never

    let center: NotificationCenter
    let name: Notification.Name
    let object: (any AnyObject & Sendable)?

    /// Returns an iterator, which observes the center from now on.
    ///
    /// - Returns: An iterator over the notifications that are posted after this call.
    public func makeAsyncIterator() -> Iterator {
      let (posted, continuation) = AsyncStream.makeStream(of: Handover<Notification>.self)
      let observer = Handover(
        center.addObserver(forName: name, object: object, queue: nil) {
          continuation.yield(Handover($0))
        }
      )
      continuation.onTermination = { [center] _ in center.removeObserver(observer.value) }
      return Iterator(posted: posted.makeAsyncIterator())
    }

    /// An iterator over notifications.
    public struct Iterator: AsyncIteratorProtocol {
      var posted: AsyncStream<Handover<Notification>>.Iterator

      public mutating func next() async -> Notification? {
        await next(isolation: #isolation)
      }

      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async -> Notification? {
        await posted.next(isolation: actor)?.value
      }
    }
  }
}
