/// The key of an encrypted zone, which its devices have and the server has not: 32 bytes.
package struct ZoneKey: Hashable, Sendable {
  package static let size = 32
  package let bytes: [UInt8]

  /// Nil where these are not as many bytes as a key has.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// The key in the form that addresses use.
  package var text: String { Base32.text(bytes) }

  package init?(text: some StringProtocol) {
    guard let bytes = Base32.bytes(text) else { return nil }
    self.init(bytes)
  }
}

extension ZoneKey: CustomStringConvertible {
  /// Keeps the key out of logs.
  package var description: String { "a key" }
}
