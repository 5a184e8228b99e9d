import CoreDataSyncCore
import Synchronization

// MARK: - With a token of the server

extension SyncService {
  /// Refuses a client without a token of the server.
  @discardableResult
  package func admitToServer(_ token: String?) throws -> AccessToken {
    try known(AccessToken.everyZone, token)
  }

  /// Makes a zone, and a token of the role admin for it.
  ///
  /// - Parameters:
  ///   - name: The name of the zone, which must be free.
  ///   - label: What the token is for.
  ///   - limit: The bytes that the zone may keep; `nil` for as many as other zones may.
  ///   - token: The text of a token of the server.
  /// - Returns: The text of the new token.
  /// - Throws: A refusal, such as 409 if there is a zone of this name, or a token for it.
  package func makeZone(
    _ name: String,
    label: String,
    limit: Int?,
    token: String?
  ) throws -> String {
    try access(to: AccessToken.everyZone, token)
    guard SyncAddress.isZone(name) else {
      throw ServiceRefusal(
        400,
        "'\(name.prefix(40))' is no name of a zone; use 1 to 100 letters, digits, . - and _"
      )
    }
    // Of two requests for one name, one is refused.
    return try makingZones.withLock { _ in
      guard try !zones.zoneNames().contains(name), try tokens.all(of: name).isEmpty else {
        throw ServiceRefusal(
          409,
          "There is a zone \(name) already. To get a token for it, POST to its tokens."
        )
      }
      try zones.setLimit(limit, of: name)
      return try tokens.make(zone: name, .admin, label: label, at: clock())
    }
  }

  /// The names of all zones, with the size and the limit of each, for a client with a token of the server.
  package func holdings(token: String?) throws -> [(zone: String, holding: ZoneHolding)] {
    try access(to: AccessToken.everyZone, token)
    return try holdings()
  }
}
