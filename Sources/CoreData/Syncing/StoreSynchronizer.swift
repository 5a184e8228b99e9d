/// Keeps one store in step, as a container sees it.
///
/// The framework does not know how that is done. The engine is in modules of its own, which a program gets with the
/// product CoreDataSync, and is found by its name when it is needed: so a program that only says `import CoreData`
/// compiles with the container, and one that keeps nothing in step does not contain an engine.
package protocol StoreSynchronizer: AnyObject, Sendable {
  var store: SynchronizedStore { get }
  var status: NSPersistentCloudKitContainer.SyncStatus { get }
  func start()
  /// Ends it, and waits for what is being done.
  func stop()
  /// Ends it, and waits only for a moment, because the caller may have locked something that is needed to go on.
  func leave()
  /// Brings the store and the server to the same state; calls the closure when that is done or has failed.
  func synchronize(
    _ completion: @escaping @Sendable (NSPersistentCloudKitContainer.SyncProblem?) -> Void
  )
  /// Does not wait for an exchange.
  func conflicts() throws -> [NSPersistentCloudKitContainer.SyncConflict]
  func resolve(_ conflict: NSPersistentCloudKitContainer.SyncConflict, takesBack: Bool) throws
  /// Does not wait for an exchange.
  func quarantine() throws -> [NSPersistentCloudKitContainer.QuarantinedValue]
}

/// The stores that synchronizers work on, and the recipients of their reports.
package struct SynchronizedStore: Sendable {
  package let coordinator: NSPersistentStoreCoordinator
  package let store: NSPersistentStore
  package let address: String
  /// The name of this device for people; empty if it is not shared.
  package let deviceName: String
  package let reportEvent: @Sendable (NSPersistentCloudKitContainer.Event) -> Void
  package let reportStatus: @Sendable (NSPersistentCloudKitContainer.SyncStatus) -> Void
}

/// Makes synchronizers; the class of this protocol is found by its name.
package protocol StoreSynchronizerMaker: AnyObject {
  static func synchronizer(for store: SynchronizedStore) throws -> any StoreSynchronizer
  /// Says which entities and properties are kept in step, or why the model cannot be.
  static func explain(_ model: NSManagedObjectModel) throws -> String
  /// Throws an error that explains why a text is not an address; does nothing if it is one.
  static func check(address: String) throws
  /// The address that a text represents, an address or a pairing code, with the protection that is wanted.
  ///
  /// May ask the server.
  static func address(
    from text: String,
    _ protection: NSPersistentCloudKitContainer.SyncProtection
  ) throws -> String
  static func pairingCode(for address: String) throws -> String
  /// Whether nothing was ever sent to a zone; asks the server.
  static func isNewZone(at address: String) throws -> Bool
  /// Deletes what is known of the server beside a store, which nothing keeps in step at the moment.
  static func forgetServer(of store: NSPersistentStore) throws
}

/// Where the engine is looked for.
enum SyncEngineLocator {
  static let className = "CoreDataSyncDevice.SyncPlugin"

  static func maker() throws -> any StoreSynchronizerMaker.Type {
    if let type = NSClassFromString(className) as? any StoreSynchronizerMaker.Type { return type }
    throw NSPersistentCloudKitContainer.SyncProblem(
      """
      This program does not contain what keeps stores in step. Add the product CoreDataSync of the package \
      open-core-data to the dependencies of its target.
      """,
      isTemporary: false
    )
  }
}
