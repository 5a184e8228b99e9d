import CoreData
import CoreDataSync
import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation

extension SyncAddress {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  /// The address that a text represents, an address or a pairing code.
  ///
  /// - Throws: A `SyncProblem` if the text cannot be understood.
  static func read(_ text: String) throws(SyncProblem) -> SyncAddress {
    do {
      return try SyncAddress(text)
    } catch {
      throw SyncProblem(error.sentence, isTemporary: false)
    }
  }

  /// The address that a text represents, with the protection that is wanted; may ask the server.
  static func read(
    _ text: String,
    _ protection: NSPersistentCloudKitContainer.SyncProtection
  ) throws -> SyncAddress {
    var address = try read(text)
    switch protection {
    case .asGiven: break
    case .newKey: address.key = address.key ?? .random()
    case .passphrase(let words):
      address = try ZoneExchange.address(address, passphrase: words)
    }
    return address
  }
}

extension SyncSession {
  /// Deletes the sidecar of a store, which nothing keeps in step at the moment.
  ///
  /// - Throws: A `SyncProblem` if another program uses it, or an error of the file system.
  static func forgetServer(ofStoreAt path: String) throws {
    do {
      try deleteSidecar(ofStoreAt: path)
    } catch let failure as SyncFailure {
      throw NSPersistentCloudKitContainer.SyncProblem(failure.description, isTemporary: true)
    }
  }
}
