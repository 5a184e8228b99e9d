import CoreData
import CoreDataSyncCore

/// The events of one exchange, one after another: exports for what is sent, imports for what is asked for and applied.
///
/// Used by the engine's thread.
final class ExchangeEvents {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  private let driver: SyncDriver
  private var current: (type: NSPersistentCloudKitContainer.EventType, end: (SyncProblem?) -> Void)?

  init(_ driver: SyncDriver) {
    self.driver = driver
  }

  /// Sends a request within the event that it belongs to.
  func telling(
    of request: SyncRequest,
    _ send: (SyncRequest) throws -> SyncResponse
  ) throws -> SyncResponse {
    guard case .push = request else {
      begin(.import)
      return try send(request)
    }
    begin(.export)
    let response = try send(request)
    if case .refused = response { end(Self.refused) }
    return response
  }

  private func begin(_ type: NSPersistentCloudKitContainer.EventType) {
    if current?.type == type { return }
    if current != nil { end() }
    current = (type, driver.begin(type))
  }

  /// Ends the event that is under way; what is in the way of an exchange that has asked for nothing yet is told as that
  /// of an import.
  func end(_ problem: SyncProblem? = nil) {
    if problem != nil, current == nil { begin(.import) }
    current?.end(problem)
    current = nil
  }

  private static let refused = SyncProblem(
    "The server does not take the changes yet; they are sent again within this exchange.",
    isTemporary: true
  )
}
