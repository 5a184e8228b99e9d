import CoreDataSyncCore

extension SyncService {
  /// The token that opens a zone, for one more request.
  ///
  /// If `isForTokens`, a token of the server opens each.
  @discardableResult
  func access(
    to zone: String,
    _ text: String?,
    isForTokens: Bool = false
  ) throws -> AccessToken {
    let token = try known(zone, text, isForTokens: isForTokens)
    guard limits.takes(token.number, at: clock()) else {
      throw ServiceRefusal(429, "There were too many requests; try again in a few seconds.")
    }
    return token
  }

  func known(
    _ zone: String,
    _ text: String?,
    isForTokens: Bool = false
  ) throws -> AccessToken {
    let isOfServer = zone == AccessToken.everyZone
    guard isOfServer || SyncAddress.isZone(zone) else {
      throw ServiceRefusal(404, "There is no zone of this name.")
    }
    guard let text, !text.isEmpty else {
      throw ServiceRefusal(401, "A token is missing; it stands behind # in the address.")
    }
    guard SyncAddress.isToken(text), let token = try tokens.token(text),
      token.zone == zone || isForTokens && token.role == .server
    else {
      guard failures.takes(0, at: clock()) else {
        throw ServiceRefusal(429, "There were too many wrong tokens; try again in a few seconds.")
      }
      throw ServiceRefusal(
        401,
        isOfServer
          ? "This needs a token of the server: \(zones.command.rawValue) --new-token server"
          : "This token does not open the zone \(zone); ask for a new address."
      )
    }
    guard !token.isRevoked else {
      throw ServiceRefusal(401, "This token was revoked; ask for a new address.")
    }
    return token
  }

  func requireWriting(_ zone: String, _ token: String?) throws {
    guard try access(to: zone, token).role.canWrite else {
      throw ServiceRefusal(403, "This token can only read; ask for one that can write.")
    }
  }

  private func administration(of zone: String, _ text: String?) throws {
    let role = try access(to: zone, text, isForTokens: true).role
    guard role == .admin || role == .server else {
      throw ServiceRefusal(403, "Only a token of the role admin makes and revokes tokens.")
    }
  }

  /// Makes a token for a zone, for somebody who may.
  package func makeToken(
    _ role: String,
    label: String,
    zone: String,
    token: String?
  ) throws -> String {
    try administration(of: zone, token)
    guard let role = TokenRole.ofZones.first(where: { $0.rawValue == role }) else {
      throw ServiceRefusal(400, "A role is read, write or admin, not '\(role.prefix(40))'.")
    }
    return try tokens.make(zone: zone, role, label: label, at: clock())
  }

  package func tokens(of zone: String, token: String?) throws -> [AccessToken] {
    try administration(of: zone, token)
    return try tokens.all(of: zone)
  }

  package func revoke(_ number: Int64, zone: String, token: String?) throws {
    try administration(of: zone, token)
    guard try tokens.revoke(number, of: zone) else {
      throw ServiceRefusal(404, "There is no token of the number \(number) in this zone.")
    }
  }
}
