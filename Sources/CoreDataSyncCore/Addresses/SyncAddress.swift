/// The place of a zone, the token that lets a device in, and the key if the zone is encrypted.
///
/// ```
/// http://127.0.0.1:8788/Notes#k3v9…           server, zone, token
/// http://127.0.0.1:8788/Notes#k3v9….8mq2…     and the key
/// ```
///
/// Token and key follow the `#`, which browsers and proxies do not send along. People paste an address, or
/// its pairing code.
package struct SyncAddress: Hashable, Sendable {
  /// The server without the zone: `http://127.0.0.1:8788`.
  package let server: String
  package let zone: String
  package let token: String
  /// The key that the server does not have, and without which nothing in the zone can be read.
  package var key: ZoneKey?

  package init(server: String, zone: String, token: String, key: ZoneKey? = nil) {
    self.server = server
    self.zone = zone
    self.token = token
    self.key = key
  }

  /// Reads an address or a pairing code; throws a sentence with its problem.
  package init(_ text: String) throws(SyncAddressError) {
    let text = text.filter { !$0.isWhitespace && !$0.isNewline }
    if PairingCode.isMeant(by: text) {
      try self.init(address: try PairingCode.address(in: text))
    } else {
      try self.init(address: text)
    }
  }

  private init(address text: String) throws(SyncAddressError) {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw SyncAddressError(sentence: "The address has no token: what follows # is missing.")
    }
    guard parts[0].hasPrefix("http://") || parts[0].hasPrefix("https://") else {
      throw SyncAddressError(sentence: "The address does not begin with http:// or https://.")
    }
    guard let slash = parts[0].lastIndex(of: "/"),
      let host = parts[0][..<slash].split(separator: "/", omittingEmptySubsequences: false)
        .dropFirst(2)
        .first, !host.isEmpty
    else {
      throw SyncAddressError(
        sentence: "The address names no server and zone, as in http://host:8788/Notes."
      )
    }
    server = String(parts[0][..<slash])
    guard server.utf8.count <= Self.longestServer else {
      throw SyncAddressError(
        sentence:
          "The address is too long: its server has more than \(Self.longestServer) characters."
      )
    }
    zone = String(parts[0][parts[0].index(after: slash)...])
    let secrets = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    token = String(secrets[0])
    key = secrets.count == 2 ? ZoneKey(text: secrets[1]) : nil
    guard Self.isZone(zone) else {
      throw SyncAddressError(
        sentence:
          "'\(zone)' is no name of a zone; it has 1 to 100 letters, digits, dots, hyphens and underscores."
      )
    }
    guard Self.isToken(token) else {
      throw SyncAddressError(
        sentence: "The token in the address is incomplete; copy all of the address."
      )
    }
    guard secrets.count == 1 || key != nil else {
      throw SyncAddressError(
        sentence: "The key at the end of the address is incomplete; copy all of the address."
      )
    }
  }

  package static func isZone(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 45 || $0 == 46 || $0 == 95 }
  }

  /// How many characters a server has at most, with the path to it.
  static let longestServer = 1_000

  /// How many characters a token has: five bits in each.
  package static let tokenLength = 32

  package static func isToken(_ text: String) -> Bool {
    text.utf8.count == tokenLength && text.utf8.allSatisfy(isLetterOrDigit)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}

extension SyncAddress: CustomStringConvertible {
  package var description: String { "\(server)/\(zone)#\(token)\(key.map { ".\($0.text)" } ?? "")" }
}

/// The problem of an address.
package struct SyncAddressError: Error, Hashable, CustomStringConvertible {
  package let sentence: String
  package var description: String { sentence }
}
