public import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

extension SyncedStore {
  /// Returns the address that a text represents, with the key that protects the zone.
  ///
  /// With a passphrase, the server is asked how keys are made of it in this zone, and whether it is the right one. If the zone
  /// is empty, the method leaves there what other devices need to make the same key of the passphrase. Nothing else is sent.
  ///
  /// - Parameters:
  ///   - text: An address as `coredata serve` prints it, or a pairing code. Spaces and line breaks are ignored.
  ///   - protection: How values are protected.
  /// - Returns: The address, with the key if there is one. Keep it as you keep a password.
  /// - Throws: A ``Problem`` if the text cannot be understood, the passphrase is wrong, or the server cannot be reached.
  public static func address(
    from text: String,
    protection: Protection = .asGiven
  ) async throws -> String {
    try await waiting { try SyncAddress.read(text, protection).description }
  }

  /// Returns the text with which another device joins: the address, the token and the key, with a checksum.
  ///
  /// - Parameter address: The address of a zone.
  /// - Returns: A text of letters, digits and hyphens. Anybody who has it can read and write what the address permits.
  /// - Throws: A ``Problem`` if the address cannot be understood.
  public static func pairingCode(for address: String) throws -> String {
    try SyncAddress.read(address).pairingCode
  }

  /// Returns whether no device has sent anything to a zone yet.
  ///
  /// A program that makes objects at its first start asks this before it makes them. A zone whose objects have all been
  /// deleted is not new. The server has fifteen seconds to answer.
  ///
  /// - Parameter address: The address of a zone with its token, or a pairing code.
  /// - Returns: `true` if the zone is empty and has always been so.
  /// - Throws: A ``Problem`` if the address cannot be understood, or the server cannot be reached or does not accept the
  ///   token.
  public static func isNewZone(at address: String) async throws -> Bool {
    try await waiting { try ZoneExchange.isNew(SyncAddress.read(address)) }
  }

  /// Deletes what is known of the server beside a store, so that the store begins again as if for the first time.
  ///
  /// The store keeps its objects. Changes that the server has not confirmed do not come to the other devices, and kept
  /// conflicts are forgotten.
  ///
  /// - Parameter url: The file of a store that nothing keeps in step at the moment.
  /// - Throws: A ``Problem`` if something keeps the store in step, or an error of the file system.
  public static func forgetServer(ofStoreAt url: URL) throws {
    try SyncSession.forgetServer(ofStoreAt: url.path)
  }

  /// Does something that may wait for the network, on a thread of its own.
  private static func waiting<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}
