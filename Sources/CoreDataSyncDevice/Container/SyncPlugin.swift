import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// The class that the framework finds by its name when a container shall be synchronized.
final class SyncPlugin: StoreSynchronizerMaker {
  static func synchronizer(for store: SynchronizedStore) throws -> any StoreSynchronizer {
    try ContainerSynchronizer(store)
  }

  static func check(address: String) throws { _ = try SyncAddress.read(address) }

  static func address(
    from text: String,
    _ protection: NSPersistentCloudKitContainer.SyncProtection
  ) throws -> String {
    try SyncAddress.read(text, protection).description
  }

  static func pairingCode(for address: String) throws -> String {
    try SyncAddress.read(address).pairingCode
  }

  static func isNewZone(at address: String) throws -> Bool {
    try ZoneExchange.isNew(try SyncAddress.read(address))
  }

  static func forgetServer(of store: NSPersistentStore) throws {
    if let path = store.pathOfFile { try SyncSession.forgetServer(ofStoreAt: path) }
  }

  static func explain(_ model: NSManagedObjectModel) throws -> String {
    do {
      return try SyncSession.explain(model)
    } catch {
      throw NSPersistentCloudKitContainer.SyncProblem("\(error)", isTemporary: false)
    }
  }
}
