import CoreData

/// A driver, as a container of this framework wants one.
final class ContainerSynchronizer: StoreSynchronizer {
  let store: SynchronizedStore
  private let driver: SyncDriver

  init(_ store: SynchronizedStore) throws {
    self.store = store
    let identifier = store.store.identifier ?? ""
    driver = try SyncDriver(
      KeptStore(
        coordinator: store.coordinator,
        store: store.store,
        address: store.address,
        deviceName: store.deviceName,
        reportEvent: { store.reportEvent(.init($0, of: identifier)) },
        reportStatus: store.reportStatus
      )
    )
  }

  var status: NSPersistentCloudKitContainer.SyncStatus { driver.status }

  func start() { driver.start() }

  func stop() { driver.stop() }

  func leave() { driver.leave() }

  func synchronize(
    _ completion: @escaping @Sendable (NSPersistentCloudKitContainer.SyncProblem?) -> Void
  ) {
    driver.synchronize(completion)
  }

  func conflicts() throws -> [NSPersistentCloudKitContainer.SyncConflict] {
    try driver.conflicts()
  }

  func resolve(
    _ conflict: NSPersistentCloudKitContainer.SyncConflict,
    takesBack: Bool
  ) throws {
    try driver.resolve(conflict, takesBack: takesBack)
  }

  func quarantine() throws -> [NSPersistentCloudKitContainer.QuarantinedValue] {
    try driver.quarantine()
  }
}

extension NSPersistentCloudKitContainer.Event {
  fileprivate convenience init(_ event: SyncedStore.Event, of storeIdentifier: String) {
    self.init(
      identifier: event.id,
      storeIdentifier: storeIdentifier,
      type: event.type,
      startDate: event.startDate,
      endDate: event.endDate,
      error: event.problem
    )
  }
}
