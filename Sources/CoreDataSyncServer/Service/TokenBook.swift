/// The tokens of a server, beside its zones.
///
/// Another program may make and revoke tokens meanwhile; each question sees that.
package struct TokenBook: Sendable {
  private let storage: any TokenStorage

  package init(_ storage: any TokenStorage) {
    self.storage = storage
  }
}

extension TokenBook {
  /// Makes a token.
  ///
  /// - Returns: Its text, which is not kept.
  package func make(
    zone: String,
    _ role: TokenRole,
    label: String,
    at time: UInt64
  ) throws -> String {
    let text = TokenText.random()
    try storage.add(
      NewToken(hash: TokenText.hash(text), zone: zone, role: role, label: label, made: time)
    )
    return text
  }

  /// The token with this text, revoked or not.
  package func token(_ text: String) throws -> AccessToken? {
    try storage.tokens(.withHash(TokenText.hash(text))).first
  }

  /// The tokens of a zone, or of all zones, in the order in which they were made.
  package func all(of zone: String?) throws -> [AccessToken] {
    try storage.tokens(zone.map { .ofZone($0) } ?? .all)
  }

  /// Revokes a token of a zone, or of any; says whether there is one of that number.
  package func revoke(_ number: Int64, of zone: String?) throws -> Bool {
    guard let token = try storage.tokens(.withNumber(number)).first,
      zone == nil || token.zone == zone
    else { return false }
    try storage.revoke(number)
    return true
  }
}
