/// The tokens of a server, beside its zones.
///
/// Another program may make and revoke tokens at the same time; each question sees that.
package struct TokenBook: Sendable {
  private let storage: any TokenStorage
  /// As many tokens as a zone may have, revoked ones among them.
  private let most: Int

  package init(_ storage: any TokenStorage, most: Int = 10_000) {
    self.storage = storage
    self.most = most
  }
}

extension TokenBook {
  /// Whether tokens are looked up without waiting for another machine.
  package var answersAtOnce: Bool { storage.answersAtOnce }

  /// Makes a token; refuses a label that is too long, or not on one line, and one token more than a zone may have.
  ///
  /// - Returns: Its text, which is not kept.
  package func make(
    zone: String,
    _ role: TokenRole,
    label: String,
    at time: UInt64
  ) throws -> String {
    try Self.requireLabel(label)
    try requireRoom(in: zone)
    let text = TokenText.random()
    try storage.add(
      NewToken(hash: TokenText.hash(text), zone: zone, role: role, label: label, made: time)
    )
    return text
  }

  /// Makes a token and hands its text over; if that throws, the token is forgotten, because nobody has it.
  package func make(
    zone: String,
    _ role: TokenRole,
    label: String,
    at time: UInt64,
    handingOver handOver: (String) throws -> Void
  ) throws {
    let text = try make(zone: zone, role, label: label, at: time)
    do {
      try handOver(text)
    } catch {
      // The first failure is the one to report.
      try? storage.forget(hash: TokenText.hash(text))
      throw error
    }
  }

  private static func requireLabel(_ label: String) throws(ServiceRefusal) {
    guard label.utf8.count <= longestLabel else {
      throw ServiceRefusal(400, "The label is too long; it has at most \(longestLabel) bytes.")
    }
    // A line break would make a token of its own in the list of tokens.
    guard !label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw ServiceRefusal(400, "A label is on one line, without control characters.")
    }
  }

  private static let longestLabel = 200

  /// Forgets revoked tokens if there is no room; they do not open the zone anyway.
  private func requireRoom(in zone: String) throws {
    guard try all(of: zone).count >= most else { return }
    try storage.forgetRevoked(of: zone)
    guard try all(of: zone).count >= most else { return }
    throw ServiceRefusal(
      409,
      """
      The zone \(zone) has \(most) tokens, as many as a zone may have. Revoke those that nobody uses, and try again.
      """
    )
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
