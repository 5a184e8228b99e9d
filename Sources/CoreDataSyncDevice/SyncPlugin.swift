import CoreData
import CoreDataSync
import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation

/// The class that the framework finds by its name when a container shall be synchronized.
final class SyncPlugin: StoreSynchronizerMaker {
  static func synchronizer(for store: SynchronizedStore) throws -> any StoreSynchronizer {
    guard let path = path(of: store.store) else {
      throw NSPersistentCloudKitContainer.SyncProblem(
        "A store without a file cannot be kept in step; use a SQLite store.",
        isTemporary: false
      )
    }
    let sidecar = SyncSession.sidecar(ofStoreAt: path)
    let address = try read(store.address)
    let parts = SyncSession.parts(ofStoreAt: path)
    let zone = ZoneExchange(address, parts: parts)
    return SyncDriver(store, sidecar: sidecar, zone, isEncrypted: address.key != nil)
  }

  static func check(address: String) throws { _ = try read(address) }

  static func address(
    from text: String,
    _ protection: NSPersistentCloudKitContainer.SyncProtection
  ) throws -> String {
    var address = try read(text)
    switch protection {
    case .asGiven: break
    case .newKey: address.key = address.key ?? .random()
    case .passphrase(let words):
      address = try ZoneExchange.address(address, passphrase: words)
    }
    return address.description
  }

  static func pairingCode(for address: String) throws -> String { try read(address).pairingCode }

  static func isNewZone(at address: String) throws -> Bool {
    try ZoneExchange.isNew(try read(address))
  }

  private static func read(_ address: String) throws -> SyncAddress {
    do {
      return try SyncAddress(address)
    } catch {
      throw NSPersistentCloudKitContainer.SyncProblem(error.sentence, isTemporary: false)
    }
  }

  static func forgetServer(of store: NSPersistentStore) throws {
    guard let path = path(of: store) else { return }
    do {
      try SyncSession.deleteSidecar(ofStoreAt: path)
    } catch let failure as SyncFailure {
      throw NSPersistentCloudKitContainer.SyncProblem(failure.description, isTemporary: true)
    }
  }

  /// The path of a store's file; `nil` for a store without a file, or in memory.
  private static func path(of store: NSPersistentStore) -> String? {
    guard let path = store.url.flatMap({ $0.isFileURL ? $0.path : nil }), path != "/dev/null",
      !path.hasPrefix("/dev/null/")
    else { return nil }
    return path
  }

  static func explain(_ model: NSManagedObjectModel) throws -> String {
    do {
      return try SyncSession.explain(model)
    } catch {
      throw NSPersistentCloudKitContainer.SyncProblem("\(error)", isTemporary: false)
    }
  }
}
