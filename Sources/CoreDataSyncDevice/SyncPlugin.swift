import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// What the framework finds by its name when a container is to be kept in step.
final class SyncPlugin: StoreSynchronizerMaker {
  static func synchronizer(for store: SynchronizedStore) throws -> any StoreSynchronizer {
    guard let file = store.store.url, file.isFileURL else {
      throw NSPersistentCloudKitContainer.SyncProblem(
        "A store without a file cannot be kept in step; use a SQLite store.",
        isTemporary: false
      )
    }
    let sidecar = SyncSession.sidecar(ofStoreAt: file.path)
    return SyncDriver(store, sidecar: sidecar, HTTPTransport(try read(store.address)))
  }

  static func check(address: String) throws { _ = try read(address) }

  private static func read(_ address: String) throws -> SyncAddress {
    do {
      return try SyncAddress(address)
    } catch {
      throw NSPersistentCloudKitContainer.SyncProblem(error.sentence, isTemporary: false)
    }
  }

  static func forgetServer(of store: NSPersistentStore) throws {
    guard let file = store.url, file.isFileURL else { return }
    do {
      try SyncSession.deleteSidecar(ofStoreAt: file.path)
    } catch let failure as SyncFailure {
      throw NSPersistentCloudKitContainer.SyncProblem(failure.description, isTemporary: true)
    }
  }

  static func explain(_ model: NSManagedObjectModel) throws -> String {
    do {
      return try SyncSession.explain(model)
    } catch {
      throw NSPersistentCloudKitContainer.SyncProblem("\(error)", isTemporary: false)
    }
  }
}
