import CoreData
public import Foundation

/// How far a slip box is in step with those on other devices.
public struct SyncState: Encodable, Sendable, Equatable {
  /// Whether it is kept in step at all.
  public let isJoined: Bool
  /// The server and its zone, without the token: `http://127.0.0.1:8788/Notes`; null if a pairing code is kept, whose
  /// token and key are secret.
  @OrNull public var server: String?
  /// How many changes the server has not confirmed, as far as they are counted.
  public let waiting: Int
  /// Whether more changes may wait, because the store could not be read.
  public let mayHaveMoreWaiting: Bool
  /// When all that was changed here, and all that others have changed, was last on both sides.
  @OrNull public var confirmed: Date?
  public let isActive: Bool
  /// The obstacle, in a sentence.
  @OrNull public var problem: String?
  /// Whether it can go on without anybody's help, once nothing is in the way.
  public let isPatient: Bool
  /// Whether only the changes of others arrive here, because the address permits no more.
  public let isReadOnly: Bool
  /// Whether the server cannot read the notes.
  public let isEncrypted: Bool
  /// How many values lost against those of others; a conflict of a note may have several.
  public let lostValues: Int
  /// How many values came that cannot be shown here.
  public let refused: Int

  private enum CodingKeys: String, CodingKey {
    case isJoined = "joined"
    case server, waiting, confirmed, problem, refused
    case isActive = "active"
    case isPatient = "patient"
    case mayHaveMoreWaiting = "uncounted"
    case isReadOnly = "readOnly"
    case isEncrypted = "encrypted"
    case lostValues = "lost"
  }

  init(_ status: NSPersistentCloudKitContainer.SyncStatus, address: String?) {
    isJoined = address != nil
    waiting = status.pendingSaveCount
    mayHaveMoreWaiting = isJoined && !status.countsAreKnown
    isActive = status.isActive
    isPatient = status.problem?.isTemporary ?? true
    isReadOnly = !status.canWrite
    isEncrypted = status.isEncrypted
    lostValues = status.conflictCount
    refused = status.quarantineCount
    server = address.flatMap(Self.server)
    confirmed = status.lastConfirmed
    problem = status.problem?.description
  }

  private static func server(in address: String) -> String? {
    guard address.contains("#"), zone(in: address).contains("://") else { return nil }
    return zone(in: address)
  }

  /// The server and the zone of an address: `http://127.0.0.1:8788/Notes`.
  static func zone(in address: String) -> String { String(address.prefix { $0 != "#" }) }

  /// The key of an address, with the dot before it; empty if it lacks one.
  static func key(in address: String) -> String {
    String(address.drop { $0 != "#" }.drop { $0 != "." })
  }
}
