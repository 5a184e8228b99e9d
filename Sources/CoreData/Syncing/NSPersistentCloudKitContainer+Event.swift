public import Foundation

extension NSPersistentCloudKitContainer {
  /// The kinds of events, with the raw values of Apple's framework.
  public enum EventType: Int, Sendable {
    /// A store and its sidecar are opened.
    case setup = 0
    /// Changes are fetched and applied.
    case `import` = 1
    /// Changes are sent.
    case export = 2
  }

  /// A piece of work by which a store is kept in step.
  public final class Event: NSObject, NSCopying, Sendable {
    /// The identity of the event, which is the same at its start and at its end.
    public let identifier: UUID
    /// The UUID of the store, as its ``NSPersistentStore/identifier``.
    public let storeIdentifier: String
    /// The kind of event: a setup, an import or an export.
    public let type: EventType
    /// The time when the event began.
    public let startDate: Date
    /// The time when the event ended, or `nil` if it has not ended yet.
    public let endDate: Date?
    /// A Boolean value that indicates whether the event has ended without an error.
    public let succeeded: Bool
    /// The error with which the event ended, a ``NSPersistentCloudKitContainer/SyncProblem``, or `nil`.
    public let error: (any Error)?

    package init(
      identifier: UUID,
      storeIdentifier: String,
      type: EventType,
      startDate: Date,
      endDate: Date? = nil,
      error: SyncProblem? = nil
    ) {
      self.identifier = identifier
      self.storeIdentifier = storeIdentifier
      self.type = type
      self.startDate = startDate
      self.endDate = endDate
      self.error = error
      succeeded = endDate != nil && error == nil
      super.init()
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The kind of event, its store and its times, and what went wrong.
    public override var description: String {
      let outcome = endDate.map { "ended \($0)" } ?? "under way"
      let problem = error.map { ": \($0)" } ?? ""
      return "\(type) of store \(storeIdentifier), begun \(startDate), \(outcome)\(problem)"
    }
  }
}

// MARK: - Notifications

extension NSPersistentCloudKitContainer {
  /// The notification that is posted when an event begins and when it ends.
  ///
  /// The object is the container; the event is in the user info under ``eventNotificationUserInfoKey``.
  /// Notifications are posted in the order of the events, on a queue of the container. The exchange does not wait for
  /// observers.
  public class var eventChangedNotification: NSNotification.Name {
    NSNotification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }

  /// The key of the event in the user info of ``eventChangedNotification``.
  public class var eventNotificationUserInfoKey: String { "event" }
}
