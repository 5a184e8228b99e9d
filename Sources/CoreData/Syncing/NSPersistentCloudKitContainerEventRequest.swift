public import Foundation

/// A request for the events of the containers of a coordinator, since the program was started.
///
/// ```swift
/// let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: yesterday)
/// let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
/// for event in result?.result as? [NSPersistentCloudKitContainer.Event] ?? [] { … }
/// ```
///
/// The last 1,000 events of each container are known.
public final class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
  /// The type of the result.
  ///
  /// The default is `.events`.
  public var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events
  private let isWanted: (NSPersistentCloudKitContainer.Event) -> Bool
  private let first: UUID?

  private init(
    after first: UUID? = nil,
    where isWanted: @escaping (NSPersistentCloudKitContainer.Event) -> Bool = { _ in true }
  ) {
    self.first = first
    self.isWanted = isWanted
    super.init()
  }

  /// Creates a request for the events after another.
  ///
  /// - Parameter event: An event, or `nil` for all events.
  /// - Returns: The request.
  public static func fetchEvents(
    after event: NSPersistentCloudKitContainer.Event?
  ) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(after: event?.identifier)
  }

  /// Creates a request for the events that began after a time.
  ///
  /// - Parameter date: The time.
  /// - Returns: The request.
  public static func fetchEvents(after date: Date) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest { $0.startDate > date }
  }

  /// The kind of request, which is `.fetchRequestType`.
  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
}

extension NSPersistentCloudKitContainerEventRequest: ContextExecutable {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    var events = context.persistentStoreCoordinator?.syncEvents.all ?? []
    if let first, let place = events.firstIndex(where: { $0.identifier == first }) {
      events.removeSubrange(...place)
    }
    if let affectedStores {
      let identifiers = affectedStores.compactMap(\.identifier)
      events = events.filter { identifiers.contains($0.storeIdentifier) }
    }
    return NSPersistentCloudKitContainerEventResult(events.filter(isWanted), resultType)
  }
}

/// The result of a request for events.
public final class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {
  /// The types of results, with the raw values of Apple's framework.
  public enum ResultType: Int, Sendable {
    /// An array of ``NSPersistentCloudKitContainer/Event``.
    case events = 0
    /// An array with one `NSNumber`, which is the number of events; so it is in Apple's header.
    case countEvents = 1
  }

  /// The result, whose type depends on the ``resultType``.
  public let result: Any?
  /// The type of the result.
  public let resultType: ResultType

  init(_ events: [NSPersistentCloudKitContainer.Event], _ type: ResultType) {
    switch type {
    case .events: result = events
    case .countEvents: result = [NSNumber(value: events.count)]
    }
    resultType = type
    super.init()
  }
}
