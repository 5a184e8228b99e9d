import CoreData
import CoreDataSyncCore

/// The events of one exchange: exports for pushes, imports for pulls and for applying them.
///
/// They come one after another. Only if the server takes no changes before the device has asked for others, as at their
/// first meeting, the import is within the export.
///
/// Used by the engine's thread.
final class ExchangeEvents {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  private typealias Begun = (
    type: SyncedStore.EventType, end: (SyncProblem?) -> Void
  )

  private let driver: SyncDriver
  private var current: Begun?
  /// Cells that the server has not taken yet are sent again within this exchange.
  private var waiting: Begun?

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
    if case .refused = response { (waiting, current) = (current, nil) }
    return response
  }

  private func begin(_ type: SyncedStore.EventType) {
    if current?.type == type { return }
    current?.end(nil)
    if let waiting, waiting.type == type {
      (current, self.waiting) = (waiting, nil)
    } else {
      current = (type, driver.begin(type))
    }
  }

  /// Ends the event that is under way; the problem of an exchange that has not asked for anything yet is reported as
  /// that of an import.
  func end(_ problem: SyncProblem? = nil) {
    if problem != nil, current == nil, waiting == nil { begin(.import) }
    for event in [current, waiting] { event?.end(problem) }
    (current, waiting) = (nil, nil)
  }
}
